"""What a source search looks for, compiled by re2, whose time is linear in the text."""

import re
from dataclasses import dataclass, replace
from typing import Any

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.result import echo
from gnollbench.corpus.sourcetext import Expression

_SPECIAL = frozenset("\\.+*?()|[]{}^$")
_LOOK_AROUND = re.compile(r"\(\?(?:[=!]|<[=!])")
_WORD = re.compile(r"\w+", re.ASCII)
_BACK_REFERENCE = re.compile(r"\\(?:[1-9]|k<)")


class PatternRefused(ToolFailure):
    """An expression that re2 does not take; the message says which part and what to do."""


@dataclass(frozen=True, slots=True)
class LineQuery:
    """One question to every line of the source.

    Attributes
    ----------
    text : str
        A literal, or a regular expression where ``is_regex``.
    is_regex, whole_word, case_sensitive : bool
        How it is read. ``whole_word`` has no effect on a regular expression.
    """

    text: str
    is_regex: bool = False
    whole_word: bool = False
    case_sensitive: bool = False

    def compiled(self) -> Expression:
        """Compile into an expression that matches each line at most once and never spans two.

        Raises
        ------
        PatternRefused
            If re2 does not take the regular expression.
        """
        expression = self.text if self.is_regex else _literal(self.text, self.whole_word)
        _compiled(expression, self.case_sensitive)  # alone first: "a)|(b" would compile inside the group
        return _compiled(f"(?m)(?:{expression})[^\\n]*", self.case_sensitive)

    def needle(self) -> bytes | None:
        """Return the bytes that a plain search can look for instead, many times faster, or None.

        They are in lower case unless case is observed. A plain search knows the case of ASCII letters
        alone, and a word's bounds only around letters, digits and underscores.
        """
        if self.is_regex or "\n" in self.text or not (self.case_sensitive or self.text.isascii()):
            return None
        if self.whole_word and not _WORD.fullmatch(self.text):
            return None
        return (self.text if self.case_sensitive else self.text.lower()).encode("utf-8", "surrogatepass")

    def without_case(self) -> "LineQuery":
        """Return the same question with letter case set aside."""
        return replace(self, case_sensitive=False)

    def as_literal(self) -> "LineQuery":
        """Return the question for the text itself."""
        return replace(self, is_regex=False)


def _literal(text: str, whole_word: bool) -> str:
    escaped = "".join(rf"\x{{{ord(sign):x}}}" if sign in _SPECIAL else sign for sign in text)
    return rf"\b{escaped}\b" if whole_word else escaped


def _compiled(expression: str, case_sensitive: bool) -> Expression:
    import re2

    engine: Any = re2  # it carries no types
    options = engine.Options()
    options.case_sensitive, options.never_nl, options.log_errors = case_sensitive, True, False
    try:
        return engine.compile(expression.encode("utf-8", "surrogatepass"), options)
    except engine.error as error:
        raise PatternRefused(_refusal(expression, error)) from None


def _refusal(expression: str, error: Any) -> str:
    if _LOOK_AROUND.search(expression):
        return "look-ahead and look-behind are not supported. Search for the plain part and read the context."
    if _BACK_REFERENCE.search(expression):
        return "back-references are not supported. Write the repeated part out, or search for one half of it."
    reason = error.args[0]
    if isinstance(reason, bytes):
        reason = reason.decode("utf-8", "replace")
    return f"it does not compile ({echo(str(reason))}). Mend it, or search for a literal with is_regex false."
