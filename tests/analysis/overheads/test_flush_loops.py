"""Flushes in a loop that waits for another thread, as in NPB LU."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.overheads.flush_loops import flush_loops
from pomp_clang.analysis.perturbation import costs_by_place, perturbation
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import CallPath, EventCosts, Experiment, Measured
from pomp_clang.report.model import profile_report
from tests.handmade import experiment, region

_COSTS = EventCosts(pair=15e-9, pair_within=5e-9, step=0.0, parallel=0.0, parallel_within=0.0)


def _pipeline(*flushes: int) -> Experiment:
    """Return a run of 1 s whose threads flush so often, for 10 ns each time."""
    rows = {("R2", tid): Measured(count, count * 1e-8) for tid, count in enumerate(flushes)}
    work = {("R1", tid): Measured(1, 1.0, 1, 1.0) for tid in range(len(flushes))}
    regions = [region("R1", "parallel", 1, 9), region("R2", "flush", 4)]
    run = experiment(regions, work | rows, threads=len(flushes), duration=1.0)
    paths = CallPath("P1", None, "R1"), CallPath("P2", "P1", "R2")
    by_path = {(f"P{name[1]}", tid): row for (name, tid), row in run.profile.items()}
    return replace(run, costs=_COSTS, callpaths=paths, callpath_profile=by_path)


def _finding(run: Experiment) -> PropertyFinding:
    profiles = flat_profile(run)
    (finding,) = (
        finding
        for finding in find_properties(profiles, analyze_overheads(run, profiles))
        if finding.profile and finding.profile.region.kind == "flush"
    )
    return finding


def test_the_wait_contains_the_events_of_its_flushes() -> None:
    run = _pipeline(0, 3_000_000)
    finding = _finding(run)
    assert (finding.name, finding.title) == ("WaitInFlushLoop", "Wait in a loop with flush")
    assert finding.severity == pytest.approx(0.06)
    assert finding.text == (
        "Threads flush 3,000,000 times in a loop until another thread writes: they wait 60.0 ms."
    )
    assert finding.advice.startswith("Let the awaited thread write sooner")


def test_a_pipeline_of_several_waits_has_few_flushes_in_each() -> None:
    """As in NPB LU: one of the threads waits at each place, for a part of the run."""
    assert _finding(_pipeline(0, 400_000)).name == "WaitInFlushLoop"


def test_the_measurement_of_such_flushes_costs_nothing() -> None:
    run = _pipeline(0, 3_000_000)
    assert flush_loops(run) == {"R2"}
    estimate = perturbation(run)
    assert estimate is not None and estimate.total < 1e-6
    assert all(cost.within + cost.around < 1e-6 for cost in costs_by_place(run).values())


@pytest.mark.parametrize("flushes", [(3_000_000, 3_000_000), (0, 90_000), (200_000, 900_000)])
def test_flushes_as_steps_of_the_work_are_no_wait(flushes: tuple[int, ...]) -> None:
    """All threads flush alike, or too seldom for a loop that does nothing else."""
    run = _pipeline(*flushes)
    finding = _finding(run)
    assert (finding.name, flush_loops(run)) == ("FrequentFlush", frozenset())
    assert finding.severity == pytest.approx(sum(flushes) * 5e-9)
    estimate = perturbation(run)
    assert estimate is not None and estimate.total > sum(flushes) * 1e-8


def test_the_waits_of_a_pipeline_are_one_finding() -> None:
    """As in NPB LU, where threads wait in four loops."""
    regions = [region(f"R{line}", "flush", line) for line in (2, 4, 6)]
    run = _pipeline(0, 400_000)
    row = run.profile["R2", 1]
    profile = {key: own for key, own in run.profile.items() if key[0] == "R1"}
    profile |= {(at.id, tid): row if tid else Measured() for at in regions for tid in (0, 1)}
    many = replace(
        run, regions=(region("R1", "parallel", 1, 9), *regions), profile=profile, callpaths=(),
        callpath_profile={},
    )  # fmt: skip
    (finding,) = (it for it in profile_report(many).findings if it.name == "WaitInFlushLoop")
    assert finding.is_combined and finding.regions == 3
    assert finding.text.startswith("Threads flush 1,200,000 times in loops at 3 places")
