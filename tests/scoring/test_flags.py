"""Consistency flags, triggers, selection, disputes (R30-R32)."""

import pytest

from gnollbench.scoring.flags import (
    CONTESTING,
    flags_of,
    reader_selection,
    reader_split,
    triggers_of,
    unexplained,
)
from gnollbench.scoring.verdict import (
    Basis,
    Charge,
    ClaimKind,
    CriticalError,
    Dimension,
    Evidence,
    FlagName,
    Member,
    ReaderMode,
    Ruling,
    Trigger,
    UnverifiedClaim,
)

TEXT = "The wand has 8 charges. It is safe to engrave with it."
GROUNDED = Evidence(
    accuracy="The rubric says 4 charges.",
    completeness="Omits the recharging.",
    conciseness="Repeats the question.",
    readability="Unclear order.",
)


def charge(basis: Basis, dimension: Dimension = Dimension.ACCURACY) -> Charge:
    return Charge(dimension=dimension, quote="The wand has 8 charges.", basis=basis)


@pytest.fixture(scope="session")
def raised(make_verdict):
    """The names of the flags on one verdict."""

    def names(levels, claims=(), evidence=GROUNDED, **fields):
        verdict = make_verdict(levels, evidence=evidence, **fields)
        return [flag.name for flag in flags_of({Member.A: verdict}, claims, TEXT)]

    return names


def test_sound_verdicts_raise_none(raised):
    """R30: grounded deductions, and level 6 without a ground."""
    assert raised((3, 3, 4, 4)) == []
    assert raised((6, 6, 6, 6), evidence=Evidence()) == []


INVENTS = Evidence(
    accuracy="It invents a second effect, against the rubric.", completeness="Omits the price."
)


@pytest.mark.parametrize(
    ("accuracy", "quote", "contested"),
    [
        (4, None, True),
        (0, None, True),
        (5, None, False),
        (4, "The wand has 8 charges.", False),
        (4, "Void.", True),
    ],
)
def test_contested_verdict(raised, accuracy, quote, contested):
    """R30: fabrication in the prose, Accuracy at 4 or below, no critical error; a void one is none."""
    critical = CriticalError(quote=quote) if quote else None
    names = raised((accuracy, 5, 6, 6), evidence=INVENTS, critical_error=critical)
    assert (FlagName.CONTESTED_VERDICT in names) is contested


def test_petty_fabrication_contests_nothing(raised):
    """R30: a sentence that calls the defect minor is exempt, and exempts no other sentence."""
    minor = INVENTS.model_copy(update={"accuracy": "A minor invented detail, against the rubric."})
    other = INVENTS.model_copy(update={"accuracy": "A minor slip. The spell is wholly invented."})
    assert FlagName.CONTESTED_VERDICT not in raised((4, 5, 6, 6), evidence=minor)
    assert FlagName.CONTESTED_VERDICT in raised((4, 5, 6, 6), evidence=other)


@pytest.mark.parametrize("dimension", [Dimension.ACCURACY, Dimension.COMPLETENESS])
@pytest.mark.parametrize("prose", ["no fault", "", "Cannot be verified.", "Lacks precision."])
def test_unevidenced_deduction(raised, dimension, prose):
    """R30: below 6 and no defect named, or only unverifiability or missing precision."""
    evidence = GROUNDED.model_copy(update={str(dimension): prose})
    assert raised((5, 5, 6, 6), evidence=evidence) == [FlagName.UNEVIDENCED_DEDUCTION]
    assert raised((6, 6, 6, 6), evidence=evidence) == []


def test_unevidenced_deduction_is_no_matter_of_style(raised):
    """R30: Conciseness and Readability raise no flag."""
    bare = GROUNDED.model_copy(update={"conciseness": "", "readability": "no fault"})
    assert raised((5, 5, 4, 4), evidence=bare) == []


