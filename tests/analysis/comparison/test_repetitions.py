"""Repeated runs: medians, and conditions that noise does not meet."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pomp_clang.analysis.comparison.conditions import Condition, parse
from pomp_clang.analysis.comparison.repetitions import (
    Repetitions,
    compare_repeated,
    median_run,
    repeated_verdicts,
)
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment.model import Measured
from tests.handmade import experiment, region


def run_of(seconds: float, loop: float | None = None, shift: int = 0) -> AnalyzedRun:
    """Return a run of `seconds`, with a loop of so many seconds a thread, or without it."""
    regions = [region("R1", "parallel", 10 + shift, 30 + shift)]
    profile = {
        ("R1", tid): Measured(10, seconds, 10, seconds / 2, exitBarT=seconds / 2)
        for tid in range(4)
    }
    if loop is not None:
        regions.append(region("R2", "for", 12 + shift, 20 + shift))
        profile |= {("R2", tid): Measured(100, loop, 100, loop) for tid in range(4)}
    return analyze_run(experiment(regions, profile, duration=seconds, directory=f"run-{seconds}"))


def sides(a: list[float], b: list[float]) -> Repetitions:
    """Return repetitions in which both duration and loop last so long."""
    first = tuple(run_of(seconds, seconds / 4) for seconds in a)
    return compare_repeated(first, tuple(run_of(seconds, seconds / 4, shift=3) for seconds in b))


def conditions(*texts: str) -> list[tuple[str, Condition]]:
    return [(text, parse(text)) for text in texts]


def held(repetitions: Repetitions, *texts: str) -> list[tuple[str, str]]:
    return [
        (verdict.text, verdict.compared.latest.region.kind if verdict.compared else "program")
        for verdict in repeated_verdicts(repetitions, conditions(*texts))
    ]


def test_regions_have_medians_and_the_sides_their_median_run() -> None:
    repetitions = sides([2.0, 9.0, 1.0], [3.0, 4.0, 8.0, 5.0])
    assert (repetitions.a.duration, repetitions.b.duration) == (2.0, 4.0)
    times = {
        compared.latest.region.kind: (
            compared.a and compared.a.execT,
            compared.b and compared.b.execT,
        )
        for compared in repetitions.regions
    }
    assert times == {"parallel": (8.0, 18.0), "for": (2.0, 4.5)}
    assert [compared.moved for compared in repetitions.regions] == [True, True]


def test_a_condition_holds_where_all_pairs_of_three_runs_meet_it() -> None:
    repetitions = sides([1.0, 1.1, 1.05], [1.5, 1.6, 1.4])
    assert held(repetitions, "duration > 20%") == [("duration > 20%", "program")]
    assert held(repetitions, "execT > 20%") == [("execT > 20%", "parallel"), ("execT > 20%", "for")]
    # The slowest run of A and the fastest of B differ by 27 %.
    assert held(repetitions, "duration > 30%") == []
    (verdict,) = repeated_verdicts(repetitions, conditions("duration > 20%"))
    assert (verdict.pairs, verdict.confidence) == ((9, 9), pytest.approx(0.95))
    ((name, growth),) = verdict.grown
    assert (name, growth.amount) == ("duration", pytest.approx(0.45))


def test_one_slow_run_of_b_is_noise() -> None:
    repetitions = sides([1.0, 1.1, 1.05], [1.04, 9.0, 1.02])
    assert held(repetitions, "duration > 20%", "execT > 20%", "lostT > 0.1s") == []
    assert [compared.is_noise for compared in repetitions.regions] == [True, True]


def test_counts_need_no_margin() -> None:
    a = tuple(run_of(1.0, 0.2) for _ in range(3))
    more = run_of(1.0, 0.2)
    profile = {key: replace(m, execC=m.execC + 1) for key, m in more.experiment.profile.items()}
    b = tuple(analyze_run(replace(more.experiment, profile=profile)) for _ in range(3))
    same = compare_repeated(a, a)
    assert held(compare_repeated(a, b), "execC > 0") == [
        ("execC > 0", "parallel"),
        ("execC > 0", "for"),
    ]
    assert held(same, "execC > 0", "new", "gone") == []


def test_a_region_of_one_side_is_new_or_gone() -> None:
    without, with_loop = (run_of(1.0),) * 3, (run_of(1.0, 0.5),) * 3
    assert held(compare_repeated(without, with_loop), "new") == [("new", "for")]
    assert held(compare_repeated(with_loop, without), "gone") == [("gone", "for")]


def test_two_runs_of_each_side_need_all_pairs() -> None:
    repetitions = sides([1.0, 1.1], [1.5, 1.6])
    (verdict,) = repeated_verdicts(repetitions, conditions("duration > 20%"))
    assert (verdict.pairs, verdict.confidence) == ((4, 4), pytest.approx(5 / 6))
    assert not repetitions.durations.is_beyond_noise


def test_noise_alone_fails_at_most_one_gate_in_twenty() -> None:
    generator = random.Random(24)
    failed = 0
    for _ in range(400):
        a, b = ([1.0 + generator.expovariate(5) for _ in range(3)] for _ in range(2))
        failed += bool(held(sides(a, b), "duration > 0%"))
    assert failed <= 400 / 20 * 1.5


def test_the_median_run_of_an_even_number_is_the_shorter_one() -> None:
    assert median_run([run_of(seconds) for seconds in (4.0, 1.0, 3.0, 2.0)]).duration == 2.0
