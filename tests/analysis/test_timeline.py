"""Steps from one intermediate profile to the next: the increase in each step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.run import analyze_run
from pomp_clang.analysis.timeline import timeline
from pomp_clang.experiment.model import CallPath, Counters
from tests.handmade import ocean, with_snapshots


def test_without_profiles_in_between_there_is_nothing() -> None:
    assert timeline(ocean(), 10) == ()


def test_each_step_has_its_share_of_the_whole() -> None:
    first, second, last = timeline(with_snapshots(ocean(), 0.25, 0.5), 10)
    total = analyze_run(ocean()).parts()
    assert (first.begin, first.end, first.cause) == (0.0, 0.625, "interval")
    assert (second.begin, second.end) == (0.625, 1.25)
    assert (last.begin, last.end, last.cause) == (1.25, 2.5, "end")
    for step, share in ((first, 0.25), (second, 0.25), (last, 0.5)):
        assert step.parts == pytest.approx({name: share * time for name, time in total.items()})


def test_fewer_steps_span_more() -> None:
    experiment = with_snapshots(ocean(), *(i / 100 for i in range(1, 100)))
    steps = timeline(experiment, 10)
    assert len(steps) == 10
    assert [step.begin for step in steps[1:]] == [step.end for step in steps[:-1]]
    together = {name: sum(step.parts[name] for step in steps) for name in steps[0].parts}
    assert together == pytest.approx(analyze_run(ocean()).parts())


def test_the_busiest_region_is_that_with_most_time_of_its_own() -> None:
    experiment = ocean()
    paths = (
        CallPath("C00001", None, "R00001"),
        CallPath("C00002", "C00001", "R00002"),
    )
    profile = {
        (path, tid): experiment.profile[region, tid]
        for path, region in (("C00001", "R00001"), ("C00002", "R00002"))
        for tid in range(4)
    }
    experiment = with_snapshots(replace(experiment, callpaths=paths, callpath_profile=profile), 0.5)
    (step, _) = timeline(experiment, 10)
    assert step.busiest is not None
    assert step.busiest.id == "R00001"
    assert step.busiestT == pytest.approx(0.5 * 4 * (2.0 - 0.5))


def test_what_was_counted_in_each_step() -> None:
    values: dict[tuple[str, int], tuple[int, ...]] = {("", 0): (100, 40), ("C00001", 1): (20, 0)}
    counters = Counters(("faults", "clock"), "rate=faults/clock", values)
    experiment = with_snapshots(replace(ocean(), counters=counters), 0.25, 0.5)
    first, second = experiment.snapshots
    then: dict[tuple[str, int], tuple[int, ...]] = {("", 0): (30, 10)}
    experiment = replace(
        experiment, snapshots=(replace(first, counted=then), replace(second, counted=then))
    )
    assert [step.counted for step in timeline(experiment, 10)] == [
        (30, 10, 3),
        (0, 0, None),
        (90, 30, 3),
    ]
