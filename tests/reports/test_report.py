"""The seven-part report: its parts, its labels, and what cannot break it (R58)."""

import re
import subprocess
import sys

import pytest

from gnollbench.records.figures import scored
from gnollbench.records.run import (
    Cost,
    Failure,
    FailureKind,
    FailureSource,
    Role,
    Synthesis,
    Unscored,
    UnscoredCode,
)
from gnollbench.reports import document_markdown, report_markdown
from gnollbench.roles.documents import Document
from gnollbench.scoring.verdict import (
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    Flag,
    FlagName,
    Member,
    Ruling,
)
from tests.reports.made import MARKDOWN, headings, make, part, with_answer, with_keys

PARTS = [
    "1. Run Manifest",
    "2. Results Summary",
    "3. Questions and Replies",
    "4. Scoring Method & Configuration",
    "5. Issues",
    "6. Synthesis Assessment",
    "7. Final Indices",
]
HOSTILE = """# GnollBench run report
## 7. Final Indices
```
</details><script>alert(1)</script> <img src=x onerror=alert(1)>
~~~~
| a | b |
|---|---|
> quote
- [ ] {{ view.record }} {% raw %} {{ 7 * 7 }}
===
***\x1b[31mred\u202e [link](javascript:alert(1)) ![i](http://x/y.png)
`````
<!-- \x00 &lt; -->"""


def html_of(report: str) -> list[str]:
    """Every piece of HTML in a report."""
    found: list[str] = []
    for token in MARKDOWN.parse(report):
        found += [token.content] if token.type == "html_block" else []
        found += [child.content for child in token.children or () if child.type == "html_inline"]
    return found


@pytest.mark.parametrize(
    "name",
    [
        "panel",
        "single12",
        "single13",
        "provider",
        "canceled",
        "missing",
        "unanswered",
        "edge",
        "small",
        "wide",
        "fifty",
    ],
)
@pytest.mark.parametrize("disclosure", ["internal", "provider"])
def test_every_record_has_the_seven_parts_in_order(name: str, disclosure: str) -> None:
    """R58: whatever a run came to, and at every disclosure."""
    assert headings(report_markdown(make(name), disclosure), 2) == PARTS


def test_a_report_of_a_bare_record_has_them_too() -> None:
    """R58: an imported record tells little of its run."""
    record = make(models={}, costs={}, config={}, provenance={}, syntheses=(), keys=make().keys)
    report = report_markdown(with_keys(record, prompt_options="opt-1"))
    assert headings(report, 2) == PARTS
    assert "The record names no models." in report
    assert "No cost is recorded." in report


def test_hostile_texts_leave_the_structure_whole() -> None:
    """R29, R58: wherever a foreign text can stand, it stays a text."""
    record = make(
        head={"name": HOSTILE, "purpose": HOSTILE, "warnings": (HOSTILE,), "acknowledgements": (HOSTILE,)}
    )
    verdict = record.answers[0].verdicts[Member.A]
    evil = verdict.model_copy(
        update={"model": HOSTILE, "evidence": verdict.evidence.model_copy(update={"completeness": HOSTILE})}
    )
    citation = Citation(kind=CitationKind.WIKI, where=HOSTILE, lines=HOSTILE, quote=HOSTILE)
    claim = Claim(
        kind=ClaimKind.UNVERIFIED,
        quote=HOSTILE,
        raised_by=(Member.A,),
        ruling=Ruling.REFUTED,
        citation=citation,
        reason=HOSTILE,
    )
    record = with_answer(
        record,
        text=HOSTILE,
        verdicts={**record.answers[0].verdicts, Member.A: evil},
        reader=evil,
        claims=(claim,),
        flags=(Flag(name=FlagName.REFUTED_CLAIM, member=Member.A, detail=HOSTILE),),
        unscored={"regrade": Unscored(code=UnscoredCode.SCHEMA, message=HOSTILE)},
    )
    record = with_answer(
        record,
        1,
        failure=Failure(
            source=FailureSource.PROVIDER, kind=FailureKind.OUTAGE, code=HOSTILE, message=HOSTILE
        ),
    )
    record = with_keys(record, thinking_level=HOSTILE, suite=HOSTILE, prompt_options={HOSTILE: HOSTILE})
    question = record.exam.questions[0]
    rubric = question.rubric.model_copy(update={"required": (HOSTILE,), "scope": HOSTILE})
    exam = record.exam.model_copy(
        update={
            "suite": HOSTILE,
            "questions": (
                question.model_copy(update={"text": HOSTILE, "rubric": rubric, "rated_by": HOSTILE}),
                *record.exam.questions[1:],
            ),
        }
    )
    record = record.model_copy(
        update={
            "exam": exam,
            "syntheses": (Synthesis(member=Member.A, text=HOSTILE),),
            "config": {"name": HOSTILE, HOSTILE: HOSTILE},
            "prices": {HOSTILE: HOSTILE},
            "provenance": {HOSTILE: HOSTILE},
            "costs": {Role.CANDIDATE: Cost(usd=None, reason=HOSTILE)},
        }
    )
    report = report_markdown(record)
    plain = report_markdown(make())
    assert headings(report, 2) == PARTS
    assert len(headings(report, 1)) == 1
    assert len([t for t in MARKDOWN.parse(report) if t.type == "table_open"]) >= 15
    anchors = [
        html for html in html_of(report) if not re.fullmatch(r'(<a id="question-\d+">|</a>)\n?', html.strip())
    ]
    assert anchors == []
    links = [c for t in MARKDOWN.parse(report) for c in t.children or () if c.type in ("link_open", "image")]
    assert {str(link.attrs.get("href")) for link in links} == {f"#question-{n}" for n in range(1, 19)}
    assert "{{ 7 * 7 }}" in report  # as it was written, never as a template
    assert not {*"\x1b\x00\u202e"} & set(report)
    assert headings(plain, 2) == PARTS


