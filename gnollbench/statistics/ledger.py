"""The list of withheld figures that every document of the analysis commands carries (R3)."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from gnollbench.errors import Withheld

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


class Ledger:
    """Collects what a document withholds: one entry a figure and reason, naming its subjects.

    A figure that stands in many rows (an item's interval, say) is entered once, with the rows that lack it.
    """

    def __init__(self) -> None:
        self._prefix = ""
        self._subjects: dict[Withheld, list[str]] = {}

    def within(self, part: str) -> "Ledger":
        """Return a ledger that enters into this one, with the figures' names under `part`."""
        inner = Ledger()
        inner._prefix, inner._subjects = f"{self._prefix}{part}.", self._subjects
        return inner

    def take(self, figure: str, value: T | Withheld, subject: str | None = None) -> T | None:
        """Return a figure that is given; enter one that is withheld and return None.

        Parameters
        ----------
        figure : str
            Dotted name of the figure in the document.
        value : figure or Withheld
            What a formula returned.
        subject : str or None
            The row that the figure belongs to.
        """
        if not isinstance(value, Withheld):
            return value
        subjects = self._subjects.setdefault(
            Withheld(self._prefix + figure, value.reason, value.lifted_by), []
        )
        if subject is not None and subject not in subjects:
            subjects.append(subject)
        return None

    def row(self, figures: "DataclassInstance", subject: str | None = None) -> dict[str, Any]:
        """Return a dataclass of figures as a JSON object, each part taken under its name."""
        named = {field.name: getattr(figures, field.name) for field in fields(figures)}
        return {name: self.take(name, value, subject) for name, value in named.items()}

    def section(self, figure: str, figures: "DataclassInstance | Withheld") -> dict[str, Any] | None:
        """Return a dataclass of figures as a JSON object, or enter that the whole of it is withheld."""
        given = self.take(figure, figures)
        return None if given is None else self.within(figure).row(given)

    def document(self) -> list[dict[str, str]]:
        """Return the JSON of ``withheld``."""
        return [
            {
                "figure": entry.figure,
                "reason": f"{', '.join(subjects)}: {entry.reason}" if subjects else entry.reason,
                "lifted_by": entry.lifted_by,
            }
            for entry, subjects in self._subjects.items()
        ]
