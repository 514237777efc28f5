"""What refuses a launch, each with what, why and what lifts it (R6, R25, R55, R56)."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from gnollbench.cli import compose_launch
from gnollbench.engine.admission import Admission, admit, reaches_provider
from gnollbench.errors import Refusal
from gnollbench.launcher import suite_folder
from gnollbench.records.suite import load_suite
from gnollbench.shipped import shipped_folder

KEYS = {"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "x", "GEMINI_API_KEY": "x"}


def admitted(*overrides: str, history: int = 0, environ: dict[str, str] = KEYS) -> Admission:
    launch = compose_launch(list(overrides))
    return admit(launch, load_suite(suite_folder(launch.suite.path)), environ, lambda _: history)


def refused(*overrides: str, history: int = 0, environ: dict[str, str] = KEYS) -> Refusal:
    with pytest.raises(Refusal) as caught:
        admitted(*overrides, history=history, environ=environ)
    assert all((caught.value.what, caught.value.why, caught.value.lifted_by))
    return caught.value


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "a suite"
    shutil.copytree(shipped_folder("suites") / "standard", folder)
    return folder


def test_default_is_admitted_without_warning() -> None:
    """The embedded default needs no key and no acknowledgement."""
    assert admitted(environ={}) == Admission((), ())


def test_unrated_question_is_refused(suite: Path) -> None:
    """R6: no run while a question lacks an assessed difficulty."""
    ratings = yaml.safe_load((suite / "ratings.yaml").read_text("utf-8"))
    del ratings["q05"]
    (suite / "ratings.yaml").write_text(yaml.safe_dump(ratings), "utf-8")
    assert "q05" in refused(f"suite.path={suite}").why


def test_edited_question_is_refused(suite: Path) -> None:
    """R6: a rating of another revision is void."""
    path = suite / "questions" / "q03.yaml"
    path.write_text(path.read_text("utf-8").replace("?", "??", 1), "utf-8")
    assert "q03" in refused(f"suite.path={suite}").why


def test_refusal_of_an_unrated_question_prints_what_to_write(suite: Path) -> None:
    """R3, R6: the present revision is nowhere else to be seen; with it in ratings.yaml the suite is admitted."""
    path = suite / "questions" / "q03.yaml"
    path.write_text(path.read_text("utf-8").replace("?", "??", 1), "utf-8")
    told = dict(re.findall(r"(q\d+) ([0-9a-f]{16})", refused(f"suite.path='{suite}'").lifted_by))
    assert told.keys() == {"q03"}
    ratings = yaml.safe_load((suite / "ratings.yaml").read_text("utf-8"))
    ratings["q03"] = {"revision": told["q03"], "difficulty": 20, "rated_by": "a person"}
    (suite / "ratings.yaml").write_text(yaml.safe_dump(ratings), "utf-8")
    assert admitted(f"suite.path='{suite}'", environ={})


def test_fifty_one_questions_are_refused(suite: Path) -> None:
    """R4, R55: at most 50 questions a suite."""
    text = (suite / "questions" / "q01.yaml").read_text("utf-8")
    for number in range(19, 52):
        (suite / "questions" / f"q{number}.yaml").write_text(
            text.replace("id: q01", f"id: q{number}"), "utf-8"
        )
    assert "51" in refused(f"suite.path={suite}").why


def test_unknown_question_is_refused() -> None:
    """A part of the suite names questions that it has."""
    assert "q99" in refused("questions=[q01,q99]").what


def test_members_of_one_provider_are_refused() -> None:
    """R25: two members, two providers."""
    assert "R25" in refused("panel.co_assessor.provider=embedded-terms").why


def test_providers_are_told_apart_whatever_their_case() -> None:
    """R25: one provider in two spellings is one provider."""
    assert "R25" in refused("panel.co_assessor.provider=Embedded-TERMS").why


@pytest.mark.parametrize(
    ("member", "candidate", "same"),
    [
        ("p|https://api.example/v1", "P|https://api.example/v1", True),
        ("p|https://api.example/v1", "P|https://other.example/v1", True),
        ("p|https://api.example/v1", "q|https://API.example/v1/", True),
        ("p|https://api.example/v1", "q|https://api.example/v1//", True),
        ("p|https://api.example/v1", "q|https://other.example/v1", False),
    ],
)
@pytest.mark.parametrize("place", ["assessor", "co_assessor"])
def test_model_under_test_is_known_by_provider_or_address(
    place: str, member: str, candidate: str, same: bool
) -> None:
    """R25: another spelling of its provider, another name before the same address, make it no other model."""
    words = [f"panel.{place}.model=m", "candidate.model=m"]
    for role, told in ((f"panel.{place}", member), ("candidate", candidate)):
        provider, _, endpoint = told.partition("|")
        words += [f"{role}.provider={provider}", f"{role}.endpoint='{endpoint}'"]
    if same:
        assert "is the model under test (R25)" in refused(*words).why
    else:
        assert admitted(*words)


def test_member_under_test_is_refused() -> None:
    """R25: neither member is the model under test."""
    words = ("panel.assessor.provider=embedded-retriever", "panel.assessor.model=retriever")
    assert "R25" in refused(*words).why


def test_single_assessor_of_the_candidates_provider_wants_an_acknowledgement() -> None:
    """R56: refused, unless acknowledged; the acknowledgement goes into the record."""
    words = ("candidate=claude", "panel=single")
    assert "acknowledge" in refused(*words).lifted_by
    assert admitted(*words, "compliance.acknowledge_same_provider=true").acknowledgements


@pytest.mark.parametrize("key", [" ", "sk-a\x00b", "sk-a\nb", "sk-é"])
def test_a_key_that_no_header_takes_is_refused(key: str) -> None:
    """R39: before anything is sent, without a word of the key."""
    refusal = refused("candidate=gpt", environ={"OPENAI_API_KEY": key})
    assert "OPENAI_API_KEY" in refusal.why
    assert key.strip() == "" or key not in str(refusal)


@pytest.mark.parametrize("name", ["a b", "models/../secret", "x?key=1", "x#y", "/x", "x/"])
def test_a_model_s_name_is_no_address(name: str) -> None:
    """R61: Google's stands in one."""
    with pytest.raises(Refusal, match=r"candidate\.model"):
        compose_launch(["candidate=gemini", f"candidate.model='{name}'"])