def test_charge_is_evidence(raised):
    """R30: a charged sentence with a basis names the defect; without a basis it names none."""
    bare = GROUNDED.model_copy(update={"accuracy": ""})
    assert raised((5, 5, 6, 6), evidence=bare, charges=(charge(Basis.RUBRIC),)) == []
    names = raised((5, 5, 6, 6), evidence=bare, charges=(charge(Basis.NONE),))
    assert names == [FlagName.UNEVIDENCED_DEDUCTION]


def test_omission_charged_as_accuracy(raised):
    """R30: by the charges, and where there are none by the prose."""
    omits = GROUNDED.model_copy(update={"accuracy": "Does not mention the engraving."})
    assert raised((5, 5, 6, 6), evidence=omits) == [FlagName.OMISSION_CHARGED_AS_ACCURACY]
    assert raised((6, 5, 6, 6), evidence=omits) == []
    only = (charge(Basis.OMISSION),)
    assert raised((5, 5, 6, 6), charges=only) == [FlagName.OMISSION_CHARGED_AS_ACCURACY]
    assert raised((5, 5, 6, 6), evidence=omits, charges=(*only, charge(Basis.RUBRIC))) == []


def test_out_of_rubric_deduction(raised):
    """R30: own knowledge and not the rubric."""
    own = charge(Basis.OWN_KNOWLEDGE)
    assert raised((5, 5, 6, 6), charges=(own,)) == [FlagName.OUT_OF_RUBRIC_DEDUCTION]
    assert raised((5, 5, 6, 6), charges=(own, charge(Basis.BOARD))) == []
    assert raised((6, 5, 6, 6), charges=(own,)) == []
    prose = GROUNDED.model_copy(update={"accuracy": "From my knowledge, 8 charges is wrong."})
    assert raised((5, 5, 6, 6), evidence=prose) == [FlagName.OUT_OF_RUBRIC_DEDUCTION]


@pytest.mark.parametrize(
    ("levels", "outlying"),
    [
        ((6, 6, 1, 3), True),
        ((6, 6, 3, 0), True),
        ((6, 6, 2, 6), False),
        ((6, 6, 1, 2), False),
        ((6, 2, 1, 6), False),
    ],
)
def test_dimension_outlier(raised, levels, outlying):
    """R30: 0 or 1 beside three at 3 or above, no defect of that kind named."""
    silent = GROUNDED.model_copy(update={"conciseness": "no fault", "readability": ""})
    assert (FlagName.DIMENSION_OUTLIER in raised(levels, evidence=silent)) is outlying
    assert FlagName.DIMENSION_OUTLIER not in raised(levels)


def test_omission_is_no_defect_of_accuracy_s_kind(raised):
    """R30: Accuracy at 1 for something left out alone is an outlier too."""
    omits = GROUNDED.model_copy(update={"accuracy": "Omits the price."})
    assert FlagName.DIMENSION_OUTLIER in raised((1, 6, 6, 6), evidence=omits)
    assert FlagName.DIMENSION_OUTLIER not in raised((1, 6, 6, 6))


CLAIM_CASES = [
    (ClaimKind.UNVERIFIED, Ruling.REFUTED, FlagName.REFUTED_CLAIM),
    (ClaimKind.SUSPECTED_FALSE, Ruling.REFUTED, FlagName.REFUTED_CLAIM),
    (ClaimKind.CRITICAL_ERROR, Ruling.SUPPORTED, FlagName.CONTESTED_CRITICAL_ERROR),
    (ClaimKind.ASSESSOR_STATEMENT, Ruling.REFUTED, FlagName.CONTESTED_ACCURACY_DEDUCTION),
    (ClaimKind.CHARGED, Ruling.SUPPORTED, FlagName.CONTESTED_ACCURACY_DEDUCTION),
]


