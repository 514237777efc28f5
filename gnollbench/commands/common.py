"""What the commands share: how a launch is composed, how a result is printed, where a file is written."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch

Compose = Callable[[list[str]], Launch]
"""Composes and validates a launch from Hydra overrides."""

Command = Callable[[argparse.Namespace, Compose], int]
"""Carries out a parsed command and returns its exit code."""

Adder = Callable[[str, Command, str], argparse.ArgumentParser]
"""Adds a command by name, what carries it out, and its help."""


def print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> Refusal:
    return Refusal(f"{path} cannot be written", error.strerror or type(error).__name__, "name another file")
