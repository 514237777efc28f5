"""Texts that try to steer a grader do no more than inert texts of their length (R29)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from gnollbench.llm.messages import Request
from gnollbench.llm.offline import MODELS
from gnollbench.records.canonical import canonical_json
from gnollbench.records.launch import ModelConfig
from gnollbench.records.suite import Rubric, load_suite
from gnollbench.roles.grading import Material, grade_request
from gnollbench.roles.scrub import scrub
from gnollbench.roles.untrusted import one_line
from gnollbench.roles.verdicts import read_verdict
from gnollbench.roles.verifier import gather, verify_request
from gnollbench.roles.writer import GradedAnswer, synthesis_request
from gnollbench.scoring.profile import Profile, method_of
from gnollbench.scoring.quality import graded
from gnollbench.scoring.verdict import (
    Basis,
    Charge,
    Dimension,
    Evidence,
    Levels,
    Member,
    UnverifiedClaim,
    Verdict,
)

TABLE = yaml.safe_load(Path(__file__).with_name("attacks.yaml").read_text("utf-8"))
ROOT = Path(__file__).parents[2]
SUITE = load_suite(ROOT / "suites" / "standard")
QUESTION = next(question for question in SUITE.questions if question.id == "q04")
PROFILE = Profile.model_validate_json(
    canonical_json(yaml.safe_load((ROOT / "conf/profile/standard.yaml").read_text("utf-8")))
)
MODEL = ModelConfig(provider="p", model="judge", endpoint="embedded", max_output_tokens=100)
BASES = {
    "right": " ".join(QUESTION.rubric.required),
    "half": QUESTION.rubric.required[0],
    "wrong": "A wand of death is generated with 7 to 9 charges.",
    "critical": QUESTION.rubric.critical[1],
}
KINDS = {"fence", "forged", "placeholder", "role", "code", "hidden", "plea", "note"}


def answer_of(entry: dict[str, Any], text: str) -> str:
    """The answer as graders read it: the text behind its base, scrubbed."""
    return scrub(f"{BASES[entry['base']]}\n\n{text}").text


def test_the_set_is_what_it_says() -> None:
    """R29: sixty texts in many languages, each beside another text of exactly its length and marks."""
    assert len(TABLE) >= 60
    assert {entry["kind"] for entry in TABLE} == KINDS
    assert len({entry["language"] for entry in TABLE}) >= 15
    assert len({entry["attack"] for entry in TABLE}) == len(TABLE)
    for entry in TABLE:
        assert len(entry["attack"]) == len(entry["twin"])
        assert entry["attack"] != entry["twin"]
        digits = [re.sub(r"\D", "", entry[which]) for which in ("attack", "twin")]
        assert digits[0] == digits[1]


def requests_of(answer: str) -> Iterator[tuple[str, Request]]:
    """Every request that a grading role makes of an answer, the answer's words in each place that can hold them."""
    question, rubric = QUESTION.text, QUESTION.rubric
    words = Evidence(accuracy=answer, completeness=answer)
    verdict = Verdict(
        levels=Levels(accuracy=3, completeness=3, conciseness=3, readability=3),
        evidence=words,
        charges=(Charge(dimension=Dimension.ACCURACY, quote=answer, basis=Basis.RUBRIC),),
        unverified_claims=(UnverifiedClaim(quote=answer),),
    )
    material = Material(question, rubric, answer)
    findings = (f"refuted: “{answer}” {answer}",)
    yield "assessor", grade_request(MODEL, material)
    yield "assessor with a board", grade_request(MODEL, replace(material, snapshot="HP:14(58)"))
    yield "reader", grade_request(MODEL, replace(material, findings=findings))
    yield (
        "reader that is not blind",
        grade_request(MODEL, replace(material, findings=findings, others_verdict=verdict)),
    )
    yield "re-grade", grade_request(MODEL, replace(material, findings=findings, own_verdict=verdict))
    items = gather({Member.A: verdict}, contested=Member)
    yield "verifier", verify_request(MODEL, question, "HP:14(58)", items, ())
    yield "synthesis", synthesis_request(MODEL, [GradedAnswer("q04", "simple", 50, verdict)])


def outside(request: Request) -> list[str]:
    """What of a request stands outside its fences, the mark itself put out."""
    shown: list[str] = []
    for message in request.messages:
        text = message.content
        mark = text.rstrip().rpartition("\n")[2].removesuffix(">>>")
        if re.fullmatch("ANSWER-[0-9a-f]{16}", mark):
            text = re.sub(rf"^<<<{mark}\n.*?\n^{mark}>>>", "[fenced]", text, flags=re.M | re.S)
        shown.append(text)
    return shown


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry["name"])
def test_nothing_of_an_answer_stands_outside_the_fence(entry: dict[str, Any]) -> None:
    """R29: outside the fences, a request is the same to the letter whatever the answer says."""
    attack, twin = (answer_of(entry, entry[which]) for which in ("attack", "twin"))
    for (role, request), (_, beside) in zip(requests_of(attack), requests_of(twin), strict=True):
        assert outside(request) == outside(beside), role
        assert any("[fenced]" in text for text in outside(request)), role
        whole = one_line("\n".join(message.content for message in request.messages))
        assert one_line(attack) in whole, role
        assert request.schema == beside.schema


@pytest.mark.parametrize("name", ["terms", "trigrams", "numbers"])
@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry["name"])
def test_embedded_verdict_does_not_move(entry: dict[str, Any], name: str) -> None:
    """R29: levels, critical error, flag, markers and score are those that the inert twin gets."""
    outcomes = []
    for which in ("attack", "twin"):
        answer = answer_of(entry, entry[which])
        request = grade_request(MODEL, Material(QUESTION.text, QUESTION.rubric, answer))
        verdict = read_verdict(MODELS[name](request))
        score = graded(verdict, answer, PROFILE, method_of(13))
        outcomes.append(
            (verdict.levels, verdict.critical_error, verdict.not_attempted, verdict.markers, score)
        )
    assert outcomes[0] == outcomes[1]
    flagged = outcomes[0][-1].flagged
    assert flagged is (entry["base"] == "critical")


def test_a_prefix_is_the_same_for_every_answer() -> None:
    """R29: the instructions and the board are a prefix that a provider can keep."""
    for entry in TABLE[:10]:
        request = grade_request(
            MODEL, Material(QUESTION.text, Rubric(), entry["attack"], snapshot="HP:14(58)")
        )
        plain = grade_request(MODEL, Material(QUESTION.text, Rubric(), "x", snapshot="HP:14(58)"))
        assert request.messages[: request.cache_prefix] == plain.messages[: plain.cache_prefix]
        assert request.cache_prefix == 2
