"""What scripted graders and verifiers say, for the tests of grading."""

import json
import re
from collections.abc import Callable
from typing import Any

from gnollbench.llm.messages import Reply, Request
from tests.engine.scripted import USED, verdict

Model = Callable[[Request], Reply]
PAGE = {"kind": "wiki", "where": "Monsters/Lich", "lines": "", "quote": ""}
NO_PAGE = {"kind": "wiki", "where": "Monsters/No such monster", "lines": "", "quote": ""}
TEXT = "A lich has speed 6. You can simply walk away from it. It casts cold."
QUOTE = "A lich has speed 6."


def text_of(request: Request) -> str:
    return "\n\n".join(message.content for message in request.messages)


def grades(**fields: Any) -> Model:
    """A grader with one verdict for every answer, and one assessment of the run."""

    def model(request: Request) -> Reply:
        said = "A fair run." if "# Your verdicts" in request.messages[-1].content else verdict(**fields)
        return Reply(said, "stop", usage=USED)

    return model


def critical(quote: str = QUOTE, **fields: Any) -> dict[str, Any]:
    """The fields of a verdict with a critical error."""
    return {
        "levels": {"accuracy": 2},
        "evidence": {"accuracy": "The rubric says speed 12."},
        "critical_error": {"quote": quote, "reason": "The rubric says speed 12."},
    } | fields


def charged(quote: str = QUOTE, basis: str = "rubric") -> dict[str, Any]:
    return {"dimension": "accuracy", "quote": quote, "basis": basis}


def claimed(quote: str = "It casts cold.", suspected: bool = False) -> dict[str, Any]:
    return {"quote": quote, "suspected_false": suspected}


def rules(ruling: str, citation: dict[str, str] | None = PAGE, **by_kind: str) -> Model:
    """A verifier that gives every item one ruling, or one by its kind."""

    def model(request: Request) -> Reply:
        items = re.findall(r"^## Item (\d+) \(([\w, ]+)\)$", text_of(request), re.MULTILINE)
        rulings = [
            {
                "item": int(number),
                "ruling": next((by_kind[kind] for kind in kinds.split(", ") if kind in by_kind), ruling),
                "citation": citation,
                "reason": "As the page has it.",
            }
            for number, kinds in items
        ]
        return Reply(json.dumps({"rulings": rulings}), "stop", usage=USED)

    return model


class Watched:
    """A model that keeps what it was sent."""

    def __init__(self, model: Model) -> None:
        self.model, self.requests = model, list[Request]()

    def __call__(self, request: Request) -> Reply:
        self.requests.append(request)
        return self.model(request)

    @property
    def texts(self) -> list[str]:
        return [text_of(request) for request in self.requests]
