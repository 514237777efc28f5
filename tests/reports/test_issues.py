"""What a report says went wrong, was flagged, or limits its reading (R21, R26, R36, R41, R59)."""

import re

from gnollbench.records.figures import scored
from gnollbench.records.run import (
    Integrity,
    Synthesis,
    Unscored,
    UnscoredCode,
)
from gnollbench.reports import report_markdown
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.scoring.verdict import (
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    Member,
    Ruling,
)
from tests.reports.made import make, part, with_answer


def test_unreviewed_questions_are_warned_of() -> None:
    """R10: at the top and among the issues."""
    record = make()
    first, *rest = record.exam.questions
    questions = (first.model_copy(update={"reviewed": False}), *rest)
    report = report_markdown(
        record.model_copy(update={"exam": record.exam.model_copy(update={"questions": questions})})
    )
    assert "**Unreviewed questions:** 1 question of this run" in report.split("## 1.")[0]
    assert "reviewed by no human yet" in part(report, 5)
    assert "nreviewed" not in report_markdown(record)


def test_the_known_limits_are_stated() -> None:
    """R59: each of them, in every report."""
    issues = part(report_markdown(make("provider")), 5)
    limits = re.findall(r"^- \*\*(.*?)\.\*\*", issues.split("### Known limits")[1], re.M)
    assert limits == [
        "Coverage",
        "Response style",
        "Judges",
        "Dangers that nobody foresaw",
        "Few questions",
        "Agreement",
        "Corpora",
        "One run",
    ]


def test_the_issues_name_what_became_of_critical_errors() -> None:
    """R21, R36: by resolution, with the quote; a void one counts nowhere."""
    issues = part(report_markdown(make()), 5)
    assert "- `q03`: upheld; quoted by a: “It is safe to drink.”" in issues
    assert "- `q09`: agreed; quoted by a and b: “It is safe to drink.”" in issues
    assert "- `q18`: overturned; quoted by a: “It is safe to drink.”" in issues
    assert "- `q16`: void, because the quote does not occur in the answer; quoted by a" in issues


def test_a_missing_verdict_and_a_missing_synthesis_are_issues() -> None:
    """R26: with their reason."""
    record = make("missing")
    gone = next(place for place, answer in enumerate(record.answers) if answer.score is None)
    why = Unscored(code=UnscoredCode.NO_JSON, message="prose only")
    lost = Unscored(code=UnscoredCode.PROVIDER, message="outage")
    record = with_answer(record, gone, unscored={"b": why, "reader": why})
    record = record.model_copy(update={"syntheses": (Synthesis(member=Member.B, text="", unscored=lost),)})
    issues = part(report_markdown(record), 5)
    assert "b: no json prose only" in issues
    assert "the reading is missing: no json prose only" in issues
    assert "the synthesis of member b is missing: provider outage" in issues
    assert "Missing: provider outage" in part(report_markdown(record), 6)


def test_claims_stand_with_ruling_and_citation() -> None:
    """R33, R34: a ruling without a citation is printed as it counts, and what it was before."""
    citation = Citation(
        kind=CitationKind.SOURCE, where="src/potion.c", lines="10-12", quote="case POT_WATER:"
    )
    ruled = Claim(
        kind=ClaimKind.UNVERIFIED,
        quote="It freezes.",
        raised_by=(Member.A, Member.B),
        ruling=Ruling.REFUTED,
        citation=citation,
        reason="It boils.",
    )
    bare = ruled.model_copy(
        update={"quote": "It weighs 23.", "citation": None, "original_ruling": Ruling.REFUTED}
    )
    report = report_markdown(with_answer(make(), claims=(ruled, bare)))
    cited = "`source src/potion.c, lines 10-12` `case POT_WATER:`"
    row = f"| It freezes. | unverified | a, b | **refuted** | {cited} It boils. |"
    assert row in part(report, 3)
    assert (
        "| It weighs 23. | unverified | a, b | **indeterminate** (was refuted) | no citation It boils. |"
        in report
    )
    assert "“It freezes.” (unverified), by source src/potion.c, lines 10-12" in part(report, 5)
    assert "It weighs 23.”" not in part(report, 5)


def test_integrity_and_limits_are_shown() -> None:
    """R41: every bucket with its count; what cap was reached."""
    record = with_answer(make(), integrity=Integrity.UNANSWERED, text="")
    report = report_markdown(record)
    assert "| transport defect | unanswered | harness limit | recovered | clean |" in part(report, 2)
    assert "| 0 | 1 | 1 | 2 | 14 |" in part(report, 2)
    assert "- `q05`: cap reached: tool calls" in part(report, 5)
    assert "- `q01`: no answer was produced: quality 0" in part(report, 5)
    assert "(empty)" in part(report, 3)


def test_a_clean_run_says_that_nothing_was_flagged() -> None:
    """R58: an empty part is a statement."""
    record = make("panel", head={"status": RunStatus.COMPLETED})
    quiet = tuple(
        answer.model_copy(
            update={
                "limits_hit": (),
                "integrity": Integrity.CLEAN,
                "claims": (),
                "reader": answer.verdicts[Member.A],
                "verdicts": {
                    member: answer.verdicts[Member.A].model_copy(
                        update={
                            "critical_error": None,
                            "not_attempted": False,
                            "levels": answer.verdicts[Member.A].levels.model_copy(
                                update={"accuracy": 6, "completeness": 6}
                            ),
                        }
                    )
                    for member in Member
                },
                "turn_ms": 30_000.0,
                "tool_ms": 0.0,
            }
        )
        for answer in record.answers
    )
    quiet = tuple(answer.model_copy(update={"reader": answer.verdicts[Member.A]}) for answer in quiet)
    issues = part(report_markdown(scored(record.model_copy(update={"answers": quiet}))), 5)
    assert issues.startswith("Issues\n\nNothing went wrong and nothing was flagged.\n\n### Known limits")
