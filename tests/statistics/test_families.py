import numpy as np
import pytest

from gnollbench.records.run import Mode, Role
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import ClaimKind, Member, Ruling
from gnollbench.statistics.families import asymmetry, family_pairs, gaps, interaction, ranks
from gnollbench.statistics.intervals import t_interval
from gnollbench.statistics.models import models
from gnollbench.statistics.readings import PLACE, Grader, Readings
from tests.statistics.made import answer, claim, graded, names, question, run, verdict

PANEL = {Role.ASSESSOR: "alpha", Role.CO_ASSESSOR: "beta"}
POINTS = (1, 15, 35, 55, 72, 87, 100)


def panel_run(ident, levels, family, members=PANEL, **fields):
    """A panel run whose answers carry these Accuracy levels under a, b and the reader (None: not read)."""
    answers = [
        answer(
            name,
            verdicts={Member.A: verdict(a), Member.B: verdict(b)},
            reader=None if reader is None else verdict(reader),
        )
        for name, (a, b, reader) in zip(names(len(levels)), levels, strict=True)
    ]
    families = {Role.CANDIDATE: family, **members}
    return graded(ident, answers, changed={"model": ident}, families=families, **fields)


def quality(level):
    """Q of an Accuracy level beside three levels of 6, rounded: 100 · (p / 100)^0.55."""
    return int(100 * (POINTS[level] / 100) ** 0.55 + 0.5)


def diagnose(*runs):
    """The judge-family part over single-run sources."""
    return models({made.run.id: [made] for made in runs})["judge_families"]


# Accuracy under a, b and the reader, question by question: a orders the two candidates one way, b the other.
ALPHA = [(6, 5, 5), (6, 5, 5), (5, 4, 4), (6, 6, 6), (5, 5, 5), (4, 3, 4)]
BETA = [(5, 5, 5), (5, 6, 5), (4, 4, 4), (6, 6, 5), (4, 5, 5), (4, 4, 4)]


def test_indices_and_ranks_under_each_grader():
    """R52: members as graded, the panel as published, the reference reader."""
    found = diagnose(panel_run("one", ALPHA, "alpha"), panel_run("two", BETA, "beta"))
    one, two = found["entries"]
    assert found["applicable"] is True
    assert one["family"] == "alpha"
    for place, grader in enumerate(("a", "b", "reader")):
        assert one["index"][grader] == pytest.approx(np.mean([quality(row[place]) for row in ALPHA]))
        assert two["index"][grader] == pytest.approx(np.mean([quality(row[place]) for row in BETA]))
    assert one["index"]["panel"] == pytest.approx((one["index"]["a"] + one["index"]["b"]) / 2)
    assert (one["rank"]["a"], two["rank"]["a"]) == (1, 2)
    assert (one["rank"]["b"], two["rank"]["b"]) == (2, 1)
    assert found["order_depends_on_member"] == [["one", "two"]]


def test_the_members_own_pair_has_interaction_and_asymmetry():
    """R52: gap under A - gap under B; gap under panel - gap under reader; questions are the unit."""
    row = diagnose(panel_run("two", BETA, "beta"), panel_run("one", ALPHA, "alpha"))["family_gaps"][0]
    gap = {
        place: np.array([quality(x[place]) - quality(y[place]) for x, y in zip(ALPHA, BETA, strict=True)])
        for place in range(3)
    }
    assert (row["families"], row["n"]) == (["alpha", "beta"], 6)
    for place, grader in enumerate(("a", "b", "reader")):
        interval = t_interval(gap[place].astype(float))
        assert row["gap"][grader]["value"] == pytest.approx(gap[place].mean())
        assert (row["gap"][grader]["low"], row["gap"][grader]["high"]) == pytest.approx(
            (interval.low, interval.high)
        )
    assert row["interaction"] == pytest.approx((gap[0] - gap[1]).mean())
    assert row["asymmetry"] == pytest.approx(((gap[0] + gap[1]) / 2 - gap[2]).mean())
    assert row["intervals"]["asymmetry"]["low"] < row["asymmetry"] < row["intervals"]["asymmetry"]["high"]


