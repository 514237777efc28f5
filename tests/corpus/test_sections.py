"""Sections of an article and the snippets made of them."""

import pytest

from gnollbench.corpus import sections

ARTICLE = """Opening words.

## First part

Alpha beta.

### Inner part

Gamma delta.

## 🪓 Second  part ##

```
# no heading
```

Beta again.
"""


def test_split_keeps_paths_and_ignores_fenced_headings() -> None:
    """R14: sections carry the headings above them; a line in a code block is no heading."""
    found = [(section.level, section.path) for section in sections.split(ARTICLE)]
    assert found == [(0, ""), (2, "First part"), (3, "First part › Inner part"), (2, "🪓 Second  part")]
    assert "# no heading" in sections.split(ARTICLE)[-1].body


def test_split_loses_no_text() -> None:
    """R14: the sections' spans cover the article without gap or overlap."""
    found = sections.split(ARTICLE)
    assert "".join(ARTICLE[section.start : section.end] for section in found) == ARTICLE


@pytest.mark.parametrize("text", ["", "no heading at all", "\n\n# Only\n", "####### seven\n#none\n"])
def test_split_has_at_least_one_section(text: str) -> None:
    """R14: any text can be split."""
    assert sections.split(text)


def test_long_lines_of_marks_are_read_at_once() -> None:
    """R14: a hostile page costs linear time."""
    assert sections.split("# a" + " #" * 100_000 + " x\n" + "# a" + " " * 100_000 + "#")


@pytest.mark.parametrize(
    ("asked", "begins"),
    [
        ("first PART", "## First part"),
        ("second part", "## 🪓"),
        ("inner", "### Inner part"),
        ("  Second   Part ", "## 🪓"),
    ],
)
def test_named_in_three_passes(asked: str, begins: str) -> None:
    """R14: equal, equal without leading symbols, contained in exactly one heading."""
    assert (sections.named(ARTICLE, asked) or "").startswith(begins)


@pytest.mark.parametrize("asked", ["part", "third", "***", "", "no heading"])
def test_named_finds_none(asked: str) -> None:
    """R14: a name that fits two headings or none opens no section."""
    assert sections.named(ARTICLE, asked) is None


def test_named_ends_at_the_next_heading_of_its_level() -> None:
    """R14: a section comes with what is below it and nothing else."""
    part = sections.named(ARTICLE, "First part") or ""
    assert part.endswith("Gamma delta.")


def test_snippet_prefers_headings_then_bodies_and_keeps_the_order() -> None:
    """R14: ten for a term in a heading, one for a term in the body; printed in the article's order."""
    text = "## One\n\n" + "apple " * 30 + "\n\n## Two\n\n" + "pear " * 30 + "\n\n## Apple\n\n" + "plum " * 30
    made = sections.snippet("--- P.md ---", text, ["apple"], 500, "More elsewhere.")
    assert made.index("### One") < made.index("### Apple")
    assert "### Two" not in made
    assert made.endswith("[1 of 3 sections left out. More elsewhere.]")


def test_snippet_of_a_short_article_is_complete() -> None:
    """R14: the last line tells a whole article from a part of one."""
    made = sections.snippet("--- P.md ---", ARTICLE, ["beta"], 2500, "More.")
    assert made.splitlines()[0] == "--- P.md ---"
    assert made.endswith("[Complete article.]")


def test_snippet_without_a_scoring_section_shows_the_opening() -> None:
    """R14: where no term is found literally, the first section stands, with the second after a preamble."""
    made = sections.snippet("--- P.md ---", ARTICLE, ["zeta"], 2500, "More.")
    assert "Opening words." in made
    assert "### First part" in made
    assert "Inner" not in made


@pytest.mark.parametrize("budget", [300, 1000, 2500])
def test_snippet_never_exceeds_its_budget(budget: int) -> None:
    """R14: the budget bounds the whole snippet, and a cut is said."""
    made = sections.snippet("--- P.md ---", "## A\n\n" + "word " * 2000, ["word"], budget, "More.")
    assert len(made) <= budget
    assert "..." in made
    assert "[Cut; 0 more sections left out. More.]" in made


def test_headings_are_listed_within_their_limit() -> None:
    """R14: a list of headings is at most 600 characters."""
    assert sections.headings(ARTICLE) == "First part; Inner part; 🪓 Second  part"
    assert len(sections.headings("\n".join(f"# Heading {n}" for n in range(500)))) == 600
    assert sections.headings("none here") == "none"
