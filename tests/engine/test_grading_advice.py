"""Every flag, trigger, reader mode and resolution: a scripted run in which it fires, and a near miss (R30-R32, R36)."""

from pathlib import Path
from typing import Any

import pytest

from gnollbench.records.run import RunRecord
from gnollbench.scoring.panel import Resolution
from gnollbench.scoring.verdict import FlagName, Trigger
from tests.engine.rig import Model, asked_about, one, only_on, run
from tests.engine.said import NO_PAGE, QUOTE, TEXT, Watched, charged, claimed, critical, grades, rules
from tests.engine.scripted import says

CANDIDATE = says(TEXT)
WRONG = {"levels": {"accuracy": 5}, "evidence": {"accuracy": "Wrong: speed 6 where the rubric says 12."}}


def low(level: int, prose: str, dimension: str = "accuracy", **more: Any) -> dict[str, Any]:
    return {"levels": {dimension: level}, "evidence": {dimension: prose}} | more


# flag -> (what the assessor says, what the verifier says), firing and missing
FLAGS: dict[FlagName, tuple[tuple[dict[str, Any], Model | None], tuple[dict[str, Any], Model | None]]] = {
    FlagName.CONTESTED_VERDICT: (
        (low(4, "It invents a second effect, against the rubric."), None),
        (low(5, "It invents a second effect, against the rubric."), None),
    ),
    FlagName.UNEVIDENCED_DEDUCTION: (
        (low(5, "The speed cannot be verified."), None),
        (low(5, "The speed contradicts the rubric."), None),
    ),
    FlagName.OMISSION_CHARGED_AS_ACCURACY: (
        (low(5, "Omits the player's own speed."), None),
        (low(5, "Omits the player's own speed.", "completeness"), None),
    ),
    FlagName.OUT_OF_RUBRIC_DEDUCTION: (
        (low(4, "Wrong.", charges=[charged(basis="own_knowledge")]), None),
        (low(4, "Wrong.", charges=[charged(basis="own_knowledge"), charged()]), None),
    ),
    FlagName.DIMENSION_OUTLIER: (
        (low(1, "No defect.", "conciseness"), None),
        (low(2, "No defect.", "conciseness"), None),
    ),
    FlagName.REFUTED_CLAIM: (
        ({"unverified_claims": [claimed()]}, rules("refuted")),
        ({"unverified_claims": [claimed()]}, rules("refuted", NO_PAGE)),
    ),
    FlagName.CONTESTED_CRITICAL_ERROR: (
        (critical(), rules("supported")),
        (critical(), rules("refuted")),
    ),
    FlagName.CONTESTED_ACCURACY_DEDUCTION: (
        (WRONG | {"charges": [charged()]}, rules("supported")),
        (WRONG | {"charges": [charged()]}, rules("indeterminate")),
    ),
}


def flags_in(folder: Path, said: dict[str, Any], verifier: Model | None) -> set[FlagName]:
    models = {"candidate": CANDIDATE, "a": grades(**said), "b": grades()}
    answer = one(folder, models | ({"verifier": verifier} if verifier else {}))
    assert answer.score is not None
    return {flag.name for flag in answer.flags}


@pytest.mark.parametrize("flag", FlagName)
def test_flag_fires_and_nearly_fires(tmp_path: Path, flag: FlagName) -> None:
    """R30: eight flags; the member that raised it is named."""
    firing, missing = FLAGS[flag]
    assert flag in flags_in(tmp_path, *firing)
    assert flag not in flags_in(tmp_path, *missing)


def test_refuted_ground_contests_a_deduction(tmp_path: Path) -> None:
    """R30, R33: of a contested verdict the grader's own statements are checked; a refuted one contests it."""
    said = low(4, "It invents a second effect. The rubric says that liches are slow.")
    assert FlagName.CONTESTED_ACCURACY_DEDUCTION in flags_in(
        tmp_path, said, rules("indeterminate", assessor_statement="refuted")
    )
    calm = low(4, "Wrong: the rubric says that liches are fast.")
    assert flags_in(tmp_path, calm, rules("indeterminate", assessor_statement="refuted")) == set()


