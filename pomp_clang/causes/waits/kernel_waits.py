"""Waits for kernels at barriers: for a thread that comes late because it is in a target construct or
waits for kernels, and for target constructs with `nowait`, which the barrier itself waits for.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.run.instance import Instances, in_pieces, piece_of
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.barriers import completed
from pomp_clang.causes.timeline.location_timeline import over, sums, within
from pomp_clang.causes.timeline.places import in_target, waits_for_kernels
from pomp_clang.causes.waits.thread_waits import (
    barrier_wait_times,
    is_met_by_all,
    waited_for_last,
    waited_for_tasks,
)
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.devices import NO_LOCATION, device_intervals
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class KernelWaits:
    """Waits for kernels of each arrival at a barrier, in ticks.

    In `last`, the last thread to come was in a target construct or waited for one. In `done`, the
    thread with the last task was. In `left`, target constructs with `nowait` had not ended.
    """

    last: Ints
    done: Ints
    left: Ints

    @property
    def total(self) -> Ints:
        return self.last + self.done + self.left


@once
def _has_target(run: Run) -> bool:
    return bool(in_target(run.paths).any())


@once
def kernel_waits(run: Run) -> list[KernelWaits] | None:
    """Return the waits of each location; None in a program without target constructs."""
    if not _has_target(run):
        return None
    instances, ends = run.instances, _deferred_ends(run)
    on_device = _on_device(run)
    by_location = []
    completions = completed(run.timelines, instances, is_met_by_all(run))
    for timeline, instance, completion in zip(
        run.timelines, instances.of, completions, strict=True
    ):
        waits, arrivals = timeline.waits, timeline.arrivals
        of = instance[waits.arrival]
        last, done = instances.last[of], np.maximum(instances.done[of], instances.last[of])
        parts = []
        for begin, end, location in (
            (waits.begin, np.minimum(waits.end, last), instances.last_location[of]),
            (
                np.maximum(waits.begin, last),
                np.minimum(waits.end, done),
                instances.done_location[of],
            ),
        ):
            ticks = on_device.ticks(location.astype(np.int64), begin, end)
            parts.append(sums(waits.arrival, ticks, len(instance)).astype(np.int64))
        since = arrivals.leave - completion
        left = np.clip(_latest(ends, arrivals.leave) - since, 0, completion)
        by_location.append(KernelWaits(parts[0], parts[1], left))
    return by_location


def beside_kernels(run: Run, row: int, for_tasks: bool) -> Ints:
    """Return the ticks that each arrival of a location waited for the last thread, or then for its
    tasks, without waits for kernels."""
    ticks = waited_for_tasks(run, row) if for_tasks else waited_for_last(run, row)
    waits = kernel_waits(run)
    if waits is None:
        return ticks
    return np.asarray(np.maximum(0, ticks - (waits[row].done if for_tasks else waits[row].last)))


def left_for_kernels(run: Run, row: int) -> Ints | int:
    """Return the ticks of each arrival of a location after which kernels with `nowait` ended."""
    waits = kernel_waits(run)
    return 0 if waits is None else waits[row].left


_PHASES = KernelWaits.__slots__


@once
def _times_by_phase(run: Run) -> Cells:
    """Return seconds of waits for kernels by the field of `KernelWaits`, and of each first those at
    implied barriers and then those at explicit ones."""
    times = np.zeros((len(_PHASES), 2, len(run.paths), len(run.threads)))
    for row, waits in enumerate(kernel_waits(run) or ()):
        arrivals = run.timelines[row].arrivals
        path = run.places.rows[arrivals.path] + arrivals.is_explicit * len(run.paths)
        for phase, name in enumerate(_PHASES):
            seconds = (
                sums(path, getattr(waits, name), 2 * len(run.paths)).reshape(2, -1) / run.second
            )
            times[phase, :, :, run.thread[row]] += seconds
    return times


def kernel_times_of(run: Run, field: str, is_explicit: bool) -> Cells:
    """Return seconds of waits for kernels of one field of `KernelWaits`, at one kind of barriers."""
    return np.asarray(_times_by_phase(run)[_PHASES.index(field), int(is_explicit)])


@once
def kernel_wait_times(run: Run) -> Cells:
    """Return seconds of waits for kernels, first at implied barriers and then at explicit ones."""
    return np.asarray(_times_by_phase(run).sum(axis=0))


@once
def waits_beside_kernels(run: Run) -> dict[tuple[bool, bool], Cells]:
    """Return the result of `barrier_wait_times` without waits for kernels."""
    kernels = _times_by_phase(run)
    return {
        (is_explicit, for_tasks): np.maximum(0, times - kernels[int(for_tasks), int(is_explicit)])
        for (is_explicit, for_tasks), times in barrier_wait_times(run).items()
    }


def kernel_wait_instances(run: Run, is_explicit: bool) -> Iterator[Instances]:
    """Yield the waits for kernels at one kind of barriers."""
    for row, waits in enumerate(kernel_waits(run) or ()):
        arrivals, total = run.timelines[row].arrivals, waits.total
        for some in in_pieces(np.flatnonzero((arrivals.is_explicit == is_explicit) & (total > 0))):
            path, begin = run.places.rows[arrivals.path[some]], arrivals.enter[some]
            end = np.maximum(arrivals.leave[some], begin)
            yield piece_of(run.second, int(run.thread[row]), path, begin, end, total[some])


@dataclass(frozen=True, slots=True)
class _RegionEndWaits:
    """Waits for kernels after all members have left a region, up to the end of its team."""

    location: Ints
    path: Ints
    begin: Ints
    ticks: Ints


@once
def _at_the_end(run: Run) -> _RegionEndWaits:
    none = np.zeros(0, np.int64)
    if not _has_target(run):
        return _RegionEndWaits(none, none, none, none)
    members = run.membership
    rows = np.arange(len(members.team))
    assembled = run.teams.assembled[members.team[rows]]
    begin = np.where(members.is_master[rows], assembled, np.maximum(members.leave[rows], assembled))
    ends = _latest(_deferred_ends(run), members.join[rows])
    ticks = np.clip(ends - begin, 0, np.maximum(0, members.join[rows] - begin))
    rows, begin, ticks = rows[ticks > 0], begin[ticks > 0], ticks[ticks > 0]
    return _RegionEndWaits(members.location[rows], members.path[rows], begin, ticks)


@once
def join_wait_times(run: Run) -> Cells:
    """Return the seconds of ending teams in which kernels with `nowait` had not ended."""
    ends = _at_the_end(run)
    seconds = run.sum(ends.location, ends.path, ends.ticks / run.second)
    return np.asarray(np.minimum(seconds, run.seconds(Activity.JOIN)))


def join_wait_instances(run: Run) -> Iterator[Instances]:
    """Yield the waits for kernels while teams end."""
    ends = _at_the_end(run)
    for some in in_pieces(np.arange(len(ends.ticks))):
        thread, begin, ticks = run.thread[ends.location[some]], ends.begin[some], ends.ticks[some]
        path = run.places.rows[ends.path[some]]
        yield piece_of(run.second, thread, path, begin, begin + ticks, ticks)


_MOST_TICKS = 1 << 62
"""Ticks of all locations together, which fit 64 bits."""


class _OnDevice:
    """The intervals in which locations are in a target construct or wait for kernels, of all
    locations one after the other: each has a span of its own."""

    def __init__(self, run: Run) -> None:
        longest = _MOST_TICKS // max(1, len(run.timelines))  # a damaged trace may name any moment
        self._start, self._span = run.start, min(run.end - run.start + 1, longest)
        is_target, is_awaited = in_target(run.paths), waits_for_kernels(run.paths)
        begin, end = [], []
        for number, timeline in enumerate(run.timelines):
            path = run.places.rows[timeline.path]
            is_wait = (timeline.activity == Activity.TASKWAIT) & is_awaited[path]
            is_map = timeline.activity == Activity.MAP
            rows = np.flatnonzero(is_target[path] | is_wait | is_map)
            begin.append(self._moved(timeline.begin[rows], number))
            end.append(self._moved(over(timeline.begin, rows, timeline.end), number))
        none = np.zeros(0, np.int64)
        self._begin, self._end = np.concatenate([none, *begin]), np.concatenate([none, *end])

    def _moved(self, moment: Ints, location: Ints | int) -> Ints:
        inside: Ints = np.clip(moment - self._start, 0, self._span - 1)
        return inside + self._span * location

    def ticks(self, location: Ints, begin: Ints, end: Ints) -> Ints:
        """Return the ticks of each interval in which the location of its row is so."""
        since, until = self._moved(begin, location), self._moved(end, location)
        ticks = within(self._begin, self._end, since, np.maximum(since, until))
        return np.asarray(np.where(location >= 0, ticks, 0).astype(np.int64))


@once
def _on_device(run: Run) -> _OnDevice:
    return _OnDevice(run)


@once
def _deferred_ends(run: Run) -> Ints:
    """Return when operations of target constructs with `nowait` ended, in order: those of a thread
    that is no location, or of one that is in no target construct meanwhile."""
    intervals = device_intervals(run.records)
    row_of = {timeline.location: row for row, timeline in enumerate(run.timelines)}
    location = np.array(
        [row_of.get(number, -1) for number in intervals.location.tolist()], np.int64
    )
    ticks = _on_device(run).ticks(location, intervals.begin, intervals.end)
    is_deferred = (intervals.location == NO_LOCATION) | (ticks == 0)
    return np.sort(intervals.end[is_deferred])


def _latest(ends: Ints, until: Ints) -> Ints:
    """Return the latest of some moments up to each of others, 0 if there is none."""
    row = np.searchsorted(ends, until, "right")
    return np.append(0, ends)[row]
