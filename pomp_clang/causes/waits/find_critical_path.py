"""The critical path: from the program's end backwards, at each wait on to the thread that ended
it."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import not_above, overlaps, rows_by
from pomp_clang.causes.timeline.interval_kernel import follow, overlap
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, over, within
from pomp_clang.causes.waits.thread_waits import awaited_of
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Jumps:
    """Waits that came to an end, by location in the order of time: at `after` on `location`, because
    of what `cause` had done by `since`."""

    location: Ints
    after: Ints
    cause: Ints
    since: Ints


@dataclass(frozen=True, slots=True)
class PathPieces:
    """Pieces of the critical path, the latest first: on a location (`location`), from `begin` to
    `end`. A piece that follows a wait begins when the awaited location was done."""

    location: Ints
    begin: Ints
    end: Ints


def jumps_of(run: Run) -> Jumps:
    """Return the waits of all locations that ended because of another location. Locations are
    computed one at a time, to keep little in memory twice."""
    parts = []
    sources = zip(_contended(run), awaited_of(run), strict=True)
    for number, (locks, awaited) in enumerate(sources):
        ended = (
            _fork(run, number),
            _barrier(run, number),
            _lock(run, number, locks),
            (awaited.end, awaited.cause, awaited.since),
        )
        after, cause, since = (np.concatenate(column) for column in zip(*ended, strict=True))
        parts.append(ordered(np.full(len(after), number), after, cause, since))
    return _joined(parts)


def _joined(parts: list[Jumps]) -> Jumps:
    none = np.zeros(0, np.int64)
    return Jumps(
        *(
            np.concatenate([none, *(getattr(part, name) for part in parts)])
            for name in Jumps.__slots__
        )
    )


_Found = tuple[Ints, Ints, Ints]
"""As `Jumps`, of a location."""


def _fork(run: Run, number: int) -> _Found:
    """Return the jumps from the begin of a region to its fork, on the master."""
    members = run.membership
    own_rows = members.of(number)
    team = members.team[own_rows]
    return members.body[own_rows], run.teams.master[team], run.teams.fork[team]


def _barrier(run: Run, number: int) -> _Found:
    """Return the jumps from barriers to the last arriver, or to the location that ran the last task
    in them."""
    instance = run.instances.of[number]
    cause = run.instances.done_location[instance]
    others = np.flatnonzero(cause != number)
    leave = run.timelines[number].arrivals.leave[others]
    return (
        leave,
        cause[others].astype(np.int64),
        np.minimum(run.instances.done[instance[others]], leave),
    )


def _contended(run: Run) -> list[Ints]:
    """Return, for each location, the rows of the run's `contention` in which it waited."""
    rows = np.flatnonzero(run.contention.waited > 0)
    location = run.contention.location[rows]
    return [rows[own_rows] for own_rows in rows_by(location, len(run.timelines))]


def _lock(run: Run, number: int, rows: Ints) -> _Found:
    """Return the jumps from acquired locks to their release by the previous holder."""
    contention = run.contention
    acquired = run.timelines[number].acquisitions.acquired[contention.row[rows]]
    return (
        acquired,
        contention.location[contention.before[rows]].astype(np.int64),
        contention.freed[rows],
    )


@once
def path_of(run: Run) -> PathPieces:
    """Return the critical path from the program's end backwards, in ticks. In a job, return the
    part that is on this process."""
    if run.peers is not None:
        return PathPieces(*run.peers.critical(run))
    jumps = jumps_of(run)
    rows = leading(jumps, len(run.timelines), run.main)
    location = np.append(np.int64(run.main), jumps.cause[rows])
    begin = np.append(jumps.since[rows], np.int64(run.start))
    end = np.append(np.int64(run.end), jumps.since[rows])
    return PathPieces(location, begin, end)


def leading(jumps: Jumps, locations: int, last: int) -> Ints:
    """Return the rows of the jumps that are met on the way back from the end of the `last`
    location."""
    row = int(np.searchsorted(jumps.location, last, "right")) - 1
    is_last = row >= 0 and jumps.location[row] == last
    return follow(_following(jumps, locations), row if is_last else -1)


def _following(jumps: Jumps, locations: int) -> Ints:
    """Return, for each jump, the row of the jump that is met next, which is always earlier; -1 if
    none is."""
    first = np.searchsorted(jumps.location, np.arange(locations + 1))
    following = np.full(len(jumps.location), -1)
    for location, leads in enumerate(rows_by(jumps.cause, locations)):
        after = jumps.after[first[location] : first[location + 1]]
        since = jumps.since[leads]
        at_once = since >= jumps.after[leads]
        row = not_above(after, since - at_once)
        following[leads] = np.where(row > 0, first[location] + row - 1, -1)
    return following


def ordered(location: Ints, after: Ints, cause: Ints, since: Ints) -> Jumps:
    """Return the jumps that lead to another location and not forwards in time, sorted by location
    and time."""
    other = (location != cause) & (since <= after)
    order = np.flatnonzero(other)
    order = order[np.argsort(after[order], kind="stable")]
    if len(order) and (location[order] != location[order[0]]).any():
        order = order[np.argsort(location[order], kind="stable")]
    return Jumps(location[order], after[order], cause[order], since[order])


@once
def critical_time(run: Run) -> Cells:
    """Return the seconds of the critical path, by call path and thread."""
    part = path_of(run)
    severity = run.cells()
    members = run.membership
    pieces = rows_by(part.location, len(run.timelines))
    for number, (timeline, own_pieces) in enumerate(zip(run.timelines, pieces, strict=True)):
        if not len(own_pieces):
            continue
        begin, end = part.begin[own_pieces[::-1]], part.end[own_pieces[::-1]]
        but = (Activity.OUTSIDE,) if run.is_worker[number] else ()
        ticks = overlap(timeline.intervals, len(timeline.visits), begin, end, *but)
        rest = float((end - begin).sum())
        path = np.zeros(1, np.int64)
        if run.is_worker[number]:
            teams = members.worker_of(number)
            outside = _outside(run, timeline, begin, end)
            for since, until in ((members.fork, members.begin), (members.leave, members.join)):
                overlapping = within(*outside, since[teams], until[teams])
                run.add(severity, number, members.path[teams], overlapping)
                rest -= overlapping.sum()
            path = members.path[teams[:1]] if len(teams) else path
        run.add(severity, number, np.arange(len(ticks)), ticks)
        # The initial thread was there before its first event, a worker was on its way to its
        # first region, which it may be in the place of another; and it is not back before the join.
        run.add(severity, number, path, np.array([max(0.0, rest - ticks.sum())]))
    return severity / run.second


def _outside(run: Run, timeline: LocationTimeline, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return the parts of time intervals in which a location has no region open."""
    at = np.flatnonzero(timeline.activity == Activity.OUTSIDE)
    first = timeline.begin[:1] if len(timeline.begin) else np.array([run.end])
    since = np.append(np.int64(run.start), timeline.begin[at])
    until = np.append(first, over(timeline.begin, at, timeline.end))
    outside = overlaps((begin, end), (since, until))
    return outside.begin, outside.end
