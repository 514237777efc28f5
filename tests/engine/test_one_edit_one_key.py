"""Every setting of a launch, changed by itself, against the table of the 27 keys (R43, R45)."""

import json
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from gnollbench.cli import compose_launch
from gnollbench.corpus import toolguides
from gnollbench.corpus.library import Library
from gnollbench.engine.launch import resolve
from gnollbench.errors import Refusal
from gnollbench.launcher import suite_folder
from gnollbench.records.launch import CorpusConfig, Launch, Price
from gnollbench.records.run import KEY_KINDS
from gnollbench.records.suite import load_suite
from gnollbench.scoring.profile import Weights
from gnollbench.shipped import shipped_folder

PACKAGED = Path(toolguides.__file__).parent
ROLES = {
    "candidate": None,
    "panel.assessor": "assessor",
    "panel.co_assessor": "assessor",
    "reader.llm": "reader",
    "verifier.llm": "verifier",
    "writer.llm": None,
}
OTHER_PRICE = {"rates": {"input_per_million": 91.0, "output_per_million": 92.0}}
MODEL = {
    "provider": "other",
    "model": "other",
    "endpoint": "https://other.example/v1",
    "protocol": "google",
    "thinking_level": "low",
    "reasoning_mode": "other",
    "reasoning_summary": "other",
    "service_tier": "flex",
    "max_output_tokens": 99,
    "sampling.temperature": 0.5,
    "sampling.top_p": 0.5,
    "sampling.seed": 5,
}
"""Settings of a model that can change what it says, each with another value."""
SAYS_NOTHING = {"family": "other", "api_key_env": "OTHER_KEY", "streaming": False}
OUTPUT = {"max_output_tokens", "sampling.temperature", "sampling.top_p", "sampling.seed"}
NOT_ALONE = {"panel.mode", "chat.prompt.stable"}  # each goes with another one, and has a test of its own
NONE: tuple[str, ...] = ()
PROMPT = ("system_prompt", "prompt_options")

TABLE: dict[str, tuple[Any, tuple[str, ...]]] = {
    "reader.mode": ("flagged", ("reader",)),
    "reader.blind": (False, ("reader",)),
    **{f"verifier.{name}": (21, ("verifier",)) for name in ("tool_calls", "tool_rounds", "model_calls")},
    "verifier.tool_calls_most": (41, ("verifier",)),
    "verifier.timeout_s": (99.0, ("verifier",)),
    "profile.name": ("other", NONE),
    "profile.weights": (
        {"accuracy": 0.5, "completeness": 0.3, "conciseness": 0.1, "readability": 0.1},
        ("scoring_profile",),
    ),
    "profile.points": ([1, 15, 35, 55, 72, 88, 100], ("scoring_profile",)),
    "profile.critical_error_ceiling": (26, ("scoring_profile",)),
    "profile.not_attempted_score": (40, ("scoring_profile",)),
    "profile.speed.base_ms": (2001, ("speed_calibration",)),
    "profile.speed.points_per_doubling": (13, ("speed_calibration",)),
    "profile.reader.outlier_points": (26, ("scoring_profile",)),
    "profile.reader.minimum": (5, ("scoring_profile",)),
    "profile.reader.low_quality": (51, ("scoring_profile",)),
    "profile.reader.disagreement_points": (16, ("scoring_profile",)),
    **{f"limits.{name}": (7, ("limits",)) for name in ("tool_calls", "tool_rounds", "model_calls")},
    **{f"limits.timeout_s.{band}": (7.0, ("limits",)) for band in ("simple", "intermediate", "advanced")},
    **{f"limits.{name}": (7.0, ("limits",)) for name in ("tool_s", "call_idle_s")},
    **{f"limits.{name}": (7000, ("limits",)) for name in ("result_cap", "batch_cap", "turn_cap")},
    "limits.run_usd": (1.0, NONE),
    "chat.response_style": ("verbose", PROMPT),
    "chat.source_references": (True, PROMPT),
    "chat.prompt.frozen": ("prompt.md", ("system_prompt",)),
    "chat.guides": ("guides", ("tool_guides",)),
    "suite.path": ("./suite copied", NONE),
    **{f"corpus.{name}": (name, NONE) for name in ("wiki", "nethack_wiki", "source")},
    "corpus.knowledge": ("knowledge", ("knowledge_base",)),
    "corpus.nethack_source": ("source", NONE),
    "corpus.flags": ("flags.json", NONE),
    "corpus.ranking": ("best", ("harness_version",)),
    "corpus.cache": ("cache", NONE),
    "prices.models": ({"embedded-retriever/retriever": OTHER_PRICE}, NONE),  # its own price comes first
    "compliance.runs_per_hour": (1, NONE),
    "compliance.runs_per_day": (1, NONE),
    "compliance.purpose": ("other", NONE),
    "compliance.acknowledge_same_provider": (True, NONE),
    "compliance.confirm_writer_provider": (True, NONE),
    "tracking.uri": ("sqlite:///other.db", NONE),
    "tracking.experiment": ("other", NONE),
    "tracking.traces": (False, NONE),
    "concurrency.questions": (2, ("question_parallelism",)),
    "concurrency.calls_per_provider": (1, NONE),
    "retries.attempts": (1, NONE),
    "retries.waits_s": ([1.0], NONE),
    "retries.retry_after_most_s": (1.0, NONE),
    "patience.call_s": (1.0, NONE),
    "patience.call_idle_s": (1.0, NONE),
    "name": ("other", NONE),
    "outputs": ("elsewhere", NONE),
    "questions": (["q01"], NONE),
    "dry_run": (True, NONE),
}


