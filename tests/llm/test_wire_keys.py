"""A key is cut out in whatever form it comes back: escaped, within JSON within JSON, split between parts (R61)."""

import html
import json
from typing import Any
from urllib.parse import quote

import pytest

from gnollbench.errors import ProviderFailure
from gnollbench.llm.messages import Reply
from gnollbench.llm.wire.redaction import without_key
from tests.llm.asked import complete, request
from tests.llm.wire import Answer, Said, serving

pytestmark = pytest.mark.xdist_group("litellm")

KEYS = ("sk/proj+ab/cdEF0123456789==", 'sk-"odd\\key"-0123', "sk-planted-0123456789")


def escaped(text: str) -> str:
    """Every character as an escape, as JSON allows."""
    units = text.encode("utf-16-be").hex()
    return "".join(rf"\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def slashed(text: str) -> str:
    """As PHP writes JSON."""
    return json.dumps(text)[1:-1].replace("/", r"\/")


def plain(text: str) -> str:
    """As JSON that escapes what it must."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def asked_of(answer: Answer | Said, protocol: str, key: str) -> Reply:
    environ = {"MY_KEY": key}
    with serving(answer) as wire:
        asked = request(wire, protocol, api_key_env="MY_KEY")
        return complete(wire, asked, environ=environ)


def percented(text: str) -> str:
    """As in an address."""
    return quote(text, safe="")


def in_html(text: str) -> str:
    """As an error page writes it, with some characters by their numbers."""
    return html.escape(text).replace("+", "&#43;").replace("/", "&#x2F;")


@pytest.mark.parametrize("write", [percented, in_html])
@pytest.mark.parametrize("key", [*KEYS, "sk-<ab>&cd/12345"])
def test_a_key_in_an_address_or_a_page_is_cut(key: str, write: Any) -> None:
    """R61: error pages and redirects repeat what they were sent."""
    assert without_key(f"no {write(key)} here", key) == "no *** here"


def test_a_redirect_is_told_by_its_host_alone() -> None:
    """R61: the rest of an address may hold a key in any form."""
    answer = Answer("", 308, {"location": "https://elsewhere.test/v1?key=sk%2Dplanted"})
    with pytest.raises(ProviderFailure) as failure:
        asked_of(answer, "openai", "sk-planted-0123456789")
    assert failure.value.message.endswith("redirects to elsewhere.test")


@pytest.mark.parametrize("key", ["none", "anything", "ollama-key", "lm-studio"])
def test_a_placeholder_cuts_no_word_of_an_answer(key: str) -> None:
    """R61: what is no secret is a word; a key has twelve characters, or eight and a digit."""
    assert asked_of(Said(f"A lich casts {key}."), "openai", key).text == f"A lich casts {key}."


@pytest.mark.parametrize("write", [escaped, slashed, plain])
@pytest.mark.parametrize("key", KEYS)
def test_an_escaped_key_is_cut(key: str, write: Any) -> None:
    """R61: in a reply, in the code and message of an error, in a stream's error."""
    told = '{"error": {"message": "bad key KEY", "code": "no KEY"}}'.replace("KEY", write(key))
    sse = {"content-type": "text/event-stream"}
    for answer in (Answer(told, 401), Answer(told), Answer(f"data: {told}\n\n", headers=sse)):
        with pytest.raises(ProviderFailure) as failure:
            asked_of(answer, "openai", key)
        assert "bad key ***" in failure.value.message
        assert failure.value.code == "no ***"
    body = '{"choices": [{"message": {"content": "It is KEY."}, "finish_reason": "KEY"}], "model": "KEY"}'
    reply = asked_of(Answer(body.replace("KEY", write(key))), "openai", key)
    assert (reply.text, reply.native_finish_reason, reply.served_model) == ("It is ***.", "***", "***")


@pytest.mark.parametrize("write", [escaped, slashed])
@pytest.mark.parametrize("protocol", ["openai", "anthropic", "google"])
@pytest.mark.parametrize("key", KEYS)
def test_a_key_within_json_that_is_a_string_is_cut(key: str, protocol: str, write: Any) -> None:
    """R61: a tool's arguments, and a form's reply, are read as JSON later."""
    told = '{"query": "KEY"}'.replace("KEY", write(key))
    reply = asked_of(Said(told, (("wiki_search", told),)), protocol, key)
    assert json.loads(reply.text) == {"query": "***"}
    assert json.loads(reply.tool_calls[0].arguments) == {"query": "***"}


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        (
            "anthropic",
            {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "claude-opus-5",
                "usage": {"input_tokens": 1, "output_tokens": 1},
                "content": [
                    {"type": "text", "text": "a sk-plan"},
                    {"type": "text", "text": "ted-0123456789"},
                ],
                "stop_reason": "end_turn",
            },
        ),
        (
            "google",
            {
                "candidates": [
                    {
                        "content": {
                            "parts": [
                                {"text": "a sk-plan", "thoughtSignature": "AA"},
                                {"text": "ted-0123456789"},
                            ]
                        },
                        "finishReason": "STOP",
                    }
                ]
            },
        ),
    ],
)
def test_a_key_that_is_split_between_parts_is_cut(protocol: str, body: dict[str, Any]) -> None:
    """R61: whoever joins them would mend it."""
    assert asked_of(Answer(body), protocol, "sk-planted-0123456789").text == "a ***"


@pytest.mark.parametrize("write", [escaped, slashed, str])
def test_any_character_is_known_by_its_escapes(write: Any) -> None:
    """R61: one above the first 65,536 has two of them; written twice over, each has more backslashes."""
    key = "sk-Zürich-𝄞-/0123"
    assert without_key([{"a": write(key) + "!"}], key) == [{"a": "***!"}]
    assert without_key(json.dumps(write(key)), key) == '"***"'


def test_a_protocols_own_words_stay() -> None:
    """A key that is a word of the protocol breaks no reply."""
    for key in ("tool_calls", "assistant", "finish_reason", "function"):
        reply = asked_of(Said("Let me look.", (("wiki_search", "{}"),)), "openai", key)
        assert (reply.text, reply.finish_reason) == ("Let me look.", "tool_calls")
        assert [call.name for call in reply.tool_calls] == ["wiki_search"]
