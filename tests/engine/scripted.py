"""Scripted models for tests: plain functions that stand in the gateway as embedded models do."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gnollbench.cli import compose_launch
from gnollbench.engine.admission import admit
from gnollbench.engine.journal import Journal
from gnollbench.engine.run import Finished, Run
from gnollbench.launcher import resolve_launch, suite_folder
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply, Request, ToolCall, Usage
from gnollbench.records.launch import Patience
from gnollbench.records.run import Answer
from gnollbench.records.suite import load_suite

Model = Callable[[Request], Reply]
PATIENCE = Patience(call_s=60, call_idle_s=60)
USED = Usage(input_tokens=10, cached_tokens=0, output_tokens=5, reasoning_tokens=0)
ANSWER = "The highest experience level is 50."


def says(text: str, reason: str = "stop") -> Model:
    """A model that always says the same."""
    return lambda _: Reply(text=text, finish_reason=reason, usage=USED, served_model="scripted-1")


def calls(name: str, arguments: str) -> Model:
    """A model that calls one tool for ever, and says something only when the tools are closed."""

    def model(request: Request) -> Reply:
        if request.tools_closed:
            return Reply(text=ANSWER, finish_reason="stop", usage=USED)
        call = ToolCall(f"call_{len(request.messages)}", name, arguments)
        return Reply(text="", finish_reason="tool_calls", tool_calls=(call,), usage=USED)

    return model


def once(name: str, arguments: str) -> Model:
    """A model that calls one tool, reads what came back, and answers."""

    def model(request: Request) -> Reply:
        if request.messages[-1].role == "tool":
            return Reply(
                text=f"{ANSWER} I read: {request.messages[-1].content}", finish_reason="stop", usage=USED
            )
        return Reply(
            text="", finish_reason="tool_calls", tool_calls=(ToolCall("c1", name, arguments),), usage=USED
        )

    return model


def breaks(error: Exception) -> Model:
    """A model whose call raises."""

    def model(_: Request) -> Reply:
        raise error

    return model


def verdict(**fields: Any) -> str:
    """A verdict in the graders' JSON: all sixes, but for what is named."""
    levels = {"accuracy": 6, "completeness": 6, "conciseness": 6, "readability": 6} | fields.pop("levels", {})
    evidence = dict.fromkeys(levels, "No defect.") | fields.pop("evidence", {})
    form: dict[str, Any] = {
        "evidence": evidence,
        "levels": levels,
        "critical_error": None,
        "not_attempted": False,
        "unverified_claims": [],
        "charges": [],
        "markers": {"out_of_scope": 0, "form": 0},
    }
    return json.dumps(form | fields)


class Silent:
    """An observer that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def asked(self, question: str) -> None:
        self.told.append(f"asked {question}")

    def answered(self, answer: Answer) -> None:
        self.told.append(f"answered {answer.question}")

    def graded(self, answer: Answer) -> None:
        self.told.append(f"graded {answer.question}")

    def said(self, text: str) -> None:
        self.told.append(text)


def run_scripted(folder: Path, models: Mapping[str, Model], *overrides: str) -> Finished:
    """Run the standard suite with scripted models by role: candidate, a, b, reader, verifier."""
    roles = {
        "candidate": "candidate",
        "a": "panel.assessor",
        "b": "panel.co_assessor",
        "reader": "reader.llm",
        "verifier": "verifier.llm",
    }
    words = [f"{roles[role]}.model={role}" for role in models]
    absent = [f"{role}=none" for role in ("reader", "verifier") if role not in models]
    launch = compose_launch([*words, *absent, *overrides])
    suite = load_suite(suite_folder(launch.suite.path))
    admission = admit(launch, suite, {}, lambda _: 0)
    gateway = ModelGateway(models, launch.retries, launch.concurrency.calls_per_provider)
    gateway.check(launch.models.values())
    with Journal(folder) as journal:
        run = Run("test-run", resolve_launch(launch, suite), admission, gateway, journal, Silent())
        return asyncio.run(run.execute())