TRIGGERS: dict[Trigger, tuple[tuple[dict[str, Any], Model | None], tuple[dict[str, Any], Model | None]]] = {
    Trigger.CRITICAL_ERROR: ((critical(), None), (critical(quote="A lich has speed 7."), None)),
    Trigger.REFUTED_CLAIM: FLAGS[FlagName.REFUTED_CLAIM],
    Trigger.CONTESTED_VERDICT: FLAGS[FlagName.CONTESTED_VERDICT],
    Trigger.OUT_OF_RUBRIC_DEDUCTION: FLAGS[FlagName.OUT_OF_RUBRIC_DEDUCTION],
    Trigger.UNEVIDENCED_DEDUCTION: FLAGS[FlagName.UNEVIDENCED_DEDUCTION],
    Trigger.OMISSION_CHARGED_AS_ACCURACY: FLAGS[FlagName.OMISSION_CHARGED_AS_ACCURACY],
    Trigger.DIMENSION_OUTLIER: FLAGS[FlagName.DIMENSION_OUTLIER],
    Trigger.UNRESOLVED_CLAIMS: (
        ({"unverified_claims": [claimed()]}, rules("indeterminate")),
        ({"unverified_claims": [claimed()]}, rules("supported")),
    ),
    Trigger.LOW_QUALITY: ((low(1, "Wrong speed."), None), (low(2, "Wrong speed."), None)),
}


def read(folder: Path, said: dict[str, Any], verifier: Model | None) -> tuple[tuple[Trigger, ...], bool]:
    """The triggers of one answer under one assessor, and whether it was read a second time."""
    reader = Watched(grades())
    models = {"candidate": CANDIDATE, "a": grades(**said), "reader": reader}
    answer = one(folder, models | ({"verifier": verifier} if verifier else {}), "reader.mode=flagged")
    assert (answer.reader is not None) is bool(reader.requests)
    return answer.triggers, answer.reader is not None


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_trigger_sends_an_answer_to_the_second_reader(tmp_path: Path, trigger: Trigger) -> None:
    """R31: nine triggers; a near miss of the same verdict fires it not, and alone calls no reader."""
    assert list(TRIGGERS) == list(Trigger)[:9]
    firing, missing = TRIGGERS[trigger]
    triggers, was_read = read(tmp_path, *firing)
    assert trigger in triggers
    assert was_read
    assert list(triggers) == [name for name in Trigger if name in triggers]
    triggers, was_read = read(tmp_path, *missing)
    assert trigger not in triggers
    assert was_read is bool(triggers)


ACCURACY = {"q01": 6, "q03": 5, "q04": 3, "q05": 2}  # quality 100, 93, 72, 56: the median is 82


def assessor(request: Any) -> Any:
    """One answer with an open claim, one far below the median; nothing else fires a trigger."""
    question = asked_about(request)
    claims = [claimed("You start at 1.")] if question == "q01" else []
    prose = "No defect." if question == "q01" else "Wrong: the rubric says otherwise."
    said = {"levels": {"accuracy": ACCURACY[question]}, "evidence": {"accuracy": prose}}
    return grades(**said, unverified_claims=claims)(request)


MODES = {
    "off": ((), {}),
    "flagged": ((), {"q01": ["unresolved_claims"]}),
    "flagged_and_outliers": ((), {"q01": ["unresolved_claims"], "q05": ["outlier"]}),
    "flagged_plus_sample": (
        ("profile.reader.minimum=3",),
        {"q01": ["unresolved_claims"], "q04": ["sample"], "q05": ["sample"]},
    ),
    "all": ((), {"q01": ["unresolved_claims", "all"], "q03": ["all"], "q04": ["all"], "q05": ["all"]}),
}
NEAR_MISSES = {
    "off": ((), {}),
    "flagged": (("profile.reader.low_quality=56",), {"q01": ["unresolved_claims"]}),
    "flagged_and_outliers": (("profile.reader.outlier_points=27",), {"q01": ["unresolved_claims"]}),
    "flagged_plus_sample": (("profile.reader.minimum=1",), {"q01": ["unresolved_claims"]}),
    "all": (
        ("a question is left unanswered",),
        {"q01": ["unresolved_claims", "all"], "q03": ["all"], "q04": ["all"]},
    ),
}


def selection(folder: Path, mode: str, *words: str) -> tuple[dict[str, list[str]], RunRecord]:
    """What a mode selects, and the run; overrides with a blank are no setting but a candidate's silence."""
    reader = Watched(grades())
    silent = [word for word in words if " " in word]
    candidate = only_on("q05", says(""), CANDIDATE) if silent else CANDIDATE
    models = {"candidate": candidate, "a": assessor, "reader": reader}
    settings = [word for word in words if word not in silent]
    record = run(folder, models, f"reader.mode='{mode}'", *settings).record
    chosen = {a.question: [str(name) for name in a.triggers] for a in record.answers if a.reader is not None}
    assert len(reader.requests) == len(chosen)
    return chosen, record


