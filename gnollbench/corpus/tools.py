"""The sixteen read-only tools: what a model is shown of them, and how a call is carried out (R14)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.library import Library
from gnollbench.corpus.result import ToolResult, echo
from gnollbench.corpus.schemas import json_schema, parameters_of, read_arguments, tool_names
from gnollbench.corpus.source import Source
from gnollbench.corpus.toolguides import Guides

__all__ = ["Guides", "ToolResult", "Toolset"]

_RESULT_CAP = 10_000  # the chat's default; a view fits itself into it, so that nothing is cut twice


class Toolset:
    """The tools over one library.

    Parameters
    ----------
    library : Library
        What the tools read.
    guides : Guides
        The tools' descriptions.
    result_cap : int, optional
        Most characters of one result (the launch's ``limits.result_cap``).

    Attributes
    ----------
    declarations : list of dict
        ``{"name", "description", "parameters"}`` of each tool in its fixed order.
    """

    def __init__(self, library: Library, guides: Guides, result_cap: int = _RESULT_CAP) -> None:
        self._library, self._cap = library, result_cap
        self._parameters = {name: parameters_of(name, library.has_nethack_source) for name in tool_names()}
        self.declarations: list[dict[str, Any]] = [
            {
                "name": name,
                "description": guides.descriptions[name],
                "parameters": json_schema(self._parameters[name]),
            }
            for name in tool_names()
        ]
        wiki, nethack_wiki, source = library.wiki, library.nethack_wiki, library.source
        self._tools: dict[str, Callable[..., str]] = {
            "wiki_search": wiki.search,
            "wiki_view": partial(wiki.view, cap=result_cap),
            "get_knowledge_article": library.knowledge.article,
            "nethack_wiki_search": nethack_wiki.search,
            "nethack_wiki_view": partial(nethack_wiki.view, cap=result_cap),
            "monster_lookup": partial(wiki.look_up, "monster", cap=result_cap),
            "item_lookup": partial(wiki.look_up, "item", cap=result_cap),
            "get_monster_stats": self._monster_stats,
            "get_item_stats": self._item_stats,
            "get_artifact_stats": self._artifact_stats,
            "get_constants": source.constants,
            "get_function_definition": partial(source.function_definition, cap=result_cap),
            "search_definitions": source.search_definitions,
            "source_code_search": self._source_code_search,
            "source_code_view": self._source_code_view,
            "list_indexed_files": source.listing,
        }

    def call(self, name: str, arguments: Any) -> ToolResult:
        """Carry out one call; whatever goes wrong is a result, never an exception.

        Parameters
        ----------
        name : str
            The tool's name, letter case aside.
        arguments : dict
            The arguments; anything else counts as none.
        """
        tool = name.strip().lower()
        if tool not in self._tools:
            return ToolResult(False, f'The tool "{echo(name)}" is not registered or not available.')
        try:
            asked = read_arguments(self._parameters[tool], arguments)
            return ToolResult(True, self._tools[tool](**asked) or "Success")
        except ToolFailure as failure:
            return ToolResult(False, str(failure))
        except Exception as error:  # a tool's fault must reach the model as a result, whatever it is
            what = echo(str(error)) or type(error).__name__
            return ToolResult(False, f"{tool} met an error while running: {what}")

    def _monster_stats(self, name: str) -> str:
        return self._library.game_data.monster(name)

    def _item_stats(self, name: str, object_class: str | None = None) -> str:
        return self._library.game_data.item(name, object_class)

    def _artifact_stats(self, name: str) -> str:
        return self._library.game_data.artifact(name)

    def _source_code_search(self, repository: str = "gnollhack", **asked: Any) -> str:
        return self._source(repository).search(**asked)

    def _source_code_view(self, repository: str = "gnollhack", **asked: Any) -> str:
        return self._source(repository).view(**asked, cap=self._cap)

    def _source(self, repository: str) -> Source:
        chosen = repository.strip().lower()
        if chosen == "nethack":
            return self._library.nethack_source
        if chosen != "gnollhack":
            raise ToolFailure(f'The repository "{echo(repository)}" is not known: gnollhack or nethack.')
        return self._library.source
