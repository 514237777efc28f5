"""What a run's own work costs a model call: ``scripts/bench gateway --peers DIR [--inspect PYTHON]``.

DIR holds a mock provider (``mock_llm.py``) and the same workload without a framework (``floor_loop.py``) and
in Inspect AI (``inspect_baseline.py``, run by the interpreter PYTHON, which has it). The engine is driven below
admission, on synthetic suites; a record holds 50 questions, so that more are several runs side by side. A
question is 9 candidate calls (8 rounds of one trivial tool, then the answer) and 4 grader calls; the peers get
4 graders, so that everybody makes 13. The graders' replies are no verdicts in this program's form, so each of
its two members is asked once more.

The engine is also measured with a sketch of a direct transport in litellm's place, which speaks OpenAI's chat
completions and nothing else: what it would gain, not a way to run.

Every figure is the median over rounds in which the programs take turns, each in a fresh process; ratios are
medians of the rounds' own ratios. Imports are not counted, for anybody; writing the record and transcripts is.
CPU first: on a machine with other work the wall clock is an upper bound.
"""

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

CALLS = 13  # a question
MOST = 49  # questions of one run, beside the one that is not asked: no exam, so no synthesis
TOOL = {
    "name": "add",
    "description": "Add two integers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
}
PROMPT = "You answer questions about a game. " * 8  # the peers' own
QUESTION = "Question {}: what is the sum? "


@dataclass(frozen=True, slots=True)
class Load:
    """A workload: questions, how many at once, latency of each call in milliseconds."""

    questions: int
    at_once: int
    latency_ms: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--peers", type=Path, help="folder of mock_llm.py, floor_loop.py, inspect_baseline.py"
    )
    parser.add_argument("--inspect", help="interpreter that has inspect-ai")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="leave the 500 questions out")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        print(json.dumps(_worked(json.loads(asked.work))))
        return
    if asked.peers is None:
        parser.error("--peers is needed: nothing is measured against nothing")
    with _mock(asked.peers) as base:
        print(f"| what | CPU ms a call | wall s | peak MiB | ({asked.rounds} rounds)\n|---|---|---|---|")
        _goals(_Bench(asked, base), quick=asked.quick)


class _Bench:
    """Runs programs in turns and keeps what they measured."""

    def __init__(self, asked: argparse.Namespace, base: str) -> None:
        self._peers, self._inspect, self._rounds, self._base = asked.peers, asked.inspect, asked.rounds, base

    def measure(
        self, load: Load, programs: list[str], rounds: int | None = None
    ) -> dict[str, list[dict[str, float]]]:
        """Return each program's measurements, one a round."""
        programs = [name for name in programs if name != "Inspect AI" or self._inspect]
        found: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
        for _ in range(rounds or self._rounds):
            for name in programs:
                found[name].append(self._run(name, load))
        for name, rows in found.items():
            cpu, wall, peak = (_median(rows, field) for field in ("cpu_ms", "wall_s", "rss_mib"))
            named = f"{name}, {load.questions} questions, {load.at_once} at a time, {load.latency_ms:g} ms"
            print(f"| {named} | {cpu:.2f} | {wall:.2f} | {peak:.0f} |", flush=True)
        return found

    def _run(self, name: str, load: Load) -> dict[str, float]:
        if name.startswith("engine"):
            told = {"base": self._base, "load": [load.questions, load.at_once, load.latency_ms], "name": name}
            return _output([sys.executable, "-m", "scripts.bench_gateway", "--work", json.dumps(told)])
        common = ["--base", self._base, "--samples", load.questions, "--conns", load.at_once]
        common += ["--latency-ms", load.latency_ms, "--graders", 4]
        with tempfile.TemporaryDirectory() as folder:
            if name == "Inspect AI":
                script = [self._inspect, self._peers / "inspect_baseline.py", "--log-dir", folder]
            else:
                client = name.split()[0]
                script = [
                    sys.executable,
                    self._peers / "floor_loop.py",
                    "--client",
                    client,
                    "--out",
                    f"{folder}/o",
                ]
            said = _output([str(word) for word in (*script, *common)])
        return {
            "cpu_ms": said["cpu_ms_per_call"],
            "wall_s": said.get("wall_s", said.get("eval_wall_s", 0.0)),
            "rss_mib": said["peak_rss_mib"],
        }


