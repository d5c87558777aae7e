"""Waits of threads after a cancellation are lost time, by name; looking for one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import Measured
from tests.handmade import experiment, region


def analysed(
    kind: str, clauses: str, *measured: Measured
) -> tuple[OverheadAnalysis, list[PropertyFinding]]:
    """Return the analysis of a program with such a directive, and the properties found there."""
    run = experiment(
        [replace(region("R1", kind, 3), clauses=clauses)],
        {("R1", tid): values for tid, values in enumerate(measured)},
        threads=len(measured),
    )
    profiles = flat_profile(run)
    analysis = analyze_overheads(run, profiles)
    return analysis, [prop for prop in find_properties(profiles, analysis) if prop.profile]


@pytest.mark.parametrize("kind", ["cancel", "cancellation point"])
@pytest.mark.parametrize("clauses", ["for", "sections", "parallel"])
def test_the_wait_after_a_cancellation_is_lost(kind: str, clauses: str) -> None:
    analysis, (actual,) = analysed(kind, clauses, Measured(1, 0.3), Measured(1, 0.1))
    assert (actual.name, actual.overhead) == ("WaitAfterCancellation", Overhead.IMBAL)
    assert actual.severity == pytest.approx(0.4, rel=1e-5)
    assert actual.locations == pytest.approx((0.3, 0.1), rel=1e-5)
    assert analysis.exclusive["R1"].of(Overhead.IMBAL) == actual.severity


def test_looking_whether_a_construct_is_cancelled_is_no_wait() -> None:
    analysis, actual = analysed("cancellation point", "for", Measured(100_000, 0.005))
    assert (analysis.exclusive["R1"].total, actual) == (0, [])


def test_the_end_of_a_cancelled_task_is_not_known() -> None:
    analysis, actual = analysed("cancel", "taskgroup", Measured(1, 0.3))
    assert (analysis.exclusive["R1"].total, actual) == (0, [])