def rows() -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Every setting with another value and the keys that it moves."""
    yield from ((path, value, moved) for path, (value, moved) in TABLE.items())
    for role, key in ROLES.items():
        for name, value in MODEL.items():
            own = dict.fromkeys(OUTPUT, "output_limit") | {"protocol": "endpoint"}
            of_candidate = own.get(name, name) if role == "candidate" else None
            yield f"{role}.{name}", value, tuple(filter(None, (key, of_candidate)))
        for name, value in SAYS_NOTHING.items():
            yield f"{role}.{name}", value, NONE
        calls = {"candidate": ("parallel_execution",), "verifier.llm": ("verifier",)}  # who has tools
        yield f"{role}.parallel_execution", "disabled", calls.get(role, NONE)
        yield f"{role}.prices", OTHER_PRICE, NONE if role == "writer.llm" else ("price_snapshot",)


ROWS = {path: (value, moved) for path, value, moved in rows()}


@cache
def library_of(corpus: str) -> Library:
    return Library.open(CorpusConfig.model_validate_json(corpus))


def keys_of(tree: Mapping[str, Any]) -> dict[str, str]:
    launch = Launch.model_validate_json(json.dumps(tree))
    suite = load_suite(suite_folder(launch.suite.path))
    keys = resolve(launch, suite, library_of(launch.corpus.model_dump_json())).keys
    return {name: key.hash for name, key in keys.items()}


@cache
def base(panel: bool) -> dict[str, Any]:
    """The default launch with a writer, each model at a price of its own."""
    words = ["writer=offline"] if panel else ["writer=offline", "panel=offline_single"]
    tree = compose_launch(words).model_dump(mode="json")
    for place, role in enumerate(ROLES, 1):
        if panel or role != "panel.co_assessor":
            rates = {"input_per_million": place, "output_per_million": place}
            tree = edited(tree, f"{role}.prices", {"rates": rates})
    return tree


def edited(tree: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The tree with one setting changed."""
    copy: dict[str, Any] = json.loads(json.dumps(tree))
    *folders, name = path.split(".")
    node = copy
    for folder in folders:
        node = node[folder]
    assert node[name] != value
    node[name] = value
    return copy


@cache
def keys_before(tree: str) -> dict[str, str]:
    return keys_of(json.loads(tree))


def moved(tree: Mapping[str, Any], path: str, value: Any) -> set[str]:
    """Return the keys that an edit moves."""
    before, after = keys_before(json.dumps(tree)), keys_of(edited(tree, path, value))
    return {name for name in KEY_KINDS if before[name] != after[name]}


