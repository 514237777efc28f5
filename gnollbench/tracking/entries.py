"""What MLflow is told of a run: tags, parameters, metrics. Plain values, no mlflow.

Every value stays within MLflow's limits; what is longer stands whole in the artifacts.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from gnollbench.records.canonical import as_object, canonical_json, fingerprint, safe_text
from gnollbench.records.launch import EMBEDDED
from gnollbench.records.results import Results
from gnollbench.records.run import KEY_KINDS, Role, RunRecord
from gnollbench.scoring.indices import model_time_ms, total_usd
from gnollbench.scoring.outcomes import Integrity

RUN_ID = "gnollbench.run_id"
KIND = "gnollbench.kind"
REACHES_PROVIDER = "gnollbench.reaches_provider"

_LONGEST = 5000  # characters; MLflow takes 6000 of a parameter and 8000 of a tag
_PLAIN_KEYS = (
    "endpoint thinking_level reasoning_mode reasoning_summary service_tier parallel_execution question_parallelism"
).split()
_KEY_PARTS = {
    "prompt_options": ("response_style", "source_references"),
    "output_limit": ("max_output_tokens", "temperature", "top_p", "seed"),
}
_CORPORA = ("wiki", "source", "nethack_wiki", "knowledge")


def tags(record: RunRecord, reaches_provider: bool | None = None) -> dict[str, str]:
    """Return the run's tags: kind, identity, status, the 27 keys' hashes, one digest over them (R43, R61)."""
    hashes = {name: record.keys[name].hash for name in KEY_KINDS}
    reaches = reaches_a_provider(record.config) if reaches_provider is None else reaches_provider
    named = {
        KIND: "run",
        RUN_ID: record.run.id,
        "gnollbench.status": record.run.status,
        "gnollbench.candidate": _model(record, Role.CANDIDATE) or "unknown",
        "gnollbench.format": record.format,
        REACHES_PROVIDER: "true" if reaches else "false",
        "gnollbench.digest": fingerprint(hashes),
        **{f"gnollbench.key.{name}": value for name, value in hashes.items()},
    }
    if record.run.series is not None:
        named["gnollbench.series"] = record.run.series
    return {name: plain(value) for name, value in named.items()}


def parameters(record: RunRecord) -> dict[str, str]:
    """Return the short values that a person compares runs by; what is null is left out."""
    values: dict[str, Any] = {
        "suite": record.exam.suite,
        "mode": record.run.mode,
        "profile": record.profile.name,
        "harness_version": record.run.harness_version,
        "scoring_method": record.run.scoring_method,
        "questions": len(record.config.get("questions") or record.exam.questions),
        **{role: _model(record, role) for role in record.models},
        **{name: record.keys[name].value for name in _PLAIN_KEYS},
        **{
            part: as_object(record.keys[name].value).get(part)
            for name, parts in _KEY_PARTS.items()
            for part in parts
        },
        **{f"revision.{name}": record.provenance.get(name) for name in _CORPORA},
    }
    return {name: plain(_written(value)) for name, value in values.items() if value is not None}


def metrics(record: RunRecord) -> Iterator[tuple[str, float, int]]:
    """Yield name, value and step of every figure that the run gives; a withheld one is not among them (R3).

    The run's figures have step 0, ``quality`` and ``model_ms`` its place in the suite, from 1.
    """
    for name, value in {**_figures(record), **_costs(record)}.items():
        if value is not None and isfinite(value):
            yield name, float(value), 0
    places = {question.id: place for place, question in enumerate(record.exam.questions, start=1)}
    for answer in sorted(record.answers, key=lambda answer: places[answer.question]):
        if answer.score is None:
            continue
        yield "quality", answer.score.quality, places[answer.question]
        if answer.integrity is not Integrity.UNANSWERED:
            yield "model_ms", model_time_ms(answer.turn_ms, answer.tool_ms), places[answer.question]


def reaches_a_provider(config: dict[str, Any]) -> bool:
    """Say whether a role of this launch is neither embedded nor on a loopback address (R55).

    A configuration that names no model, as an imported record's, counts as reaching one.
    """
    models = list(_models(config))
    return not models or not all(_stays_here(model.get("endpoint")) for model in models)


def plain(text: str, longest: int = _LONGEST) -> str:
    """Return the text as every store takes it: no NUL, no lone surrogate, cut with a mark where too long."""
    kept = safe_text(text).replace("\x00", "\ufffd")
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def _model(record: RunRecord, role: Role) -> str | None:
    identity = record.models.get(role)
    return identity and f"{identity.provider}/{identity.model}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _figures(record: RunRecord) -> dict[str, float | None]:
    results = record.results
    if results is None:
        return {}
    return {
        "intelligence_index": results.intelligence.index,
        "intelligence_se": results.intelligence.se,
        "unweighted_quality": results.intelligence.unweighted,
        "speed_index": results.speed.index,
        "mean_model_ms": results.speed.mean_model_ms,
        **_outcomes(results),
    }


def _outcomes(results: Results) -> dict[str, float | None]:
    figures = results.outcomes
    if figures is None:
        return {}
    return {
        "outcome.correct": figures.correct,
        "outcome.partial": figures.partial,
        "outcome.incorrect": figures.incorrect,
        "outcome.not_attempted": figures.not_attempted,
        "outcome.no_answer": figures.no_answer,
        "critical_error_rate": figures.critical_error_rate.rate,
    }


def _costs(record: RunRecord) -> dict[str, float | None]:
    """Cost by role, and the total without the writer's; one that is known in part is no figure (R39)."""
    known = {role: None if cost.reason else cost.usd for role, cost in record.costs.items()}
    counted = [usd for role, usd in known.items() if role is not Role.WRITER]
    total = total_usd(counted) if counted else None
    return {"cost_usd": total, **{f"cost_usd.{role}": usd for role, usd in known.items()}}


def _models(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    groups: dict[str, dict[str, Any]] = {
        name: group for name, group in config.items() if isinstance(group, dict)
    }
    panel = groups.get("panel", {})
    places = [groups.get("candidate"), panel.get("assessor"), panel.get("co_assessor")]
    places += [groups.get(role, {}).get("llm") for role in ("reader", "verifier", "writer")]
    return (model for model in places if model)


def _stays_here(endpoint: str | None) -> bool:
    if endpoint == EMBEDDED:
        return True
    host = urlsplit(endpoint or "").hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
