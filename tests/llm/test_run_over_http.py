"""A whole run over HTTP: tools, a panel of two companies, a third one's reader and verifier (R14, R25, R39)."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gnollbench.engine.run import Finished
from gnollbench.records.files import read_record, write_record
from gnollbench.records.run import Role
from gnollbench.records.transcript import ModelCall
from tests.llm.asked import KEY, Detour
from tests.llm.runs import PLACES, behaves, role_of, run, two_questions, words
from tests.llm.wire import Said, Sent, Wire, serving

pytestmark = pytest.mark.xdist_group("litellm")

TOKENS = {  # prompt, cached, written, output, reasoning of each call
    "candidate": (1000, 600, 0, 50, 20),
    "assessor": (2000, 0, 0, 100, 0),
    "co_assessor": (2000, 500, 300, 100, 0),
    "reader": (3000, 1000, 0, 100, 40),
    "verifier": (4000, 0, 0, 100, 10),
    "synthesis": (500, 0, 0, 200, 0),
    "co_assessor_synthesis": (500, 0, 0, 200, 0),
}
TIERS = {"candidate": "flex", "assessor": "default", "co_assessor": "standard", "reader": "priority"}
RATES = (
    "rates: {input_per_million: 2, output_per_million: 10, "
    "cached_input_per_million: 0.2, cache_write_per_million: 2.5}"
)
PRICE = f"{{{RATES}, service_tiers: {{flex: 0.5, priority: 1.8}}}}"


def stated(sent: Sent) -> Said:
    role = role_of(sent)
    return replace(behaves(sent), tokens=TOKENS[role], tier=TIERS.get(role), model=f"served-{role}")


@pytest.fixture(scope="module", params=[True, False], ids=["streaming", "not streaming"])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, Wire]:
    streaming = [f"{place}.streaming={request.param}" for place in PLACES.values()]
    with serving(stated) as wire:
        prices = [
            f"{place}.prices={PRICE}"
            for place in ("candidate", "panel.assessor", "panel.co_assessor", "reader.llm")
        ]
        asked = (
            *words(wire.url),
            *streaming,
            *prices,
            "candidate.service_tier=flex",
            "reader.llm.service_tier=priority",
        )
        return run(tmp_path_factory.mktemp("run"), asked), wire


def test_every_question_is_answered_and_graded(ran: tuple[Finished, Wire]) -> None:
    """R17: 18 questions, two verdicts and a reading each, two syntheses, indices."""
    record = ran[0].record
    assert record.run.status == "completed"
    assert len(record.answers) == 18
    for answer in record.answers:
        assert answer.failure is None
        assert answer.integrity == "clean"
        assert set(answer.verdicts) == {"a", "b"}
        assert answer.reader is not None
        assert [claim.ruling for claim in answer.claims] == ["indeterminate"]
        assert (answer.model_calls, answer.tool_rounds, answer.tool_calls) == (2, 1, 2)
    assert record.results is not None
    assert record.results.intelligence.n == 18
    assert {synthesis.text for synthesis in record.syntheses} == {"It answers in brief."}


def test_calls_are_what_the_roles_need(ran: tuple[Finished, Wire]) -> None:
    """R26, R32, R33: who was called how often, and by which protocol."""
    wire = ran[1]
    calls = Counter((role_of(sent), sent.protocol) for sent in wire.requests)
    assert calls == {
        ("candidate", "openai"): 36,
        ("assessor", "openai"): 18,
        ("co_assessor", "anthropic"): 18,
        ("reader", "google"): 18,
        ("verifier", "google"): 36,
        ("synthesis", "openai"): 1,
        ("co_assessor_synthesis", "anthropic"): 1,
    }
    streaming = ran[0].record.config["candidate"]["streaming"]
    assert {sent.streams for sent in wire.requests} == {streaming}


def test_sixteen_tools_are_on_offer_and_their_results_come_back(ran: tuple[Finished, Wire]) -> None:
    """R14: declared in the candidate's own body; two calls are answered one for one, in order."""
    first, second = [sent.body for sent in ran[1].requests if role_of(sent) == "candidate"][:2]
    assert len(first["tools"]) == 16
    roles = [(message["role"], message.get("tool_call_id")) for message in second["messages"]]
    assert roles == [
        ("system", None),
        ("user", None),
        ("assistant", None),
        ("tool", "call_0"),
        ("tool", "call_1"),
    ]


def test_usage_is_what_the_servers_stated(ran: tuple[Finished, Wire]) -> None:
    """R39: per role and question, each protocol's own fields."""
    usage = ran[0].record.answers[0].usage
    candidate, co_assessor, reader = (usage[role] for role in (Role.CANDIDATE, Role.CO_ASSESSOR, Role.READER))
    assert (candidate.input_tokens, candidate.cached_tokens, candidate.output_tokens) == (2000, 1200, 100)
    assert (candidate.reasoning_tokens, candidate.service_tier) == (40, "flex")
    assert (co_assessor.input_tokens, co_assessor.cached_tokens, co_assessor.cache_write_tokens) == (
        2000,
        500,
        300,
    )
    assert (co_assessor.service_tier, reader.service_tier) == ("standard", "priority")
    assert (reader.input_tokens, reader.output_tokens, reader.reasoning_tokens) == (3000, 100, 40)


