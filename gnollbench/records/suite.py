"""Suites: their files, their questions and rubrics, content-hash revisions and ratings (R4-R9).

A suite is a folder::

    suite.yaml          name, title, description, snapshot (a file name, or absent)
    questions/*.yaml    one question a file
    ratings.yaml        question id -> {revision, difficulty, rated_by}
    snapshot.txt        the board of a snapshot suite
"""

from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gnollbench.errors import InvalidFile
from gnollbench.records.canonical import fingerprint, hash_text
from gnollbench.scoring.profile import Band

MAX_QUESTIONS = 50  # R4, R55
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
    """
    if not (folder / "suite.yaml").is_file():
        raise InvalidFile(
            f"suite {folder} cannot be read", "it has no suite.yaml", "name a folder that holds a suite"
        )
    head = _read(folder / "suite.yaml", dict)
    snapshot = head.pop("snapshot", None)
    files = sorted((folder / "questions").glob("*.yaml"))
    content = {
        **head,
        "snapshot": {"text": _snapshot_text(folder / str(snapshot))} if snapshot else None,
        "questions": [_question(path) for path in files],
        "ratings": _read(folder / "ratings.yaml", dict) if (folder / "ratings.yaml").exists() else {},
    }
    suite = _validated(Suite, content, folder)
    _refuse_duplicates(suite, folder)
    return suite


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
        content = yaml.load(path.read_text("utf-8-sig"), Loader=yaml.CSafeLoader)
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