def test_planted_preferences_are_recovered_exactly_where_there_is_no_noise():
    """R52: γ_A = 8 and γ_B = 2 give interaction 10 and asymmetry (8 - 2) / 2 = 3."""
    truth = np.array([60.0, 70, 55, 80, 65])
    other = truth - np.array([5, 1, 7, -3, 2])

    def source(base, a, b):
        grades = np.stack([base + a, base + b, base + (a + b) / 2, base], axis=-1)
        return Readings(np.full(5, 50.0), grades[None])

    gap = gaps([source(truth, 8, 0)], [source(other, 0, 2)])
    assert interaction(gap).tolist() == pytest.approx([10.0] * 5)
    assert asymmetry(gap).tolist() == pytest.approx([3.0] * 5)
    assert gap[:, PLACE[Grader.READER]].tolist() == [5, 1, 7, -3, 2]


def test_below_five_questions_a_gap_is_withheld():
    """R3, R52."""
    found = models(
        {
            "one": [panel_run("one", ALPHA[:4], "alpha")],
            "two": [panel_run("two", BETA[:4], "beta")],
        }
    )
    row = found["judge_families"]["family_gaps"][0]
    nothing = {"value": None, "low": None, "high": None}
    assert row["n"] == 4
    assert row["gap"] == dict.fromkeys(("a", "b", "panel", "reader"), nothing)
    assert row["interaction"] is row["asymmetry"] is None
    assert any("family_gaps" in entry["figure"] for entry in found["withheld"])


def test_other_pairs_stand_by_name_and_have_no_contrast():
    """R52."""
    assert family_pairs(["delta", "beta", "alpha"], ("beta", "alpha")) == {
        ("beta", "alpha"): True,
        ("alpha", "delta"): False,
        ("beta", "delta"): False,
    }
    assert family_pairs(["delta", "beta"], ("alpha", "beta")) == {("beta", "delta"): False}
    assert family_pairs(["alpha"], None) == {}
    row = diagnose(panel_run("one", ALPHA, "alpha"), panel_run("two", BETA, "gamma"))["family_gaps"][0]
    assert row["families"] == ["alpha", "gamma"]
    assert row["gap"]["a"]["value"] is not None
    assert row["interaction"] is row["asymmetry"] is None


def test_an_unread_answer_withholds_the_readers_index_and_leaves_the_gap_to_the_others():
    """R3, R52: the four gaps are over the same questions."""
    unread = [(*ALPHA[0][:2], None), *ALPHA[1:]]
    found = diagnose(panel_run("one", unread, "alpha"), panel_run("two", BETA, "beta"))
    assert found["entries"][0]["index"]["reader"] is None
    assert [entry["rank"]["reader"] for entry in found["entries"]] == [None, None]
    assert found["family_gaps"][0]["n"] == 5


def test_an_unanswered_question_is_zero_under_every_grader():
    """R41, R52."""
    made = panel_run("one", ALPHA, "alpha")
    silent = answer("q07", text="", integrity=Integrity.UNANSWERED)
    exam = [question(name) for name in names(7)]
    one = graded(
        "one",
        [*made.answers, silent],
        questions=exam,
        families={Role.CANDIDATE: "alpha", **PANEL},
    )
    entry = diagnose(one)["entries"][0]
    assert entry["index"]["reader"] == pytest.approx(sum(quality(row[2]) for row in ALPHA) / 7)
    assert entry["index"]["a"] == pytest.approx(one.results.panel.member_index[Member.A])


def test_without_panel_or_reader_it_does_not_apply():
    """R52: all must be panel runs under one panel and reference reader."""
    unread = [(a, b, None) for a, b, _ in ALPHA]
    assert "no reference reader" in diagnose(panel_run("one", unread, "alpha"))["reason"]
    alone = run("one", [80, 70], mode=Mode.SINGLE)
    found = diagnose(alone)
    assert found["applicable"] is False
    assert "single assessor" in found["reason"]
    assert found["entries"] == found["family_gaps"] == found["audit"] == []


def test_an_unknown_family_withholds_the_family_figures_alone():
    """R3, R52."""
    sources = {"one": [panel_run("one", ALPHA, "alpha")], "two": [panel_run("two", BETA, None)]}
    found = models(sources)
    families = found["judge_families"]
    assert families["order_depends_on_member"] == [["one", "two"]]
    assert families["family_gaps"] == families["audit"] == []
    assert {"judge_families.family_gaps", "judge_families.audit"} <= {
        entry["figure"] for entry in found["withheld"]
    }


def test_ranks_share_the_better_place():
    """R52."""
    assert ranks([70.0, 80, 70 + 1e-13, 60]) == [2, 1, 2, 4]
    assert ranks([70.0, None]) == [None, None]


