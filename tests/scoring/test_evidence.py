"""Reading a grader's prose (R28, R30)."""

import pytest

from gnollbench.scoring.evidence import (
    describes_fabrication,
    names_defect,
    names_only_omissions,
    rests_on_own_knowledge,
    sentences,
)


@pytest.mark.parametrize(
    "prose",
    [
        "States that liches have speed 12; the rubric says 6.",
        "Wrong number of charges.",
        "Omits the minimum level.",
        "The main fact is correct, but the wand has 8 charges.",
        "No errors in the first part. The second part contradicts the rubric.",
        "Speed 9, rubric: 6",
        "The answer fails to say when.",
        "Cannot be verified, and the price is incorrect.",
        "Conflates the two scrolls.",
    ],
)
def test_defects(prose):
    """R28: an incorrect, contradicted or missing statement is named."""
    assert names_defect(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "",
        "—",
        "no fault",
        "None.",
        "No factual errors.",
        "No defects found; the answer is accurate.",
        "Nothing is wrong.",
        "Mostly correct.",
        "Covers all required points.",
        "The claim cannot be verified.",
        "The dice could not be verified against the rubric.",
        "The claim is unverifiable.",
        "The rubric does not mention this claim.",
        "It is not supported by the rubric.",
        "Could be more precise about the dice.",
        "Lacks precision.",
        "Somewhat imprecise.",
        "Not specific.",
    ],
)
def test_no_defects(prose):
    """R28, R30: praise, unverifiability and missing precision name none."""
    assert not names_defect(prose)


@pytest.mark.parametrize(
    ("prose", "only"),
    [
        ("Omits the minimum level.", True),
        ("The answer does not mention the trap. It left out the price.", True),
        ("Accurate. Fails to state the duration.", True),
        ("Omits the price and wrongly says that it is safe.", False),
        ("Omits the price. Says speed 12 where the rubric has 6.", False),
        ("Correct.", False),
        ("", False),
    ],
)
def test_omissions(prose, only):
    """R30: only where every defect is something left out."""
    assert names_only_omissions(prose) is only


@pytest.mark.parametrize(
    "prose",
    [
        "The answer invents a spell of that name.",
        "This scroll does not exist.",
        "Fabricated charges.",
        "Fine otherwise. The quest artifact is made up.",
        "There is no such monster.",
    ],
)
def test_fabrications(prose):
    """R30: the sentence that says so is returned."""
    assert describes_fabrication(prose) in prose


@pytest.mark.parametrize(
    "prose",
    [
        "The inventory letter is wrong.",
        "Nothing is fabricated.",
        "The answer does not invent anything.",
        "A minor invented detail.",
        "A trivial fabrication.",
        "Accurate.",
    ],
)
def test_no_fabrications(prose):
    """R30: denied or petty ones, and the game's own word inventory."""
    assert describes_fabrication(prose) is None


@pytest.mark.parametrize(
    ("prose", "own"),
    [
        ("From my knowledge, liches are faster.", True),
        ("As far as I know the price is 300.", True),
        ("I believe that the speed is 6, as the rubric says 6.", False),
        ("Contradicts the rubric; also from memory.", False),
        ("The rubric says 6.", False),
    ],
)
def test_own_knowledge(prose, own):
    """R30: an appeal to the rubric anywhere makes it no appeal to own knowledge alone."""
    assert rests_on_own_knowledge(prose) is own


def test_sentences_keep_decimals_together():
    """R30: 1.2 is one number; semicolons and lines divide."""
    assert sentences("Speed 1.2; wrong.\nNext one! Last") == ["Speed 1.2;", "wrong.", "Next one!", "Last"]
