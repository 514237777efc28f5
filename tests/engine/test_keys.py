"""The 27 keys of a launch: one edit, one key (R43, R45)."""

import shutil
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.corpus import toolguides
from gnollbench.launcher import resolve_launch, suite_folder
from gnollbench.records.run import KEY_KINDS, Key
from gnollbench.records.suite import load_suite
from gnollbench.shipped import shipped_folder


def keys_of(*overrides: str) -> dict[str, Key]:
    launch = compose_launch(list(overrides))
    return resolve_launch(launch, load_suite(suite_folder(launch.suite.path))).keys


def changed(*overrides: str) -> set[str]:
    base, other = keys_of(), keys_of(*overrides)
    return {name for name in KEY_KINDS if base[name].hash != other[name].hash}


def test_two_resolutions_agree_in_all_keys() -> None:
    """R43: keys are a function of the launch; there are 27."""
    assert len(keys_of()) == 27
    assert changed() == set()


@pytest.mark.parametrize(
    ("overrides", "key"),
    [
        (["limits.tool_calls=10"], "limits"),
        (["limits.timeout_s.simple=100.0"], "limits"),
        (["reader=none"], "reader"),
        (["reader.llm.model=terms"], "reader"),
        (["reader.llm.sampling.temperature=0.5"], "reader"),
        (["verifier.tool_calls=20"], "verifier"),
        (["verifier=none"], "verifier"),
        (["panel.co_assessor.thinking_level=high"], "assessor"),
        (["profile.not_attempted_score=40"], "scoring_profile"),
        (["profile.reader.outlier_points=20"], "scoring_profile"),
        (["profile.speed.base_ms=1000"], "speed_calibration"),
        (["concurrency.questions=2"], "question_parallelism"),
        (["candidate.model=other"], "model"),
        (["candidate.max_output_tokens=100"], "output_limit"),
        (["candidate.sampling.seed=1"], "output_limit"),
        (["candidate.thinking_level=low"], "thinking_level"),
        (["candidate.service_tier=flex"], "service_tier"),
        (["candidate.prices={rates: {input_per_million: 1.0, output_per_million: 2.0}}"], "price_snapshot"),
    ],
)
def test_one_edit_moves_one_key(overrides: list[str], key: str) -> None:
    """R43: each setting enters exactly one key."""
    assert changed(*overrides) == {key}


@pytest.mark.parametrize(
    "override",
    [
        "name=other",
        "outputs=elsewhere",
        "profile.name=other",
        "candidate.family=other",
        "candidate.api_key_env=SOME_KEY",
        "compliance.purpose=other",
        "tracking.experiment=other",
        "concurrency.calls_per_provider=1",
        "limits.run_usd=1.0",
        "reader.mode=flagged",
        "questions=[q01]",
    ],
)
def test_what_measures_nothing_moves_no_key(override: str) -> None:
    """R45: names, outputs, tracking and a panel's reader mode, which is forced, are no keys."""
    assert changed(override) == set()


def test_prompt_option_moves_prompt_and_options() -> None:
    """R13, R43: an option changes the prompt; such runs are not comparable, which is meant."""
    assert changed("chat.source_references=true") == {"system_prompt", "prompt_options"}
    assert changed("chat=verbose") == {"system_prompt", "prompt_options"}


@pytest.mark.parametrize("guide", ["wiki_search", "_policy"])
def test_edited_guide_moves_the_guides_alone(tmp_path: Path, guide: str) -> None:
    """R1, R43: the policy is cut out of the prompt before that is hashed."""
    folder = tmp_path / "guides"
    shutil.copytree(Path(toolguides.__file__).parent / "guides", folder)
    assert changed(f"chat.guides={folder}") == set()
    path = folder / f"{guide}.md"
    path.write_text(path.read_text("utf-8") + "\nOne more sentence.\n", "utf-8")
    assert changed(f"chat.guides={folder}") == {"tool_guides"}


def test_edited_article_moves_the_knowledge_base_alone(tmp_path: Path) -> None:
    """R43: the topic list is cut out of the prompt, so that a new summary moves one key."""
    folder = tmp_path / "knowledge"
    shutil.copytree(Path(toolguides.__file__).parent / "starter" / "knowledge", folder)
    assert changed(f"corpus.knowledge={folder}") == set()
    article = next(folder.rglob("*.md"))
    text = article.read_text("utf-8").replace("summary: ", "summary: Newly: ", 1) + "\nOne more sentence.\n"
    article.write_text(text, "utf-8")
    assert changed(f"corpus.knowledge={folder}") == {"knowledge_base"}


def test_edited_wiki_is_provenance_and_no_key(tmp_path: Path) -> None:
    """R45: wiki and source revisions are recorded, not keyed."""
    folder = tmp_path / "wiki"
    shutil.copytree(Path(toolguides.__file__).parent / "starter" / "wiki", folder)
    (folder / "New page.md").write_text("## New\n\nNew.\n", "utf-8")
    assert changed(f"corpus.wiki={folder}") == set()


def test_edited_question_moves_its_revision_and_voids_its_rating(tmp_path: Path) -> None:
    """R6: an edited question is another question; its rating no longer counts."""
    folder = tmp_path / "standard"
    shutil.copytree(shipped_folder("suites") / "standard", folder)
    assert changed(f"suite.path={folder}") == set()
    path = folder / "questions" / "q01.yaml"
    before = load_suite(folder)
    path.write_text(path.read_text("utf-8").replace("?", "??", 1), "utf-8")
    after = load_suite(folder)
    assert before.rating(before.questions[0]) is not None
    assert after.rating(after.questions[0]) is None


def test_other_endpoint_moves_the_endpoint_alone() -> None:
    """R43: neither is embedded, so that no price changes with it."""
    one, other = (
        keys_of("candidate=local"),
        keys_of("candidate=local", "candidate.endpoint=http://127.0.0.1:1/v1"),
    )
    assert [name for name in KEY_KINDS if one[name].hash != other[name].hash] == ["endpoint"]


def test_endpoint_shows_no_query_and_no_slash() -> None:
    """R43: the endpoint key is the API base alone."""
    assert keys_of("candidate.endpoint=http://127.0.0.1:1/v1/")["endpoint"].value == "http://127.0.0.1:1/v1"


def test_system_prompt_key_is_the_hash_of_its_bytes() -> None:
    """R43: value and hash of the prompt key agree."""
    key = keys_of()["system_prompt"]
    assert str(key.value).startswith(key.hash)
