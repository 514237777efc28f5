"""The prompt templates under ``prompts/``, filled in one pass: a value is never read as a template."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PROMPTS = Path(__file__).parent / "prompts"


def render(name: str, **values: Any) -> str:
    """Fill a template of ``prompts/``; a missing value is an error."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(PROMPTS, encoding="utf-8"),
        undefined=StrictUndefined,
        autoescape=False,  # prompts are plain text
        keep_trailing_newline=False,
    )
