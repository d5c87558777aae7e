"""Regions followed through many runs."""

from __future__ import annotations

import random
from dataclasses import replace

from pomp_clang.analysis.comparison.history import ProgramHistory, history_of
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment.model import Measured
from tests.handmade import experiment, region


def run_at(number: int, loop: float, *, lock: float | None = 0.25, shift: int = 0) -> AnalyzedRun:
    """Return a run with a loop of so many seconds a thread, and a critical section or none."""
    regions = [region("R1", "for", 12 + shift, 20 + shift, file="src/solve.c", function="solve")]
    profile = {("R1", tid): Measured(100, loop, 100, loop) for tid in range(4)}
    if lock is not None:
        regions.insert(0, region("R2", "critical", 5 + shift, sub_name="queue", file="src/solve.c"))
        profile |= {("R2", tid): Measured(10, 2 * lock, 10, lock, lock) for tid in range(4)}
    start = f"2026-11-{number + 1:02}T10:00:00+00:00"
    return analyze_run(
        experiment(
            regions, profile, duration=loop + 1.0, start=start, directory=f"run-{number + 1}"
        )
    )


def slower_from(change: int, runs: int = 14) -> ProgramHistory:
    """Return a history of which the loop takes half as long again from a run on, with noise."""
    generator = random.Random(24)
    return history_of(
        [
            run_at(n, (1.5 if n >= change else 1.0) * generator.gauss(1, 0.02), shift=n)
            for n in range(runs)
        ]
    )


def test_a_moved_region_is_followed_and_its_change_is_at_its_run() -> None:
    history = slower_from(8)
    assert [row.region.kind for row in history.regions] == ["for", "critical"]
    loop, critical = history.regions
    assert loop.region.begin_line1 == 12 + 13
    assert [side is not None for side in loop.runs] == [True] * 14
    assert [change.at for change in loop.changes] == [8]
    assert critical.changes == ()
    assert [change.at for change in history.changes] == [8]


def test_a_region_that_is_gone_comes_last_and_a_new_one_starts_at_its_run() -> None:
    runs = [run_at(n, 1.0, lock=9.0 if n < 3 else None) for n in range(6)]
    loop, critical = history_of(runs).regions
    assert (loop.region.kind, critical.region.kind) == ("for", "critical")
    assert [side is not None for side in critical.runs] == [True] * 3 + [False] * 3
    assert critical.costs == (72.0, 72.0, 72.0, 0.0, 0.0, 0.0)
    late = history_of([run_at(0, 1.0, lock=None), run_at(1, 1.0)])
    assert [row.costs[0] for row in late.regions if row.region.kind == "critical"] == [0.0]


def test_the_cost_can_be_what_the_region_loses_itself() -> None:
    history = history_of([run_at(n, 1.0) for n in range(3)], "overhead")
    costs = {row.region.kind: row.costs for row in history.regions}
    assert costs == {"critical": (1.0, 1.0, 1.0), "for": (0.0, 0.0, 0.0)}


def test_a_region_that_never_ran_is_not_there() -> None:
    run = run_at(0, 1.0)
    never = analyze_run(replace(run.experiment, profile={}))
    assert history_of([never, never]).regions == ()
