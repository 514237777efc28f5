"""Commands on the corpora: list, sync, status, call, import-mediawiki."""

import argparse
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from gnollbench.commands.common import Adder, Compose, print_json, with_config_dir
from gnollbench.errors import Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Launch

_OVERRIDES = ("corpus=", "corpus.", "chat.guides=", "limits=", "limits.")
_NAMED = 10  # unknown templates that an import names; the rest are counted


def add_commands(add: Adder) -> None:
    """Add the command ``corpus``."""
    corpus = add("corpus", _corpus, "what the tools read: list, sync, status, call, import-mediawiki")
    with_config_dir(corpus)
    corpus.add_argument("action", choices=(*_ACTIONS, "import-mediawiki"))
    corpus.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="WORD",
        help="call: TOOL name=value …; import-mediawiki: DUMP OUT; any: overrides such as corpus=gnollhack",
    )


def _corpus(asked: argparse.Namespace, compose: Compose) -> int:
    asked.json = asked.json or "--json" in asked.words
    overrides = [word for word in asked.words if word.startswith(_OVERRIDES)]
    words = [word for word in asked.words if word not in overrides and word != "--json"]
    if asked.action == "import-mediawiki":
        return _import(asked, words)
    return _ACTIONS[asked.action](asked, compose(overrides, asked.config_dir), words)


def _list(asked: argparse.Namespace, launch: Launch, _: list[str]) -> int:
    located = launch.corpus.model_dump(mode="json").items()
    corpus = {name: None if location is None else public_uri(location) for name, location in located}
    if asked.json:
        print_json(corpus)
    else:
        for name, location in corpus.items():
            print(f"{name:<15} {'–' if location is None else location}")
    return 0


def _sync(asked: argparse.Namespace, launch: Launch, _: list[str]) -> int:
    from gnollbench.corpus.places import default_cache, is_url, synchronise

    corpus = launch.corpus
    cache = Path(corpus.cache).expanduser() if corpus.cache else default_cache()
    urls = {
        name: location
        for name in ("wiki", "nethack_wiki", "knowledge", "source", "nethack_source")
        if (location := getattr(corpus, name)) is not None and is_url(location)
    }
    done = {name: synchronise(location, cache) for name, location in urls.items()}
    if asked.json:
        print_json(
            {name: {"folder": str(place.root), "revision": place.commit} for name, place in done.items()}
        )
        return 0
    for name, place in done.items():
        print(f"{name:<15} revision {place.commit} in {place.root}")
    if not done:
        print("no corpus of this configuration is a git URL; nothing to fetch")
    return 0


def _status(asked: argparse.Namespace, launch: Launch, _: list[str]) -> int:
    from gnollbench.corpus.library import Library

    library = Library.open(launch.corpus)
    counts, times = library.warm(), library.index_times()
    if asked.json:
        print_json(
            {
                "revisions": library.revisions,
                "counts": counts,
                "indexes": {name: made.isoformat(timespec="seconds") for name, made in times.items()},
                "warnings": library.warnings,
            }
        )
        return 0
    for name, revision in library.revisions.items():
        print(f"{name:<24} revision {revision}")
    for name, count in counts.items():
        print(f"{name:<24} {count}")
    for name, made in times.items():
        print(f"{name:<24} index made {str(datetime.now(UTC) - made).split('.')[0]} ago")
    if not times:
        print("every index is made in memory at each start: the corpora are small")
    for warning in library.warnings:
        print(f"warning: {warning}")
    return 0


def _call(asked: argparse.Namespace, launch: Launch, words: list[str]) -> int:
    from gnollbench.corpus.caps import ResultBudget
    from gnollbench.corpus.library import Library
    from gnollbench.corpus.tools import Guides, Toolset

    toolset = Toolset(Library.open(launch.corpus), Guides.load(launch.chat.guides), launch.limits.result_cap)
    names = [tool["name"] for tool in toolset.declarations]
    if not words or words[0] not in names:
        raise Refusal(
            f"corpus call {words[0] if words else ''} is refused",
            f"the tools are {', '.join(names)}",
            "name one",
        )
    result = toolset.call(words[0], dict(_argument(word) for word in words[1:]))
    limits = launch.limits
    budget = ResultBudget(limits.result_cap, limits.batch_cap, limits.turn_cap)
    budget.start_round()
    shown = budget.shown(words[0], result)
    if asked.json:
        print_json({"success": shown.success, "content": shown.content})
    else:
        print(shown.content)
    return 0 if shown.success else 1


def _argument(word: str) -> tuple[str, str]:
    """Split ``name=value``; the tools read numbers and truth values from text."""
    name, equals, text = word.partition("=")
    if not equals:
        raise Refusal(
            f"the argument {word!r} is refused", "it is not of the form name=value", "write name=value"
        )
    return name, text


def _import(asked: argparse.Namespace, words: list[str]) -> int:
    from gnollbench.corpus.mediawiki import import_dump

    if len(words) != 2:
        raise Refusal(
            "corpus import-mediawiki is refused",
            f"it takes a dump and a folder, not {len(words)} words",
            "write: gnollbench corpus import-mediawiki DUMP OUT",
        )
    imported = import_dump(Path(words[0]), Path(words[1]))
    if asked.json:
        print_json(
            {
                "pages": imported.pages,
                "redirects": imported.redirects,
                "other_namespaces": imported.other_namespaces,
                "empty": imported.empty,
                "unknown_templates": dict(imported.left_out.most_common()),
            }
        )
        return 0
    print(f"{imported.pages} pages written to {words[1]}; use them with corpus.nethack_wiki={words[1]}")
    print(
        f"left out: {imported.redirects} redirects, {imported.other_namespaces} pages of other namespaces, "
        f"{imported.empty} empty pages"
    )
    if imported.left_out:
        named = ", ".join(f"{name} ({count})" for name, count in imported.left_out.most_common(_NAMED))
        print(f"{len(imported.left_out)} unknown templates were left out, most often: {named}")
    return 0


_ACTIONS: dict[str, Callable[[argparse.Namespace, Launch, list[str]], int]] = {
    "list": _list,
    "sync": _sync,
    "status": _status,
    "call": _call,
}
