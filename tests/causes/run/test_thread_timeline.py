"""Timelines of threads: their intervals sum up to the severities."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.causes.run import thread_timeline
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.thread_timeline import ThreadTimeline, thread_timelines_of
from pomp_clang.causes.timeline.activity import ACTIVITIES, Activity
from pomp_clang.trace.layout import Kind
from tests.causes.scripts import (
    ATOMIC,
    BARRIER,
    NEXT_TEAM,
    OTHER_TEAM,
    PARALLEL,
    SECOND_REGION,
    TEAM,
    Stream,
    barrier,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    run_of,
    told_to_wait,
)

_MOMENTS = st.lists(st.integers(0, 30), max_size=10)


@given(_MOMENTS, _MOMENTS, st.randoms())
def test_intervals_laid_over_in_order_are_those_in_any_order(
    moments: list[int], bounds: list[int], random: Random
) -> None:
    begin = np.array([0, *sorted(moments)], np.int64)
    path = np.arange(len(begin), dtype=np.int32)
    activity = np.array([random.choice([Activity.OUTSIDE, Activity.JOIN]) for _ in begin], np.uint8)
    timeline = ThreadTimeline(begin, path, activity, 40)
    count = len(bounds) // 2
    since, until = np.array(sorted(bounds)[: 2 * count], np.int64).reshape(-1, 2).T
    laid = thread_timeline._Laid(since, until, 100 + np.arange(count), Activity.FORK)
    actual = thread_timeline._overlaid(timeline, laid)
    expected = thread_timeline._overlaid_in_any_order(timeline, laid, slice(None))
    for name in ("begin", "path", "activity"):
        assert getattr(actual, name).tolist() == getattr(expected, name).tolist()


def spent(run: Run) -> np.ndarray:
    """Return the same as `Run.spent`, from the timelines."""
    ticks = np.zeros_like(run.spent)
    for thread, line in enumerate(thread_timelines_of(run)):
        np.add.at(ticks[thread], (line.path, line.activity), line.ends - line.begin)
    ticks[:, :, Activity.OUTSIDE] = 0
    return ticks


def interval_rows(run: Run, line: ThreadTimeline) -> list[tuple[float, str, int]]:
    """Return begin, activity and source line of each interval that takes time."""
    return [
        (
            round((int(when) - run.start) / run.second, 9),
            Activity(doing).name.lower(),
            run.paths[path].line,
        )
        for when, until, doing, path in zip(
            line.begin, line.ends, line.activity, line.path, strict=True
        )
        if until > when
    ]


def two_regions() -> list[Stream]:
    """Return two regions; the worker is late for both, and gone before its master joins."""
    return [
        [
            fork(1, PARALLEL, TEAM), begin(1.5, PARALLEL), *barrier(BARRIER, 2, 4),
            *ending(PARALLEL, TEAM, 4.5, 5, 5.25),
            fork(6, SECOND_REGION, OTHER_TEAM), begin(6, SECOND_REGION),
            *ending(SECOND_REGION, OTHER_TEAM, 8, 8, 9),
        ],
        [
            member(1.75, PARALLEL, TEAM, 1), *barrier(BARRIER, 3.5, 4), *departing(PARALLEL, 5, 5),
            member(6.5, SECOND_REGION, OTHER_TEAM, 6), *departing(SECOND_REGION, 7, 8),
        ],
    ]  # fmt: skip


def test_the_way_into_teams_and_out_of_them_is_on_the_line(tmp_path: Path) -> None:
    run = run_of(tmp_path, *two_regions())
    master, worker = thread_timelines_of(run)
    assert interval_rows(run, master) == [
        (0, "compute", 0), (1, "fork", 10), (1.5, "compute", 10), (2, "explicit", 40),
        (4, "compute", 10), (4.5, "implicit", 10), (5, "join", 10), (5.25, "compute", 0),
        (6, "compute", 130), (8, "join", 130), (9, "compute", 0),
    ]  # fmt: skip
    assert interval_rows(run, worker) == [
        (0, "outside", 0), (1, "fork", 10), (1.75, "compute", 10), (3.5, "explicit", 40),
        (4, "compute", 10), (5, "join", 10), (5.25, "outside", 0), (6, "fork", 130),
        (6.5, "compute", 130), (7, "implicit", 130), (8, "join", 130), (9, "outside", 0),
    ]  # fmt: skip
    assert np.array_equal(spent(run), run.spent)


def test_who_left_and_was_told_to_wait_runs_a_task_meanwhile(tmp_path: Path) -> None:
    run = run_of(tmp_path, *told_to_wait())
    assert interval_rows(run, thread_timelines_of(run)[1]) == [
        (0, "outside", 0), (1, "compute", 10), (3, "join", 10), (3.5, "implicit", 10),
        (4, "compute", 60), (5, "implicit", 10), (6.5, "join", 10), (7, "outside", 0),
    ]  # fmt: skip
    assert np.array_equal(spent(run), run.spent)


def test_what_a_thread_does_on_its_way_into_a_team_and_out_of_it_is_no_part_of_that(
    tmp_path: Path,
) -> None:
    """As the constructors and destructors of its own variables may."""
    worker = [
        opened(1.5, Kind.SIMPLE, ATOMIC), leave(2, ATOMIC),
        member(3, PARALLEL, TEAM, 1), *departing(PARALLEL, 5, 5.5),
        opened(6, Kind.SIMPLE, ATOMIC), leave(7, ATOMIC),
    ]  # fmt: skip
    master = [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 5, 5.5, 8)]
    run = run_of(tmp_path, master, worker)
    assert interval_rows(run, thread_timelines_of(run)[1]) == [
        (0, "outside", 0), (1, "fork", 10), (1.5, "atomic", 170), (2, "fork", 10),
        (3, "compute", 10), (5, "implicit", 10), (5.5, "join", 10), (6, "atomic", 170),
        (7, "join", 10), (8, "outside", 0),
    ]  # fmt: skip
    assert np.array_equal(spent(run), run.spent)


def test_a_thread_of_the_program_s_own_is_idle_before_its_first_event(tmp_path: Path) -> None:
    own = [fork(3, PARALLEL, NEXT_TEAM), begin(3, PARALLEL), *ending(PARALLEL, NEXT_TEAM, 4, 4, 4)]
    run = run_of(tmp_path, two_regions()[0], own, levels=(0, 0))
    assert interval_rows(run, thread_timelines_of(run)[1])[:3] == [
        (0, "outside", 0), (3, "compute", 10), (4, "outside", 0),
    ]  # fmt: skip
    assert np.array_equal(spent(run), run.spent)
    assert run.spent.shape[2] == ACTIVITIES
