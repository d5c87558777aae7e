"""Members that have left their team's region: what becomes of their time up to its join."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.model import Ints, Paths
from pomp_clang.trace.replay import Departures, Moments


def together(told: Sequence[Moments]) -> Moments:
    """What several masters told, in the order of the teams' numbers."""
    team = np.concatenate([np.zeros(0, np.int64), *(each.team for each in told)])
    time = np.concatenate([np.zeros(0, np.int64), *(each.time for each in told)])
    order = np.argsort(team, kind="stable")
    return Moments(team[order], time[order])


def moment_of(teams: Ints, told: Moments) -> Ints:
    """Of each team, 0 where nothing was told; `told` is in order."""
    if not len(told.team):
        return np.zeros(len(teams), np.int64)
    at = np.minimum(np.searchsorted(told.team, teams), len(told.team) - 1)
    return np.where(told.team[at] == teams, told.time[at], 0)


def ends_of(left: Departures, joined: Moments) -> Ints:
    """When each team was joined, or was taken for joined; 0 where neither was told."""
    return np.where(left.ends > 0, left.ends, moment_of(left.team, joined))


def waits_of(left: Departures, assembled: Moments) -> Ints:
    """Ticks in the barrier at the region's end until all were there."""
    told = np.where(left.ends > 0, 0, moment_of(left.team, assembled))
    return np.where(left.waits > 0, np.maximum(0, told - left.waits), 0)


def book(
    sums: Ints, path: Paths, left: Departures, joined: Moments, assembled: Moments, last: int
) -> None:
    """Book what each spent after it left its region; `path` is the region's of each, and `last`
    when the trace ends, up to which those wait that arrived in a team that was not joined."""
    end = ends_of(left, joined)
    waited = waits_of(left, assembled)
    waits = (end == 0) & (left.waits > 0) & (left.waits == left.since)
    end = np.where(waits, last, end)
    waited = np.where(waits, np.maximum(0, last - left.waits), waited)
    took = np.maximum(0, end - left.since)
    booked = np.flatnonzero((end > 0) & (path > 0))
    for column, ticks in (
        (Column.TASK_T, left.tasks),
        (Column.EXIT_BAR_T, np.maximum(0, waited - left.tasks)),
        (Column.SHUTDWN_T, np.maximum(0, took - np.maximum(waited, left.tasks))),
        (Column.EXEC_T, took),
    ):
        np.add.at(sums[:, column], path[booked], ticks[booked])