def _goals(bench: _Bench, *, quick: bool) -> None:
    ours, direct, floor, inspect = "engine", "engine, direct", "litellm floor", "Inspect AI"
    programs = [ours, "engine, not streamed", direct, floor, "aiohttp floor", inspect]
    small = bench.measure(Load(18, 10, 0), programs)
    scripted = bench.measure(Load(18, 10, 0), ["engine, scripted in process"])
    late = bench.measure(Load(18, 10, 50), [ours, floor, inspect])
    at_8 = bench.measure(Load(64, 8, 0), [ours])
    at_64 = bench.measure(Load(64, 64, 0), [ours])
    large = {} if quick else bench.measure(Load(500, 64, 0), [ours, floor], rounds=3)
    print("\n| goal | ratio or figure | wanted, then |\n|---|---|---|")
    _say("G1", "CPU a call, engine ÷ litellm floor", _ratio(small, ours, floor, "cpu_ms"), "≤ 1.20, 1.10")
    _say(
        "G1", "the same, not streamed", _ratio(small, "engine, not streamed", floor, "cpu_ms"), "≤ 1.20, 1.10"
    )
    if inspect in small:
        _say("G2", "CPU a call, engine ÷ Inspect AI", _ratio(small, ours, inspect, "cpu_ms"), "≤ 0.50")
        _say("G2", "the same with a direct transport", _ratio(small, direct, inspect, "cpu_ms"), "then 0.15")
    _say(
        "G3",
        "own work, ms CPU a call",
        _median(scripted["engine, scripted in process"], "cpu_ms"),
        "≤ 1.5, 0.7",
    )
    if inspect in late:
        _say(
            "G4", "wall at 50 ms, engine ÷ Inspect AI", _ratio(late, ours, inspect, "wall_s"), "≤ 0.55, 0.25"
        )
    _say("G4", "wall at 50 ms, engine ÷ litellm floor", _ratio(late, ours, floor, "wall_s"), "–")
    if large:
        _say(
            "G5", "wall of 500, engine ÷ litellm floor", _ratio(large, ours, floor, "wall_s"), "≤ 1.20, 1.10"
        )
        grown = _median(large[ours], "rss_mib") - _median(small[ours], "rss_mib")
        _say("G5", "memory of 500 over 18 questions, MiB", grown, "≤ 40, 25")
    _say(
        "G6",
        "CPU a call, 64 at a time ÷ 8",
        _median(at_64[ours], "cpu_ms") / _median(at_8[ours], "cpu_ms"),
        "≤ 1.15",
    )


def _say(goal: str, what: str, figure: float, wanted: str) -> None:
    print(f"| {goal} | {what}: {figure:.2f} | {wanted} |")


def _ratio(rows: dict[str, list[dict[str, float]]], one: str, other: str, field: str) -> float:
    return statistics.median(a[field] / b[field] for a, b in zip(rows[one], rows[other], strict=True))


def _median(rows: list[dict[str, float]], field: str) -> float:
    return statistics.median(row[field] for row in rows)


