"""The shipped standard suite: its shape, its ratings and what its rubrics owe to the graders."""

import re
from pathlib import Path

import pytest

from gnollbench.records.suite import Question, Suite, load_suite
from gnollbench.scoring.profile import Band, band_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "suites" / "standard"
WIKI = ROOT.parent / "shared" / "corpus" / "gnollhack-wiki"

SUITE = load_suite(FOLDER)
BY_ID = {question.id: question for question in SUITE.questions}

IN_SOURCE = re.compile(r"(?:src|include|dat)/[\w-]+(?:/[\w-]+)*\.(?:c|h|des|txt) [A-Za-z_]\w*")
IN_WIKI = re.compile(r"wiki: (?P<page>\S(?:.*\S)?)")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
# Room inside each band's limits, so that a reader sees the band in the number.
DIFFICULTIES = {Band.SIMPLE: (10, 35), Band.INTERMEDIATE: (40, 70), Band.ADVANCED: (72, 95)}

each_question = pytest.mark.parametrize("question", SUITE.questions, ids=sorted(BY_ID))


def test_eighteen_questions_six_a_band() -> None:
    """R4: the shipped suite has 18 questions, six per band, and is bound to no snapshot."""
    assert list(BY_ID) == [f"q{number:02}" for number in range(1, 19)]
    assert [question.band for question in SUITE.questions] == [band for band in Band for _ in range(6)]
    assert (SUITE.name, SUITE.snapshot) == ("standard", None)
    assert all(question.reviewed for question in SUITE.questions)


def test_description_names_the_checked_commit() -> None:
    """R7: a reader can tell which game the answer key is true of."""
    assert re.search(r"\b[0-9a-f]{40}\b", SUITE.description)


def test_no_rating_is_left_over() -> None:
    """R6: ratings exist for the suite's questions and for no other."""
    assert set(SUITE.ratings) == set(BY_ID)


@each_question
def test_rating_holds_for_the_present_revision(question: Question) -> None:
    """R5, R6: the stored rating was made for this text and rubric, and falls in the authored band."""
    rating = SUITE.rating(question)
    assert rating is not None, f"{question.id} was edited after its rating: rate it again"
    low, high = DIFFICULTIES[question.band]
    assert low <= rating.difficulty <= high
    assert band_of(rating.difficulty) is question.band


def test_an_edited_rubric_voids_its_rating() -> None:
    """R6: the binding above can fail; one changed word in the answer key does it."""
    first = SUITE.questions[0]
    rubric = first.rubric.model_copy(update={"scope": first.rubric.scope + " Nor this."})
    edited: Suite = SUITE.model_copy(update={"questions": (first.model_copy(update={"rubric": rubric}),)})
    assert edited.rating(edited.questions[0]) is None


def test_difficulties_are_told_apart() -> None:
    """R5, R37: no two questions of a band weigh the same."""
    ratings = [rating.difficulty for rating in SUITE.ratings.values()]
    assert len(set(ratings)) == len(ratings)


@each_question
def test_question_is_what_a_player_types(question: Question) -> None:
    """R13: one or two sentences, at least one of them a question, on one line."""
    assert 1 <= len(SENTENCE_END.findall(question.text)) <= 2
    assert "?" in question.text
    assert "\n" not in question.text


@each_question
def test_rubric_has_every_part(question: Question) -> None:
    """R7: required points, critical errors, scope, form and source; board facts only with a snapshot."""
    rubric = question.rubric
    assert len(rubric.required) >= 2
    assert len(rubric.critical) >= 1
    assert all((rubric.scope, rubric.form, rubric.source))
    assert not rubric.board


@each_question
def test_points_are_single_sentences(question: Question) -> None:
    """R7, R21: each required point and each critical error is one plain sentence, stated once."""
    statements = question.rubric.required + question.rubric.critical
    assert len(set(statements)) == len(statements)
    for statement in statements:
        assert statement[0].isupper() or statement[0].isdigit(), statement
        assert len(SENTENCE_END.findall(statement)) == 1, statement
        assert statement.endswith("."), statement
        assert ";" not in statement, statement


@each_question
def test_question_gives_no_point_away(question: Question) -> None:
    """R7: no required point or critical error can be copied out of the question's own text."""
    asked = question.text.casefold()
    for statement in question.rubric.required + question.rubric.critical:
        assert statement.casefold().rstrip(".") not in asked


@each_question
def test_sources_have_a_parseable_shape(question: Question) -> None:
    """R11: a file with one symbol, or a wiki page; no line numbers; the game's source always among them."""
    in_source = [entry for entry in question.rubric.source if IN_SOURCE.fullmatch(entry)]
    in_wiki = [entry for entry in question.rubric.source if IN_WIKI.fullmatch(entry)]
    assert in_source
    assert len(in_source) + len(in_wiki) == len(set(question.rubric.source)) == len(question.rubric.source)
    assert not any(entry.endswith(".md") for entry in in_wiki)


@pytest.mark.skipif(not WIKI.is_dir(), reason="no copy of the GnollHack wiki beside the repository")
@each_question
def test_cited_wiki_pages_exist(question: Question) -> None:
    """R11: every wiki page that a rubric cites is a page of the wiki, spelt as there."""
    pages = [match["page"] for entry in question.rubric.source if (match := IN_WIKI.fullmatch(entry))]
    known = {page.relative_to(WIKI).with_suffix("").as_posix() for page in WIKI.rglob("*.md")}
    assert set(pages) <= known