@pytest.mark.parametrize("table", [MODES, NEAR_MISSES], ids=["fires", "near miss"])
@pytest.mark.parametrize("mode", MODES)
def test_reader_mode_selects(tmp_path: Path, mode: str, table: dict[str, Any]) -> None:
    """R31: five modes on one run; only `all` is unconditioned, and none moves a score."""
    words, expected = table[mode]
    chosen, record = selection(tmp_path, mode, *words)
    assert chosen == expected
    if record.results is not None and record.results.reader is not None:
        assert record.results.reader.conditioned is (mode != "all")
        assert record.results.reader.n == len(expected)
    plain, _ = selection(tmp_path, "off", *words)
    assert plain == {}


def test_mode_off_asks_nobody_whatever_fires(tmp_path: Path) -> None:
    """R31: off is off."""
    answer = one(
        tmp_path,
        {"candidate": CANDIDATE, "a": grades(**critical()), "reader": says("never")},
        "reader.mode='off'",
    )
    assert answer.reader is None
    assert answer.unscored == {}


# resolution -> (a, b, verifier, the members' scores as used), firing and missing
FLAGS_IT, PASSES = critical(), {}
VOID = critical(quote="A lich has speed 7.")
RESOLUTIONS: dict[
    Resolution, list[tuple[dict[str, Any], dict[str, Any], Model | None, tuple[int, int], Any]]
] = {
    Resolution.AGREED: [
        (FLAGS_IT, FLAGS_IT, rules("supported"), (25, 25), Resolution.AGREED),
        (FLAGS_IT, VOID, rules("indeterminate"), (25, 56), Resolution.UNRESOLVED),
    ],
    Resolution.UPHELD: [
        (FLAGS_IT, PASSES, rules("refuted"), (25, 25), Resolution.UPHELD),
        (PASSES, FLAGS_IT, rules("refuted"), (25, 25), Resolution.UPHELD),
        (FLAGS_IT, PASSES, rules("refuted", None), (25, 100), Resolution.UNRESOLVED),
    ],
    Resolution.OVERTURNED: [
        (FLAGS_IT, PASSES, rules("supported"), (56, 100), Resolution.OVERTURNED),
        (PASSES, FLAGS_IT, rules("supported"), (100, 56), Resolution.OVERTURNED),
        (FLAGS_IT, PASSES, rules("supported", NO_PAGE), (25, 100), Resolution.UNRESOLVED),
    ],
    Resolution.UNRESOLVED: [
        (FLAGS_IT, PASSES, rules("indeterminate"), (25, 100), Resolution.UNRESOLVED),
        (FLAGS_IT, PASSES, None, (25, 100), Resolution.UNRESOLVED),
        (VOID, PASSES, rules("refuted"), (56, 100), None),
    ],
}
CASES = [(name, *case) for name, cases in RESOLUTIONS.items() for case in cases]


@pytest.mark.parametrize(("name", "a", "b", "verifier", "scores", "resolution"), CASES)
def test_split_is_resolved(
    tmp_path: Path, name: Resolution, a: Any, b: Any, verifier: Any, scores: Any, resolution: Any
) -> None:
    """R36: four resolutions, whoever flags; a near miss falls to another, or to none."""
    models = {"candidate": CANDIDATE, "a": grades(**a), "b": grades(**b)}
    answer = one(tmp_path, models | ({"verifier": verifier} if verifier else {}))
    assert answer.score is not None
    assert answer.score.resolution is resolution
    assert tuple(answer.score.members.values()) == scores
    assert answer.score.quality == sum(scores) / 2
    assert answer.score.confirmed_critical_error is (resolution in (Resolution.AGREED, Resolution.UPHELD))
    assert name in Resolution


def test_every_resolution_has_a_near_miss() -> None:
    """R36: each row of the table fires, and one beside it does not."""
    for name, cases in RESOLUTIONS.items():
        assert name in [case[-1] for case in cases]
        assert name not in [case[-1] for case in cases[-1:]]


def panel(folder: Path, reader: Model, a: Any, b: Any, *words: str) -> Any:
    return one(folder, {"candidate": CANDIDATE, "a": grades(**a), "b": grades(**b), "reader": reader}, *words)


