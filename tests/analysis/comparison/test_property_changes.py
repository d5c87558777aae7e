"""Properties of two runs are paired by their places."""

from __future__ import annotations

import pytest
from hypothesis import given

from pomp_clang.analysis.comparison.verdicts import property_changes
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from tests.analysis.comparison.test_comparison import after, before
from tests.handmade import experiments


def test_what_holds_in_both_in_one_and_of_the_program() -> None:
    actual = property_changes(analyze_run(before()), analyze_run(after()))
    shares = [(c.name, c.a and c.a.share, c.b and c.b.share) for c in actual]
    assert shares == [
        ("CriticalSectionContention", 0.125, None),
        ("IdleThreads", pytest.approx(3.5 / 8), pytest.approx(3.25 / 6)),
        ("WaitAtBarrier", 0.0625, None),
        ("ImbalanceInParallelLoop", 0.125, pytest.approx(1 / 6)),
    ]
    loop = next(c for c in actual if c.name == "ImbalanceInParallelLoop")
    assert loop.profile and loop.profile.region.begin_line1 == 15
    assert loop.delta == pytest.approx(1 / 6 - 1 / 8)


@given(experiments())
def test_a_run_and_itself(any_run: Experiment) -> None:
    for property_change in property_changes(analyze_run(any_run), analyze_run(any_run)):
        assert property_change.a == property_change.b and property_change.delta == 0


@given(experiments(), experiments())
def test_everything_is_there_once_the_largest_change_first(a: Experiment, b: Experiment) -> None:
    run, other = analyze_run(a), analyze_run(b)
    actual = property_changes(run, other)
    sizes = [abs(change.delta) for change in actual]
    assert sizes == sorted(sizes, reverse=True)
    assert all(change.a or change.b for change in actual)
    for change in actual:
        if change.a and change.b:
            assert bool(change.a.profile) == bool(change.b.profile)
