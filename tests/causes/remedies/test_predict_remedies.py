"""Remedies of a program of ten seconds, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.measured_cost import ASSUMED, AtomicCost, measure_atomic_cost
from pomp_clang.causes.findings.predictions import REMEDIES, remedies_at
from pomp_clang.causes.properties import openmp
from pomp_clang.causes.remedies import RemedyPrediction, replace_critical, sentence_of
from pomp_clang.causes.run.run import Run
from pomp_clang.trace.layout import Op
from tests.causes.scripts import (
    CRITICAL,
    NEXT_TEAM,
    PARALLEL,
    SECOND_REGION,
    TEAM,
    begin,
    critical,
    departing,
    ending,
    event,
    fork,
    member,
    run_of,
    two,
)


def _paths(run: Run, line: int) -> list[int]:
    return [row for row, place in enumerate(run.paths) if place.line == line]


def _regions(folder: Path, gap: float) -> Run:
    """Return two regions, each with a second for the fork, one of work and one for the join."""
    then = 4 + gap
    master = [
        fork(1, PARALLEL, TEAM), begin(2, PARALLEL), event(3, Op.ASSEMBLED, 0, TEAM),
        *ending(PARALLEL, TEAM, 3, 3, 4),
        fork(then, SECOND_REGION, NEXT_TEAM), begin(then + 1, SECOND_REGION),
        event(then + 2, Op.ASSEMBLED, 0, NEXT_TEAM),
        *ending(SECOND_REGION, NEXT_TEAM, then + 2, then + 2, then + 3),
    ]  # fmt: skip
    worker = [
        member(2, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 3),
        member(then + 1, SECOND_REGION, NEXT_TEAM, then), *departing(SECOND_REGION, then + 2, then + 2),
    ]  # fmt: skip
    return run_of(folder, master, worker)


def test_neighboring_regions_are_merged(tmp_path: Path) -> None:
    """The first join and the second fork take no time any more."""
    run = _regions(tmp_path, 0)
    for line in (10, 130):
        (remedy,) = remedies_at(run, openmp.Fork, _paths(run, line))
        assert (remedy.before, remedy.seconds) == (10, pytest.approx(8))
        assert remedy.change == "merging 2 neighboring regions"
        assert remedy.condition.count(":10") == remedy.condition.count(":130") == 1


def test_regions_with_serial_code_between_are_no_neighbors(tmp_path: Path) -> None:
    run = _regions(tmp_path, 1.5)
    assert remedies_at(run, openmp.Fork, _paths(run, 10)) == ()


def test_a_reduction_ends_waits_and_prices_of_a_critical(tmp_path: Path) -> None:
    """The worker waits two seconds and half a second for the way out, the master only the latter."""
    run = run_of(tmp_path, *two(critical(CRITICAL, 2, 2, 4, 4.5), critical(CRITICAL, 2, 4, 6, 6.5)))
    (remedy,) = remedies_at(run, openmp.CriticalContention, _paths(run, 30))
    assert (remedy.before, remedy.seconds) == (10, pytest.approx(9.5))


def test_an_atomic_takes_its_measured_price(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replace_critical, "measure_atomic_cost", lambda _: AtomicCost(0.25, 0.5))
    short = 1e-7
    run = run_of(
        tmp_path,
        *two(
            critical(CRITICAL, 2, 2, 2 + short, 4), critical(CRITICAL, 2, 4, 4 + short, 6)
        ),
    )  # fmt: skip
    reduction, atomic = remedies_at(run, openmp.CriticalContention, _paths(run, 30))
    assert reduction.seconds == pytest.approx(8, abs=1e-6)
    # Two updates are 1 of 8 seconds: an eighth of the way from 0.25 to two threads' 0.5 each.
    assert atomic.seconds == pytest.approx(8 + 0.25 + 0.75 / 8, abs=1e-6)


def test_the_sentence_has_the_best_remedy_and_the_next_one() -> None:
    best = RemedyPrediction("a reduction in its place", 0.01, 0.04, "A condition.")
    second = RemedyPrediction("an atomic in its place", 0.02, 0.04)
    assert sentence_of((best, second)) == (
        "A reduction in its place would take 10.0 ms instead of 40.0 ms (-75 %); "
        "an atomic in its place 20.0 ms. A condition."
    )
    assert sentence_of(()) == ""


def test_a_remedy_that_saves_less_than_a_hundredth_is_none(tmp_path: Path) -> None:
    run = run_of(
        tmp_path, *two(critical(CRITICAL, 2, 2, 4, 4.01), critical(CRITICAL, 4, 4.01, 6, 6.01))
    )
    assert remedies_at(run, openmp.CriticalContention, _paths(run, 30)) == ()


def test_every_property_with_remedies_is_a_finding() -> None:
    assert all(kind.remedy is not None for kind in REMEDIES)


def test_the_price_of_an_atomic_without_a_compiler_is_assumed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    assert measure_atomic_cost("libgomp") == ASSUMED


def test_the_price_of_an_atomic_is_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    measured = []

    def measure(runtime: str) -> AtomicCost:
        measured.append(runtime)
        return AtomicCost(0.25, 0.5, runtime == "libomp")

    monkeypatch.setattr(replace_critical, "measure_atomic_cost", measure)
    for runtime in ("libomp", "libgomp", ""):
        for _ in range(2):
            cost = replace_critical.known_cost(runtime)
            assert (cost.own, cost.serial) == (0.25, 0.5)
    assert measured == ["libomp", "libgomp", "libgomp", "", ""]
