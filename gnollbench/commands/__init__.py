"""The commands on runs, corpora and the installation; each takes ``--json``."""

import argparse

from gnollbench.commands import analysis, corpora, filing, groups, installation, repair, runs
from gnollbench.commands.common import Command, Compose
from gnollbench.errors import Refusal

COMMANDS = (
    "show report export import score repair rescore tier group replicates compare models items gaps corpus doctor ui"
).split()
_LISTS = ("words", "references", "files")  # what takes any number of words; a command has one of them at most


def run_command(arguments: list[str], compose: Compose) -> int:
    """Carry out a command and return its exit code.

    Raises
    ------
    Refusal
        With what is wrong; nothing was changed.
    """
    if arguments[0] not in COMMANDS:
        raise Refusal(
            f"there is no command {arguments[0]!r}",
            f"the commands are {', '.join(COMMANDS)}; a launch is made of name=value words",
            "see gnollbench --help",
        )
    asked = _parsed(arguments)
    return asked.run(asked, compose)


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """Parse a command line, words and options in any order: argparse leaves over the words behind an option."""
    parser = _parser()
    asked, late = parser.parse_known_args(arguments)
    lists = [vars(asked)[name] for name in _LISTS if name in asked]
    if late and (not lists or any(word.startswith("-") for word in late)):
        parser.error(f"unrecognized arguments: {' '.join(late)}")
    for words in lists:
        words += late
    return asked


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gnollbench")
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        entry = commands.add_parser(name, help=text, description=text)
        entry.add_argument("--json", action="store_true", help="one JSON document on stdout")
        entry.set_defaults(run=run)
        return entry

    for module in (runs, repair, filing, analysis, groups, corpora, installation):
        module.add_commands(add)
    return parser