@pytest.mark.parametrize("kind", ClaimKind)
@pytest.mark.parametrize("ruling", Ruling)
def test_claim_flags(raised, make_claim, kind, ruling):
    """R30: every kind under every ruling raises its flag or none, and none without a citation."""
    expected = [flag for k, r, flag in CLAIM_CASES if (k, r) == (kind, ruling)]
    assert raised((6, 6, 6, 6), claims=[make_claim("x", ruling, kind)]) == expected
    assert raised((6, 6, 6, 6), claims=[make_claim("x", ruling, kind, cited=False)]) == []


def test_flags_name_their_member_and_stand_in_order(make_verdict, make_claim):
    """R30, R33: one flag a member that raised it, in the order of the closed set, whatever came first."""
    bare = make_verdict((5, 6, 6, 6))
    claim = make_claim("It is safe.", Ruling.SUPPORTED, by=(Member.B, Member.A))
    found = flags_of({Member.B: bare, Member.A: make_verdict()}, [claim, claim], TEXT)
    assert [(flag.name, flag.member) for flag in found] == [
        (FlagName.UNEVIDENCED_DEDUCTION, Member.B),
        (FlagName.CONTESTED_CRITICAL_ERROR, Member.A),
        (FlagName.CONTESTED_CRITICAL_ERROR, Member.B),
    ]
    assert found[1].detail == "It is safe."


def test_findings_that_contest_a_verdict():
    """R35: only these lead to a re-grade."""
    assert {FlagName.CONTESTED_CRITICAL_ERROR, FlagName.CONTESTED_ACCURACY_DEDUCTION} == CONTESTING


def test_unexplained_on_any_dimension(make_verdict):
    """R28: what the markers are set beside."""
    verdict = make_verdict((6, 6, 6, 4), evidence=Evidence(readability="no fault"))
    assert unexplained(verdict, Dimension.READABILITY)
    assert not unexplained(verdict, Dimension.COMPLETENESS)


@pytest.fixture(scope="session")
def fired(make_verdict, profile):
    def triggers(levels=(6, 6, 6, 6), claims=(), quality=90.0, **fields):
        verdicts = {Member.A: make_verdict(levels, **fields)}
        return triggers_of(verdicts, claims, TEXT, quality, profile.reader)

    return triggers


def test_nine_triggers_in_their_order():
    """R31: the order of evidential strength, then the modes' own."""
    assert [str(trigger) for trigger in Trigger] == [
        *("critical_error", "refuted_claim", "contested_verdict", "out_of_rubric_deduction"),
        *("unevidenced_deduction", "omission_charged_as_accuracy", "dimension_outlier"),
        *("unresolved_claims", "low_quality", "outlier", "sample", "all"),
    ]


def test_triggers_fire(fired, make_claim):
    """R31: none on a sound answer; the reasons in order where several hold."""
    assert fired() == ()
    refuted = make_claim("x", Ruling.REFUTED, ClaimKind.UNVERIFIED)
    found = fired(
        (1, 6, 6, 6),
        claims=[refuted],
        quality=25.0,
        critical_error=CriticalError(quote="The wand has 8 charges."),
    )
    assert found == (
        Trigger.CRITICAL_ERROR,
        Trigger.REFUTED_CLAIM,
        Trigger.UNEVIDENCED_DEDUCTION,
        Trigger.DIMENSION_OUTLIER,
        Trigger.LOW_QUALITY,
    )


def test_void_critical_error_triggers_nothing(fired):
    """R21, R31."""
    assert fired(critical_error=CriticalError(quote="Never said.")) == ()


def test_low_quality_is_below_50(fired):
    """R31: 50 itself is not low."""
    assert fired(quality=50.0) == ()
    assert fired(quality=49.5) == (Trigger.LOW_QUALITY,)


@pytest.mark.parametrize(
    ("ruling", "cited", "unresolved"),
    [
        (Ruling.SUPPORTED, True, False),
        (Ruling.REFUTED, True, False),
        (Ruling.SUPPORTED, False, True),
        (Ruling.INDETERMINATE, True, True),
        (None, True, True),
    ],
)
def test_unresolved_claims(fired, make_claim, ruling, cited, unresolved):
    """R31: an unverified claim that no cited ruling settled."""
    quote = "The wand has 8 charges."
    claims = [make_claim(quote, ruling, ClaimKind.UNVERIFIED, cited=cited)] if ruling else []
    found = fired(claims=claims, unverified_claims=(UnverifiedClaim(quote=quote),))
    assert (Trigger.UNRESOLVED_CLAIMS in found) is unresolved