def leaves(model: type[BaseModel], tree: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Every setting of a launch that has more than one value, as a path."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        inner = next((part for part in (kind, *get_args(kind)) if isinstance(part, type)), object)
        if isinstance(tree[name], dict) and issubclass(inner, BaseModel) and inner not in (Weights, Price):
            yield from leaves(inner, tree[name], f"{path}{name}.")
        elif get_origin(kind) is not Literal or len(get_args(kind)) > 1:
            yield f"{path}{name}"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of what a setting can name, each with an edit, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("prompt.md").write_text("Another prompt. {{ topics }}", "utf-8")
    Path("flags.json").write_text('{"M1_FLY": "flies"}', "utf-8")
    shutil.copytree(shipped_folder("suites") / "standard", "suite copied")
    shutil.copytree(PACKAGED / "guides", "guides")
    for path in (
        Path("guides/wiki_search.md"),
        *map(copied, ("wiki", "nethack_wiki", "knowledge", "source")),
    ):
        path.write_text(path.read_text("utf-8") + "\n\n", "utf-8")


def copied(corpus: str) -> Path:
    """Copy a corpus of the starter, the knowledge with another summary; return one of its files."""
    shutil.copytree(PACKAGED / "starter" / corpus, corpus)
    for article in Path(corpus).rglob("*.md") if corpus == "knowledge" else ():
        article.write_text(article.read_text("utf-8").replace("summary: ", "summary: Newly: "), "utf-8")
    return sorted(path for path in Path(corpus).rglob("*.*") if path.suffix in (".md", ".c"))[0]


def test_every_setting_has_a_row() -> None:
    """R43: a setting that is new is decided on here before it can be forgotten."""
    assert set(leaves(Launch, base(panel=True))) == ROWS.keys() | NOT_ALONE


@pytest.mark.parametrize("path", ROWS)
def test_one_edit_moves_its_key_alone(path: str) -> None:
    """R43, R45: exactly the keys of the table, or none."""
    value, expected = ROWS[path]
    panel = not path.startswith("reader.") or path.startswith("reader.llm.")
    assert moved(base(panel), path, value) == set(expected)


@pytest.mark.parametrize(
    ("path", "value"), [("reader.mode", "flagged"), ("reader.mode", "off"), ("reader.blind", False)]
)
def test_what_a_panel_forces_moves_nothing(path: str, value: Any) -> None:
    """R32, R43: under a panel the reader reads all, blind, whatever is set."""
    assert moved(base(panel=True), path, value) == set()


def test_exported_prompt_is_its_own_text() -> None:
    """R13, R43: either part moves the prompt; corpora and guides that it happens to quote move their own key alone."""
    policy = (PACKAGED / "guides" / "_policy.md").read_text("utf-8")
    topics = library_of(
        CorpusConfig.model_validate(base(panel=True)["corpus"]).model_dump_json()
    ).knowledge.topics
    Path("quoting.md").write_text(policy + "\n".join(f"- **{t.key}**: {t.summary}" for t in topics), "utf-8")
    tree = edited(base(panel=True), "chat.prompt.frozen", "quoting.md")
    assert moved(tree, "chat.prompt.stable", "prompt.md") == {"system_prompt"}
    assert moved(tree, "candidate.parallel_execution", "disabled") == {"parallel_execution"}
    assert moved(tree, "corpus.knowledge", "knowledge") == {"knowledge_base"}
    with pytest.raises(Refusal, match="frozen"):
        keys_of(edited(base(panel=True), "chat.prompt.stable", "prompt.md"))


def test_second_member_moves_the_assessor_alone() -> None:
    """R43: single to panel is one key, where the reader read all and blind, and nothing costs anything."""
    single = compose_launch(["panel=offline_single", "reader.mode=all"]).model_dump(mode="json")
    one, two = keys_of(single), keys_of(compose_launch([]).model_dump(mode="json"))
    assert {name for name in KEY_KINDS if one[name] != two[name]} == {"assessor"}


def test_any_price_moves_the_prices_even_to_one_that_another_role_has() -> None:
    """R39, R43: what a run costs changes, though the set of prices may not."""
    tree = base(panel=True)
    priced = [f"{role}.prices" for role in ROLES if role != "writer.llm"]
    for one, other, third in permutations(priced, 3):
        now = edited(tree, third, tree_at(tree, one))  # so that the price that one had stays in use
        assert moved(now, one, tree_at(tree, other)) == {"price_snapshot"}, (one, other, third)


def test_price_list_of_the_administrator_moves_the_prices() -> None:
    """R39, R43: a price is keyed wherever it was stated; a role that is not in use has none."""
    tree = compose_launch([]).model_dump(mode="json")
    assert moved(tree, "prices.models", {"embedded-retriever/retriever": OTHER_PRICE}) == {"price_snapshot"}
    assert moved(tree, "prices.models", {"embedded-figures/figures": OTHER_PRICE}) == set()
    idle = compose_launch(["panel=offline_single", "reader.mode='off'"]).model_dump(mode="json")
    assert moved(idle, "reader.llm.prices", OTHER_PRICE) == set()


def test_one_model_in_two_roles_has_one_price() -> None:
    """R39: a price stated at either role holds for both; two that differ are refused."""
    tree = compose_launch(["panel=standard"]).model_dump(mode="json")
    for role in ("reader", "verifier"):
        assert moved(tree, f"{role}.llm.prices", OTHER_PRICE) == {"price_snapshot"}
    third = {"rates": {"input_per_million": 1.0, "output_per_million": 1.0}}
    with pytest.raises(Refusal, match="different ones for the same model"):
        keys_of(edited(edited(tree, "reader.llm.prices", OTHER_PRICE), "verifier.llm.prices", third))


def tree_at(tree: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    for name in path.split("."):
        tree = tree[name]
    return tree
