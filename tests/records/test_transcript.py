"""A question's events, kept compressed and written as one JSON Lines file (R42)."""

import json
from dataclasses import asdict, replace
from pathlib import Path

from gnollbench.llm.messages import Reply
from gnollbench.records.transcript import (
    Event,
    ModelCall,
    ToolUse,
    Transcript,
    read_transcript,
    write_transcript,
)

CALL = ModelCall("candidate", "p", "m", 1.0, 2.0, ({"role": "user", "content": "Wie schnell?\ud800"},), None)
USE = ToolUse("candidate", "wiki_search", "{}", 2.0, 3.0, True, "12 " * 1000)


def test_events_come_back_in_order(tmp_path: Path) -> None:
    """R42: all of them, as they were, as often as they are read."""
    transcript = Transcript()
    assert not transcript
    transcript.add([])
    assert not transcript
    transcript.add([CALL, USE])
    transcript.add([CALL])
    events: list[Event] = [CALL, USE, CALL]
    assert transcript
    assert list(transcript) == list(transcript) == events
    write_transcript(transcript, tmp_path / "q" / "q01.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "q" / "q01.jsonl").read_text("utf-8").splitlines()]
    assert [line["type"] for line in lines] == ["model_call", "tool_call", "model_call"]
    assert lines[0]["messages"] == [{"role": "user", "content": "Wie schnell?\ufffd"}]


def test_a_file_is_read_back(tmp_path: Path) -> None:
    """R42: event by event, whatever ends a line for others; a reply as the mapping that stands there."""
    reply = Reply("Hi", "stop")
    said = replace(CALL, messages=[{"role": "user", "content": "\u2028\x85\r\n"}], reply=reply)
    write_transcript([said, USE], tmp_path / "q01.jsonl")
    back = list(read_transcript(tmp_path / "q01.jsonl"))
    assert back == [replace(said, reply=json.loads(json.dumps(asdict(reply)))), USE]
