"""Check the statistics against known truth by simulation: ``python -m scripts.bench_validity [REPETITIONS] [SEED]``.

Draws exams and runs from populations whose truth is known, hands them to the formulas of the package, and counts
how often the 95 % intervals cover the truth, how often the tests raise a false alarm, and what the estimate of the
panel's asymmetry recovers. Prints a plain table; "±" is two standard errors of the count itself.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld
from gnollbench.scoring.indices import Z_95, index_error, weighted_index
from gnollbench.statistics.families import asymmetry, gaps, interaction
from gnollbench.statistics.intervals import combined_half_width, t_interval
from gnollbench.statistics.multirun import multi_run_index
from gnollbench.statistics.paired import (
    PairedT,
    SignedRank,
    paired_t,
    smallest_detectable_difference,
    wilcoxon,
)
from gnollbench.statistics.readings import Readings
from gnollbench.statistics.welch import FALSE_DISCOVERY_RATE, benjamini_hochberg, welch_p

Array = npt.NDArray[np.float64]
Draw = np.random.Generator

REPETITIONS = 4000  # two standard errors of a 95 % coverage are then 0.7 %
SEED = 20261130
LEVEL = 0.05
NOISE = 8.0  # assumed: points of sd from run to run on one question
GRADER_NOISE = 4.0  # assumed: points of sd of one neutral grader on one answer
EFFECT_SPREAD = 3.0  # assumed: points of sd by which an effect differs from question to question
LARGE = 400_000  # questions from which a population's truth is read


@dataclass(frozen=True, slots=True)
class Population:
    """A kind of exam: draws ``n`` questions as (weights, mean qualities)."""

    name: str
    questions: Callable[[Draw, int], tuple[Array, Array]]


def even(draw: Draw, n: int) -> tuple[Array, Array]:
    """Qualities about 65, far from both ends, the same at every difficulty."""
    return draw.integers(1, 101, n).astype(float), draw.normal(65, 12, n)


def ceiling(draw: Draw, n: int) -> tuple[Array, Array]:
    """A strong model: most answers near 100, one in ten capped at 25."""
    mean = np.where(draw.random(n) < 0.10, 25.0, 100 - draw.exponential(8, n))
    return draw.integers(1, 101, n).astype(float), mean


def falling(draw: Draw, n: int) -> tuple[Array, Array]:
    """Quality falls and scatters with difficulty, so that the weight sits on the uncertain items."""
    weight = draw.integers(1, 101, n).astype(float)
    return weight, draw.normal(95 - 0.5 * weight, 4 + 0.2 * weight)


POPULATIONS = (Population("even", even), Population("ceiling", ceiling), Population("falling", falling))


def scored(draw: Draw, mean: Array, shape: tuple[int, ...], noise: float = NOISE) -> Array:
    """Score questions of these means: noise, whole points, the ends of the scale."""
    return np.clip(np.round(mean + draw.normal(0, noise, shape)), 1, 100)


def true_index(draw: Draw, population: Population, day: float = 0.0) -> float:
    """Return the index over the whole population, over runs that are off by ``day`` points of sd as a whole."""
    weight, mean = population.questions(draw, LARGE)
    return float(scored(draw, mean + draw.normal(0, day, LARGE), (LARGE,)) @ weight / weight.sum())


def share(found: list[bool]) -> str:
    """Return how often something held, with two standard errors of that count."""
    p = float(np.mean(found))
    return f"{100 * p:5.1f} ± {200 * sqrt(p * (1 - p) / len(found)):.1f} %"


def mean_of(found: list[float]) -> str:
    """Return a mean with two standard errors."""
    return f"{np.mean(found):5.2f} ± {2 * np.std(found) / sqrt(len(found)):.2f}"


Row = tuple[str, str, str, str]


def single_run(draw: Draw, times: int) -> Iterator[Row]:
    """R37: I ± 1.96 SE of one run, against the index over the population of questions."""
    for population in POPULATIONS:
        truth = true_index(draw, population)
        for n in (6, 18, 50):
            found: list[bool] = []
            for _ in range(times):
                weight, mean = population.questions(draw, n)
                quality = scored(draw, mean, mean.shape).tolist()
                error = index_error(quality, weight.tolist())
                assert not isinstance(error, Withheld)
                found.append(abs(weighted_index(quality, weight.tolist()) - truth) <= Z_95 * error)
            yield "R37 index of a run covers", f"{population.name}, {n} questions", "95 %", share(found)


def several_runs(draw: Draw, times: int) -> Iterator[Row]:
    """R48: the combined interval of R runs; a run may be off as a whole (a provider's good or bad day)."""
    for population in POPULATIONS:
        for runs, day in ((3, 0.0), (3, 2.0), (10, 2.0)):
            truth = true_index(draw, population, day)
            found: list[bool] = []
            for _ in range(times):
                weight, mean = population.questions(draw, 18)
                days = draw.normal(0, day, (runs, 1))
                figures = multi_run_index(scored(draw, mean + days, (runs, 18)), weight)
                parts = (figures.se_reproducibility, figures.t_critical, figures.se_item)
                half = combined_half_width(*(None if isinstance(part, Withheld) else part for part in parts))
                found.append(half is not None and abs(figures.index - truth) <= half)
            setting = f"{population.name}, {runs} runs of 18, day sd {day:g}"
            yield "R48 index of a replicate set covers", setting, "95 %", share(found)


def differences(draw: Draw, population: Population, effect: float, runs: int, n: int) -> tuple[Array, Array]:
    """Draw two replicate sets of one exam, treatment raised by about `effect`; shapes (runs, n)."""
    _, mean = population.questions(draw, n)
    own = effect + draw.normal(0, EFFECT_SPREAD, n) if effect else np.zeros(n)
    return scored(draw, mean, (runs, n)), scored(draw, mean + own, (runs, n))


def true_effect(draw: Draw, population: Population, effect: float) -> float:
    """Return the mean difference over the population: less than the effect where scores end at 100."""
    base, treat = differences(draw, population, effect, 1, LARGE)
    return float((treat - base).mean())


def two_groups(draw: Draw, times: int) -> Iterator[Row]:
    """R50: the paired interval covers the effect; without an effect the tests are silent 95 times in 100."""
    for population in POPULATIONS:
        for effect, runs, n in ((0.0, 1, 18), (0.0, 3, 18), (4.0, 3, 18), (0.0, 3, 50)):
            truth = true_effect(draw, population, effect) if effect else 0.0
            covered: list[bool] = []
            ranks: list[bool] = []
            t: list[bool] = []
            for _ in range(times):
                base, treat = differences(draw, population, effect, runs, n)
                pairs = treat.mean(axis=0) - base.mean(axis=0)
                interval = t_interval(pairs)
                covered.append(not isinstance(interval, Withheld) and interval.low <= truth <= interval.high)
                ranks.append(below(wilcoxon(pairs)))
                t.append(below(paired_t(pairs)))
            setting = f"{population.name}, {runs} against {runs} runs of {n}, effect {effect:g}"
            yield "R50 mean paired difference covers", setting, "95 %", share(covered)
            if not effect:
                yield "R50 Wilcoxon, false alarms", setting, "5 %", share(ranks)
                yield "R50 paired t, false alarms", setting, "5 %", share(t)


def below(test: SignedRank | PairedT | Withheld) -> bool:
    """Tell whether a test speaks at the 5 % level; a withheld one does not."""
    return not isinstance(test, Withheld) and test.p <= LEVEL


def detectable(draw: Draw, times: int) -> Iterator[Row]:
    """R50: an effect of the size said to be detectable is found by the paired t 80 times in 100."""
    for n in (18, 50):
        found: list[bool] = []
        for _ in range(times):
            sized = draw.normal(0, 6, n)
            sized = sized / sized.std(ddof=1) * 6  # differences whose sd is the true one
            shift = smallest_detectable_difference(sized)
            assert not isinstance(shift, Withheld)
            found.append(below(paired_t(draw.normal(shift, 6, n))))
        yield "R50 detectable difference is detected", f"normal differences, {n} pairs", "80 %", share(found)


def items_of_two_groups(draw: Draw, times: int) -> Iterator[Row]:
    """R50: without an effect, any item flagged is a false discovery, so the family-wise rate is at most 5 %."""
    for population in POPULATIONS:
        found: list[bool] = []
        for _ in range(times):
            base, treat = differences(draw, population, 0.0, 5, 18)
            p = [welch_p(base[:, item], treat[:, item]) for item in range(18)]
            tested = np.array([value for value in p if not isinstance(value, Withheld)])
            found.append(bool((benjamini_hochberg(tested) <= FALSE_DISCOVERY_RATE).any()))
        yield (
            "R50 Welch and BH, any false item",
            f"{population.name}, 5 against 5 runs of 18",
            "≤ 5 %",
            share(found),
        )


def planted(draw: Draw, n: int, gamma: tuple[float, float], reader: float) -> Array:
    """Draw two candidates of the members' families, graded by members that favour their own by gamma.

    `reader` is how much the reference reader favours the first family. Returns the gaps, shape (n, 4).
    """
    weight, mean = even(draw, n)
    own = (np.array([gamma[0], 0.0, reader]), np.array([0.0, gamma[1], 0.0]))
    sides: list[Readings] = []
    for preference in own:
        answers = draw.normal(mean, NOISE)[:, None] + preference
        a, b, read = scored(draw, answers, (n, 3), GRADER_NOISE).T
        sides.append(Readings(weight, np.stack([a, b, (a + b) / 2, read], axis=1)[None]))
    return gaps(sides[:1], sides[1:])


def preferences(draw: Draw, times: int) -> Iterator[Row]:
    """R52: asymmetry recovers (γ_A - γ_B) / 2 and interaction γ_A + γ_B; a partial reader shifts the first."""
    for n, gamma, reader in (
        (18, (0.0, 0.0), 0.0),
        (18, (6.0, 6.0), 0.0),
        (18, (8.0, 2.0), 0.0),
        (50, (8.0, 2.0), 0.0),
        (50, (8.0, 2.0), 3.0),
    ):
        half_gap, both = (gamma[0] - gamma[1]) / 2, sum(gamma)
        estimates: list[float] = []
        contrasts: list[float] = []
        covered: list[bool] = []
        unequal: list[bool] = []
        for _ in range(times):
            gap = planted(draw, n, gamma, reader)
            values = asymmetry(gap)
            interval = t_interval(values)
            assert not isinstance(interval, Withheld)
            estimates.append(float(values.mean()))
            contrasts.append(float(interaction(gap).mean()))
            covered.append(interval.low <= half_gap <= interval.high)
            unequal.append(not interval.low <= 0 <= interval.high)
        setting = f"{n} questions, γ {gamma[0]:g} and {gamma[1]:g}, reader partial by {reader:g}"
        yield "R52 asymmetry, mean estimate", setting, f"{half_gap:g}", mean_of(estimates)
        yield "R52 asymmetry covers", setting, "95 %", share(covered)
        yield "R52 asymmetry interval excludes 0", setting, "5 %" if not half_gap else "", share(unequal)
        yield "R52 interaction, mean estimate", setting, f"{both:g}", mean_of(contrasts)


def main() -> None:
    """Print the table."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    draw = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
    print(f"{'what':<38}{'setting':<52}{'should be':>10}{'found':>18}")
    for part in (single_run, several_runs, two_groups, detectable, items_of_two_groups, preferences):
        for what, setting, nominal, found in part(draw, times):
            print(f"{what:<38}{setting:<52}{nominal:>10}{found:>18}", flush=True)


if __name__ == "__main__":
    main()
