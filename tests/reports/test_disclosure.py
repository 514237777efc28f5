"""What a tested model's provider may see of a run (R57)."""

import json
from typing import Any

import pytest

from gnollbench.records.files import parse_record
from gnollbench.records.run import Cost, Role, RunRecord, Scoring, Synthesis, Unscored, UnscoredCode
from gnollbench.records.suite import Rubric
from gnollbench.reports import report_json, report_markdown
from gnollbench.scoring.verdict import (
    Basis,
    Charge,
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    CriticalError,
    Dimension,
    Evidence,
    Flag,
    FlagName,
    Member,
    Ruling,
    UnverifiedClaim,
)
from tests.reports.made import COSTS, make, with_keys

SECRET = "the rubric's own words"
OWN = "It weighs 23 units."  # a sentence of the first answer
PEERS = (
    "borealis",
    "boreal-9",
    "boreal-mini",
    "cumulus",
    "cumulo-4",
    "dunes",
    "dune-2",
    "judge-a",
    "judge-b",
)


def graders_words(record: RunRecord) -> RunRecord:
    """The record with the rubric's words and the peers' names wherever a grader could have put them."""
    answers: list[Any] = []
    for answer in record.answers:
        verdicts = {
            member: verdict.model_copy(
                update={
                    "evidence": Evidence(accuracy=SECRET, completeness=SECRET),
                    "critical_error": CriticalError(quote=OWN, reason=SECRET),
                    "unverified_claims": (UnverifiedClaim(quote=SECRET),),
                    "charges": (
                        Charge(dimension=Dimension.COMPLETENESS, quote=SECRET, basis=Basis.OMISSION),
                    ),
                }
            )
            for member, verdict in answer.verdicts.items()
        }
        claims = [
            Claim(
                kind=kind,
                quote=quote,
                raised_by=(Member.A,),
                ruling=Ruling.REFUTED,
                citation=Citation(kind=CitationKind.WIKI, where="Potions", quote="Potions weigh 20."),
                reason=SECRET,
            )
            for kind, quote in [
                (ClaimKind.UNVERIFIED, OWN),
                (ClaimKind.ASSESSOR_STATEMENT, OWN),
                (ClaimKind.CHARGED, SECRET),
            ]
        ]
        answers.append(
            answer.model_copy(
                update={
                    "verdicts": verdicts,
                    "reader": verdicts[Member.A],
                    "regrade": verdicts[Member.B],
                    "claims": tuple(claims),
                    "flags": (Flag(name=FlagName.CONTESTED_VERDICT, member=Member.A, detail=SECRET),),
                    "unscored": {"regrade": Unscored(code=UnscoredCode.PROVIDER, message="boreal-9 is down")},
                }
            )
        )
    questions = tuple(
        question.model_copy(
            update={
                "rubric": Rubric(required=(SECRET,), critical=(SECRET,), source=(SECRET,)),
                "rated_by": "dune-2",
            }
        )
        for question in record.exam.questions
    )
    record = with_keys(
        record, assessor={"members": [{"model": "boreal-9"}]}, reader="dune-2", verifier="boreal-mini"
    )
    later = Scoring(
        method=13,
        profile=record.profile,
        time=record.run.started_at,
        scores={},
        results=None,
        keys=record.keys,
    )
    return record.model_copy(
        update={
            "answers": tuple(answers),
            "exam": record.exam.model_copy(update={"questions": questions}),
            "syntheses": (Synthesis(member=Member.A, text=SECRET),),
            "scorings": (later,),
            "prices": {"acme/acme-large": {"input": 1}, "borealis/boreal-9": {"input": 2}},
            "costs": {**COSTS, Role.ASSESSOR: Cost(usd=0.75, reason="no price of boreal-9")},
            "config": {
                "candidate": {"model": "acme-large", "api_key_env": "ACME_KEY"},
                "panel": {"assessor": {"model": "boreal-9"}},
                "suite": {"path": "/home/us/suites/standard"},
            },
        }
    )


@pytest.fixture
def record() -> RunRecord:
    head = {
        "warnings": ("boreal-9 of borealis answered as an alias",),
        "acknowledgements": ("cumulus grades",),
    }
    return graders_words(make(head=head))


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_the_provider_sees_no_rubric_and_no_other_model(record: RunRecord, form: str) -> None:
    """R57: in print and as JSON; the full report shows that all of it was there to be seen."""
    full = report_markdown(record) if form == "markdown" else json.dumps(report_json(record))
    shown = (
        report_markdown(record, "provider")
        if form == "markdown"
        else json.dumps(report_json(record, "provider"))
    )
    for hidden in (SECRET, *PEERS, "ACME_KEY", "/home/us"):
        assert hidden not in shown, hidden
    for hidden in (SECRET, "boreal-9", "cumulo-4", "dune-2", "/home/us"):
        assert hidden in full, hidden


def test_the_provider_sees_its_models_answers_and_figures(record: RunRecord) -> None:
    """R57: its own name and cost, the questions, the answers, levels, rulings with citations, all hashes."""
    report = report_markdown(record, "provider")
    for shown in (
        "`acme-large`",
        "What does case 1 of set 31 do?",
        OWN,
        "**47.1**",
        "Potions weigh 20.",
        "`assessor A`",
        "assessor A of assessor A answered as an alias",
        "$1.50",
        *(key.hash for key in record.keys.values()),
    ):
        assert shown in report, shown
    assert "$0.75" not in report
    assert "Limited disclosure" in report.split("## 1.")[0]


def test_the_disclosed_record_is_a_record(record: RunRecord) -> None:
    """R57: it can be read, and scored for a look, like any other."""
    assert parse_record(json.dumps(report_json(record, "provider")), "disclosed").run.id == record.run.id


def test_the_house_sees_everything(record: RunRecord) -> None:
    """R57: the default leaves nothing out."""
    assert report_json(record) == record.model_dump(mode="json")
