"""No advisory part can move a score: reader, flags, claims, re-grade, documents, at random (R2, R36)."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnollbench.llm.messages import Reply, Request
from gnollbench.records.figures import evaluate, scored
from gnollbench.records.files import read_record
from gnollbench.records.results import Score
from gnollbench.records.run import Answer, RunRecord, Synthesis, Unscored, UnscoredCode
from gnollbench.scoring.quality import normalised
from gnollbench.scoring.verdict import (
    Basis,
    Charge,
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    CriticalError,
    Dimension,
    Flag,
    FlagName,
    Levels,
    Member,
    Ruling,
    Trigger,
    UnverifiedClaim,
    Verdict,
)
from tests.engine.rig import run
from tests.engine.said import PAGE, TEXT, charged, claimed, critical, grades, rules
from tests.engine.scripted import says, verdict

RECORDS = sorted((Path(__file__).parents[1] / "oracles" / "records").glob("record-*.json"))
LEVELS = st.integers(0, 6)
WORDS = st.text(max_size=20)


def verdicts_of(quotes: st.SearchStrategy[str]) -> st.SearchStrategy[Verdict]:
    charges = st.builds(
        Charge, dimension=st.sampled_from(Dimension), quote=quotes, basis=st.sampled_from(Basis)
    )
    return st.builds(
        Verdict,
        model=WORDS,
        levels=st.builds(
            Levels, accuracy=LEVELS, completeness=LEVELS, conciseness=LEVELS, readability=LEVELS
        ),
        critical_error=st.none() | st.builds(CriticalError, quote=quotes, found=st.booleans()),
        not_attempted=st.booleans(),
        unverified_claims=st.lists(st.builds(UnverifiedClaim, quote=quotes), max_size=2).map(tuple),
        charges=st.lists(charges, max_size=2).map(tuple),
    )


def claims_of(quotes: st.SearchStrategy[str]) -> st.SearchStrategy[Claim]:
    cited = st.none() | st.builds(Citation, kind=st.sampled_from(CitationKind), where=WORDS, quote=WORDS)
    return st.builds(
        Claim,
        kind=st.sampled_from(ClaimKind),
        quote=quotes,
        raised_by=st.sets(st.sampled_from(Member), min_size=1).map(tuple),
        ruling=st.sampled_from(Ruling),
        citation=cited,
        reason=WORDS,
    )


def deciding(answer: Answer) -> list[Claim]:
    """The claims that may move a score: rulings on a member's own critical-error quote."""
    quotes = {
        normalised(v.critical_error.quote): member
        for member, v in answer.verdicts.items()
        if v.critical_error
    }
    return [c for c in answer.claims if c.kind is ClaimKind.CRITICAL_ERROR and normalised(c.quote) in quotes]


@st.composite
def perturbed(draw: st.DrawFn, record: RunRecord) -> RunRecord:
    """The record with every advisory part replaced at random; verdicts and a split's rulings stay."""
    answers: list[Answer] = []
    for answer in record.answers:
        own = [v.critical_error.quote for v in answer.verdicts.values() if v.critical_error]
        quotes = st.sampled_from([answer.text or "x", "It casts cold.", "", *own])
        kept = deciding(answer)
        added = [
            claim
            for claim in draw(st.lists(claims_of(quotes), max_size=3))
            if claim.kind is not ClaimKind.CRITICAL_ERROR
            or normalised(claim.quote) not in map(normalised, own)
        ]
        others = st.none() | verdicts_of(quotes)
        lost = draw(st.sets(st.sampled_from(["reader", "regrade"])))
        unscored = dict.fromkeys(lost, Unscored(code=UnscoredCode.LIMIT))
        answers.append(
            answer.model_copy(
                update={
                    "reader": draw(others),
                    "regrade": draw(others),
                    "claims": tuple(draw(st.permutations([*added, *kept])))
                    if len(kept) < 2
                    else (*added, *kept),
                    "flags": tuple(
                        draw(st.lists(st.builds(Flag, name=st.sampled_from(FlagName)), max_size=2))
                    ),
                    "triggers": tuple(draw(st.lists(st.sampled_from(Trigger), max_size=2, unique=True))),
                    "disputed": draw(st.booleans()),
                    "unscored": {k: v for k, v in answer.unscored.items() if k in ("a", "b")} | unscored,
                    "score": None,
                }
            )
        )
    syntheses = tuple(
        draw(st.lists(st.builds(Synthesis, member=st.sampled_from(Member), text=WORDS), max_size=2))
    )
    warnings = tuple(draw(st.lists(WORDS, max_size=2)))
    return record.model_copy(
        update={
            "answers": tuple(answers),
            "syntheses": syntheses,
            "results": None,
            "run": record.run.model_copy(update={"warnings": warnings}),
        }
    )


