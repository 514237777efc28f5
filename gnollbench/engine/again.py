"""Scoring a run again: its stored answers under other rules, beside the first scoring (R24, R42)."""

from datetime import datetime

from gnollbench.errors import Refusal
from gnollbench.records.figures import evaluate
from gnollbench.records.run import Key, RunRecord, Scoring
from gnollbench.records.scores import rules_of
from gnollbench.scoring.profile import Profile


def rescored(
    record: RunRecord, time: datetime, method: int | None = None, profile: Profile | None = None
) -> RunRecord:
    """Return the record with one more scoring; its answers and its first scoring stay as they are.

    Parameters
    ----------
    record : RunRecord
        A run that was not broken off.
    time : datetime
        When this is done, with its time zone.
    method : int, optional
        Scoring method, 12 or 13; the record's own by default.
    profile : Profile, optional
        The record's own by default.

    Raises
    ------
    Refusal
        If the run was broken off, the method is unknown, or it has one assessor and the run a panel.
    """
    rules = rules_of(record, method, profile)
    evaluation = evaluate(record, method, profile)
    if evaluation.status.aborted:
        raise Refusal(
            f"scoring {record.run.id} again is refused",
            f"the run is {evaluation.status}, and a run that was broken off gets no score",
            "a repair of the run, or a new one",
        )
    scoring = Scoring(
        method=rules.method.version,
        profile=rules.profile,
        time=time,
        scores=evaluation.answers,
        results=evaluation.results,
        withheld=evaluation.withheld,
        keys={**record.keys, **_changed_keys(rules.method.version, profile)},
    )
    return record.model_copy(update={"scorings": (*record.scorings, scoring)})


def _changed_keys(method: int, profile: Profile | None) -> dict[str, Key]:
    """Return the keys that other rules move: a profile carries the speed constants with it (R45)."""
    values = {"scoring_method": method}
    if profile is not None:
        values |= {
            "scoring_profile": profile.scoring_semantics(),
            "speed_calibration": profile.speed_calibration(),
        }
    return {name: Key.of(name, value) for name, value in values.items()}