@pytest.mark.parametrize(
    ("a", "b", "reader", "disputed"),
    [
        ({}, {}, low(4, "Wrong."), True),  # 83 against 100
        ({}, {}, low(5, "Wrong."), False),  # 93 against 100
        (
            FLAGS_IT,
            FLAGS_IT,
            low(1, "Wrong.", levels={"accuracy": 0, "completeness": 1}),
            True,
        ),  # no flag: opposite
        (FLAGS_IT, FLAGS_IT, FLAGS_IT, False),
        ({}, {}, FLAGS_IT, True),
        (
            FLAGS_IT,
            {},
            critical(levels={"accuracy": 6}),
            True,
        ),  # 25 against 62.5: too far apart
        (FLAGS_IT, {}, low(2, "Wrong."), False),  # 56 against 62.5, and the members do not agree
    ],
)
def test_reference_reader_disputes(tmp_path: Path, a: Any, b: Any, reader: Any, disputed: bool) -> None:
    """R32: more than 15 points from the panel, or opposite to a flag on which both members agree."""
    answer = panel(tmp_path, grades(**reader), a, b)
    whole = run(
        tmp_path, {"candidate": CANDIDATE, "a": grades(**a), "b": grades(**b), "reader": grades(**reader)}
    )
    assert all(found.disputed is disputed for found in whole.record.answers)
    assert answer.reader is not None


@pytest.mark.parametrize("words", [(), ("reader.mode='off'",), ("reader.mode=flagged", "reader.blind=false")])
def test_reference_reader_is_forced_to_all_and_blind(tmp_path: Path, words: tuple[str, ...]) -> None:
    """R32: whatever the configuration says; it reads every answer and no verdict."""
    prose = "A ground that only the assessor has: the rubric says 12."
    reader = Watched(grades())
    answer = panel(tmp_path, reader, low(5, prose), {}, *words)
    assert answer.triggers[-1] is Trigger.ALL
    (text,) = reader.texts
    assert prose not in text
    assert "The assessor's verdict" not in text


def test_reference_reader_waits_for_both_members(tmp_path: Path) -> None:
    """R17, R32: it reads what both have graded; where one gave no verdict it is not asked."""
    order: list[str] = []

    def noting(name: str, model: Model) -> Model:
        return lambda request: (order.append(name), model(request))[1]

    models = {
        "candidate": CANDIDATE,
        "a": noting("a", grades(unverified_claims=[claimed()])),
        "b": noting("b", grades()),
        "verifier": noting("verifier", rules("supported")),
        "reader": noting("reader", grades()),
    }
    one(tmp_path, models)
    assert sorted(order[:2]) == ["a", "b"]
    assert order[2:] == ["verifier", "reader"]
    order.clear()
    answer = one(tmp_path, models | {"b": noting("b", says("no verdict"))})
    assert sorted(set(order)) == ["a", "b"]
    assert (answer.reader, answer.claims, list(answer.verdicts)) == (None, (), ["a"])


def test_second_reader_that_is_not_blind_sees_the_verdict(tmp_path: Path) -> None:
    """R31: behind a fence, and only where the configuration says so."""
    prose = "A ground that only the assessor has: the rubric says 12."
    for blind in ("true", "false"):
        reader = Watched(grades())
        models = {"candidate": CANDIDATE, "a": grades(**low(5, prose)), "reader": reader}
        one(tmp_path, models, "reader.mode=all", f"reader.blind={blind}")
        (text,) = reader.texts
        assert (prose in text) is (blind == "false")
        if blind == "false":
            mark = text.rpartition("\n")[2].removesuffix(">>>")
            fenced = text.partition(f"<<<{mark}\n")[2].partition(f"\n{mark}>>>")[0]
            assert prose in fenced


def test_reader_sees_findings_and_no_grader(tmp_path: Path) -> None:
    """R31: the verifier's findings, each once; neither who raised them nor a grader's own statement."""
    reader = Watched(grades())
    said = low(
        4, "It invents a second effect. The rubric says that liches are slow.", unverified_claims=[claimed()]
    )
    models = {"candidate": CANDIDATE, "a": grades(**said), "b": grades(unverified_claims=[claimed()])}
    one(tmp_path, models | {"verifier": rules("supported"), "reader": reader})
    (text,) = reader.texts
    assert text.count("supported: “It casts cold.”") == 1
    assert "liches are slow" not in text


def test_members_get_the_identical_request(tmp_path: Path) -> None:
    """R17: but for the model that it goes to; and no time stands in it."""
    a, b, reader = Watched(grades()), Watched(grades()), Watched(grades())
    one(tmp_path, {"candidate": CANDIDATE, "a": a, "b": b, "reader": reader})
    (first,), (second,), (third,) = a.requests, b.requests, reader.requests
    assert first.messages == second.messages == third.messages
    assert first.schema == second.schema == third.schema
    assert (first.tools, first.cache_prefix) == (second.tools, second.cache_prefix)
    assert first.model.model != second.model.model
    assert QUOTE in first.messages[-1].content
    assert "_ms" not in str(first.messages)