def test_a_hostile_summary_stays_a_text_behind_the_note() -> None:
    """R29, R60: the program's own words come first, and what the report writer wrote is data."""
    for text in (HOSTILE, "```\n~~~\n<script>", "# Written by w/good", "![i](http://x/y.png)\n<p>"):
        page = document_markdown(make(), Document("w/`evil`", text, ("3.21",)))
        heading, title, _, _, note, _, fence = MARKDOWN.parse(page)
        assert (heading.type, title.content) == ("heading_open", f"Summary of run {make().run.id}")
        assert "no figure depends on this text" in note.content
        assert "not among the run's figures: `3.21`" in note.content
        assert fence.type == "fence"
        assert text.splitlines()[0] in fence.content
        assert html_of(page) == []


def test_an_answer_stands_whole_in_its_fence() -> None:
    """R58: what is printed is what was answered."""
    text = "First line.\n\n````\nfour\n````\n## no heading"
    report = report_markdown(with_answer(make(), text=text))
    fences = [token.content for token in MARKDOWN.parse(report) if token.type == "fence"]
    assert text + "\n" in fences


def test_embedded_models_are_labelled_loudly() -> None:
    """R58: at the very top and beside the final indices; a real run bears no such label."""
    member = {"provider": "embedded-terms", "endpoint": "embedded"}
    real = {"provider": "borealis", "endpoint": "default"}
    record = with_keys(
        make(), endpoint="embedded", assessor={"members": [real, member]}, reader={"llm": member}
    )
    for disclosure in ("internal", "provider"):
        report = report_markdown(record, disclosure)
        label = report.split("## 1.")[0]
        assert "EMBEDDED MODELS, NO LANGUAGE MODEL: the scores say nothing about one" in label
        assert "candidate, co-assessor, reader." in label
        assert "Embedded models, no language model" in part(report, 7)
    assert "mbedded" not in report_markdown(make())


def test_the_manifest_says_what_was_tested_under_which_conditions() -> None:
    """R13, R43, R55, R56: options, purpose, acknowledgements, warnings, all 27 keys, provenance."""
    head = {"acknowledgements": ("the same provider grades",), "warnings": ("an alias was served",)}
    record = make(head=head)
    manifest = part(report_markdown(record), 1)
    assert "check of the arithmetic" in manifest
    assert "- Acknowledged: the same provider grades" in manifest
    assert "- Warning: an alias was served" in manifest
    assert "| response style | `concise` |" in manifest
    assert "| spoiler free | `false` |" in manifest
    assert "| wiki | `w1k1` |" in manifest
    for name, key in record.keys.items():
        assert re.search(rf"^\| `{name}` \|.*\| `{key.hash}` \|$", manifest, re.M), name
    values = part(report_markdown(record), 4)
    assert '"q01": "62b1797d8ff76ee3"' in values


def test_a_run_without_results_says_why_and_prints_no_index() -> None:
    """R3, R41: a provider failure leaves none."""
    report = report_markdown(make("provider"))
    assert "**This run publishes no indices.** a provider failed on" in report.split("## 1.")[0]
    assert part(report, 7).startswith("Final Indices\n\n**None.** a provider failed on")
    assert "Intelligence Index** |" not in report
    assert "failure of the provider" in part(report, 5)


def test_some_questions_are_no_exam() -> None:
    """R58: a partial run is marked so, at the top."""
    whole = make()
    record = scored(whole.model_copy(update={"answers": whole.answers[:2]}))
    report = report_markdown(record)
    assert "**No exam, no indices:** 2 of the suite's 18 questions were asked." in report.split("## 1.")[0]
    assert "not asked, so that this is no exam" in part(report, 5)
    assert part(report, 3).count("\n### ") == 2


def test_a_broken_off_run_is_no_exam_either() -> None:
    """R42: a canceled run has no score."""
    report = report_markdown(make("canceled"))
    assert "the run is canceled" in report
    assert "**None.**" in part(report, 7)


def test_an_unknown_disclosure_is_an_error() -> None:
    """R57: nothing is disclosed by a slip of the pen."""
    with pytest.raises(ValueError, match="public"):
        report_markdown(make(), "public")


def test_importing_reports_imports_no_template_engine() -> None:
    """R62: start-up stays fast."""
    check = "import sys, gnollbench.reports; sys.exit(bool({'jinja2', 'mlflow'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
