"""Reading and writing record files: strictly in, durably out."""

import json
import os
import re
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError

from gnollbench.errors import HarnessFailure, InvalidFile
from gnollbench.records.run import FORMAT, RunRecord

_NEWER_MINOR = re.compile(re.escape(FORMAT) + r"\.[1-9]\d*")
_PATH_FIRST = re.compile(r"[a-z_]+(\.\w+)*: ")


class _Head(BaseModel):
    format: str


class NewerFormatWarning(UserWarning):
    """A record of a newer minor format was read, without the fields that this program does not know."""


def read_record(path: Path) -> RunRecord:
    """Read a record file.

    Warns
    -----
    NewerFormatWarning
        If the file is of a newer minor format; the message names the fields that were left out.

    Raises
    ------
    InvalidFile
        If the file cannot be read or is no record; the message names the field.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InvalidFile(
            f"record {path} cannot be read", reason or "it is not UTF-8 text", "name a record file"
        ) from error
    return parse_record(text, str(path))


def parse_record(text: str, name: str) -> RunRecord:
    """Read a record from its JSON; ``name`` says in messages where it came from. As :func:`read_record`."""
    try:
        return RunRecord.model_validate_json(text)
    except ValidationError as error:
        record = _newer_minor(text, name)
        if record is not None:
            return record
        raise _invalid(error, name) from error


def record_json(record: RunRecord) -> str:
    """Return the record's JSON, one that :func:`parse_record` takes.

    Raises
    ------
    HarnessFailure
        If the record breaks its own format, as a copy past validation can.
    """
    try:
        text = record.model_dump_json(indent=1)
        RunRecord.model_validate_json(text)
    except (PydanticSerializationError, ValidationError) as error:
        raise HarnessFailure("internal", f"run {record.run.id} is no valid record: {error}") from error
    return text


def write_record(record: RunRecord, path: Path) -> None:
    """Write a record so that the file is, at every moment, the whole old one or the whole new one.

    Raises
    ------
    HarnessFailure
        If the record breaks its own format, or the file cannot be written. The old file then stands.
    """
    text = record_json(record)
    temporary = path.with_name(f".{uuid4().hex}")  # a name may be as long as the system allows
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise HarnessFailure("internal", f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # it was moved, or never made
            temporary.unlink()


def _newer_minor(text: str, name: str) -> RunRecord | None:
    """Return the record of a newer minor format without its unknown fields; None where it is none."""
    try:
        newer = _Head.model_validate_json(text).format
    except ValidationError:
        return None
    if not _NEWER_MINOR.fullmatch(newer):
        return None
    content: dict[str, Any] = {**json.loads(text), "format": FORMAT}
    unknown = _unknown_fields(content)
    for loc in unknown:
        _remove(content, loc)
    try:
        record = RunRecord.model_validate_json(json.dumps(content))
    except ValidationError as error:
        raise _invalid(error, name) from error
    fields = f"; left out: {', '.join(map(_path, unknown))}" if unknown else ""
    warnings.warn(f"{name} has the newer format {newer}{fields}", NewerFormatWarning, stacklevel=4)
    return record


def _unknown_fields(content: dict[str, Any]) -> list[tuple[int | str, ...]]:
    try:
        RunRecord.model_validate_json(json.dumps(content))
    except ValidationError as error:
        return [entry["loc"] for entry in error.errors() if entry["type"] == "extra_forbidden"]
    return []


def _remove(content: Any, loc: tuple[int | str, ...]) -> None:
    for step in loc[:-1]:
        content = content[step]
    del content[loc[-1]]


def _path(loc: tuple[int | str, ...]) -> str:
    return ".".join(map(str, loc))


def _invalid(error: ValidationError, name: str) -> InvalidFile:
    first, *more = error.errors(include_url=False, include_input=False)
    others = f" (and {len(more)} more)" if more else ""
    return InvalidFile(
        f"{name} is no record of format {FORMAT}", _described(first) + others, "mend that field"
    )


def _described(error: ErrorDetails) -> str:
    """Return ``field.path: what is wrong``; our own checks put the rest of the path in their message."""
    path, message = _path(error["loc"]), error["msg"].removeprefix("Value error, ")
    if not path:
        return message
    return f"{path}.{message}" if _PATH_FIRST.match(message) else f"{path}: {message}"
