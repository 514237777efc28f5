"""What the commands share: how a launch is composed, how a result is printed, where a file is written."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch


class Compose(Protocol):
    """Composes and validates a launch from Hydra overrides, with options of one's own."""

    def __call__(self, overrides: list[str], config_dir: str | None = None) -> Launch: ...


Command = Callable[[argparse.Namespace, Compose], int]
"""Carries out a parsed command and returns its exit code."""

Adder = Callable[[str, Command, str], argparse.ArgumentParser]
"""Adds a command by name, what carries it out, and its help."""


def with_config_dir(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Let a command that composes a launch take options of the user's own (R61)."""
    entry.add_argument("--config-dir", metavar="DIR", help="a folder of options of your own")
    return entry


def print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> Refusal:
    return Refusal(f"{path} cannot be written", error.strerror or type(error).__name__, "name another file")
