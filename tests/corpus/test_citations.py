"""Citations resolved against the corpora."""

from pathlib import Path

import pytest

from gnollbench.corpus.citations import resolve, resolve_source_line
from gnollbench.corpus.library import Library
from gnollbench.records.launch import CorpusConfig
from gnollbench.scoring.verdict import Citation, CitationKind

FIXTURES = Path(__file__).parents[1] / "fixtures"
BOARD = "Dlvl:11  HP:14(58)\nYou are — burdened."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library.open(
        CorpusConfig(
            wiki=str(FIXTURES / "wiki"),
            nethack_wiki=str(FIXTURES / "nethack_wiki"),
            knowledge=str(FIXTURES / "knowledge"),
            source=str(FIXTURES / "source"),
            cache=str(tmp_path_factory.mktemp("cache")),
        )
    )


def cited(kind: str, where: str, lines: str, quote: str) -> Citation:
    return Citation(kind=CitationKind(kind), where=where, lines=lines, quote=quote)


@pytest.mark.parametrize(
    "line",
    [
        "src/brew.c simmer_time",
        "src/brew.c",
        "include/brew.h MAX_HEAT",
        "src/brew.c simmer_time, stir_once L12-40",
        "src/brew.c:17 stir_once()",
        "dat/cellar.des",
        "wiki: Basilisk",
        "wiki: Races/Gnoll",
        "Wiki:Guide to Praying#Timeout",
        "NetHack wiki: Cockatrice",
    ],
)
def test_source_lines_of_a_rubric_resolve(library: Library, line: str) -> None:
    """R11: files, symbols and pages are looked up; line numbers are passed over."""
    found = resolve_source_line(library, line)
    assert found.ok, found.reason


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("src/missing.c newuexp", "src/missing.c"),
        ("src/brew.c boil_over", "boil_over"),
        ("src/brew.c simmer_time, boil_over", "boil_over"),
        ("../src/brew.c x", "../src/brew.c"),
        ("wiki: Balrog", "Balrog"),
        ("NetHack wiki: Basilisk", "Basilisk"),
        ("common knowledge", "names neither"),
        ("", "names neither"),
    ],
)
def test_source_lines_that_fail_say_what(library: Library, line: str, said: str) -> None:
    """R11: the reason names the file, the symbol or the page that is not there."""
    found = resolve_source_line(library, line)
    assert not found.ok
    assert said in found.reason


@pytest.mark.parametrize(
    ("kind", "where", "lines", "quote"),
    [
        ("source", "src/brew.c simmer_time", "13-18", ""),
        ("source", "src/brew.c stir_once", "", "k->stirred++;\n    return   k->stirred;"[:13]),
        ("source", "src/brew.c", "", "return stir_once(k)   +  MAX_HEAT - heat;"),
        ("source", "include/brew.h, MAX_HEAT", "3", ""),
        ("source", "brew.c", "", "return simmer_time(k,"),  # in dead code, and in live code as well
        ("source", "src/brew.c", "L13-L14", ""),
        ("source", "src/brew.c", "65", "quick_taste,"),  # in a table, in no function
        ("wiki", "Monsters/Basilisk.md", "", "Hit dice: 6"),
        ("wiki", "wiki: Gnoll", "", "start immune to lycanthropy"),
        ("wiki", "Gnoll", "", "Armor class: 7"),
        ("snapshot", "status line", "", "HP:14(58) You are - burdened."),
    ],
)
def test_citations_of_a_verifier_resolve(
    library: Library, kind: str, where: str, lines: str, quote: str
) -> None:
    """R34: file, symbol, page and quotation are there; white space and emphasis do not matter."""
    found = resolve(library, cited(kind, where, lines, quote), BOARD)
    assert found.ok, found.reason


@pytest.mark.parametrize(
    ("kind", "where", "lines", "quote", "said"),
    [
        ("source", "src/brew.c simmer_time", "", "", "lines"),
        ("source", "src/brew.c", "1", "heat never boils", "quotation"),
        ("source", "src/brew.c old_simmer_time", "40", "", "nothing calls"),
        (
            "source",
            "src/brew.c",
            "",
            "if (amount)\n never_poured(amount - 1);",
            "nothing calls the function never",
        ),
        ("source", "brew.c", "L55-L57", "", "nothing calls the function never_poured"),
        ("source", "src/brew.c simmer_time", "", "return simmer_time(k, 3);", "inside '#if 0'"),
        ("source", "src/nowhere.c", "1", "", "src/nowhere.c"),
        ("source", "a wiki page", "1", "", "names neither"),
        ("wiki", "Basilisk", "", "Hit dice: 60", "quotation"),
        ("wiki", "Cockatrice", "", "", "no page"),
        ("wiki", "", "", "", "no page"),
        ("snapshot", "x", "", "HP:15(58)", "snapshot"),
        ("snapshot", "x", "", "", "snapshot"),
    ],
)
def test_citations_that_fail_say_what(
    library: Library, kind: str, where: str, lines: str, quote: str, said: str
) -> None:
    """R34: what code can check, code checks; the reason names it."""
    found = resolve(library, cited(kind, where, lines, quote), BOARD)
    assert not found.ok
    assert said in found.reason


def test_a_snapshot_citation_needs_a_snapshot(library: Library) -> None:
    """R34: a suite without a snapshot has no board to cite."""
    assert not resolve(library, cited("snapshot", "x", "", "HP:14(58)")).ok
