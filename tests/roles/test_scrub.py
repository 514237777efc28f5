"""Scrubbing: artifacts go, authored text stays (R18)."""

import time
from pathlib import Path

import pytest
import yaml

from gnollbench.roles.scrub import scrub
from gnollbench.scoring.outcomes import Integrity, integrity_of

TABLE = yaml.safe_load(Path(__file__).with_name("raw_answers.yaml").read_text("utf-8"))
LEAKS, AUTHORED = TABLE["leaks"], TABLE["authored"]


def test_the_table_is_even() -> None:
    """R18: at least forty raw answers, of which nearly half are to be left alone."""
    assert len(LEAKS) >= 40
    assert len(AUTHORED) >= 40
    assert len({entry["raw"] for entry in LEAKS}) == len(LEAKS)
    assert len(set(AUTHORED)) == len(AUTHORED)


@pytest.mark.parametrize("entry", LEAKS, ids=lambda entry: entry["name"])
def test_leak_is_cut(entry: dict[str, str]) -> None:
    """R18, R41: graders read the authored text; nothing left is no answer, else the answer is recovered."""
    scrubbed = scrub(entry["raw"])
    assert scrubbed.text == entry["text"]
    assert scrubbed.removed
    expected = Integrity.RECOVERED if entry["text"] else Integrity.UNANSWERED
    assert integrity_of(False, scrubbed.text, False, bool(scrubbed.removed)) is expected


@pytest.mark.parametrize("raw", AUTHORED, ids=ascii)
def test_authored_text_is_left_alone(raw: str) -> None:
    """R18: an answer may talk about tags, tokens, tools and JSON, in any script."""
    scrubbed = scrub(raw)
    assert scrubbed.text == raw
    assert scrubbed.removed == ()


@pytest.mark.parametrize("entry", LEAKS, ids=lambda entry: entry["name"])
def test_scrubbed_text_needs_no_scrubbing(entry: dict[str, str]) -> None:
    """R18: scrubbing twice is scrubbing once."""
    assert scrub(entry["text"]).removed == ()


@pytest.mark.parametrize("where", ["before", "after", "between"])
@pytest.mark.parametrize("entry", LEAKS[:4] + LEAKS[22:24], ids=lambda entry: entry["name"])
def test_code_beside_a_leak_keeps_its_lines(entry: dict[str, str], where: str) -> None:
    """R18: what stands in a code block is left as it is, blank lines too."""
    code = "```c\nint a;\n\n\n\nint b; /* <|im_end|> */\n```"
    raw, text = entry["raw"], entry["text"]
    joined = {
        "before": (f"{code}\n\n{raw}", f"{code}\n\n{text}"),
        "after": (f"{raw}\n\n{code}", f"{text}\n\n{code}"),
        "between": (f"{raw}\n\n{code}\n\n{raw}", f"{text}\n\n{code}\n\n{text}"),
    }[where]
    assert scrub(joined[0]).text == joined[1]


@pytest.mark.parametrize(
    "raw",
    [
        "<think>" * 20_000,
        "a <think>" * 20_000,
        "<|x|>" * 20_000,
        "`" * 100_000,
        "{" * 50_000,
        "[TOOL_CALLS]" * 20_000,
        "```\n" * 30_000,
        "\u200b" * 100_000,
        "x <|im_end|> " * 10_000,
        "\n{" * 20_000,
        "</think>" * 20_000,
    ],
    ids=lambda raw: ascii(raw[:8]),
)
def test_hostile_text_takes_no_time(raw: str) -> None:
    """R18: scrubbing is bounded, whatever a model writes."""
    started = time.monotonic()
    scrub(raw)
    assert time.monotonic() - started < 5