def test_who_comes_from_one_provider_is_known_whatever_the_case() -> None:
    """R56: by any spelling that reaches the same provider."""
    judge = ["panel.assessor.provider=OpenAI", "panel.assessor.api_key_env=OPENAI_API_KEY"]
    assert "assessor" in refused("candidate=gpt", "panel=single", *judge).what
    assert "writer" in refused("candidate=gpt", *writer("OpenAI", "another")).what
    assert "model under test" in refused("candidate=gpt", *writer("elsewhere", "GPT-5.6-Luna")).why


def test_missing_key_is_named_before_anything_is_sent() -> None:
    """A launch without its key is refused by the variable's name."""
    assert "ANTHROPIC_API_KEY" in refused("candidate=claude", environ={}).why


def test_volume_limits() -> None:
    """R55: 5 runs an hour; embedded and loopback runs are not counted."""
    assert "hour" in refused("candidate=claude", history=5).why
    assert admitted("candidate=claude", history=4)
    assert admitted(history=100)


@pytest.mark.parametrize(
    ("endpoint", "reaches"),
    [
        ("http://127.0.0.1:8080/v1", False),
        ("http://localhost/v1", False),
        ("http://[::1]:80/v1", False),
        ("https://api.example.org/v1", True),
        ("http://127.0.0.1.example.org/v1", True),
    ],
)
def test_loopback_reaches_no_provider(endpoint: str, reaches: bool) -> None:
    """R55: what stays on this machine is no provider's business."""
    launch = compose_launch(["candidate=local", f"candidate.endpoint='{endpoint}'"])
    assert reaches_provider(launch) is reaches


def test_embedded_verifier_beside_real_judges_is_warned_of() -> None:
    """A lexical look-up that settles real judges' splits would mislead: the run says so."""
    warnings = admitted("panel=standard", "verifier=offline").warnings
    assert any("verifier" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("overrides", "kin"),
    [
        (("candidate=claude", "panel=standard", "panel.assessor.model=claude-x"), ()),
        (("candidate=gemini", "panel=standard"), ("reader", "verifier")),
        (("candidate=gemini", "panel=standard", "reader=none"), ("verifier",)),
        (("panel=standard", "verifier=none", "reader.llm.provider=Anthropic"), ("reader",)),
        (("panel=standard", "verifier=none", "reader.llm.family=openai"), ("reader",)),
    ],
)
def test_an_anchor_that_is_kin_is_warned_of(overrides: tuple[str, ...], kin: tuple[str, ...]) -> None:
    """R32: reader and verifier anchor as a third family's; one of a judged family's is told of."""
    warnings = [warning for warning in admitted(*overrides).warnings if "one family" in warning]
    assert [warning.split()[1] for warning in warnings] == list(kin)


@pytest.mark.parametrize(
    "endpoint", ["nowhere", "ftp://host/v1", "http://", "//host", "http://h:0", "http://h:x"]
)
def test_an_endpoint_that_is_no_url_is_refused(endpoint: str) -> None:
    """R61: at the door, and not by every question of a run."""
    with pytest.raises(Refusal, match="endpoint"):
        compose_launch(["candidate=local", f"candidate.endpoint='{endpoint}'"])


def writer(provider: str, model: str) -> list[str]:
    return [f"writer.llm.provider={provider}", f"writer.llm.model={model}", "writer.llm.max_output_tokens=10"]


def test_model_under_test_never_writes_its_own_reports() -> None:
    """R56: under no provider's name and with no confirmation."""
    for provider in ("anthropic", "some-gateway"):
        model = compose_launch(["candidate=claude"]).candidate.model
        words = ("candidate=claude", *writer(provider, model), "compliance.confirm_writer_provider=true")
        assert "R56" in refused(*words).why


def test_writer_of_the_candidates_provider_wants_a_confirmation() -> None:
    """R56: refused, unless confirmed; the confirmation goes into the record. Another provider needs none."""
    words = ("candidate=claude", *writer("anthropic", "another"))
    assert "confirm_writer_provider" in refused(*words).lifted_by
    assert admitted(*words, "compliance.confirm_writer_provider=true").acknowledgements
    assert admitted("candidate=claude", *writer("openai", "another")).acknowledgements == ()
