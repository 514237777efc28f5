"""The commands on runs, corpora and the installation; each takes ``--json``."""

import argparse

from gnollbench.commands import analysis, corpora, filing, groups, installation, repair, runs
from gnollbench.commands.common import Command, Compose
from gnollbench.errors import Refusal

COMMANDS = (
    "show report export import score repair rescore tier group replicates compare models items gaps corpus doctor ui"
).split()


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
    asked = _parser().parse_args(arguments)
    return asked.run(asked, compose)


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
