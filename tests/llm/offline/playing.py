"""Requests as the roles build them, and a loop that hands tool results back."""

import json
from collections.abc import Mapping
from typing import Any

from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.llm.offline import MODELS
from gnollbench.records.launch import ModelConfig, ParallelExecution
from gnollbench.records.suite import Rubric
from gnollbench.roles.grading import Material, grade_request
from gnollbench.roles.verdicts import read_verdict
from gnollbench.scoring.verdict import Verdict

TOOLS = (
    "wiki_search",
    "wiki_view",
    "get_monster_stats",
    "get_item_stats",
    "get_knowledge_article",
    "source_code_search",
    "nethack_wiki_search",
)

DECLARED = tuple({"name": name, "description": f"Use {name}.", "parameters": {}} for name in TOOLS)


def model(name: str, parallel: ParallelExecution = ParallelExecution.ENABLED) -> ModelConfig:
    return ModelConfig(
        provider=f"embedded-{name}",
        model=name,
        endpoint="embedded",
        max_output_tokens=4000,
        parallel_execution=parallel,
    )


def asked(
    question: str, prompt: str = "You help.", parallel: ParallelExecution = ParallelExecution.ENABLED
) -> Request:
    """Return a candidate's first request."""
    messages = (Message("system", prompt), Message("user", question))
    return Request(model("retriever", parallel), messages, DECLARED)


def answered(request: Request, reply: Reply, results: Mapping[str, str]) -> Request:
    """Return the request that follows: each call answered by its tool's text, or by a refusal."""
    messages = [
        Message("tool", results.get(call.name, "No such tool."), tool_call_id=call.id)
        for call in reply.tool_calls
    ]
    return Request(
        request.model,
        (*request.messages, Message("assistant", reply.text, reply.tool_calls), *messages),
        request.tools,
    )


def turn(name: str, request: Request, results: Mapping[str, str]) -> tuple[Reply, list[tuple[str, Any]]]:
    """Play a whole turn; return the last reply and the calls made."""
    calls: list[tuple[str, Any]] = []
    for _ in range(28):
        reply = MODELS[name](request)
        if not reply.tool_calls:
            return reply, calls
        calls += [(call.name, json.loads(call.arguments)) for call in reply.tool_calls]
        request = answered(request, reply, results)
    raise AssertionError("the model did not come to an end")


def grade(name: str, question: str, rubric: Rubric, answer: str, **more: Any) -> Verdict:
    """Have an embedded grader grade an answer through the real form."""
    request = grade_request(model(name), Material(question, rubric, answer, **more))
    return read_verdict(MODELS[name](request))
