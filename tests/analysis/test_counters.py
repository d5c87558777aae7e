"""Counters by region and call path, inclusive and exclusive."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.counters import Counted, counter_profile
from pomp_clang.experiment.model import CallPath, Counters, Experiment
from tests.handmade import experiment, region


def counted_run(metrics: str = "faults,ratio=faults/2") -> Experiment:
    """Return a function that calls itself inside a critical section, run by two threads."""
    regions = (region("R00001", "function", 1, 50), region("R00002", "critical", 10, 40))
    paths = (
        CallPath("C00001", None, "R00001"),
        CallPath("C00002", "C00001", "R00002"),
        CallPath("C00003", "C00002", "R00001"),
    )
    values: dict[tuple[str, int], tuple[int, ...]] = {
        ("", 0): (100,),
        ("C00001", 0): (1,),
        ("C00002", 0): (2,),
        ("C00003", 0): (4,),
        ("C00002", 1): (8,),
        ("C00001", 1): (16,),
    }
    counters = Counters(("faults",), metrics, values)
    return experiment(regions, {}, threads=2, callpaths=paths, counters=counters)


def test_nothing_was_counted() -> None:
    assert counter_profile(replace(counted_run(), counters=None)) is None


def test_call_paths() -> None:
    actual = counter_profile(counted_run("faults"))
    assert actual is not None
    assert {place.id: place.total for place in actual.callpaths} == {
        "C00001": Counted((31,), (17,)),
        "C00002": Counted((14,), (10,)),
        "C00003": Counted((4,), (4,)),
    }
    assert actual.callpaths[0].threads == {0: Counted((7,), (1,)), 1: Counted((24,), (16,))}
    assert (actual.outside, actual.total) == ((100,), (131,))


def test_a_visit_within_another_of_the_region_is_counted_once() -> None:
    actual = counter_profile(counted_run("faults"))
    assert actual is not None
    assert {place.id: place.total for place in actual.regions} == {
        "R00001": Counted((31,), (21,)),
        "R00002": Counted((14,), (10,)),
    }


def test_results_are_of_the_sums() -> None:
    actual = counter_profile(counted_run())
    assert actual is not None
    assert [(m.name, m.expression) for m in actual.metrics] == [
        ("faults", ""),
        ("ratio", "faults/2"),
    ]
    assert actual.callpaths[0].total == Counted((31, 15.5), (17, 8.5))
    assert actual.outside == (100, 50.0)


def test_results_that_cannot_be_are_named() -> None:
    actual = counter_profile(counted_run("faults,bad=faults/,ipc=ins/cyc,good=faults*3,of=good/3"))
    assert actual is not None
    assert [metric.name for metric in actual.metrics] == ["faults", "good", "of"]
    assert actual.total == (131, 393, 131)
    assert [note.split(":")[0] for note in actual.notes] == ["bad is not shown", "ipc is not shown"]
    assert "cyc, ins" in actual.notes[1]