@pytest.mark.parametrize("flag", FlagName)
def test_contested_findings_alone_are_no_trigger(flag):
    """R30, R31: six of the eight flags route; the two that contest come with a trigger of their own."""
    routed = {str(trigger) for trigger in Trigger}
    assert (str(flag) in routed) is (flag not in CONTESTING)


FIRED = {"q1": (), "q2": (Trigger.LOW_QUALITY,), "q3": (), "q4": (), "q5": (), "q6": ()}
QUALITY = {"q1": 90, "q2": 40, "q3": 60, "q4": 55, "q5": 95, "q6": 90, "q7": 0}


@pytest.mark.parametrize(
    ("mode", "selected"),
    [
        (ReaderMode.OFF, {}),
        (ReaderMode.FLAGGED, {"q2": (Trigger.LOW_QUALITY,)}),
        (
            # the median of all seven is 60, and 40 is not more than 25 below it
            ReaderMode.FLAGGED_AND_OUTLIERS,
            {"q2": (Trigger.LOW_QUALITY,)},
        ),
        (
            ReaderMode.FLAGGED_PLUS_SAMPLE,
            {
                "q1": (Trigger.SAMPLE,),
                "q2": (Trigger.LOW_QUALITY,),
                "q3": (Trigger.SAMPLE,),
                "q4": (Trigger.SAMPLE,),
            },
        ),
        (ReaderMode.ALL, {question: (*fired, Trigger.ALL) for question, fired in FIRED.items()}),
    ],
)
def test_selection_by_mode(profile, mode, selected):
    """R31: the five modes; the sample tops up to four, lowest first, of equals the first."""
    assert reader_selection(mode, FIRED, QUALITY, profile.reader) == selected


def test_outliers_are_more_than_25_below_the_median(profile):
    """R31: 90 - 25 = 65: below it is selected, at it is not."""
    fired = {"q1": (), "q2": (), "q3": (), "q4": (Trigger.LOW_QUALITY,), "q5": ()}
    quality = {"q1": 90, "q2": 65, "q3": 64.5, "q4": 20, "q5": 95, "q6": 95, "q7": 95}
    found = reader_selection(ReaderMode.FLAGGED_AND_OUTLIERS, fired, quality, profile.reader)
    assert found == {"q3": (Trigger.OUTLIER,), "q4": (Trigger.LOW_QUALITY, Trigger.OUTLIER)}


def test_no_sample_where_enough_are_flagged(profile):
    """R31: four flagged answers need no top-up."""
    fired = {f"q{n}": (Trigger.LOW_QUALITY,) for n in range(4)} | {"q9": ()}
    quality = dict.fromkeys(fired, 40.0)
    found = reader_selection(ReaderMode.FLAGGED_PLUS_SAMPLE, fired, quality, profile.reader)
    assert list(found) == ["q0", "q1", "q2", "q3"]


@pytest.mark.parametrize("mode", ReaderMode)
def test_nothing_to_read(profile, mode):
    """R31: a run of which no answer can be read selects none."""
    assert reader_selection(mode, {}, {}, profile.reader) == {}


@pytest.mark.parametrize(
    ("members", "reader", "split"),
    [
        ((True, True), False, True),
        ((False, False), True, True),
        ((True, True), True, False),
        ((True, False), True, False),
        ((True, False), False, False),
        ((True,), False, True),
        ((False,), False, False),
    ],
)
def test_reader_split(members, reader, split):
    """R32: only where the members agree and the reader differs; one assessor agrees with itself."""
    assert reader_split(members, reader) is split
