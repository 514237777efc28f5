"""What the embedded models make of words."""

import pytest

from gnollbench.llm.offline.games import without_nethack
from gnollbench.llm.offline.passages import pages, passages
from gnollbench.llm.offline.words import abstains, figures, plain, sentences, statement, stem, telling


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("identifies", "identify"),
        ("identified", "identify"),
        ("dipping", "dip"),
        ("charges", "charg"),
        ("charge", "charg"),
        ("blessed", "bless"),
        ("ring", "ring"),
        ("bless", "bless"),
    ],
)
def test_inflections_share_a_stem(word: str, root: str) -> None:
    assert stem(word) == root


def test_words_of_one_meaning_are_one() -> None:
    assert telling("The maximum speed") == telling("the highest move")
    assert telling("it does not and they don't") == frozenset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 in 4", {"25%"}),
        ("a 1/4 chance", {"25%"}),
        ("25 %", {"25%"}),
        ("25 per cent", {"25%"}),
        ("204,000 points", {"204000"}),
        ("8d6 of damage", {"8d6"}),
        ("2–5 charges", {"2", "5"}),
        ("−30 % + 5 % × Wisdom", {"30%", "5%"}),
        ("no figure here", set()),
    ],
)
def test_a_figure_is_the_same_in_every_notation(text: str, found: set[str]) -> None:
    """R34, rule 5: the same quantity in another notation is no other quantity."""
    assert figures(text) == found


def test_number_words_count_in_sentences_only() -> None:
    said = statement("A cursed scroll identifies one item, a blessed one three.")
    assert said.figures == frozenset()
    assert said.counted == {"1", "3"}


@pytest.mark.parametrize(
    ("markdown", "prose"),
    [
        ("**Maximum charges:** 5", "Maximum charges: 5"),
        ("a [[/Items/scroll of identify]]", "a scroll of identify"),
        ("a [[gnoll|/Races/Gnoll]] is", "a gnoll is"),
        ("see [the page](https://example.org/a_b)", "see the page"),
        (r"$-30\% + 5\% \times \text{Wisdom}$", "-30% + 5% × Wisdom"),
        ("2 * 3 and snake_case", "2 * 3 and snake_case"),
        ("👉 **Runewords** are words", "Runewords are words"),
    ],
)
def test_markdown_becomes_prose(markdown: str, prose: str) -> None:
    assert plain(markdown) == prose


def test_sentences_are_stretches_of_the_text() -> None:
    text = "A wand of death. It holds 5 charges!\n- **Weight:** 7\n\n2. Second entry (see below)."
    found = sentences(text)
    assert found == ["A wand of death.", "It holds 5 charges!", "**Weight:** 7", "Second entry (see below)."]
    assert all(sentence in text for sentence in found)


@pytest.mark.parametrize(
    ("sentence", "home"),
    [
        ("The highest level is 50 (NetHack stops at 30).", "The highest level is 50"),
        ("In NetHack, the highest level is 30.", ""),
        ("The level is 50, not 30.", "The level is 50."),
        ("The level is 50 rather than 30.", "The level is 50."),
        ("NetHack has 30, but GnollHack has 50.", "GnollHack has 50."),
        ("Nothing to compare.", "Nothing to compare."),
    ],
)
def test_what_is_said_of_nethack_is_set_apart(sentence: str, home: str) -> None:
    assert without_nethack(sentence) == home


def test_denial_and_tentativeness_are_seen() -> None:
    assert statement("It doesn’t keep him off.").denied
    assert not statement("It keeps him off.").denied
    assert statement("It is perhaps 5.").tentative
    assert abstains("I couldn’t find it.")
    assert not abstains("Finding it is easy.")


RESULT = """--- Items/Wand of death.md ---
### Wand
- **Maximum charges:** 5
| Level | Points |
| :---: | ---: |
| 30 | 204,000 |
[1 of 3 sections left out. wiki_view with article "Items/Wand of death" shows the whole article.]

--- Races.md ---
GnollHack has the following races:

- [[/Races/Human]] — Versatile
- [[/Races/Elf]]
[Complete article.]"""


def test_a_result_is_read_sentence_by_sentence() -> None:
    """Notes in brackets are the tool's and no text of a page; a list is a sentence with its introduction too."""
    found = passages(RESULT)
    assert pages(RESULT) == ["Items/Wand of death", "Races"]
    assert [(passage.page, passage.statement.plain) for passage in found] == [
        ("Items/Wand of death", "Maximum charges: 5"),
        ("Items/Wand of death", "Level 30, Points 204,000"),
        ("Races", "Human — Versatile"),
        ("Races", "Elf"),
        ("Races", "GnollHack has the following races: Human; Elf"),
    ]
    assert found[0].statement.quote == "**Maximum charges:** 5"
    assert telling("wand death") <= found[0].context


def test_comments_are_what_source_says() -> None:
    result = "--- src/zap.c:L10 ---\n    10: x = 1;\n>>> 11: case DEATH: /* magic resistance does not help */"
    (passage,) = passages(result)
    assert passage.statement.plain == "magic resistance does not help"


def test_text_of_no_page_has_no_page() -> None:
    assert [p.page for p in passages('Nothing in the GnollHack wiki matches "xyzzy".')] == [""]
