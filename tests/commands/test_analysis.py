"""The commands over several runs, as whole processes on record files (R44-R54)."""

import json
from pathlib import Path
from statistics import fmean, stdev

import pytest

from gnollbench.records.figures import scored
from gnollbench.records.files import write_record
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.scoring.verdict import UnverifiedClaim
from tests.commands.made import RECORDS, document, gnollbench, lay, refusal, run, text

FIRST, SECOND = ("q01", "q06"), ("q06", "q16", "q17")
INDEX = json.loads((RECORDS / "expected-panel.json").read_text("utf-8"))["results"]["intelligence"]["index"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three replicates, a run of other judges, one of another candidate, one without results."""
    folder = tmp_path_factory.mktemp("some runs")
    lay(run("a-1", name="first"), folder)
    lay(run("a-2", name="twice", lowered=FIRST), folder)
    lay(run("a-3", name="twice", lowered=SECOND), folder)
    lay(run("b-1", keys={"assessor": "other judges"}, lowered=FIRST), folder)
    lay(run("c-1", keys={"provider": "beta", "model": "m-2"}, lowered=SECOND), folder)
    lay(run("d-1", keys={"price_snapshot": "dear"}), folder)
    lay(run("e-1", keys={"reader": {"mode": "all"}, "verifier": "none"}), folder)
    lay(run("x-1", status=RunStatus.CANCELED), folder)
    return folder


def test_tier_of_replicates(runs: Path) -> None:
    """R44: equal keys are tier A."""
    assert document(runs, "tier", "a-1", "a-2", "a-3") == {
        "tier": "A",
        "poolable": True,
        "degraded": [],
        "differences": [],
        "explanation": "Tier A, replicates: everything may be pooled. Every key matches",
    }


@pytest.mark.parametrize(
    ("other", "tier", "poolable", "degraded", "keys"),
    [
        ("d-1", "B", True, ["cost"], ["price_snapshot"]),
        ("b-1", "C", False, [], ["assessor"]),
        ("c-1", "none", False, [], ["provider", "model"]),
        ("e-1", "none", False, [], ["reader", "verifier"]),
    ],
)
def test_tier_names_what_differs(
    runs: Path, other: str, tier: str, poolable: bool, degraded: list[str], keys: list[str]
) -> None:
    """R44: the verdict names each key, its kind, both values and the runs that carry them."""
    found = document(runs, "tier", other, "a-1", "a-2")
    assert (found["tier"], found["poolable"], found["degraded"]) == (tier, poolable, degraded)
    assert [difference["key"] for difference in found["differences"]] == keys
    for difference in found["differences"]:
        assert [variant["runs"] for variant in difference["variants"]] == [["a-1", "a-2"], [other]]
        assert difference["key"] in found["explanation"]
    said = text(runs, "tier", other, "a-1")
    assert all(word in said for word in (*keys, "a-1", other))


def test_tier_of_files_loads_no_heavy_library(runs: Path) -> None:
    """A verdict needs no store and no statistics."""
    files = [str(runs / "outputs" / name / "record.json") for name in ("a-1", "a-2")]
    assert document(runs, "tier", *files)["tier"] == "A"
    imported = gnollbench(runs, "tier", *files, python=("-X", "importtime")).stderr
    modules = {line.rpartition("|")[2].strip() for line in imported.splitlines()}
    assert "gnollbench.statistics.comparability" in modules
    assert modules.isdisjoint({"mlflow", "scipy", "numpy", "pandas", "litellm", "rich"})


def test_replicates(runs: Path) -> None:
    """R46-R49: the document of interfaces.md, with the figures that its runs' own scores give."""
    found = document(runs, "replicates", "a-1", "a-2", "a-3")
    records = [scored(run("a", lowered=lowered)) for lowered in ((), FIRST, SECOND)]
    indices = [record.results.intelligence.index for record in records]  # type: ignore[union-attr]
    assert indices[0] == pytest.approx(INDEX, abs=1e-9)
    assert len(set(indices)) == 3
    assert (found["n_runs"], found["tier"], found["route"]) == (3, "A", "items")
    assert found["index"] == pytest.approx(fmean(indices), abs=1e-9)
    assert found["index"] == pytest.approx(found["index_from_items"], abs=1e-9)
    assert found["se_reproducibility"] == pytest.approx(stdev(indices) / 3**0.5, abs=1e-9)
    assert found["covers"] == ["reproducibility", "item_sampling"]
    q06 = [record.answers[5].score.quality for record in records]  # type: ignore[union-attr]
    item = found["items"][5]
    assert (item["question"], item["n"]) == ("q06", 3)
    assert item["mean"] == pytest.approx(fmean(q06), abs=1e-9)
    assert found["cost"]["candidate"]["mean"] == pytest.approx(0.25)
    names = "t_critical se_item half_width low high truncated dimensions speed degraded withheld".split()
    assert found.keys() >= set(names)
    assert item.keys() >= set("median sd iqr cv half_width critical_error_rate unstable".split())
    assert found["speed"].keys() == {"p50_ms", "p90_ms", "max_ms"}


def test_replicates_in_text(runs: Path) -> None:
    """R49: the text says what the interval covers and that the variance is mixed."""
    said = text(runs, "replicates", "a-1", "a-2", "a-3")
    assert "covers reproducibility and item sampling" in said
    assert "run-to-run variance mixes candidate and grader" in said
    assert "None" not in said
    assert "nan" not in said


def test_replicates_of_one_run_withholds_what_needs_several(runs: Path) -> None:
    """R3, R48: no reproducibility figure below three runs, and what lifts it."""
    found = document(runs, "replicates", "a-1")
    assert found["se_reproducibility"] is None
    (entry,) = [entry for entry in found["withheld"] if entry["figure"] == "se_reproducibility"]
    assert "3" in entry["lifted_by"]
    said = text(runs, "replicates", "a-1")
    assert "covers item sampling" in said
    assert "item  n  mean  median  critical" in said  # a column of nothing but withheld figures is left out


def test_replicates_leaves_out_and_names_a_run_without_results(runs: Path) -> None:
    """R3, R41: it is dropped, and named."""
    found = document(runs, "replicates", "a-1", "a-2", "x-1")
    assert found["n_runs"] == 2
    assert any("x-1" in entry["reason"] for entry in found["withheld"])


def test_replicates_refuses_tier_c_naming_the_key(runs: Path) -> None:
    """R44: a C set is compared, never pooled."""
    said = refusal(runs, "replicates", "a-1", "b-1")
    assert all(word in said for word in ("assessor", "assessor-1", "other judges", "a-1", "b-1"))


def test_compare_of_one_changed_key(runs: Path) -> None:
    """R50: a controlled comparison, treatment minus baseline by question."""
    found = document(runs, "compare", "--baseline", "a-1", "a-3", "--treatment", "b-1")
    assert (found["kind"], found["tier"], found["changed"]) == ("controlled", "C", ["assessor"])
    sides = [scored(run("a", lowered=lowered)) for lowered in ((), SECOND, FIRST)]
    qualities = [[a.score.quality for a in side.answers] for side in sides]  # type: ignore[union-attr]
    differences = [t - (b + c) / 2 for b, c, t in zip(*qualities, strict=True)]
    assert found["n_pairs"] == 18
    assert found["mean_difference"] == pytest.approx(fmean(differences), abs=1e-9)
    assert [item["difference"] for item in found["items"]] == pytest.approx(differences, abs=1e-9)
    assert found["wilcoxon"]["method"] == "exact"
    assert found.keys() >= set("ci_low ci_high paired_t dz smallest_detectable_difference excluded".split())
    said = text(runs, "compare", "--baseline", "a-1", "a-3", "--treatment", "b-1")
    assert "controlled: one instrument key changed (assessor)" in said
    assert "exploratory" in said


@pytest.mark.parametrize(
    ("treatment", "kind", "tier"), [("a-2", "noise", "A"), ("d-1", "noise", "B"), ("c-1", "models", "none")]
)
def test_compare_says_what_is_compared(runs: Path, treatment: str, kind: str, tier: str) -> None:
    """R50: noise, or another candidate on the same instrument."""
    found = document(runs, "compare", "--baseline", "a-1", "--treatment", treatment)
    assert (found["kind"], found["tier"]) == (kind, tier)


@pytest.mark.parametrize(
    ("baseline", "treatment", "named"),
    [
        (["a-1"], ["e-1"], ["reader", "verifier", '{"mode":"all"}', "verifier-1", "a-1", "e-1"]),
        (["a-1", "b-1"], ["a-2"], ["assessor", "other judges", "b-1"]),
        (["a-1"], ["x-1"], ["x-1"]),
    ],
)
def test_compare_refuses_and_names_keys_and_values(
    runs: Path, baseline: list[str], treatment: list[str], named: list[str]
) -> None:
    """R50: two instrument keys, a side that may not be pooled, a side without results."""
    said = refusal(runs, "compare", "--baseline", *baseline, "--treatment", *treatment)
    assert all(word in said for word in named)


def test_models(runs: Path) -> None:
    """R51: each source a point; another instrument is listed without measures."""
    found = document(runs, "models", "a-1", "c-1", "b-1")
    assert found["reference"] == "a-1"
    measured = {source["name"]: source["measured"] for source in found["sources"]}
    assert measured == {"a-1": True, "c-1": True, "b-1": False}
    unmeasured = found["sources"][2]
    assert unmeasured["intelligence"] is unmeasured["speed"] is unmeasured["cost"] is None
    assert "assessor" in unmeasured["reason"]
    assert found["sources"][0]["intelligence"]["index"] == pytest.approx(INDEX, abs=1e-9)
    assert found["judge_families"].keys() >= set(
        "applicable reason entries order_depends_on_member family_gaps audit".split()
    )
    said = text(runs, "models", "a-1", "c-1", "b-1")
    assert "beta/m-2" in said
    assert "not measured b-1" in said
    assert said.count("other judges") == 1


def test_models_with_a_reader(tmp_path: Path) -> None:
    """R52: the diagnostics under both members, panel and reader."""
    for ident, keys in (("m-1", {}), ("m-2", {"provider": "beta"})):
        record = run(ident, keys=keys)
        answers = [a.model_copy(update={"reader": next(iter(a.verdicts.values()))}) for a in record.answers]
        lay(record.model_copy(update={"answers": tuple(answers)}), tmp_path)
    found = document(tmp_path, "models", "m-1", "m-2")["judge_families"]
    assert found["applicable"] is True
    assert [entry["family"] for entry in found["entries"]] == ["acme", "beta"]
    assert found["family_gaps"][0]["families"] == ["acme", "beta"]
    said = text(tmp_path, "models", "m-1", "m-2")
    assert all(word in said for word in ("index (rank) under", "acme − beta", "a on acme"))


def test_items(runs: Path) -> None:
    """R53: from four runs up; before, marked insufficient."""
    found = document(runs, "items", "a-1", "a-2", "a-3", "b-1")
    assert found["n_runs"] == 4
    row = found["items"][0]
    assert (row["question"], row["runs"], row["assessors"], row["insufficient"]) == ("q01", 4, 2, False)
    assert "assessor_confounded" in row["flags"]
    assert row["confounded"] is True
    assert row.keys() >= set("mean spread difficulty empirical_difficulty discrimination methods".split())
    few = document(runs, "items", "a-1", "a-2")
    assert all(item["insufficient"] and item["mean"] is None for item in few["items"])
    assert "too few runs" in text(runs, "items", "a-1", "a-2")


def test_gaps(tmp_path: Path) -> None:
    """R54: a claim of two families is a gap of the rubric; a refuted claim has its citation."""
    for ident, family in (("m-1", "acme"), ("m-2", "beta")):
        record = run(ident, keys={"provider": family})
        first = record.answers[0]
        claims = (UnverifiedClaim(quote="The gnoll king sleeps at noon."),)
        verdicts = {
            member: verdict.model_copy(update={"unverified_claims": claims})
            for member, verdict in first.verdicts.items()
        }
        changed = first.model_copy(update={"verdicts": verdicts})
        lay(record.model_copy(update={"answers": (changed, *record.answers[1:])}), tmp_path)
    found = document(tmp_path, "gaps", "m-1", "m-2")
    assert found["clusters"] == [
        {
            "claim": "The gnoll king sleeps at noon.",
            "questions": ["q01"],
            "families": ["acme", "beta"],
            "count": 2,
            "reading": "rubric_gap",
        }
    ]
    (refuted,) = found["refuted"]
    assert (refuted["question"], refuted["citation"]["where"]) == ("q03", "Potions")
    said = text(tmp_path, "gaps", "m-1", "m-2")
    assert "rubric gap: 2 answers, acme, beta; q01" in said
    assert "“The gnoll king sleeps at noon.”" in said


def test_runs_are_found_by_id_beginning_name_and_file(runs: Path) -> None:
    """A RUN is an id, its unique beginning, a name, or a file; one that is named twice counts once."""
    file = str(runs / "outputs" / "a-2" / "record.json")
    found = document(runs, "items", "a-1", "first", file, "a-2", "b")
    assert found["n_runs"] == 3


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("a-", "is not unique"),
        ("twice", "is not unique"),
        ("nowhere", "was not found"),
        ("", "was not found"),
        ("nowhere.json", "cannot be read"),
    ],
)
@pytest.mark.parametrize("command", ["tier", "items"])
def test_a_run_that_is_not_found_is_refused(runs: Path, command: str, reference: str, said: str) -> None:
    """What is not there or not unique is a refusal, and makes no store."""
    assert said in refusal(runs, command, "a-1", reference)
    assert [path.name for path in runs.iterdir()] == ["outputs"]


