"""The teams of all locations: their members, and when these were in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.timeline.columns import numbered, where
from pomp_clang.causes.timeline.location_timeline import Flags, LocationTimeline
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints
from pomp_clang.trace.replay import TeamMoments


@dataclass(frozen=True, slots=True)
class TeamTable:
    """A row for each team, sorted by its number: from `fork` to `join`, made by the location
    `master`; `path` is the region's, and `size` the number of members seen. At `assembled` all
    members were in the barrier at its end; where no event tells, it is the join."""

    number: Ints
    fork: Ints
    join: Ints
    assembled: Ints
    master: Ints
    path: Ints
    size: Ints

    def rows(self, numbers: Ints) -> Ints:
        """Return the rows of the given numbers, of which equal ones stand together."""
        if not len(numbers):
            return numbers
        is_head = np.ones(len(numbers), np.bool_)
        np.not_equal(numbers[1:], numbers[:-1], out=is_head[1:])
        heads = where(is_head)
        rows = self.number.searchsorted(numbers[heads])
        return np.repeat(rows, np.append(heads[1:], len(numbers)) - heads)


@dataclass(frozen=True, slots=True)
class Membership:
    """The members of all teams, location by location: `location` is the member's location, `team` the
    team's row. The member is in the team from `fork` to `join`, and in the region from `body` to
    `leave`; a worker's `begin` is its own event. `place` is as in `Arrivals`."""

    location: Ints
    team: Ints
    fork: Ints
    begin: Ints
    body: Ints
    leave: Ints
    join: Ints
    path: Ints
    outermost: Flags
    place: Ints
    is_master: Flags

    def of(self, location: int) -> slice:
        """Return the rows of a location."""
        return slice(*np.searchsorted(self.location, [location, location + 1]))

    def worker_of(self, location: int) -> Ints:
        """Return the rows of a location in which it is not the master."""
        own_rows = self.of(location)
        return np.asarray(own_rows.start + np.flatnonzero(~self.is_master[own_rows]))

    def outermost_of(self, location: int) -> Ints:
        """Return the rows of a location in teams that are in no other team."""
        own_rows = self.of(location)
        return np.asarray(own_rows.start + np.flatnonzero(self.outermost[own_rows]))


def teams_of(
    timelines: list[LocationTimeline], joined: list[TeamMoments], assembled: list[TeamMoments]
) -> tuple[TeamTable, Membership]:
    """Match the members of teams; `joined` and `assembled` are moments that the masters
    recorded."""
    location = np.repeat(
        np.arange(len(timelines)), [len(timeline.members.team) for timeline in timelines]
    )
    named = {
        name: np.concatenate(
            [np.zeros(0, np.int64), *(getattr(timeline.members, name) for timeline in timelines)]
        )
        for name in ("team", "begin", "body", "leave", "path", "outer", "place")
    }
    number, team = numbered(named["team"])
    count = len(number)
    order = np.lexsort((named["begin"], team))
    first = order[np.searchsorted(team[order], np.arange(count))]
    is_master = np.zeros(len(team), np.bool_)
    is_master[first] = True
    fork = named["begin"][first]
    join = np.maximum(named["leave"][first], _recorded_moments(number, joined))
    full = _recorded_moments(number, assembled)
    size = np.bincount(team, minlength=count)
    teams = TeamTable(
        number,
        fork,
        join,
        np.where(full > 0, full, join),
        location[first],
        named["path"][first],
        size,
    )
    return teams, Membership(
        location,
        team,
        fork[team],
        named["begin"],
        named["body"],
        named["leave"],
        np.maximum(join[team], named["leave"]),
        named["path"],
        named["outer"] == 0,
        named["place"],
        is_master,
    )


def in_order_of_work(members: Membership, thread: Ints) -> Membership:
    """Limit the memberships of each thread: it is on its way into a team only after it has left the
    team before, and done with that one then. `thread` is each location's thread: two locations are
    one thread if one replaced the other as a worker."""
    rows = where(members.outermost & ~members.is_master)
    thread_of = thread[members.location[rows]]
    order = np.lexsort((members.begin[rows], thread_of))
    rows, thread_of = rows[order], thread_of[order]
    same = thread_of[1:] == thread_of[:-1]
    fork, join = members.fork.copy(), members.join.copy()
    begin, end = fork[rows], join[rows]
    begin[1:] = np.where(same, np.maximum(begin[1:], members.leave[rows[:-1]]), begin[1:])
    begin = np.minimum(begin, members.begin[rows])
    end[:-1] = np.where(same, np.minimum(end[:-1], begin[1:]), end[:-1])
    fork[rows], join[rows] = begin, np.maximum(end, members.leave[rows])
    return replace(members, fork=fork, join=join)


def end_waits(
    timeline: LocationTimeline, teams: TeamTable, membership: Membership, number: int
) -> None:
    """End the waits of members that had left their region. A member was in the barrier at its end
    until all members were, or until its thread was on its way to another team."""
    arrivals, waits, first = timeline.arrivals, timeline.waits, timeline.departed
    if first == len(arrivals.team):
        return
    own_rows = membership.of(number)
    join = np.zeros(len(teams.number), np.int64)
    join[membership.team[own_rows]] = membership.join[own_rows]
    team = teams.rows(arrivals.team[first:])
    until = np.maximum(arrivals.enter[first:], np.minimum(teams.assembled[team], join[team]))
    arrivals.leave[first:] = until
    rows = np.flatnonzero(waits.arrival >= first)
    ends = until[waits.arrival[rows] - first]
    waits.end[rows] = np.maximum(waits.begin[rows], np.minimum(waits.end[rows], ends))
    waits_inside = rows[waits.begin[rows] < ends]
    np.maximum.at(arrivals.final, waits.arrival[waits_inside], waits.begin[waits_inside])


def _recorded_moments(number: Ints, moments: list[TeamMoments]) -> Ints:
    """Return the recorded moment of each team; 0 if none was recorded."""
    time = np.zeros(len(number), np.int64)
    for moment in moments:
        if not len(moment.team):
            continue
        row = np.minimum(np.searchsorted(number, moment.team), max(0, len(number) - 1))
        known = number[row] == moment.team if len(number) else np.zeros(len(row), np.bool_)
        time[row[known]] = moment.time[known]
    return time
