"""The embedded models on the shipped corpus and suite, through the real tools, forms and citation checks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gnollbench.corpus.citations import resolve
from gnollbench.corpus.library import Library
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.llm.messages import Message, Request
from gnollbench.llm.offline import MODELS
from gnollbench.records.launch import CorpusConfig
from gnollbench.records.suite import Question, load_suite
from gnollbench.roles.grading import Material, grade_request
from gnollbench.roles.verdicts import read_verdict
from gnollbench.roles.verifier import RulingForm, gather, verify_request
from gnollbench.scoring.quality import occurs
from gnollbench.scoring.verdict import ClaimKind, Member, Verdict
from tests.llm.offline.playing import model

ROOT = Path(__file__).parents[3]
SUITE = load_suite(ROOT / "suites" / "standard")


def opened_library() -> Library:
    return Library.open(
        CorpusConfig(**yaml.safe_load((ROOT / "conf/corpus/starter.yaml").read_text("utf-8")))
    )


@pytest.fixture(scope="module")
def library() -> Library:
    return opened_library()


@pytest.fixture(scope="module")
def toolset(library: Library) -> Toolset:
    return Toolset(library, Guides.load(None))


def _played(name: str, request: Request, toolset: Toolset) -> tuple[str, int, int]:
    """Return the last reply's text and the numbers of model calls and tool calls."""
    tool_calls = 0
    for model_calls in range(1, 29):
        reply = MODELS[name](request)
        if not reply.tool_calls:
            return reply.text, model_calls, tool_calls
        tool_calls += len(reply.tool_calls)
        results = [
            Message("tool", toolset.call(call.name, json.loads(call.arguments)).content, tool_call_id=call.id)
            for call in reply.tool_calls
        ]
        turn = (*request.messages, Message("assistant", "", reply.tool_calls), *results)
        request = Request(request.model, turn, request.tools)
    raise AssertionError("no end")


def _answer(question: Question, toolset: Toolset) -> tuple[str, int, int]:
    messages = (Message("system", "You help."), Message("user", question.text))
    return _played("retriever", Request(model("retriever"), messages, tuple(toolset.declarations)), toolset)


def _verdict(name: str, question: Question, answer: str) -> Verdict:
    return read_verdict(
        MODELS[name](grade_request(model(name), Material(question.text, question.rubric, answer)))
    )


@pytest.mark.parametrize("question", SUITE.questions, ids=lambda question: question.id)
def test_a_question_is_answered_graded_and_checked(
    question: Question, library: Library, toolset: Toolset
) -> None:
    """R13, R21, R33, R34: a few calls a question; quotes and citations that code finds again."""
    answer, model_calls, tool_calls = _answer(question, toolset)
    assert answer
    assert 3 <= model_calls <= 5
    assert 2 <= tool_calls <= 8
    verdicts = {
        member: _verdict(name, question, answer)
        for member, name in zip(Member, ("terms", "trigrams"), strict=True)
    }
    items = gather(verdicts, contested=Member)
    for item in items:
        assert set(item.raised) == {ClaimKind.ASSESSOR_STATEMENT} or occurs(item.quote, answer)
    request = verify_request(model("lookup"), question.text, None, items, tuple(toolset.declarations))
    text, _, calls = _played("lookup", request, toolset)
    assert calls <= 15 + len(items)
    rulings = RulingForm.model_validate_json(text).rulings
    assert [ruled.item for ruled in rulings] == list(range(1, len(items) + 1))
    for ruled in rulings:
        if ruled.citation is not None:
            assert resolve(library, ruled.citation).ok


def test_a_default_run_shows_a_spread(toolset: Toolset) -> None:
    """R40: right, partial, wrong and abstaining answers, so that every part of a report has something to show."""
    answers = {question: _answer(question, toolset)[0] for question in SUITE.questions}
    verdicts = {
        question.id: [_verdict(name, question, answer) for name in ("terms", "trigrams", "numbers")]
        for question, answer in answers.items()
    }
    assert any(
        all(v.levels.completeness == 6 and v.critical_error is None for v in vs) for vs in verdicts.values()
    )
    assert any(all(v.levels.completeness <= 3 for v in vs) for vs in verdicts.values())
    assert any(all(v.critical_error is not None for v in vs) for vs in verdicts.values())
    assert any(all(v.not_attempted for v in vs) for vs in verdicts.values())
    assert any(vs[0].levels != vs[1].levels for vs in verdicts.values())
    splits = [
        (vs[0].critical_error is None) is not (vs[1].critical_error is None) for vs in verdicts.values()
    ]
    assert 1 <= sum(splits) <= 4


_PRINTED = """
import sys
sys.path.insert(0, {root!r})
from tests.llm.offline.test_offline_on_starter import SUITE, Guides, Toolset, _answer, _verdict, opened_library
toolset = Toolset(opened_library(), Guides.load(None))
for question in SUITE.questions:
    answer = _answer(question, toolset)[0]
    print(answer, *[_verdict(name, question, answer) for name in ("terms", "trigrams", "numbers")], sep="\\n")
"""


def test_nothing_depends_on_the_order_of_sets() -> None:
    """R61: another process gives the same run to the letter."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PRINTED.format(root=str(ROOT))],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
            cwd=ROOT,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert b"levels" in printed.pop()