def test_a_run_that_was_killed_is_told_from_none(runs: Path, tmp_path: Path) -> None:
    """R42: its journal says what it had; it is no run."""
    (tmp_path / "outputs" / "k-1").mkdir(parents=True)
    (tmp_path / "outputs" / "k-1" / "journal.jsonl").write_text("{}\n", "utf-8")
    said = refusal(tmp_path, "tier", str(runs / "outputs" / "a-1" / "record.json"), "k-1")
    assert "run k-1 has no record" in said
    assert str(Path("outputs", "k-1", "journal.jsonl")) in said


def test_two_records_of_one_id_are_refused(runs: Path, tmp_path: Path) -> None:
    """R3: neither is counted in the other's place; a copy of the same is the same run."""
    other, copy = tmp_path / "other.json", tmp_path / "copy.json"
    write_record(run("a-1", name="first", lowered=FIRST), other)
    write_record(run("a-1", name="first"), copy)
    assert "a-1" in refusal(runs, "replicates", "a-1", str(other))
    assert "a-1" in refusal(runs, "compare", "--baseline", "a-1", "--treatment", str(other))
    assert document(runs, "replicates", "a-1", str(copy))["n_runs"] == 1


def test_a_broken_record_is_refused_with_the_field(runs: Path, tmp_path: Path) -> None:
    """record.md: strictly in."""
    content = json.loads((RECORDS / "record-panel.json").read_text("utf-8"))
    content["answers"][3]["verdicts"]["a"]["levels"]["accuracy"] = 7
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert "answers.3.verdicts.a.levels.accuracy" in refusal(runs, "replicates", str(file))


@pytest.mark.parametrize("words", [["tier"], ["compare", "--baseline", "a-1"], ["group"], ["import"]])
def test_a_command_line_that_is_wrong_exits_with_2(runs: Path, words: list[str]) -> None:
    """Nothing is done on half a command line."""
    done = gnollbench(runs, *words)
    assert done.returncode == 2
    assert "usage" in done.stderr
