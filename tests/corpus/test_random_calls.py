"""A thousand calls that nobody thought of, on the largest corpora that this machine has."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnollbench.corpus.caps import ResultBudget
from gnollbench.corpus.library import Library
from gnollbench.corpus.schemas import parameters_of, tool_names
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.records.launch import CorpusConfig
from tests.corpus import real

CAP = 10_000
NOTE = 200  # the longest note that a cut adds
FLOORS = {"wiki_search": 13_000, "nethack_wiki_search": 16_140}
WORDS = (
    "gnoll cockatrice Excalibur wand of digging healing pray.c src/pray.c Monsters/ Items/Wand P_* rnd( can_pray "
    "moveloop u.uhp MAXULEV struct you Options Praying Timeout WAND_CLASS nethack ../../etc/passwd /etc/passwd "
    "C:\\x a\0b .* (a+)+$ [ae].{200}z (?=x) \\1 ( ) [ { AND OR NOT \" ' * ? ~ ☃ é \ud800 \u202e 0 -1 true"
).split(" ")
TEXTS = st.one_of(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
    st.text(max_size=40),
    st.sampled_from(["x" * 20_000, "word " * 2000, "(" * 3000, "\n", "   "]),
)
NUMBERS = st.one_of(st.integers(-3, 60), st.sampled_from([0, 2**31, -(2**63), 10**30]), st.just("7"))
ANYTHING = st.one_of(st.none(), st.booleans(), st.floats(), st.lists(TEXTS, max_size=2), TEXTS, NUMBERS)
OF_TYPE = {"string": TEXTS, "integer": NUMBERS, "boolean": st.booleans()}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a tool and arguments: mostly of the right names and types, sometimes of neither."""
    name = draw(st.sampled_from(tool_names()))
    asked: dict[str, Any] = {}
    for parameter, schema in parameters_of(name, two_repositories=True).items():
        if draw(st.integers(0, 9)) < (9 if schema.get("required") else 5):
            right = OF_TYPE[schema["type"]]
            asked[parameter] = draw(right if draw(st.integers(0, 19)) else ANYTHING)
    return name, asked


@pytest.fixture(scope="module")
def toolset(tmp_path_factory: pytest.TempPathFactory) -> Toolset:
    source = os.environ.get("GNOLLHACK_SOURCE") or str(real.STARTER)
    corpus = CorpusConfig(
        wiki=str(real.WIKI) if real.WIKI.is_dir() else "starter",
        nethack_wiki="starter",
        knowledge="starter",
        source=source,
        nethack_source=str(real.nethack()),
        cache=str(tmp_path_factory.mktemp("cache")),
    )
    library = Library.open(corpus)
    library.warm()
    return Toolset(library, Guides.load(), CAP)


@pytest.mark.timeout(900)
@settings(max_examples=1000, deadline=None, derandomize=True)
@given(call=calls())
def test_no_call_ends_in_a_fault(toolset: Toolset, call: tuple[str, dict[str, Any]]) -> None:
    """R14: a result that can be sent, within its cap, that is no error of the tool's own."""
    name, asked = call
    result = toolset.call(name, asked)
    assert result.content
    assert "met an error while running" not in result.content
    result.content.encode("utf-8")
    budget = ResultBudget(CAP, 4 * CAP, 12 * CAP)
    budget.start_round()
    assert len(budget.shown(name, result).content) <= FLOORS.get(name, CAP) + NOTE
    if name not in ("source_code_search", "search_definitions", "get_constants", *FLOORS):
        assert len(result.content) <= CAP, "the tool should have fitted itself into the cap"


def test_nothing_outside_the_corpora_is_read(toolset: Toolset, tmp_path: Path) -> None:
    """R14: no argument of any tool reaches a file beside the corpora."""
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret word is swordfish", "utf-8")
    for name in tool_names():
        for place in (
            str(secret),
            f"../{secret}",
            f"{'../' * 12}{secret}",
            f"file://{secret}",
            f"src/../../{secret}",
        ):
            asked = {
                parameter: place
                for parameter, schema in parameters_of(name, two_repositories=True).items()
                if schema["type"] == "string" and parameter != "repository"
            }
            assert "swordfish" not in toolset.call(name, asked).content
