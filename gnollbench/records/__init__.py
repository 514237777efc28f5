"""Run records, launches, suites: their models and their file formats.

The tables of `gnollbench.records.tables` are offered here too; they load when one of them is asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gnollbench.records.tables import (
        answers_table,
        claims_table,
        costs_table,
        keys_table,
        verdicts_table,
    )

__all__ = ["answers_table", "claims_table", "costs_table", "keys_table", "verdicts_table"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gnollbench.records import tables

    return getattr(tables, name)
