"""Time the statistics on sets of the largest size: ``python -m scripts.bench_statistics``.

Prints one row a statistic: what it was given, and the median over the repetitions of wall clock and of processor
time. On a machine with other work the second is the one to read. Imports are done before the clock starts, except
in the row that times them.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from statistics import median
from time import perf_counter, process_time

import numpy as np

from gnollbench.records.results import Intelligence, MarkerCounts, Results, Score, SpeedFigures, Truncated
from gnollbench.records.run import (
    KEY_KINDS,
    Answer,
    Exam,
    ExamQuestion,
    Key,
    Mode,
    ModelIdentity,
    Role,
    RunHead,
    RunRecord,
)
from gnollbench.scoring.outcomes import Integrity, RunStatus
from gnollbench.scoring.profile import Band, Profile, ReaderThresholds, SpeedConstants, Weights
from gnollbench.scoring.verdict import Levels, Member, UnverifiedClaim, Verdict
from gnollbench.statistics.comparability import comparability
from gnollbench.statistics.compare import compare
from gnollbench.statistics.gaps import gaps
from gnollbench.statistics.items import items
from gnollbench.statistics.models import models
from gnollbench.statistics.paired import wilcoxon
from gnollbench.statistics.replicates import replicates
from gnollbench.statistics.runs import keys_of

SEED = 20261130
QUESTIONS = 50
WORDS = [f"word{number}" for number in range(5000)]
FREQUENCIES = [
    1 / (rank + 1) for rank in range(len(WORDS))
]  # Zipf's law: few words are common, most are rare
PROFILE = Profile(
    name="standard",
    weights=Weights(accuracy=0.55, completeness=0.25, conciseness=0.10, readability=0.10),
    points=(1, 15, 35, 55, 72, 87, 100),
    critical_error_ceiling=25,
    not_attempted_score=50,
    speed=SpeedConstants(base_ms=2000, points_per_doubling=12),
    reader=ReaderThresholds(outlier_points=25, minimum=4, low_quality=50, disagreement_points=15),
)
MARKERS = MarkerCounts(out_of_scope=0, form=0, beside_unexplained=0)
SPEED = SpeedFigures(index=80, mean_model_ms=5000, total_model_ms=250_000, ttft_p50_ms=700, saturated=False)


def main() -> None:
    """Print the table."""
    draw = random.Random(SEED)
    stored = [made(f"run{number}", f"model{number % 12}", draw) for number in range(1000)]
    series = [made(f"series{number}", "one", draw) for number in range(20)]
    changed = [made(f"changed{number}", "one", draw, limits="other") for number in range(20)]
    sources = {f"source{number}": [made(f"source{number}", f"model{number}", draw)] for number in range(20)}
    tied = np.repeat(np.arange(1.0, 6), 5) * np.where(np.arange(25) % 3, 1, -1)
    print(f"{'statistic':<48}{'wall ms':>10}{'cpu ms':>10}")
    row("import of compare, with numpy and scipy.special", 3, cold_import)
    row("exact Wilcoxon, 25 differences with ties", 200, lambda: wilcoxon(tied))
    row(
        "reading a record of 50 questions",
        20,
        partial(RunRecord.model_validate_json, stored[0].model_dump_json()),
    )
    row("tier over 1,000 runs", 5, lambda: comparability(keys_of(stored)))
    row("replicates, 20 runs of 50 questions", 5, lambda: replicates(series))
    row("compare, 20 against 20 runs of 50 questions", 5, lambda: compare(series, changed))
    row("models, 20 sources of 50 questions", 5, lambda: models(sources))
    row("items, 1,000 runs of 50 questions", 5, lambda: items(stored))
    row("gaps, 100,000 claims of 1,000 runs", 1, lambda: gaps(stored))


def row(name: str, times: int, work: Callable[[], object]) -> None:
    """Print what one statistic takes."""
    wall: list[float] = []
    processor: list[float] = []
    for _ in range(times):
        begun, used = perf_counter(), _processor_s()
        work()
        wall.append((perf_counter() - begun) * 1000)
        processor.append((_processor_s() - used) * 1000)
    print(f"{name:<48}{median(wall):>10.2f}{median(processor):>10.2f}")


def _processor_s() -> float:
    """Seconds of processor time of this process and of those that it started and that ended."""
    return process_time() + sum(os.times()[2:4])


def cold_import() -> None:
    """Import the comparison and one t quantile in a new interpreter."""
    code = "from gnollbench.statistics import compare, intervals; intervals.t_critical(5)"
    subprocess.run([sys.executable, "-c", code], check=True)


def made(ident: str, model: str, draw: random.Random, **changed: str) -> RunRecord:
    """A completed panel run of 50 questions with qualities, two unverified claims an answer and a reader."""
    answers = tuple(_answer(question, draw) for question in EXAM.questions)
    index = sum(answer.score.quality for answer in answers if answer.score) / QUESTIONS
    values = {name: f"{name}-1" for name in KEY_KINDS} | {"model": model} | changed
    return RunRecord.model_construct(
        run=RunHead(
            id=ident,
            status=RunStatus.COMPLETED,
            mode=Mode.PANEL,
            started_at=datetime(2026, 11, 1, tzinfo=UTC),
            elapsed_s=600,
            harness_version=45,
            scoring_method=13,
        ),
        models={
            role: ModelIdentity(provider=family, model=model, family=family)
            for role, family in (
                (Role.CANDIDATE, f"family{len(ident) % 4}"),
                (Role.ASSESSOR, "family0"),
                (Role.CO_ASSESSOR, "family1"),
            )
        },
        keys={name: Key.of(name, value) for name, value in values.items()},
        exam=EXAM,
        profile=PROFILE,
        answers=answers,
        costs={},
        results=Results(
            intelligence=Intelligence(
                index=index,
                se=2,
                low=index - 4,
                high=index + 4,
                truncated=Truncated(),
                unweighted=index,
                n=QUESTIONS,
                n_questions=QUESTIONS,
            ),
            speed=SPEED,
            outcomes=None,
            panel=None,
            markers=MARKERS,
        ),
    )


def _answer(question: ExamQuestion, draw: random.Random) -> Answer:
    quality = draw.randint(20, 200) / 2
    members = {Member.A: int(quality), Member.B: int(quality)}
    return Answer.model_construct(
        question=question.id,
        text="It is so.",
        integrity=Integrity.CLEAN,
        turn_ms=6000,
        tool_ms=1000,
        ttft_ms=700,
        tool_calls=draw.randint(0, 45),
        tool_call_budget=45,
        tool_rounds=8,
        model_calls=9,
        verdicts={Member.A: _verdict(question.id, draw), Member.B: _verdict(question.id, draw)},
        reader=_verdict(question.id, draw),
        claims=(),
        score=Score(quality=quality, members=members, speed=80.0),
    )


def _verdict(question: str, draw: random.Random) -> Verdict:
    claim = UnverifiedClaim(quote=_reworded(draw.choice(STATEMENTS[question]), draw))
    levels = dict.fromkeys(("accuracy", "completeness", "conciseness", "readability"), draw.randint(0, 6))
    return Verdict.model_construct(
        levels=Levels(**levels), critical_error=None, not_attempted=False, unverified_claims=(claim,)
    )


def _reworded(statement: list[str], draw: random.Random) -> str:
    """One of a question's common statements with up to three of its words replaced."""
    words = statement.copy()
    for place in draw.sample(range(len(words)), draw.randint(0, 3)):
        words[place] = draw.choices(WORDS, FREQUENCIES)[0]
    return " ".join(words)


EXAM = Exam(
    suite="synthetic",
    questions=tuple(
        ExamQuestion(
            id=f"q{number:02}", revision="r1", text="What of it?", band=Band.SIMPLE, difficulty=2 * number
        )
        for number in range(1, QUESTIONS + 1)
    ),
)

STATEMENTS = {
    question.id: [random.Random(f"{question.id} {n}").choices(WORDS, FREQUENCIES, k=12) for n in range(30)]
    for question in EXAM.questions
}

if __name__ == "__main__":
    main()
