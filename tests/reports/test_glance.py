"""A run at a glance, on a terminal."""

import pytest

from gnollbench.records.run import Cost, Role
from gnollbench.reports import glance
from gnollbench.scoring.outcomes import RunStatus
from tests.reports.made import COSTS, make, with_keys


def lines(text: str) -> dict[str, str]:
    return {line[:16].strip(): line[16:] for line in text.split("\n")}


def test_a_glance_tells_what_one_wants_to_know_first() -> None:
    """R37-R40: index with interval, speed, cost, outcomes, agreement, issues, where the files are."""
    shown = glance(make())
    told = lines(shown)
    assert len(shown.split("\n")) <= 24
    assert told["status"] == "completed with limits"
    assert told["candidate"] == "acme/acme-large"
    assert told["intelligence"] == "47.1, 95 % 38.7 to 55.5, unweighted 41.6, 18 of 18 questions"
    assert told["speed"] == "80.1, mean model time 48.4 s"
    assert told["cost"] == "$2.25, candidate $1.50"
    assert told["outcomes"] == "0 correct, 14 partial, 3 incorrect, 1 not attempted, 0 without answer"
    assert told["critical errors"] == "3 confirmed (16.7 %, 5.8 % to 39.2 %), 9 unresolved, 1 overturned"
    assert told["panel"] == "mean difference 32.9, b − a +3.3, ICC(A,1) −0.42, 14 of 18 far apart"
    assert told["issues"].startswith("35: critical errors 16")
    assert told["files"] == "outputs/oracle-31-panel"


def test_a_glance_withholds_what_the_record_withholds() -> None:
    """R3: a reason in the place of an index, never a 0."""
    told = lines(glance(make("provider")))
    assert "intelligence" not in told
    assert told["indices"].startswith("none: a provider failed on")
    assert lines(glance(make("small")))["panel"].count("withheld")


def test_a_glance_withholds_an_interval() -> None:
    """R37: of two questions there is none."""
    record = make()
    assert record.results is not None
    own = record.results.intelligence.model_copy(update={"se": None, "low": None, "high": None})
    results = record.results.model_copy(update={"intelligence": own})
    told = lines(glance(record.model_copy(update={"results": results})))
    assert told["intelligence"] == "47.1, interval withheld, unweighted 41.6, 18 of 18 questions"


@pytest.mark.parametrize(
    ("status", "told"), [(RunStatus.FAILED, True), (RunStatus.CANCELED, True), (RunStatus.COMPLETED, False)]
)
def test_a_glance_says_why_a_run_was_broken_off(status: RunStatus, told: bool) -> None:
    """R41: until a repair has made it whole."""
    warning = "The run was broken off: the candidate's provider refuses every call."
    assert (warning in glance(make(head={"status": status, "warnings": (warning,)}))) is told


def test_a_glance_says_at_least_where_a_cost_is_unknown() -> None:
    """R39: unknown is unknown."""
    partly = {**COSTS, Role.READER: Cost(usd=None)}
    assert lines(glance(make(costs=partly)))["cost"] == "at least $2.25, candidate $1.50"
    assert lines(glance(make(costs={})))["cost"] == "not recorded"


def test_a_glance_says_what_is_known_of_a_cost() -> None:
    """R39: a bound from below never looks exact, neither the total nor the candidate's own."""
    own = Cost(input_tokens=10, output_tokens=1, usd=0.0097, reason="no usage", unmetered=1, unpriced=1)
    told = lines(glance(make(costs={Role.CANDIDATE: own, Role.READER: Cost(usd=1.0)})))
    assert told["cost"] == "at least $1.01, 1 call unknown, candidate at least $0.0097, 1 call unknown"


def test_embedded_models_are_labelled() -> None:
    """R58: also at a glance."""
    told = lines(glance(with_keys(make(), endpoint="embedded")))
    assert told["EMBEDDED"] == "candidate: no language model; the scores say nothing about one"


def test_a_terminal_gets_no_controls() -> None:
    """R29: a name or a model's own name cannot colour, move or hide."""
    shown = glance(make(head={"name": "red\x1b[31m\r\nover\u202e", "id": "x\x07"}))
    assert not {*"\x1b\r\x07\u202e"} & set(shown)
    assert shown.split("\n")[0] == "run             red␛[31m over⟨U+202E⟩ · x␇"
