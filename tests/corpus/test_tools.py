"""The sixteen tools as a model meets them, the guides, and bad input of every kind."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.library import Library
from gnollbench.corpus.schemas import tool_names
from gnollbench.corpus.tools import Guides, ToolResult, Toolset
from gnollbench.errors import Refusal
from gnollbench.records.canonical import fingerprint
from gnollbench.records.launch import CorpusConfig, ParallelExecution

FIXTURES = Path(__file__).parents[1] / "fixtures"
GUIDES = Path(__file__).parents[2] / "gnollbench" / "corpus" / "guides"
THE_SIXTEEN = [
    "wiki_search",
    "wiki_view",
    "get_knowledge_article",
    "nethack_wiki_search",
    "nethack_wiki_view",
    "monster_lookup",
    "item_lookup",
    "get_monster_stats",
    "get_item_stats",
    "get_artifact_stats",
    "get_constants",
    "get_function_definition",
    "search_definitions",
    "source_code_search",
    "source_code_view",
    "list_indexed_files",
]
REQUIRED = {
    "wiki_search": "query",
    "wiki_view": "article",
    "get_knowledge_article": "topic",
    "nethack_wiki_search": "query",
    "nethack_wiki_view": "article",
    "monster_lookup": "name",
    "item_lookup": "name",
    "get_monster_stats": "name",
    "get_item_stats": "name",
    "get_artifact_stats": "name",
    "get_function_definition": "name",
    "search_definitions": "symbol",
    "source_code_search": "query",
    "source_code_view": "file",
}


def open_tools(cache: Path, **more: str) -> Toolset:
    places = {name: str(FIXTURES / name) for name in ("wiki", "nethack_wiki", "knowledge", "source")}
    corpus = CorpusConfig(**(places | more), cache=str(cache))  # pyright: ignore[reportArgumentType]
    return Toolset(Library.open(corpus), Guides.load())


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolset:
    return open_tools(tmp_path_factory.mktemp("cache"))


def test_the_sixteen_in_their_order(tools: Toolset) -> None:
    """R14: exactly these, in the order that production lists, with whole guides as descriptions."""
    assert [tool["name"] for tool in tools.declarations] == THE_SIXTEEN == list(tool_names())
    for tool in tools.declarations:
        assert tool["description"] == (GUIDES / f"{tool['name']}.md").read_text("utf-8")


def test_declared_parameters(tools: Toolset) -> None:
    """R14: names, types and requiredness; nothing else is accepted; every one is described."""
    for tool in tools.declarations:
        schema = tool["parameters"]
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        for parameter in schema["properties"].values():
            assert parameter["type"] in ("string", "integer", "boolean")
            assert parameter["description"]
            assert set(parameter) <= {"type", "description", "enum"}
    required = {tool["name"]: tool["parameters"]["required"] for tool in tools.declarations}
    assert required == {
        name: [REQUIRED[name]] if name in REQUIRED else (["name"] if name == "get_constants" else [])
        for name in THE_SIXTEEN
    }


def test_repository_only_with_a_second_source(tools: Toolset, tmp_path: Path) -> None:
    """R14: the parameter is offered where a NetHack source is configured, and reads it."""
    both = open_tools(tmp_path, nethack_source=str(FIXTURES / "source"))

    def with_repository(toolset: Toolset) -> list[str]:
        found = [tool for tool in toolset.declarations if "repository" in tool["parameters"]["properties"]]
        return [tool["name"] for tool in found]

    assert with_repository(tools) == []
    assert with_repository(both) == ["source_code_search", "source_code_view"]
    asked = {"query": "simmer_time", "repository": "nethack"}
    assert "src/brew.c" in both.call("source_code_search", asked).content
    assert not both.call("source_code_view", {"file": "src/brew.c", "repository": "slashem"}).success


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("wiki_search", {"query": "praying"}, "--- Guides/Guide to Praying.md ---"),
        ("WIKI_View", {"article": "Basilisk"}, "--- Monsters/Basilisk.md ---"),
        ("get_knowledge_article", {"topic": "game_modes"}, "# Game modes"),
        ("nethack_wiki_search", {"query": "stoning", "namespace_filter": "article"}, "--- Cockatrice ---"),
        ("nethack_wiki_view", {"article": "Prayer"}, "--- Prayer ---"),
        ("monster_lookup", {"name": "gnoll king"}, "--- Monsters/Gnoll king.md ---"),
        ("item_lookup", {"name": "wand of digging"}, "--- Items/Wand of digging.md ---"),
        ("get_constants", {"name": "", "prefix_filter": "MAX_H"}, "MAX_HEAT"),
        ("get_constants", {"prefix_filter": "MAX_H"}, "MAX_HEAT"),
        ("get_function_definition", {"name": "stir_once"}, "k->stirred"),
        ("search_definitions", {"symbol": "simmer_time", "kind": "function"}, "--- src/brew.c:L"),
        ("source_code_search", {"query": "MAX_HEAT", "context_lines": 0}, ">>> "),
        ("source_code_view", {"file": "src/brew.c", "start_line": 3, "line_count": 2}, "3: "),
        ("list_indexed_files", {}, "src/brew.c"),
        ("list_indexed_files", {"path_filter": None}, "src/brew.c"),
    ],
)
def test_each_tool_answers(tools: Toolset, name: str, arguments: dict[str, Any], said: str) -> None:
    """R14: one call of each, through the door that a model uses."""
    result = tools.call(name, arguments)
    assert result.success, result.content
    assert said in result.content


@pytest.mark.parametrize(
    ("name", "arguments", "key"),
    [
        ("get_monster_stats", {"name": "gnoll"}, "mlevel"),
        ("get_item_stats", {"name": "digging", "object_class": "WAND_CLASS"}, "subtype"),
        ("get_artifact_stats", {"name": "excalibur"}, "otyp"),
    ],
)
def test_stats_tools_answer_from_the_starter(
    tmp_path: Path, name: str, arguments: dict[str, Any], key: str
) -> None:
    """R14: JSON with the entry's fields; a name that is not there is a success with an error in it."""
    tools = open_tools(tmp_path, source="starter")
    told = json.loads(tools.call(name, arguments).content)
    assert key in told["stats"]
    missed = tools.call(name, {"name": "no such thing"})
    assert missed.success
    assert json.loads(missed.content)["error"]