def test_costs_are_worked_by_hand(ran: tuple[Finished, Wire]) -> None:
    """R39: millionths of a dollar, over 18 questions; a role without a price is unknown with a reason."""
    costs = ran[0].record.costs
    # two calls of (1000 - 600) x 2 + 600 x 0.2 + 50 x 10 = 800 + 120 + 500 = 1420, at half for flex
    assert costs[Role.CANDIDATE].usd == pytest.approx(18 * 2 * 1420 / 2 / 1e6)
    # 2000 x 2 + 100 x 10 = 5000
    assert costs[Role.ASSESSOR].usd == pytest.approx(18 * 5000 / 1e6)
    # 1200 x 2 + 500 x 0.2 + 300 x 2.5 + 100 x 10 = 2400 + 100 + 750 + 1000 = 4250
    assert costs[Role.CO_ASSESSOR].usd == pytest.approx(18 * 4250 / 1e6)
    # (3000 - 1000) x 2 + 1000 x 0.2 + 100 x 10 = 4000 + 200 + 1000 = 5200, at 1.8 for priority
    assert costs[Role.READER].usd == pytest.approx(18 * 5200 * 1.8 / 1e6)
    # 500 x 2 + 200 x 10 = 3000, once
    assert costs[Role.SYNTHESIS].usd == pytest.approx(3000 / 1e6)
    assert costs[Role.VERIFIER].usd is None
    assert costs[Role.VERIFIER].reason


def test_every_call_stands_in_a_transcript_with_its_cost(ran: tuple[Finished, Wire]) -> None:
    """R39: what each role cost is the sum of its calls; the syntheses' too, which no question holds."""
    finished, wire = ran
    made = [event for events in finished.events.values() for event in events if isinstance(event, ModelCall)]
    assert len(made) == len(wire.requests)
    for role in (Role.CANDIDATE, Role.ASSESSOR, Role.CO_ASSESSOR, Role.READER, Role.SYNTHESIS):
        spent = sum(call.usd or 0.0 for call in made if call.role == role)
        assert spent == pytest.approx(finished.record.costs[role].usd)


def test_first_text_and_times_are_measured(ran: tuple[Finished, Wire]) -> None:
    """R38: the first text came before the tools ran, within the turn; without a stream it is unmeasured."""
    record = ran[0].record
    streaming = record.config["candidate"]["streaming"]
    for answer in record.answers:
        assert answer.tool_ms < answer.turn_ms
        assert (answer.ttft_ms is not None) is streaming
        assert answer.ttft_ms is None or 0 < answer.ttft_ms < answer.turn_ms
    assert record.results is not None
    assert (record.results.speed.ttft_p50_ms is not None) is streaming
    withheld = {entry.figure for entry in record.withheld}
    assert ("speed.ttft_p50_ms" in withheld) is not streaming


def test_another_model_than_asked_is_warned_of_once(ran: tuple[Finished, Wire]) -> None:
    """R43: what was served is recorded by its name, and said where it is not what was asked for."""
    record = ran[0].record
    assert record.models[Role.CANDIDATE].served == ("served-candidate",)
    warned = [warning for warning in record.run.warnings if "served served-candidate" in warning]
    assert warned == ["candidate: asked for some-model, served served-candidate"]


def test_unknown_costs_are_warned_of_once(ran: tuple[Finished, Wire]) -> None:
    """R39: with the reason."""
    warnings = [warning for warning in ran[0].record.run.warnings if "cost is unknown" in warning]
    assert warnings == [
        "verifier: the cost is unknown: no price is known (verifier-maker/gemini-3.1-pro-preview)"
    ]


def test_record_is_whole(ran: tuple[Finished, Wire], tmp_path: Path) -> None:
    """The record of such a run is written and read like any other."""
    write_record(ran[0].record, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == ran[0].record


@pytest.mark.parametrize(
    ("option", "protocol", "level"),
    [
        ("gpt", "responses", '"effort": "max"'),
        ("claude", "anthropic", '"effort": "high"'),
        ("gemini", "google", '"thinkingLevel": "high"'),
    ],
)
def test_shipped_candidates_run_at_their_providers(
    option: str, protocol: str, level: str, tmp_path: Path
) -> None:
    """R14, R16: tools, results and settings by the provider's own protocol, with the key in its header alone."""
    with serving(behaves) as wire:
        panel = [word for word in words(wire.url, only="nobody") if not word.startswith("candidate")]
        asked = (f"candidate={option}", *panel, f"suite.path='{two_questions()}'")
        key = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), KEY)
        record = run(tmp_path, asked, key, inner=Detour(wire.url)).record
    assert record.run.status == "completed"
    assert [answer.tool_calls for answer in record.answers] == [2, 2]
    assert {sent.protocol for sent in wire.requests} == {protocol}
    first = json.dumps(wire.received[0])
    assert level in first
    assert all(name in first for name in ("wiki_search", "get_monster_stats", "list_indexed_files"))
    assert KEY not in json.dumps(wire.received)
    assert record.costs[Role.CANDIDATE].usd is not None