def score_figures(record: RunRecord) -> Any:
    """Every score, and every figure of the results that is made of scores."""
    evaluation = evaluate(record)
    results = evaluation.results and evaluation.results.model_dump(mode="json", exclude={"reader", "regrade"})
    return evaluation.answers, results, evaluation.missing


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(data=st.data())
def test_no_advisory_part_of_a_record_moves_a_score(path: Path, data: st.DataObject) -> None:
    """R2: every score, index, outcome and panel figure stays, whatever stands in the advisory parts."""
    record = read_record(path)
    assert score_figures(data.draw(perturbed(record))) == score_figures(record)


def test_a_splits_ruling_is_the_one_exception() -> None:
    """R36: and it does move one, so that the test above is no test of nothing."""
    records = [scored(read_record(path)) for path in RECORDS]
    settled = [
        r
        for r in records
        if any(a.score and a.score.resolution in ("upheld", "overturned") for a in r.answers)
    ]
    record = settled[0]
    cleared = tuple(answer.model_copy(update={"claims": ()}) for answer in record.answers)
    assert score_figures(record.model_copy(update={"answers": cleared})) != score_figures(record)


def shuffled(random: Random) -> dict[str, Any]:
    """A verdict at random."""
    names = ("accuracy", "completeness", "conciseness", "readability")
    fields: dict[str, Any] = {"levels": {name: random.randrange(7) for name in names}}
    fields["evidence"] = {
        "accuracy": random.choice(["It invents things.", "No defect.", "From my own knowledge."])
    }
    if random.random() < 0.5:
        fields |= {"critical_error": {"quote": random.choice([TEXT, "A lich has speed 6."]), "reason": "x"}}
    fields["unverified_claims"] = [claimed()] * random.randrange(2)
    return fields | {"charges": [charged()] * random.randrange(2)}


def advice(seed: int) -> dict[str, Any]:
    """Reader, verifier and writer at random; on a critical error the verifier says nothing."""
    random = Random(seed)

    def reader(request: Request) -> Reply:
        return says(random.choice([verdict(**shuffled(random)), "no verdict"]))(request)

    def verifier(request: Request) -> Reply:
        ruling = random.choice(["supported", "refuted", "indeterminate"])
        return rules(ruling, random.choice([PAGE, None]), critical_error="indeterminate")(request)

    return {"reader": reader, "verifier": verifier, "writer": says(random.choice(["A text.", ""]))}


def scores(record: RunRecord) -> list[Score | None]:
    return [answer.score and answer.score.model_copy(update={"speed": None}) for answer in record.answers]


A_SAYS = critical(charges=[charged()], unverified_claims=[claimed()])
B_SAYS = {"levels": {"accuracy": 4}, "evidence": {"accuracy": "It invents an effect. The rubric has none."}}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "members", [{"a": A_SAYS, "b": B_SAYS}, {"a": A_SAYS}, {"a": B_SAYS}], ids=["panel", "a", "b"]
)
def test_no_advisory_role_of_a_run_moves_a_score(tmp_path: Path, members: dict[str, Any], seed: int) -> None:
    """R2: a whole run with roles that say anything at all scores as the run without them."""
    graders = {"candidate": says(TEXT), **{name: grades(**fields) for name, fields in members.items()}}
    random = Random(seed)

    def assessor(request: Request) -> Reply:
        again = "# Your first verdict" in request.messages[-1].content
        return grades(**(shuffled(random) if again else members["a"]))(request)

    advised = run(tmp_path, graders | {"a": assessor} | advice(seed), "reader.mode=all")
    plain = run(tmp_path, graders)
    assert scores(advised.record) == scores(plain.record)
    results = [record.results for record in (advised.record, plain.record)]
    assert results[0] is not None
    assert results[1] is not None
    assert results[0].intelligence == results[1].intelligence
    assert results[0].outcomes == results[1].outcomes
    assert results[0].panel == results[1].panel
