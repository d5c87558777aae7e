"""The profile that a trace tells: the same sums by call path and location as the runtime's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.model import Ints, Paths, Trace
from pomp_clang.trace.replay import Departures, Replay, TeamMoments, replay_parts
from pomp_clang.trace.replay_buffers import location_events_of

Sums = dict[tuple[int, int], list[int]]


@dataclass(frozen=True, slots=True)
class _Part:
    """The data of one location that is kept until all locations have been read."""

    location: int
    sums: Ints
    departures: Departures
    path: Paths
    joined: TeamMoments
    assembled: TeamMoments


def sums(trace: Trace) -> Sums:
    """Return the columns of `layout.Column` by (call path, location), where any is not 0."""
    parts = [
        _part(replay_parts(location_event, trace)) for location_event in location_events_of(trace)
    ]
    joined = TeamMoments.merged([part.joined for part in parts])
    assembled = TeamMoments.merged([part.assembled for part in parts])
    result: Sums = {}
    for part in parts:
        book(part.sums, part.path, part.departures, joined, assembled, trace.end)
        for path in np.flatnonzero(part.sums.any(axis=1)):
            if path:
                result[int(path), part.location] = [int(value) for value in part.sums[path]]
    return result


def _part(replay: Replay) -> _Part:
    path = replay.visits.path[replay.departures.visit]
    return _Part(
        replay.location, replay.sums, replay.departures, path, replay.joined, replay.assembled
    )


def ends_of(left: Departures, joined: TeamMoments) -> Ints:
    """Return the time when each team was joined, or was taken for joined; 0 if neither was
    recorded."""
    return np.where(left.ends > 0, left.ends, joined.at(left.team))


def waits_of(left: Departures, assembled: TeamMoments) -> Ints:
    """Return the ticks in the barrier at the region's end until all were there."""
    waits = np.where(left.ends > 0, 0, assembled.at(left.team))
    return np.where(left.waits > 0, np.maximum(0, waits - left.waits), 0)


def book(
    sums: Ints,
    path: Paths,
    left: Departures,
    joined: TeamMoments,
    assembled: TeamMoments,
    last: int,
) -> None:
    """Book the time that each departure spent after leaving its region.

    `path` is the region's call path for each departure, and `last` is the end of the trace. A
    thread that arrived in a team which was never joined waits until `last`.
    """
    end = ends_of(left, joined)
    wait_ticks = waits_of(left, assembled)
    waits = (end == 0) & (left.waits > 0) & (left.waits == left.since)
    end = np.where(waits, last, end)
    wait_ticks = np.where(waits, np.maximum(0, last - left.waits), wait_ticks)
    duration = np.maximum(0, end - left.since)
    open_rows = np.flatnonzero((end > 0) & (path > 0))
    for column, ticks in (
        (Column.TASK_T, left.tasks),
        (Column.EXIT_BAR_T, np.maximum(0, wait_ticks - left.tasks)),
        (Column.SHUTDWN_T, np.maximum(0, duration - np.maximum(wait_ticks, left.tasks))),
        (Column.EXEC_T, duration),
    ):
        np.add.at(sums[:, column], path[open_rows], ticks[open_rows])
