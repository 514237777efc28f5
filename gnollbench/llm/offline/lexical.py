"""A lexical grader's verdict: levels, evidence, charges, claims, in the grading form's JSON."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gnollbench.llm.offline.comparison import Comparison, Judged, Rule, Standing, compare
from gnollbench.llm.offline.material import Line, Material
from gnollbench.llm.offline.words import abstains
from gnollbench.records.canonical import as_object
from gnollbench.scoring.verdict import Basis, Charge, Dimension, UnverifiedClaim

TOP = 6
_COMPLETENESS = ((1.0, 6), (0.85, 5), (0.65, 4), (0.45, 3), (0.2, 2), (0.01, 1))  # least share -> level
_PADDING = ((0.0, 6), (0.15, 5), (0.35, 4), (0.5, 3), (0.7, 2), (0.9, 1))  # most share -> level
_ON_TOPIC = 2  # words of the question in a sentence that is no padding
_CLAIM_WORDS = 3  # fewer words claim nothing that could be looked up
_SETTLED = 0.75  # share of a sentence's words that the rubric or the question has: no new claim
_LONG_SENTENCE = 30  # words; the chat answers in two to five sentences
_LABEL_WORDS = 6  # a sentence of so few words with a colon in it is a label
_MARKUP = ("**", "[[", "###", "|")
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True, slots=True)
class Rating:
    """One dimension: its level, its ground, its charges."""

    level: int
    evidence: str
    charges: tuple[Charge, ...] = ()


def verdict(material: Material, rule: Rule) -> str:
    """Grade an answer and return the verdict as JSON."""
    compared = compare(material, rule)
    if material.own_verdict:
        return json.dumps(_withdrawn(material, accuracy(compared, rule)), ensure_ascii=False)
    ratings = {
        Dimension.ACCURACY: accuracy(compared, rule),
        Dimension.COMPLETENESS: completeness(material, compared),
        Dimension.CONCISENESS: conciseness(material, compared, rule),
        Dimension.READABILITY: readability(material.lines),
    }
    return json.dumps(
        {
            "evidence": {name.value: rating.evidence for name, rating in ratings.items()},
            "levels": {name.value: rating.level for name, rating in ratings.items()},
            "critical_error": _critical_error(compared),
            "not_attempted": abstained(material, compared),
            "unverified_claims": [claim.model_dump() for claim in unverified(material, compared)],
            "charges": [
                charge.model_dump(mode="json") for rating in ratings.values() for charge in rating.charges
            ],
            "markers": {
                "out_of_scope": len(_out_of_scope(material, compared)),
                "form": _against_form(material),
            },
        },
        ensure_ascii=False,
    )


def _withdrawn(material: Material, now: Rating) -> dict[str, Any]:
    """Return the first verdict without what the findings bear on: charges and a critical error found true (R35)."""
    first = dict(material.own_verdict)
    error = as_object(first["critical_error"])
    gone = [charge for charge in first["charges"] if _settled(charge["quote"], material)]
    if not gone and not (error and _settled(error["quote"], material)):
        return first
    first["levels"] = {**first["levels"], "accuracy": max(first["levels"]["accuracy"], now.level)}
    first["evidence"] = {**first["evidence"], "accuracy": now.evidence}
    first["critical_error"] = (
        None if error and _settled(error["quote"], material) else first["critical_error"]
    )
    first["charges"] = [charge for charge in first["charges"] if charge not in gone]
    return first


def _settled(quote: str, material: Material) -> bool:
    return " ".join(quote.split()) in material.supported


def accuracy(compared: Comparison, rule: Rule) -> Rating:
    """Rate what the answer states: critical errors and contradicted points cost, omissions do not."""
    held = sum(item.standing is Standing.HELD for item in compared.judged)
    charges = tuple(_charge(line, basis) for _, line, basis in compared.wrong)
    said = "; ".join(
        f"“{line.whole.plain}” contradicts the {basis}: {item.point.plain.rstrip('.')}"
        for item, line, basis in compared.wrong
    )
    if compared.critical:
        line, error = compared.critical.line, compared.critical.error
        said = f"“{line.whole.plain}” asserts the critical error “{error.plain}”. {said}".strip()
        return Rating(2 if held else 1, said, (_charge(line, Basis.RUBRIC), *charges))
    if charges:
        return Rating(3 if held >= len(charges) else 2, f"Wrong: {said}.", charges)
    vague = [item.point for item in compared.judged if item.vague]
    if vague and rule.charges_vagueness:
        return Rating(TOP - 1, f"Vague about {', '.join(sorted(vague[0].figures))}.")
    return Rating(TOP, "No false statement.")


def completeness(material: Material, compared: Comparison) -> Rating:
    """Rate the share of the points asked for: a held one counts whole, a touched one half."""
    outside = _out_of_scope(material, compared)
    asked = [item for item in compared.judged if item not in outside]
    if not asked:
        return Rating(TOP, "No point that the question asks for is missing.")
    short = [item for item in asked if item.standing is not Standing.HELD]
    partly = sum(item.standing is Standing.PARTLY for item in short)
    share = (len(asked) - len(short) + partly / 2) / len(asked)
    level = next((level for least, level in _COMPLETENESS if share >= least), 0)
    if level == TOP:
        return Rating(level, "Nothing is missing.")
    missing = "; ".join(item.point.plain.rstrip(".") for item in short)
    omission = Charge(dimension=Dimension.COMPLETENESS, quote="", basis=Basis.OMISSION)
    return Rating(level, f"Missing: {missing}.", (omission,) * len(short))


def conciseness(material: Material, compared: Comparison, rule: Rule) -> Rating:
    """Rate the share of words in sentences that touch neither a point nor the question."""
    beside = [line for line in material.lines if _is_padding(line, material, compared)]
    share = _length(beside) / (_length(material.lines) or 1)
    level = next((level for most, level in _PADDING if share - rule.padding <= most), 0)
    if level == TOP:
        return Rating(level, "No padding.")
    quoted = f"“{beside[0].whole.plain}”"
    charge = Charge(dimension=Dimension.CONCISENESS, quote=beside[0].whole.quote, basis=Basis.NONE)
    return Rating(level, f"Padding, {share:.0%} of the words: {quoted}.", (charge,))


def readability(lines: Sequence[Line]) -> Rating:
    """Rate form: long sentences, left-over markup and bare labels each cost a level."""
    if not lines:
        return Rating(0, "Nothing to read: the answer is empty.")
    defects = [
        said
        for found, said in (
            (_length(lines) / len(lines) > _LONG_SENTENCE, "the sentences are too long"),
            (any(mark in line.whole.quote for line in lines for mark in _MARKUP), "markup is left in it"),
            (any(_is_label(line) for line in lines), "labels stand in place of sentences"),
        )
        if found
    ]
    return Rating(TOP - len(defects), f"Hard to read: {', '.join(defects)}." if defects else "Reads at once.")


def abstained(material: Material, compared: Comparison) -> bool:
    """Tell whether the answer says that it found nothing and gives none of what was asked."""
    gives = any(
        item.standing in (Standing.HELD, Standing.WRONG)
        or (item.standing is Standing.PARTLY and item.line and item.line.whole.figures)
        for item in compared.judged
    )
    return any(abstains(line.whole.plain) for line in material.lines) and not gives and not compared.critical


def unverified(material: Material, compared: Comparison) -> list[UnverifiedClaim]:
    """List the sentences that the rubric neither states nor contradicts, word for word (R28)."""
    suspected = {item.line.whole.quote for item in compared.judged if item.line and _suspect(item)}
    settled = {line.whole.quote for _, line, _ in compared.wrong}
    settled |= {
        item.line.whole.quote for item in compared.judged if item.line and item.standing is Standing.HELD
    }
    if compared.critical:
        settled.add(compared.critical.line.whole.quote)
    return [
        UnverifiedClaim(quote=line.whole.quote, suspected_false=line.whole.quote in suspected)
        for line in material.lines
        if line.whole.quote in suspected or (line.whole.quote not in settled and _claims_anew(line, material))
    ]


def _claims_anew(line: Line, material: Material) -> bool:
    said = line.whole
    if len(said.words) + len(said.figures) < _CLAIM_WORDS or abstains(said.plain):
        return False
    key = (*material.required, *material.critical, *material.board)
    return all(
        not said.figures <= point.figures | material.question.figures
        or len(said.words & (point.words | material.question.words)) < _SETTLED * len(said.words)
        for point in key
    )


def _suspect(item: Judged) -> bool:
    return item.standing is Standing.PARTLY and bool(item.foreign)


def _out_of_scope(material: Material, compared: Comparison) -> list[Judged]:
    """Return the absent points that share no word with the question: it did not ask for them (R28)."""
    return [
        item
        for item in compared.judged
        if item.standing is Standing.ABSENT and not item.point.words & material.question.words
    ]


def _against_form(material: Material) -> int:
    """Return 1 where the answer has more sentences than the rubric's form names, else 0."""
    words = material.form.lower().split()
    most = max((_NUMBERS[word] for word in words if word in _NUMBERS), default=0)
    return int("sentence" in material.form and 0 < most < len(material.lines))


def _is_padding(line: Line, material: Material, compared: Comparison) -> bool:
    if line.whole.quote in compared.matched or abstains(line.whole.plain):
        return False
    return len(line.whole.words & material.question.words) < _ON_TOPIC


def _is_label(line: Line) -> bool:
    return ": " in line.whole.plain and len(line.whole.plain.split()) <= _LABEL_WORDS


def _critical_error(compared: Comparison) -> dict[str, str] | None:
    if compared.critical is None:
        return None
    asserted = compared.critical
    truth = f"The rubric has: {asserted.truth.plain}" if asserted.truth else "The rubric rules it out."
    return {"quote": asserted.line.whole.quote, "reason": truth}


def _charge(line: Line, basis: Basis) -> Charge:
    return Charge(dimension=Dimension.ACCURACY, quote=line.whole.quote, basis=basis)


def _length(lines: Iterable[Line]) -> int:
    return sum(len(line.whole.plain.split()) for line in lines)
