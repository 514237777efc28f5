"""What a person sees of a run in flight: a live line on a terminal, plain lines elsewhere; all on stderr."""

import sys
from typing import Any

from gnollbench.records.run import Answer


class Lines:
    """Plain lines, one a question."""

    def __init__(self, total: int) -> None:
        self._total, self._graded = total, 0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def asked(self, question: str) -> None:
        """Say nothing yet: the answer's line follows."""

    def answered(self, answer: Answer) -> None:
        """Say how an answer came out."""
        self._say(f"{answer.question}: {_outcome(answer)}")

    def graded(self, answer: Answer) -> None:
        """Count a graded answer; say so where it has no verdict of a member."""
        self._graded += 1
        if answer.unscored:
            self._say(f"{answer.question}: no verdict of {', '.join(answer.unscored)}")
        if self._graded == self._total:
            self._say(f"{self._total} of {self._total} graded")

    def said(self, text: str) -> None:
        """Say which stage begins."""
        self._say(text)

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


class Live:
    """A live line on a terminal."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress: Any = Progress(*columns, console=Console(stderr=True), transient=False)
        self._answers = self._progress.add_task("answered", total=total)
        self._grades = self._progress.add_task("graded", total=total)

    def __enter__(self) -> "Live":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def asked(self, question: str) -> None:
        """Name the question in flight."""
        self._progress.update(self._answers, description=f"answering {question}")

    def answered(self, answer: Answer) -> None:
        """Move the first bar; a defect gets a line of its own."""
        self._progress.update(self._answers, advance=1, description="answered")
        if answer.failure is not None or answer.limits_hit:
            self._progress.console.print(f"{answer.question}: {_outcome(answer)}", markup=False)

    def graded(self, answer: Answer) -> None:
        """Move the second bar; an answer without a verdict gets a line of its own."""
        self._progress.update(self._grades, advance=1)
        if answer.unscored:
            self._progress.console.print(f"{answer.question}: no verdict of {', '.join(answer.unscored)}")

    def said(self, text: str) -> None:
        """Name the stage."""
        self._progress.update(self._grades, description=text)


def display(total: int) -> Lines | Live:
    """Return the display that fits where stderr goes."""
    return Live(total) if sys.stderr.isatty() else Lines(total)


def _outcome(answer: Answer) -> str:
    spent = f"{answer.tool_calls} tool calls, {(answer.turn_ms - answer.tool_ms) / 1000:.1f} s of model time"
    if answer.failure is not None:
        return f"{answer.integrity.value} ({answer.failure.kind.value}), {spent}"
    limits = f" ({', '.join(answer.limits_hit)})" if answer.limits_hit else ""
    return f"{answer.integrity.value}{limits}, {spent}"
