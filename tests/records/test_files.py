"""Record files: strictly in, durably out."""

import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest

from gnollbench.errors import HarnessFailure, InvalidFile
from gnollbench.records.figures import scored
from gnollbench.records.files import NewerFormatWarning, parse_record, read_record, write_record
from gnollbench.records.run import RunRecord

RECORDS = sorted((Path(__file__).parents[1] / "oracles" / "records").glob("record-*.json"))


@pytest.fixture
def raw() -> dict[str, Any]:
    return json.loads(RECORDS[0].read_text("utf-8"))


@pytest.fixture
def record() -> RunRecord:
    return read_record(RECORDS[0])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_is_written_is_read_back(path, tmp_path):
    """record.md: scored or not, every value at full precision."""
    for record in (read_record(path), scored(read_record(path))):
        target = tmp_path / "a run" / "record.json"
        target.parent.mkdir(exist_ok=True)
        write_record(record, target)
        assert read_record(target) == record


def test_text_of_any_script_survives(record, tmp_path):
    """record.md: UTF-8, line ends and all."""
    answer = record.answers[0].model_copy(update={"text": "dragon 龍\r\n\t\u2028 “naïve”\u0000"})
    other = record.model_copy(update={"answers": (answer, *record.answers[1:])})
    write_record(other, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json").answers[0].text == answer.text


def test_byte_order_mark_is_no_fault(record, tmp_path):
    """A record that an editor saved."""
    path = tmp_path / "record.json"
    path.write_bytes(b"\xef\xbb\xbf" + RECORDS[0].read_bytes())
    assert read_record(path) == record


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"[]", "should be an object"),
        (b'{"format": "gnollbench.run/2"}', "format: Input should be 'gnollbench.run/1'"),
        (b'{"format": "gnollbench.run/1.2"}', "run: Field required"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path, content, reason):
    """record.md: with the reason, and never a traceback of another library."""
    path = tmp_path / "record.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidFile) as caught:
        read_record(path)
    assert reason in caught.value.why
    assert str(path) in caught.value.what


def set_level(raw):
    raw["answers"][0]["verdicts"]["a"]["levels"]["accuracy"] = 7


def repeat_answer(raw):
    raw["answers"][3]["question"] = "q01"


def repeat_question(raw):
    raw["exam"]["questions"][1]["id"] = "q01"


def add_field(raw):
    raw["answers"][0]["colour"] = "blue"


def spoil_time(raw):
    raw["answers"][0]["turn_ms"] = float("nan")


def spoil_config(raw):
    raw["config"]["x"] = float("inf")


def spoil_weights(raw):
    raw["profile"]["weights"]["accuracy"] = 0.9


def spoil_two(raw):
    add_field(raw)
    spoil_time(raw)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (set_level, "answers.0.verdicts.a.levels.accuracy: "),
        (repeat_answer, "answers.3.question: q01 is there a second time"),
        (repeat_question, "exam.questions.1.id: q01 is there a second time"),
        (add_field, "answers.0.colour: Extra inputs"),
        (spoil_time, "answers.0.turn_ms: "),
        (spoil_config, "config.x: NaN and infinity"),
        (spoil_weights, "profile.weights: the weights sum to"),
        (spoil_two, "(and 1 more)"),
    ],
)
def test_refusal_names_the_field(raw, spoil, why):
    """record.md: the field's path, whichever check found it."""
    spoil(raw)
    with pytest.raises(InvalidFile) as caught:
        parse_record(json.dumps(raw), "the record")
    assert why in caught.value.why


def test_newer_minor_format_is_read_with_a_warning(raw, record):
    """record.md: unknown fields are left out by name, known ones are as strict as ever."""
    raw["format"] = "gnollbench.run/1.3"
    raw["weather"] = "foggy"
    raw["answers"][0]["verdicts"]["a"]["mood"] = 4
    with pytest.warns(NewerFormatWarning, match=r"1\.3.*answers\.0\.verdicts\.a\.mood.*weather"):
        assert parse_record(json.dumps(raw), "the record") == record
    set_level(raw)
    with pytest.raises(InvalidFile, match="levels"):
        parse_record(json.dumps(raw), "the record")


def test_present_format_gives_no_warning(raw):
    """record.md."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_record(json.dumps(raw), "the record")


def spoiled(record: RunRecord, value: Any) -> RunRecord:
    answer = record.answers[0].model_copy(update=value)
    return record.model_copy(update={"answers": (answer, *record.answers[1:])})


@pytest.mark.parametrize(
    "value", [{"turn_ms": float("nan")}, {"ttft_ms": float("inf")}, {"question": "q02"}, {"text": "\ud800"}]
)
def test_record_that_breaks_its_format_is_not_written(record, tmp_path, value):
    """record.md: a copy past validation is caught; the old file stands, nothing lies about."""
    path = tmp_path / "record.json"
    write_record(record, path)
    before = path.read_bytes()
    with pytest.raises(HarnessFailure):
        write_record(spoiled(record, value), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_failed_write_leaves_the_old_file(record, tmp_path, monkeypatch):
    """record.md, R42: a disk that fails before the replacement costs nothing."""

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "record.json"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(HarnessFailure, match="No space left"):
        write_record(record, path)
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_write_is_on_disk_before_it_takes_the_name(record, tmp_path, monkeypatch):
    """record.md: the order is write, fsync, replace."""
    order: list[str] = []
    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("fsync"), fsync(fd))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (order.append("replace"), replace(self, to))[1])
    write_record(record, tmp_path / "record.json")
    assert order == ["fsync", "replace"]
