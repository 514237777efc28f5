"""What of a record leaves the house: all of it, or what a tested model's provider may see (R57)."""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from gnollbench.records.run import Answer, Exam, FailureSource, Key, ModelIdentity, Role, RunRecord, Scoring
from gnollbench.records.suite import Rubric
from gnollbench.scoring.quality import occurs
from gnollbench.scoring.verdict import Claim, ClaimKind, Evidence, Member, Verdict


class Disclosure(StrEnum):
    """For whom a report is: this house, or the tested model's provider."""

    INTERNAL = "internal"
    PROVIDER = "provider"


PEERS = {
    Role.ASSESSOR: "assessor A",
    Role.CO_ASSESSOR: "assessor B",
    Role.READER: "reader R",
    Role.VERIFIER: "verifier V",
    Role.WRITER: "writer W",
}
"""What other models are called at the limited disclosure."""

_OPEN_CONFIG = ("candidate", "limits")  # what concerns the tested model alone
CLOSED_KEYS = ("assessor", "reader", "verifier", "price_snapshot")  # their values name or betray peers


def disclosed(record: RunRecord, disclosure: Disclosure) -> RunRecord:
    """Return the record as it may be shown.

    At the limited disclosure rubrics, every text that a grader, a reader, a verifier or a synthesis wrote
    (they quote rubrics), the snapshot's text and the names of all models but the tested one are gone. Figures,
    levels, rulings, citations, questions and the tested model's own answers and costs stay.
    """
    if disclosure is Disclosure.INTERNAL:
        return record
    anonymous = _anonymiser(record)
    return record.model_copy(
        update={
            "run": record.run.model_copy(
                update={
                    "acknowledgements": tuple(map(anonymous, record.run.acknowledgements)),
                    "warnings": tuple(map(anonymous, record.run.warnings)),
                    "purpose": anonymous(record.run.purpose),
                }
            ),
            "models": {role: _identity(role, model) for role, model in record.models.items()},
            "keys": _keys(record.keys),
            "config": _config(record.config),
            "exam": _exam(record.exam),
            "prices": _prices(record),
            "answers": tuple(_answer(answer) for answer in record.answers),
            "syntheses": (),
            "costs": {role: cost for role, cost in record.costs.items() if role is Role.CANDIDATE},
            "scorings": tuple(_scoring(scoring) for scoring in record.scorings),
        }
    )


def _anonymiser(record: RunRecord) -> Callable[[str], str]:
    """Return what puts the peers' names out of a text: models, and providers other than the tested model's."""
    tested = record.models.get(Role.CANDIDATE)
    kept = {tested.provider, tested.model, tested.family, *tested.served} if tested else set[str | None]()
    names = {
        name: PEERS[role]
        for role, model in reversed(record.models.items())  # a name that two roles share is the first one's
        if role in PEERS
        for name in (model.model, model.provider, model.family, *model.served)
        if name and name not in kept
    }

    def anonymous(text: str) -> str:
        for name in sorted(names, key=len, reverse=True):
            text = text.replace(name, names[name])
        return text

    return anonymous


def _config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The tested model's settings, without the name of the variable that holds its key."""
    shown = {name: config[name] for name in _OPEN_CONFIG if name in config}
    if isinstance(shown.get("candidate"), dict):
        shown["candidate"] = {
            name: value for name, value in shown["candidate"].items() if name != "api_key_env"
        }
    return shown


def _identity(role: Role, model: ModelIdentity) -> ModelIdentity:
    return model if role is Role.CANDIDATE else ModelIdentity(provider="peer", model=PEERS[role])


def _keys(keys: Mapping[str, Key]) -> dict[str, Key]:
    """The keys with their hashes; the values that name peers are left out."""
    return {
        name: key.model_copy(update={"value": None}) if name in CLOSED_KEYS else key
        for name, key in keys.items()
    }


def _exam(exam: Exam) -> Exam:
    questions = tuple(
        question.model_copy(update={"rubric": Rubric(), "rated_by": "", "board_missing": None})
        for question in exam.questions
    )
    snapshot = exam.snapshot and exam.snapshot.model_copy(update={"text": ""})
    return exam.model_copy(update={"questions": questions, "snapshot": snapshot})


def _prices(record: RunRecord) -> dict[str, Any]:
    tested = record.models.get(Role.CANDIDATE)
    own = f"{tested.provider}/{tested.model}" if tested else None
    return {name: price for name, price in record.prices.items() if name == own}


def _answer(answer: Answer) -> Answer:
    def peer(verdict: Verdict | None, role: Role) -> Verdict | None:
        return verdict and _verdict(verdict, PEERS[role], answer.text)

    failure = answer.failure
    if failure is not None and failure.source is FailureSource.HARNESS:
        failure = failure.model_copy(update={"message": ""})
    return answer.model_copy(
        update={
            "failure": failure,
            "unscored": {
                judge: why.model_copy(update={"message": ""}) for judge, why in answer.unscored.items()
            },
            "verdicts": {
                member: peer(verdict, Role.ASSESSOR if member is Member.A else Role.CO_ASSESSOR)
                for member, verdict in answer.verdicts.items()
            },
            "reader": peer(answer.reader, Role.READER),
            "regrade": peer(answer.regrade, Role.ASSESSOR),
            "claims": tuple(_claims(answer)),
            "flags": tuple(flag.model_copy(update={"detail": ""}) for flag in answer.flags),
            "usage": {role: usage for role, usage in answer.usage.items() if role is Role.CANDIDATE},
        }
    )


def _verdict(verdict: Verdict, name: str, text: str) -> Verdict:
    """The levels; of a critical error the quote, where it is the answer's own sentence."""
    charge = verdict.critical_error
    own = charge is not None and occurs(charge.quote, text)
    return verdict.model_copy(
        update={
            "model": name,
            "evidence": Evidence(),
            "critical_error": charge.model_copy(update={"reason": ""}) if charge and own else None,
            "unverified_claims": (),
            "charges": (),
        }
    )


def _claims(answer: Answer) -> Iterator[Claim]:
    """The rulings on the answer's own sentences; what a grader said in its own words is left out."""
    for claim in answer.claims:
        if claim.kind is not ClaimKind.ASSESSOR_STATEMENT and occurs(claim.quote, answer.text):
            yield claim.model_copy(update={"reason": ""})


def _scoring(scoring: Scoring) -> Scoring:
    return scoring.model_copy(update={"keys": _keys(scoring.keys)})