@pytest.mark.parametrize("name", sorted(REQUIRED))
@pytest.mark.parametrize("arguments", [{}, None, [], "text", {"nonsense": 1}])
def test_a_missing_argument_is_named(tools: Toolset, name: str, arguments: Any) -> None:
    """R14: a call without its required argument is a failure, whatever stands in its place."""
    assert tools.call(name, arguments) == ToolResult(False, f'The argument "{REQUIRED[name]}" is missing.')


@pytest.mark.parametrize("name", sorted(REQUIRED))
@pytest.mark.parametrize("blank", ["", "  \n", None])
def test_a_blank_argument_is_missing(tools: Toolset, name: str, blank: str | None) -> None:
    """R14: nothing to look for is no query."""
    assert not tools.call(name, {REQUIRED[name]: blank}).success


@pytest.mark.parametrize("name", ["", "wiki_searches", "delegate_to_subagent", "\0", "x" * 1_000_000])
def test_an_unknown_tool_is_a_failure(tools: Toolset, name: str) -> None:
    """R14: nothing beside the sixteen can be called."""
    result = tools.call(name, {"query": "x"})
    assert not result.success
    assert "not registered" in result.content
    assert len(result.content) < 300


@pytest.mark.parametrize("asked", ["2", 2, 2.0, "2.0"])
def test_numbers_are_read_leniently(tools: Toolset, asked: Any) -> None:
    """R14: what plainly means a whole number is one."""
    result = tools.call("wiki_search", {"query": "gnoll", "max_results": asked})
    assert len(re.findall(r"^--- ", result.content, re.MULTILINE)) == 2


@pytest.mark.parametrize("asked", ["two", 2.5, True, [2], {}, float("nan"), float("inf"), ""])
def test_what_is_no_number_is_a_failure(tools: Toolset, asked: Any) -> None:
    """R14: the failure names the argument."""
    result = tools.call("wiki_search", {"query": "gnoll", "max_results": asked})
    assert not result.success
    assert '"max_results" must be a whole number' in result.content


def test_other_types(tools: Toolset) -> None:
    """R14: a number is a text, a word is a truth value, an object is neither."""
    assert "--- Options.md ---" in tools.call("wiki_search", {"query": 40}).content
    truth = tools.call("source_code_search", {"query": "MAX_HEAT", "filenames_only": "True"})
    assert ">>>" not in truth.content
    assert not tools.call("source_code_search", {"query": "MAX_HEAT", "filenames_only": "maybe"}).success
    assert not tools.call("wiki_view", {"article": {"name": "x"}}).success
    assert not tools.call("wiki_view", {"article": True}).success
    assert tools.call("wiki_search", {"query": "gnoll", "max_results": 10**400}).success


BAD_TEXTS = ["../../etc/passwd", "/etc/passwd", "C:\\x.c", "a\0b.c", "\ud800", "x" * 1_000_000, "~", "(", "*"]


