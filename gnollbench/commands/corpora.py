"""Commands on the corpora: list, sync, status, call."""

import argparse
from pathlib import Path
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch


def add_commands(add: Adder) -> None:
    """Add the command ``corpus``."""
    corpus = add("corpus", _corpus, "what the tools read: list, sync, status, call TOOL name=value …")
    corpus.add_argument("action", choices=("list", "sync", "status", "call"))
    corpus.add_argument("words", nargs="*", metavar="WORD", help="TOOL and its arguments; corpus=… overrides")


def _corpus(asked: argparse.Namespace, compose: Compose) -> int:
    overrides = [word for word in asked.words if word.startswith(("corpus=", "corpus.", "chat.guides="))]
    words = [word for word in asked.words if word not in overrides]
    if asked.action == "list":
        return _corpus_list(asked, compose, overrides)
    if asked.action == "call":
        return _corpus_call(asked, compose(overrides), words)
    launch = compose(overrides)
    return _corpus_sync(asked, launch) if asked.action == "sync" else _corpus_status(asked, launch)


def _corpus_list(asked: argparse.Namespace, compose: Compose, overrides: list[str]) -> int:
    corpus = compose(overrides).corpus.model_dump(mode="json")
    if asked.json:
        print_json(corpus)
    else:
        for name, location in corpus.items():
            print(f"{name:<15} {'–' if location is None else location}")
    return 0


def _corpus_sync(asked: argparse.Namespace, launch: Launch) -> int:
    from gnollbench.corpus.places import default_cache, is_url, synchronise

    corpus = launch.corpus
    cache = Path(corpus.cache).expanduser() if corpus.cache else default_cache()
    urls = {
        name: location
        for name in ("wiki", "nethack_wiki", "knowledge", "source", "nethack_source")
        if (location := getattr(corpus, name)) is not None and is_url(location)
    }
    done = {name: str(synchronise(location, cache)) for name, location in urls.items()}
    if asked.json:
        print_json(done)
    else:
        for name, folder in done.items():
            print(f"{name:<15} {folder}")
        if not done:
            print("no corpus of this configuration is a git URL; nothing to fetch")
    return 0


def _corpus_status(asked: argparse.Namespace, launch: Launch) -> int:
    from gnollbench.corpus.library import Library

    library = Library.open(launch.corpus)
    status = {"revisions": library.revisions, "counts": library.counts, "warnings": library.warnings}
    if asked.json:
        print_json(status)
        return 0
    for name, revision in library.revisions.items():
        print(f"{name:<24} revision {revision}")
    for name, count in library.counts.items():
        print(f"{name:<24} {count}")
    for warning in library.warnings:
        print(f"warning: {warning}")
    return 0


def _corpus_call(asked: argparse.Namespace, launch: Launch, words: list[str]) -> int:
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
    arguments = dict(_argument(word) for word in words[1:])
    result = toolset.call(words[0], arguments)
    limits = launch.limits
    budget = ResultBudget(limits.result_cap, limits.batch_cap, limits.turn_cap)
    budget.start_round()
    shown = budget.shown(words[0], result)
    if asked.json:
        print_json({"success": shown.success, "content": shown.content})
    else:
        print(shown.content)
    return 0 if shown.success else 1


def _argument(word: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if not equals:
        raise Refusal(
            f"the argument {word!r} is refused", "it is not of the form name=value", "write name=value"
        )
    if text in {"true", "false"}:
        return name, text == "true"
    return name, int(text) if text.lstrip("-").isdecimal() else text
