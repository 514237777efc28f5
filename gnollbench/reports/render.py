"""The seven-part report of a run, and its report writer's page, in Markdown (R58, R60)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnollbench.records.run import RunRecord
from gnollbench.reports import text
from gnollbench.reports.disclosure import Disclosure, disclosed
from gnollbench.reports.issues import cited, issues_of
from gnollbench.reports.view import View, cost_row, is_long

if TYPE_CHECKING:
    from jinja2 import Environment

    from gnollbench.roles.documents import Document

TEMPLATES = Path(__file__).parent / "templates"


def report_markdown(
    record: RunRecord, disclosure: str = Disclosure.INTERNAL, *, icc_interval: bool = True
) -> str:
    """Return the report of a run in Markdown: seven parts in their order (R58).

    Parameters
    ----------
    record : RunRecord
        Scored.
    disclosure : {"internal", "provider"}
        For whom: ``provider`` leaves out rubrics, graders' wording and other models' names (R57).
    icc_interval : bool
        Whether the panel's ICC gets its interval (R27): importing its library takes seconds.

    Raises
    ------
    ValueError
        If there is no such disclosure.
    Refusal
        If the record's scoring method is unknown.
    """
    view = View(record, Disclosure(disclosure))
    template = _environment().get_template("report.md.j2")
    values = {"view": view, "record": view.record, "issues": issues_of(view), "icc_interval": icc_interval}
    return template.render(values).strip() + "\n"


def document_markdown(record: RunRecord, document: "Document") -> str:
    """Return the page of what the report writer wrote: who wrote it and what is odd in it stand before it (R60)."""
    template = _environment().get_template("document.md.j2")
    return template.render(record=record, document=document).strip() + "\n"


def report_json(record: RunRecord, disclosure: str = Disclosure.INTERNAL) -> dict[str, Any]:
    """Return the record as it may be shown, in JSON's types (R57)."""
    return disclosed(record, Disclosure(disclosure)).model_dump(mode="json")


def yaml(value: Any) -> str:
    """Return a value as YAML, in its own order."""
    from yaml import safe_dump

    return safe_dump(value, allow_unicode=True, sort_keys=False)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        undefined=StrictUndefined,
        finalize=text.printed,  # escapes for Markdown what no filter below made
        autoescape=False,  # which would escape for HTML
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for function in _FILTERS:
        environment.filters[function.__name__] = function
    return environment


_FILTERS: tuple[Callable[..., Any], ...] = (
    text.code,
    text.counted,
    text.fenced,
    text.inline,
    text.listed,
    text.number,
    text.percent,
    text.quoted,
    text.duration,
    text.signed,
    text.tokens,
    text.value_text,
    text.words,
    cited,
    cost_row,
    is_long,
    yaml,
)