@pytest.mark.parametrize(
    "name", sorted(set(REQUIRED) - {"get_monster_stats", "get_item_stats", "get_artifact_stats"})
)
@pytest.mark.parametrize("text", BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_bad_texts_end_in_a_result(tools: Toolset, name: str, text: str) -> None:
    """R14: paths that climb, NUL, lone surrogates and a megabyte: an answer that can be sent, soon."""
    result = tools.call(name, {REQUIRED[name]: text})
    assert result.content
    assert "root:" not in result.content
    result.content.encode("utf-8")


def test_a_fault_inside_a_tool_is_a_failed_result(tools: Toolset, monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: a tool's own fault reaches the model as a result and never the caller as an exception."""

    def broken(*_: Any, **__: Any) -> str:
        raise ZeroDivisionError("no kettles")

    monkeypatch.setitem(tools._tools, "wiki_view", broken)  # pyright: ignore[reportPrivateUsage]
    assert tools.call("wiki_view", {"article": "x"}) == ToolResult(
        False, "wiki_view met an error while running: no kettles"
    )


def test_an_empty_result_is_the_word_success(tools: Toolset, monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: the model never reads an empty result."""
    monkeypatch.setitem(tools._tools, "wiki_view", lambda **_: "")  # pyright: ignore[reportPrivateUsage]
    assert tools.call("wiki_view", {"article": "x"}) == ToolResult(True, "Success")


def test_views_fit_the_result_cap(tmp_path: Path) -> None:
    """R14: a view announces its own cut, so that the executor need not cut again."""
    corpus = {name: str(FIXTURES / name) for name in ("wiki", "nethack_wiki", "knowledge", "source")}
    library = Library.open(CorpusConfig(**corpus, cache=str(tmp_path)))  # pyright: ignore[reportArgumentType]
    small = Toolset(library, Guides.load(), result_cap=2000)
    for name, arguments in (
        ("wiki_view", {"article": "Options"}),
        ("source_code_view", {"file": "src/brew.c", "line_count": 1000}),
        ("nethack_wiki_view", {"article": "Prayer"}),
    ):
        assert len(small.call(name, arguments).content) <= 2000


def copied_guides(target: Path) -> Path:
    shutil.copytree(GUIDES, target)
    return target


def test_guides_hold_no_budget() -> None:
    """R43: a number of calls, rounds, seconds or characters in a guide would move two keys at once."""
    guides = Guides.load()
    texts = [*guides.descriptions.values(), guides.policy, *guides.parallel.values()]
    assert len(guides.descriptions) == 16
    for text in texts:
        assert not re.search(r"\d+\s*(?:calls?|rounds?|seconds?|characters?|times|tokens?)", text)


def test_guides_of_a_checkout(tmp_path: Path) -> None:
    """R1: production's own texts replace the shipped ones whole, byte for byte but for line ends."""
    folder = copied_guides(tmp_path / "checkout" / "Overseer" / "ToolGuides")
    (folder / "wiki_view.md").write_bytes(b"\xef\xbb\xbfOpens\r\na page.\r\n")
    (folder / "delegate_to_subagent.md").write_text("ignored", "utf-8")
    guides = Guides.load(str(tmp_path / "checkout"))
    assert guides.descriptions["wiki_view"] == "Opens\na page.\n"
    assert set(guides.descriptions) == set(THE_SIXTEEN)
    assert guides.descriptions == Guides.load(folder).descriptions


@pytest.mark.parametrize("name", ["wiki_search", "list_indexed_files", "_policy"])
@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_a_missing_guide_refuses(tmp_path: Path, name: str, content: bytes | None) -> None:
    """R1: no other text stands in for a guide that is missing, empty or unreadable."""
    folder = copied_guides(tmp_path / "guides")
    (folder / f"{name}.md").unlink()
    if content is not None:
        (folder / f"{name}.md").write_bytes(content)
    with pytest.raises(Refusal, match=f"{name}.md"):
        Guides.load(folder)


def test_a_missing_folder_of_guides_refuses(tmp_path: Path) -> None:
    """R1: a wrong path is said."""
    with pytest.raises(Refusal, match="no folder"):
        Guides.load(tmp_path / "nowhere")


def test_parallel_texts(tmp_path: Path) -> None:
    """R43: each mode its text; enabled has none; a folder that lacks a needed one refuses."""
    guides = Guides.load()
    assert guides.parallel_text(ParallelExecution.ENABLED) == ""
    assert "one tool call" in guides.parallel_text("disabled")
    assert guides.parallel_text("on_request") != guides.parallel_text("disabled")
    folder = copied_guides(tmp_path / "guides")
    (folder / "_policy_parallel_disabled.md").unlink()
    older = Guides.load(folder)
    assert older.parallel_text("enabled") == ""
    with pytest.raises(Refusal, match="_policy_parallel_disabled"):
        older.parallel_text("disabled")


def test_fingerprint_follows_every_text(tmp_path: Path) -> None:
    """R43: one edited guide, the policy or a parallel text moves the key, in use or not; where it lies does not."""
    folder = copied_guides(tmp_path / "guides")
    first = fingerprint(Guides.load().fingerprint_value())
    assert fingerprint(Guides.load(folder).fingerprint_value()) == first
    for name in ("wiki_view", "_policy", "_policy_parallel_disabled", "_policy_parallel_on_request"):
        before = (folder / f"{name}.md").read_text("utf-8")
        (folder / f"{name}.md").write_text(before + "More.\n", "utf-8")
        assert fingerprint(Guides.load(folder).fingerprint_value()) != first
        (folder / f"{name}.md").write_text(before, "utf-8")
    assert fingerprint(Guides.load(folder).fingerprint_value()) == first
