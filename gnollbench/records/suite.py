"""Suites: their files, their questions and rubrics, content-hash revisions and ratings (R4-R9).

A suite is a folder::

    suite.yaml          name, title, description, snapshot (a file name, or absent)
    questions/*.yaml    one question a file
    ratings.yaml        question id -> {revision, difficulty, rated_by}
    snapshot.txt        the board of a snapshot suite
"""

import re
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gnollbench.errors import InvalidFile
from gnollbench.records.canonical import fingerprint, hash_text
from gnollbench.scoring.profile import Band

_SNAPSHOT = "snapshot.txt"
MAX_QUESTIONS = 50  # R4, R55
_LEFT_BY_EDITORS = re.compile(r"\..*|.*~|#.*#|.*\.(bak|orig|swp|tmp)")
_ID = r"^[a-z0-9][a-z0-9_-]{0,63}$"

M = TypeVar("M", bound="Part")
Text = Annotated[str, Field(min_length=1)]


class Part(BaseModel):
    """Base of the suite's parts: frozen, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Rubric(Part):
    """A question's answer key, in labelled parts (R7). Only ``required`` and ``critical`` cost points."""

    board: tuple[Text, ...] = Field(default=(), strict=False)
    required: tuple[Text, ...] = Field(default=(), strict=False)
    critical: tuple[Text, ...] = Field(default=(), strict=False)
    scope: str = ""
    form: str = ""
    source: tuple[Text, ...] = Field(default=(), strict=False)


class Question(Part):
    """One question as authored, before any rating."""

    id: str = Field(pattern=_ID)
    band: Band = Field(strict=False)
    text: Text
    rubric: Rubric
    reviewed: bool = True

    @property
    def revision(self) -> str:
        """Content hash of text and rubric: an edit of either is another question (R6)."""
        return fingerprint({"text": self.text, "rubric": self.rubric.model_dump(mode="json")})


class Rating(Part):
    """An assessed difficulty, bound to the revision that it was made for (R5, R6)."""

    revision: str
    difficulty: int = Field(ge=1, le=100)
    rated_by: Text


class Snapshot(Part):
    """The board of a snapshot suite (R9)."""

    text: Text

    @property
    def hash(self) -> str:
        """Fingerprint of the text as it reaches every role."""
        return hash_text(self.text)


class Suite(Part):
    """A suite of 1 to 50 questions with the ratings that are on file (R4)."""

    name: str = Field(pattern=_ID)
    title: Text
    description: str = ""
    snapshot: Snapshot | None = None
    questions: tuple[Question, ...] = Field(min_length=1, strict=False)
    ratings: dict[str, Rating] = Field(default_factory=dict)

    def rating(self, question: Question) -> Rating | None:
        """Return the rating of the question's present revision; one of another revision is void (R6)."""
        rating = self.ratings.get(question.id)
        return rating if rating is not None and rating.revision == question.revision else None


def load_suite(folder: Path) -> Suite:
    """Read a suite folder.

    Raises
    ------
    InvalidFile
        If a file is missing, is no YAML, or does not fit the format; the message names file and field.
        If a file lies where the format has no place for it: nothing of a suite is passed over in silence.
    """
    if not (folder / "suite.yaml").is_file():
        raise InvalidFile(
            f"suite {folder} cannot be read", "it has no suite.yaml", "name a folder that holds a suite"
        )
    head = _read(folder / "suite.yaml", dict)
    snapshot = head.pop("snapshot", None)
    _refuse_unnamed_snapshot(folder, snapshot)
    content = {
        **head,
        "snapshot": {"text": _snapshot_text(folder / str(snapshot))} if snapshot else None,
        "questions": [_question(path) for path in _question_files(folder / "questions")],
        "ratings": _read(folder / "ratings.yaml", dict) if (folder / "ratings.yaml").exists() else {},
    }
    suite = _validated(Suite, content, folder)
    _refuse_duplicates(suite, folder)
    _refuse_board_without_snapshot(suite, folder)
    return suite


class _UniqueKeys(yaml.CSafeLoader):
    """YAML in which no key stands twice: the last would win, and the first be lost without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Construct a mapping, or name the key that stands twice and its line."""
        seen: set[tuple[str, Any]] = set()
        for key, _ in node.value:
            if (key.tag, key.value) in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key {key.value} stands twice", problem_mark=key.start_mark
                )
            if isinstance(key, yaml.ScalarNode):
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)


def _question_files(folder: Path) -> list[Path]:
    """Return a suite's question files in order of name; hidden files and editors' backups are none."""
    try:
        paths = sorted(path for path in folder.iterdir() if not _LEFT_BY_EDITORS.fullmatch(path.name))
    except OSError as error:
        raise InvalidFile(
            f"{folder} cannot be read", error.strerror or type(error).__name__, "put the questions there"
        ) from error
    for path in paths:
        if path.suffix != ".yaml":
            raise InvalidFile(
                f"{path} is no question file", "its name does not end in .yaml", "rename it, or move it away"
            )
    return paths


def _question(path: Path) -> Question:
    return _validated(Question, _read(path, dict), path)


def _validated(model: type[M], content: Any, path: Path) -> M:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in first["loc"]) or "(the whole file)"
        raise InvalidFile(
            f"{path} is not a valid {model.__name__.lower()}", f"{field}: {first['msg']}", "mend that field"
        ) from error


def _read(path: Path, kind: type) -> Any:
    try:
        content = yaml.load(path.read_text("utf-8-sig"), Loader=_UniqueKeys)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise InvalidFile(f"{path} cannot be read", f"{line}{error.problem}", "mend that line") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidFile(f"{path} cannot be read", reason, "mend or restore the file") from error
    if not isinstance(content, kind):
        raise InvalidFile(f"{path} is not valid", f"it holds no {kind.__name__}", "mend the file")
    return content


def _snapshot_text(path: Path) -> str:
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(
            f"snapshot {path} cannot be read", type(error).__name__, "restore the file"
        ) from error
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _refuse_duplicates(suite: Suite, folder: Path) -> None:
    seen: set[str] = set()
    for question in suite.questions:
        if question.id in seen:
            raise InvalidFile(
                f"suite {folder} is not valid",
                f"two questions have the id {question.id}",
                "rename one of them",
            )
        seen.add(question.id)


def _refuse_unnamed_snapshot(folder: Path, named: Any) -> None:
    """Refuse a board that no role would get (R9)."""
    found = folder / _SNAPSHOT
    if found.exists() and (not named or (folder / str(named)).resolve() != found.resolve()):
        raise InvalidFile(
            f"suite {folder} is not valid",
            f"it holds {_SNAPSHOT}, and suite.yaml does not name it (R9)",
            f"put snapshot: {_SNAPSHOT} into suite.yaml, or move the file away",
        )


def _refuse_board_without_snapshot(suite: Suite, folder: Path) -> None:
    """Refuse facts of a board that there is none of (R9)."""
    bound = [question.id for question in suite.questions if question.rubric.board]
    if bound and suite.snapshot is None:
        raise InvalidFile(
            f"suite {folder} is not valid",
            f"rubrics state facts of a board, and the suite has no snapshot (R9): {', '.join(bound)}",
            "name the snapshot in suite.yaml, or take rubric.board out",
        )
