"""What the tools say belongs to the harness version: a candidate meets it, and no other key has it (R43)."""

import json
from pathlib import Path
from typing import Any

import gnollbench
from gnollbench.corpus.library import Library
from gnollbench.corpus.schemas import tool_names
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.records.canonical import hash_text
from gnollbench.records.launch import CorpusConfig

FIXTURES = Path(__file__).parents[1] / "fixtures"
KNOWN = Path(__file__).with_name("tool_fingerprints.json")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("wiki_search", {"query": "praying"}),
    ("wiki_search", {"query": "gnoll lycanthropy", "max_results": 1}),
    ("wiki_search", {"query": "gnoll", "category": "Races/"}),
    ("wiki_search", {"query": "gnoll", "category": "races"}),
    ("wiki_search", {"query": "autopickup number_pad"}),
    ("wiki_search", {"query": "basilisc"}),
    ("wiki_search", {"query": "the of and"}),
    ("wiki_search", {}),
    ("wiki_view", {"article": "Basilisk"}),
    ("wiki_view", {"article": "Races/Gnoll"}),
    ("wiki_view", {"article": "gnoll"}),
    ("wiki_view", {"article": "Options"}),
    ("wiki_view", {"article": "Guide to Praying.md", "section": "timeout"}),
    ("wiki_view", {"article": "Guide to Praying", "section": "no such"}),
    ("wiki_view", {"article": "xyzzy"}),
    ("get_knowledge_article", {"topic": "GAME_MODES"}),
    ("get_knowledge_article", {"topic": "nothing"}),
    ("nethack_wiki_search", {"query": "stoning"}),
    ("nethack_wiki_search", {"query": "prayer", "namespace_filter": "source", "max_results": 5}),
    ("nethack_wiki_search", {"query": "xyzzy", "namespace_filter": "forum"}),
    ("nethack_wiki_view", {"article": "Cockatrice"}),
    ("nethack_wiki_view", {"article": "plain", "section": "x"}),
    ("nethack_wiki_view", {"article": "xyzzy"}),
    ("monster_lookup", {"name": "gnoll king"}),
    ("monster_lookup", {"name": "hit dice"}),
    ("monster_lookup", {"name": "xyzzy"}),
    ("item_lookup", {"name": "wand of digging"}),
    ("item_lookup", {"name": "frostfang"}),
    ("get_monster_stats", {"name": "Thorn Beast"}),
    ("get_monster_stats", {"name": "cub"}),
    ("get_monster_stats", {"name": "twin"}),
    ("get_monster_stats", {"name": "broken"}),
    ("get_monster_stats", {"name": "xyzzy"}),
    ("get_item_stats", {"name": "light"}),
    ("get_item_stats", {"name": "light", "object_class": "SPBOOK_CLASS"}),
    ("get_item_stats", {"name": "light", "object_class": "FOOD_CLASS"}),
    ("get_item_stats", {"name": "plate"}),
    ("get_item_stats", {"name": "spellbook of storm"}),
    ("get_artifact_stats", {"name": "brightblade"}),
    ("get_artifact_stats", {"name": "xyzzy"}),
    ("get_constants", {"name": "MAX_HEAT"}),
    ("get_constants", {"name": "", "prefix_filter": "M"}),
    ("get_constants", {"name": "*_HEAT", "prefix_filter": "HALF"}),
    ("get_constants", {"name": "xyzzy"}),
    ("get_constants", {}),
    ("get_function_definition", {"name": "simmer_time"}),
    ("get_function_definition", {"name": "long_brew"}),
    ("get_function_definition", {"name": "long_brew", "start_line": 151}),
    ("get_function_definition", {"name": "kettle", "type": "struct"}),
    ("get_function_definition", {"name": "POUR", "type": "function"}),
    ("get_function_definition", {"name": "xyzzy"}),
    ("search_definitions", {"symbol": "stir_once"}),
    ("search_definitions", {"symbol": "DARK", "kind": "enum"}),
    ("search_definitions", {"symbol": "cask"}),
    ("search_definitions", {"symbol": "stirred"}),
    ("source_code_search", {"query": "stir_once"}),
    ("source_code_search", {"query": "MAX_HEAT", "context_lines": 0, "max_results": 1}),
    ("source_code_search", {"query": "heat", "whole_word": True, "filenames_only": True}),
    ("source_code_search", {"query": "max_heat", "case_sensitive": True, "context_lines": 1}),
    ("source_code_search", {"query": r"simmer\w+\(", "is_regex": True, "file_filter": "src/"}),
    ("source_code_search", {"query": "(?=x)", "is_regex": True}),
    ("source_code_search", {"query": "(x", "is_regex": True}),
    ("source_code_search", {"query": "simmer_time_left"}),
    ("source_code_search", {"query": "stir the kettle"}),
    ("source_code_search", {"query": "old_simmer_time"}),
    ("source_code_view", {"file": "src/brew.c"}),
    ("source_code_view", {"file": "SRC/brew.c", "start_line": 30, "line_count": 12}),
    ("source_code_view", {"file": "src/longbrew.c", "search_term": "stirred(100)", "line_count": 5}),
    ("source_code_view", {"file": "src/longbrew.c", "line_count": 1000}),
    ("source_code_view", {"file": "src/none.c"}),
    ("source_code_view", {"file": "../brew.c"}),
    ("list_indexed_files", {}),
    ("list_indexed_files", {"path_filter": "brew"}),
    ("list_indexed_files", {"path_filter": "xyzzy"}),
    ("delegate_to_subagent", {"task": "x"}),
]


def opened(cache: Path, source: str) -> Toolset:
    """Open the fixture corpora, with one of the two sources in miniature."""
    corpus = CorpusConfig(
        wiki=str(FIXTURES / "wiki"),
        nethack_wiki=str(FIXTURES / "nethack_wiki"),
        knowledge=str(FIXTURES / "knowledge"),
        source=str(FIXTURES / source),
        cache=str(cache),
    )
    return Toolset(Library.open(corpus), Guides.load())


def test_every_tool_is_asked() -> None:
    """R43: no tool's behaviour is left out."""
    assert set(tool_names()) < {name for name, _ in CALLS}


def test_harness_version_moves_with_the_tools(tmp_path: Path) -> None:
    """R43: when this fails, raise ``HARNESS_VERSION``, and put what is printed under it into the file."""
    brewery, game = opened(tmp_path, "source"), opened(tmp_path, "source/game")
    found: dict[str, str] = {}
    for name, asked in CALLS:
        result = (game if name.endswith("_stats") else brewery).call(name, asked)
        found[f"{name} {json.dumps(asked)}"] = hash_text(f"{result.success} {result.content}")
    known = json.loads(KNOWN.read_text("utf-8")).get(str(gnollbench.HARNESS_VERSION), {})
    changed = {call: told for call, told in found.items() if known.get(call) != told}
    assert changed == {}, json.dumps({gnollbench.HARNESS_VERSION: found}, indent=1)
    assert known == found
