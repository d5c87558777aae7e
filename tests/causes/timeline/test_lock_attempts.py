"""Attempts to get a lock that a thread repeats: what counts as waiting, in the causes and in the
profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from pomp_clang.trace.layout import Kind
from tests.causes.programs import PROGRAMS
from tests.causes.programs.measured import build, measure
from tests.causes.programs.program import source_of
from tests.causes.scripts import (
    CRITICAL,
    FLUSH,
    LOCK,
    Stream,
    cells,
    critical,
    cube_of,
    held,
    leave,
    let_go,
    lock,
    opened,
    two,
)
from tests.causes.test_programs import row_of
from tests.compilers import links_openmp


def attempt(since: float, until: float) -> Stream:
    return [opened(since, Kind.SYNC, LOCK), leave(until, LOCK)]


def flush(since: float, until: float) -> Stream:
    return [opened(since, Kind.SIMPLE, FLUSH), leave(until, FLUSH)]


def attempt_times(folder: Path, *worker: Stream) -> tuple[float, float]:
    """Return the time in vain attempts, and the contention of the worker, while the master has the
    lock from 1.5 to 6."""
    stream = [word for part in worker for word in part]
    cube = cube_of(folder, *two(lock(5, 1.5, 1.5, 6), stream))
    vain = cells(cube, "Failed Attempts").get((70, 1), 0.0)
    return vain, cells(cube, "Lock API", "Contention").get((70, 1), 0.0)


def test_one_attempt_takes_what_it_takes(tmp_path: Path) -> None:
    assert attempt_times(tmp_path, attempt(2, 2.5)) == (0.5, 0)


def test_what_lies_between_attempts_is_waiting(tmp_path: Path) -> None:
    assert attempt_times(tmp_path, attempt(2, 2.001), attempt(2.009, 2.01)) == (0.01, 0)


def test_a_thread_that_was_away_for_longer_had_other_work(tmp_path: Path) -> None:
    assert attempt_times(tmp_path, attempt(2, 2.001), attempt(2.02, 2.021)) == (0.002, 0)


def test_a_thread_may_pause_for_as_long_as_it_has_tried(tmp_path: Path) -> None:
    """As one does that doubles its pauses: it waits from 2 to the release at 6."""
    attempts = [attempt(2 + at, 2.001 + at) for at in (0, 0.005, 0.01, 0.02, 0.04, 0.08, 1.1)]
    vain, waited = attempt_times(tmp_path, *attempts[:-1], lock(5, 2.16, 6.1, 7))
    assert (vain, waited) == (0, 4)
    assert attempt_times(tmp_path, *attempts)[0] == pytest.approx(0.082)


def test_a_thread_with_other_events_in_between_did_not_wait(tmp_path: Path) -> None:
    assert attempt_times(
        tmp_path, attempt(2, 2.001), flush(2.003, 2.004), attempt(2.005, 2.006)
    ) == (
        0.002,
        0,
    )


def test_a_lock_that_was_held_before_is_no_attempt(tmp_path: Path) -> None:
    """The worker gives up another lock of the same place between its attempts, and a critical section
    after one of them changes nothing."""
    other = [*lock(6, 2, 2.001, 2.003)]
    assert attempt_times(tmp_path, other, attempt(2.004, 2.005)) == (0.001, 0)
    section = critical(CRITICAL, 2.006, 2.006, 2.007, 2.007)
    assert attempt_times(tmp_path, attempt(2, 2.005), section) == (0.005, 0)


def test_releases_of_nested_locks_are_no_attempts(tmp_path: Path) -> None:
    """The lock that was got first is released last."""

    def given_up(number: int, moment: float) -> Stream:
        release = let_go(LOCK, number, moment)
        return [opened(moment, Kind.SYNC, LOCK), release, leave(moment + 0.001, LOCK)]

    acquisitions = [*held(LOCK, 6, 2, 2.001), *held(LOCK, 7, 2.002, 2.003)]
    nested = [*acquisitions, *given_up(7, 2.01), *given_up(6, 2.02)]
    assert attempt_times(tmp_path, nested, attempt(2.03, 2.031)) == (pytest.approx(0.001), 0)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize(
    "name", ["lock that is tried again and again", "lock that is tried in vain"]
)
def test_the_profile_has_the_same_wait(name: str, compiler: str, tmp_path: Path) -> None:
    """As enterT at the place of the attempts; without the wait it is nothing but the attempts."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    text = source_of(PROGRAMS[name].body, PROGRAMS[name].top)
    build(compiler, text, tmp_path)
    measured = measure(text, tmp_path)
    experiment = read(str(tmp_path / "run"))
    (region,) = [e for e in experiment.regions if e.begin_line1 == measured.line("here")]
    measurements = [m for (ident, _), m in experiment.profile.items() if ident == region.id]
    wait = measured.cube.dense(row_of(measured.cube, ("Lock API",))).sum()
    assert wait > 0.2
    assert sum(row.enterT for row in measurements) == pytest.approx(wait, rel=0.02)
    for row in measurements:
        assert row.execT == pytest.approx(row.enterT + row.bodyT + row.exitT, abs=1e-6)
