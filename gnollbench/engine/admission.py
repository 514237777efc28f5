"""What refuses a launch, before any call and before anything is stored (R6, R25, R55, R56)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch, ModelConfig
from gnollbench.records.suite import MAX_QUESTIONS, Suite

HOUR_S, DAY_S = 3600, 86_400

History = Callable[[float], int]
"""How many runs that reached a provider started within the last so many seconds."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What an admitted launch carries into its record."""

    acknowledgements: tuple[str, ...]
    warnings: tuple[str, ...]


def admit(launch: Launch, suite: Suite, environ: Mapping[str, str], history: History) -> Admission:
    """Admit a launch.

    Raises
    ------
    Refusal
        With what is refused, why, and what would lift it.
    """
    _suite_is_complete(launch, suite)
    _roster(launch)
    acknowledgements = _same_provider(launch) + _writer(launch)
    _keys_can_be_sent(launch, environ)
    if reaches_provider(launch):
        require_volume(launch, history)
    return Admission(acknowledgements, _warnings(launch, suite))


def reaches_provider(launch: Launch) -> bool:
    """Say whether any role's text leaves this machine (R55)."""
    return any(not model.embedded and not _loopback(model.endpoint) for model in launch.models.values())


def _suite_is_complete(launch: Launch, suite: Suite) -> None:
    if len(suite.questions) > MAX_QUESTIONS:
        raise Refusal(
            f"suite {suite.name} is refused",
            f"it has {len(suite.questions)} questions; at most {MAX_QUESTIONS} are allowed (R4, R55)",
            "split the suite",
        )
    known = {question.id for question in suite.questions}
    unknown = [name for name in launch.questions or () if name not in known]
    if unknown:
        raise Refusal(
            f"questions {', '.join(unknown)} are not in suite {suite.name}",
            f"it has {', '.join(sorted(known))}",
            "name questions of the suite",
        )
    unrated = {question.id: question.revision for question in suite.questions if not suite.rating(question)}
    if unrated:
        present = ", ".join(f"{name} {revision}" for name, revision in unrated.items())
        raise Refusal(
            f"suite {suite.name} is refused",
            f"no assessed difficulty for the present revision of {', '.join(unrated)} (R6)",
            f"rate these questions in ratings.yaml, each with its present revision: {present}",
        )


def _roster(launch: Launch) -> None:
    panel = launch.panel
    if panel.co_assessor is None:
        return
    if _same(panel.assessor.provider, panel.co_assessor.provider):
        raise Refusal(
            "the panel is refused",
            f"both members come from {panel.assessor.provider} (R25)",
            "take the members from two providers",
        )
    for member in panel.members.values():
        if _same_model(member, launch.candidate):
            raise Refusal(
                "the panel is refused",
                f"{member.provider}/{member.model} is the model under test (R25)",
                "take an older model of the same family for every run of the set",
            )


def _same_model(one: ModelConfig, other: ModelConfig) -> bool:
    return _same(one.model, other.model) and (
        _same(one.provider, other.provider) or _base(one.endpoint) == _base(other.endpoint) != ""
    )


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _base(endpoint: str | None) -> str:
    return (endpoint or "").rstrip("/").casefold()


def _same_provider(launch: Launch) -> tuple[str, ...]:
    provider = launch.panel.assessor.provider
    if launch.panel.co_assessor is not None or not _same(provider, launch.candidate.provider):
        return ()
    if not launch.compliance.acknowledge_same_provider:
        raise Refusal(
            "the single assessor is refused",
            f"assessor and candidate both come from {provider} (R56)",
            "use a panel, another assessor, or compliance.acknowledge_same_provider=true",
        )
    return (f"Assessor and candidate both come from {provider}; this was acknowledged at launch.",)


def _writer(launch: Launch) -> tuple[str, ...]:
    writer, candidate = launch.writer.llm, launch.candidate
    if writer is None:
        return ()
    if _same(writer.model, candidate.model):
        raise Refusal(
            "the report writer is refused",
            f"{writer.model} is the model under test, and no model writes its own reports (R56)",
            "take another model, or writer=none",
        )
    if not _same(writer.provider, candidate.provider):
        return ()
    if not launch.compliance.confirm_writer_provider:
        raise Refusal(
            "the report writer is refused",
            f"report writer and candidate both come from {writer.provider} (R56)",
            "take another provider's model, writer=none, or compliance.confirm_writer_provider=true",
        )
    return (f"Report writer and candidate both come from {writer.provider}; this was confirmed at launch.",)


def _keys_can_be_sent(launch: Launch, environ: Mapping[str, str]) -> None:
    for role, model in launch.models.items():
        if problem := key_problem(model, environ):
            raise Refusal(
                f"the launch is refused: {role} {model.provider}/{model.model} has no key",
                problem,
                f"set {model.api_key_env}, or choose another {role}",
            )


def key_problem(model: ModelConfig, environ: Mapping[str, str]) -> str | None:
    """Say why the key that a model's configuration names cannot be sent; None where it can, or none is named."""
    key = environ.get(model.api_key_env, "").strip() if model.api_key_env else "none is named"
    if not key:
        return f"the environment variable {model.api_key_env} is not set"
    if not (key.isascii() and key.isprintable()):
        return f"the value of {model.api_key_env} holds a character that no HTTP header takes"
    return None


def require_volume(launch: Launch, history: History) -> None:
    """Refuse one more run that reaches a provider where the hour or the day has had its fill (R55)."""
    limits = launch.compliance
    windows = (("hour", HOUR_S, limits.runs_per_hour), ("day", DAY_S, limits.runs_per_day))
    for name, seconds, most in windows:
        if history(seconds) >= most:
            raise Refusal(
                "the launch is refused",
                f"{most} runs that reach a provider were started within the last {name} (R55)",
                f"wait until the oldest of them is more than a {name} old",
            )


def _warnings(launch: Launch, suite: Suite) -> tuple[str, ...]:
    warnings: list[str] = []
    real_judges = any(not model.embedded for model in launch.panel.members.values())
    for role in ("reader", "verifier"):
        model = launch.models.get(role)
        if real_judges and model is not None and model.embedded:
            warnings.append(
                f"The {role} is an embedded model beside real judges: choose {role}=standard or none."
            )
    if real_judges:
        warnings += _partial(launch)
    if any(not question.reviewed for question in suite.questions):
        warnings.append("The suite holds questions that no human has reviewed (R10).")
    return tuple(warnings)


def _partial(launch: Launch) -> list[str]:
    """Warn of a reader or verifier that is kin to whom it judges: an anchor is a third family's (R32)."""
    judged = {"the candidate": launch.candidate}
    if launch.panel.co_assessor is not None:
        judged |= {f"panel member {letter}": member for letter, member in launch.panel.members.items()}
    found: list[str] = []
    for role in ("reader", "verifier"):
        model = launch.models.get(role)
        kin = [
            name
            for name, other in judged.items()
            if model is not None and _same(other.lineage, model.lineage)
        ]
        if model is not None and kin:
            found.append(f"The {role} is of one family ({model.lineage}) with {' and '.join(kin)} (R32).")
    return found


def _loopback(endpoint: str | None) -> bool:
    host = urlsplit(endpoint or "").hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