def _output(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


@contextmanager
def _mock(folder: Path) -> Iterator[str]:
    command = [sys.executable, str(folder / "mock_llm.py"), "--port", "0"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **quiet) as server:
        assert server.stdout is not None
        _, host, port, *_ = server.stdout.readline().split()
        try:
            yield f"http://{host}:{port}"
        finally:
            server.terminate()


class _Adder:
    """The peers' tool, in the place of the sixteen."""

    declarations = (TOOL,)

    def call(self, _: str, arguments: dict[str, Any]) -> Any:
        from gnollbench.corpus.tools import ToolResult

        return ToolResult(True, f"{arguments['a'] + arguments['b']} " + "result line " * 40)


def _worked(told: dict[str, Any]) -> dict[str, float]:
    """Run the engine on a synthetic suite and return what it took; in a process of its own."""
    from gnollbench.engine.admission import Admission
    from gnollbench.engine.journal import Journal
    from gnollbench.engine.run import Run
    from gnollbench.records.files import write_record
    from gnollbench.records.transcript import write_transcript

    load = Load(*told["load"])
    shares = [_resolved(told["base"], share, told["name"]) for share in _shares(load)]
    gateway = _gateway(shares[0], told["name"])
    gateway.body(shares[0].request(shares[0].asked[0]))  # imports what a call needs

    async def carried_out(place: int, folder: Path) -> int:
        with Journal(folder / f"run {place}") as journal:
            run = Run(f"bench-{place}", shares[place], Admission((), ()), gateway, journal, _Nobody())
            finished = await run.execute()
        write_record(finished.record, folder / f"{place}.json")
        for question, events in finished.events.items():
            write_transcript(events, folder / f"{place}-{question}.jsonl")
        return sum(event.type == "model_call" for events in finished.events.values() for event in events)

    async def all_of_them(folder: Path) -> int:
        return sum(await asyncio.gather(*(carried_out(place, folder) for place in range(len(shares)))))

    with tempfile.TemporaryDirectory() as folder:
        cpu, wall = time.process_time(), time.perf_counter()
        calls = asyncio.run(all_of_them(Path(folder)))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if calls != load.questions * CALLS:
        sys.exit(f"{calls} calls were made, {load.questions * CALLS} expected")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu_ms": cpu / calls * 1000, "wall_s": wall, "rss_mib": peak}


def _shares(load: Load) -> list[Load]:
    """Split a load over as few runs as can hold it."""
    runs = -(-load.questions // MOST)
    sizes = [load.questions // runs + (place < load.questions % runs) for place in range(runs)]
    return [Load(size, max(1, load.at_once // runs), load.latency_ms) for size in sizes]


def _resolved(base: str, load: Load, name: str) -> Any:
    """Settle a launch against the mock: the peers' prompt, tool and questions, and one more that is not asked."""
    from gnollbench.cli import compose_launch
    from gnollbench.launcher import resolve_launch, suite_folder
    from gnollbench.records.suite import load_suite
    from gnollbench.roles.candidate import SystemPrompt

    at = "embedded" if "scripted" in name else f"{base}/v1"
    latency = f"@{load.latency_ms:g}ms"
    scripts = {"candidate": "agent-8x1", "panel.assessor": "grade-a-p70", "panel.co_assessor": "grade-b-p70"}
    words = [
        "reader=none",
        "verifier=none",
        f"concurrency.questions={load.at_once}",
        "concurrency.calls_per_provider=1000",
    ]
    for place, script in scripts.items():
        words += [
            f"{place}.provider=mock-{script}",
            f"{place}.model='{script}{latency}'",
            f"{place}.endpoint={at}",
        ]
        words += [f"{place}.max_output_tokens=512", f"{place}.streaming={'not streamed' not in name}"]
        words += [f"{place}.sampling.temperature=0", f"{place}.sampling.seed=1"]
    launch = compose_launch(words)
    resolved = resolve_launch(launch, load_suite(suite_folder("standard")))
    exam = tuple(
        resolved.exam[0].model_copy(update={"id": f"q{place}", "text": QUESTION.format(place) * 8})
        for place in range(load.questions + 1)
    )
    prompt = SystemPrompt(PROMPT, PROMPT)
    return replace(resolved, exam=exam, asked=exam[:-1], toolset=_Adder(), prompt=prompt)


def _gateway(resolved: Any, name: str) -> Any:
    from gnollbench.llm.gateway import ModelGateway

    launch = resolved.launch
    models = {model.model: _scripted for model in launch.models.values()} if "scripted" in name else {}
    gateway: Any = ModelGateway(models, launch.retries, launch.concurrency.calls_per_provider)
    if "direct" in name:
        gateway._adapter = _direct()
    return gateway


def _direct() -> Any:
    """Return a sketch of an adapter without litellm: the same carrier, over aiohttp's pool."""
    import aiohttp
    import httpx

    from gnollbench.llm.arguments import arguments
    from gnollbench.llm.wire.carrier import Carrier, Exchange, current_exchange

    sessions: list[aiohttp.ClientSession] = []

    class Body(httpx.AsyncByteStream):
        def __init__(self, answer: aiohttp.ClientResponse) -> None:
            self._answer = answer

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in self._answer.content.iter_any():
                yield piece

        async def aclose(self) -> None:
            self._answer.release()

    class Pool(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if not sessions:
                sessions.append(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
            headers = {name: value for name, value in request.headers.items() if name != "host"}
            url, content = str(request.url), await request.aread()
            answer = await sessions[0].request(request.method, url, headers=headers, data=content)
            return httpx.Response(answer.status, headers=list(answer.headers.items()), stream=Body(answer))

        async def aclose(self) -> None:
            await sessions.pop().close()

    carrier = Carrier(Pool())
    names = {
        "messages",
        "tools",
        "max_tokens",
        "temperature",
        "seed",
        "response_format",
        "parallel_tool_calls",
    }

    async def complete(exchange: Exchange) -> Any:
        told = arguments(exchange.request, exchange.secret)
        body = {name: value for name, value in told.items() if name in names}
        url = f"{told['api_base']}/chat/completions"
        request = httpx.Request("POST", url, json={"model": exchange.request.model.model, **body})
        mark = current_exchange.set(exchange)
        try:
            answer = await carrier.handle_async_request(request)
        finally:
            current_exchange.reset(mark)
        message = json.loads(await answer.aread())["choices"][0]["message"]
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(model_dump=lambda: message))])

    return SimpleNamespace(complete=complete, aclose=carrier.aclose)


def _scripted(request: Any) -> Any:
    """Play the mock's part in this process."""
    from gnollbench.llm.messages import Reply, ToolCall, Usage

    used = Usage(100, 0, None, 20, 0)
    rounds = sum(bool(message.tool_calls) for message in request.messages)
    if request.tools and rounds < 8:
        call = ToolCall(f"call_{rounds}", "add", json.dumps({"a": rounds, "b": rounds}))
        return Reply("", "tool_calls", (call,), used)
    return Reply("the gnome walks north past a closed door. GRADE: C", "stop", usage=used)


class _Nobody:
    """An observer that looks away."""

    def asked(self, question: str) -> None: ...
    def answered(self, answer: Any) -> None: ...
    def graded(self, answer: Any) -> None: ...
    def said(self, text: str) -> None: ...


if __name__ == "__main__":
    main()