def charged(ident, family, rulings, members=(Member.A,)):
    """A panel run whose first answer carries these rulings on charges that the members raised."""
    made = panel_run(ident, ALPHA, family)
    claims = tuple(claim(ClaimKind.CHARGED, ruling, members) for ruling in rulings)
    answers = (made.answers[0].model_copy(update={"claims": claims}), *made.answers[1:])
    return made.model_copy(update={"answers": answers})


def audit_of(found, member, family):
    rows = found["judge_families"]["audit"]
    return next(row for row in rows if (row["member"], row["candidate_family"]) == (member, family))


def test_the_audit_counts_rulings_on_each_members_charges():
    """R52: a charge is overturned where the verifier finds its sentence true."""
    rulings = [Ruling.SUPPORTED] * 3 + [Ruling.REFUTED] * 9 + [Ruling.INDETERMINATE] * 2
    found = models({"one": [charged("one", "alpha", rulings)], "two": [panel_run("two", BETA, "beta")]})
    assert audit_of(found, "a", "alpha") == {
        "member": "a",
        "candidate_family": "alpha",
        "charges": 14,
        "overturned": 3,
        "upheld": 9,
        "indeterminate": 2,
        "overturn_rate": 0.25,
    }
    assert audit_of(found, "b", "alpha")["charges"] == 0
    assert audit_of(found, "b", "alpha")["overturn_rate"] is None


def test_the_audit_counts_a_run_of_two_sources_once():
    """R52: a run that stands by itself and in a group beside it was charged once."""
    made = charged("one", "alpha", [Ruling.SUPPORTED, Ruling.REFUTED])
    found = models({"run": [made], "group": [made], "two": [panel_run("two", BETA, "beta")]})
    assert audit_of(found, "a", "alpha")["charges"] == 2


def test_uncited_rulings_decide_nothing_and_unverified_claims_are_no_charges():
    """R34, R52."""
    made = panel_run("one", ALPHA, "alpha")
    claims = (
        claim(ClaimKind.CRITICAL_ERROR, Ruling.SUPPORTED, [Member.A, Member.B]),
        claim(ClaimKind.CHARGED, Ruling.SUPPORTED, [Member.A], cited=False),
        claim(ClaimKind.UNVERIFIED, Ruling.SUPPORTED, [Member.A]),
        claim(ClaimKind.SUSPECTED_FALSE, Ruling.REFUTED, [Member.A]),
    )
    answers = (made.answers[0].model_copy(update={"claims": claims}), *made.answers[1:])
    found = models({"one": [made.model_copy(update={"answers": answers})]})
    row = audit_of(found, "a", "alpha")
    assert (row["charges"], row["overturned"], row["indeterminate"]) == (2, 1, 1)
    assert audit_of(found, "b", "alpha")["charges"] == 1


@pytest.mark.parametrize(("ruled", "expected"), [(10, 0.1 - 0.2), (9, None)])
def test_rates_are_subtracted_from_ten_ruled_charges_a_side(ruled, expected):
    """R3, R52."""
    alpha = [Ruling.SUPPORTED] + [Ruling.REFUTED] * (ruled - 1) + [Ruling.INDETERMINATE] * 5
    beta = [Ruling.SUPPORTED] * 2 + [Ruling.REFUTED] * 8
    found = models({"one": [charged("one", "alpha", alpha)], "two": [charged("two", "beta", beta)]})
    row = found["judge_families"]["audit_differences"][0]
    assert (row["member"], row["families"]) == ("a", ["alpha", "beta"])
    assert row["difference"] == (expected if expected is None else pytest.approx(expected))


def test_a_familys_question_is_the_mean_over_its_sources():
    """R52: each source counts once, however many runs it has."""
    twice = [panel_run("x1", ALPHA, "alpha"), panel_run("x2", ALPHA, "alpha")]
    pool = [made.model_copy(update={"keys": twice[0].keys}) for made in twice]
    sources = {"x": pool, "y": [panel_run("y", BETA, "alpha")], "z": [panel_run("z", BETA, "beta")]}
    row = models(sources)["judge_families"]["family_gaps"][0]
    expected = np.mean([(quality(x[0]) - quality(y[0])) / 2 for x, y in zip(ALPHA, BETA, strict=True)])
    assert row["gap"]["a"]["value"] == pytest.approx(expected)
