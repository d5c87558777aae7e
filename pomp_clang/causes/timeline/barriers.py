"""Barrier instances: the barriers that the members of a team met together, and the waits in
them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.timeline.column_search import are_alike
from pomp_clang.causes.timeline.location_timeline import OF_REGION, Flags, LocationTimeline, sums
from pomp_clang.causes.timeline.teams import TeamTable
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class BarrierInstances:
    """A row for each barrier instance: when its last member arrived (`last`), when the last task
    run in it ended (`done`), and on which location each was. `of` has, for each location, the
    instances of its arrivals."""

    last: Ints
    last_location: Ints
    done: Ints
    done_location: Ints
    team: Ints
    of: tuple[Ints, ...]


def instances_of(timelines: list[LocationTimeline], teams: TeamTable) -> BarrierInstances:
    """Match the arrivals of all locations: members of a team meet the same barriers in the same
    order."""
    rows = [teams.rows(timeline.arrivals.team) for timeline in timelines]
    met = np.zeros(len(teams.number), np.int64)
    for timeline, row in zip(timelines, rows, strict=True):
        np.maximum.at(met, row, timeline.arrivals.ordinal + 1)
    first = np.concatenate([[0], np.cumsum(met + 1)])
    count = int(first[-1])
    of = tuple(
        np.where(
            timeline.arrivals.ordinal == OF_REGION,
            first[row + 1] - 1,
            first[row] + timeline.arrivals.ordinal,
        )
        for timeline, row in zip(timelines, rows, strict=True)
    )
    last, last_location = _latest(count, of, [timeline.arrivals.enter for timeline in timelines])
    done, done_location = _latest(count, of, [timeline.arrivals.final for timeline in timelines])
    team = np.repeat(np.arange(len(teams.number)), met + 1)
    return BarrierInstances(last, last_location, done, done_location, team, of)


_NEVER = np.iinfo(np.int64).min


def _latest(count: int, of: tuple[Ints, ...], times: list[Ints]) -> tuple[Ints, Ints]:
    latest, location = np.empty(count, np.int64), np.empty(count, np.int64)
    latest.fill(_NEVER)
    location.fill(-1)
    for number, (instance, time) in enumerate(zip(of, times, strict=True)):
        later = time > latest[instance]
        latest[instance[later]] = time[later]
        location[instance[later]] = number
    return latest, location


def waited(timeline: LocationTimeline, of: Ints, until: Ints, since: Ints | None = None) -> Ints:
    """Return the ticks that each arrival waited without running tasks, up to the moment `until` of
    its instance and, if given, from the moment `since` of it."""
    waits = timeline.waits
    is_alike = are_alike(waits.arrival, np.arange(len(of), dtype=np.int32))
    instance = of if is_alike else of[waits.arrival]
    ticks = until[instance]
    np.minimum(ticks, waits.end, out=ticks)
    ticks -= waits.begin if since is None else np.maximum(waits.begin, since[instance])
    np.maximum(ticks, 0, out=ticks)
    return ticks if is_alike else sums(waits.arrival, ticks, len(of)).astype(np.int64)


def settled(
    timelines: list[LocationTimeline], instances: BarrierInstances, is_cancellable: Flags
) -> list[LocationTimeline]:
    """Return the timelines with the arrivals at barriers at the ends of constructs with a cancel. A
    member that has not canceled the construct arrived before the first of its team left the
    barrier."""
    if not is_cancellable.any():
        return timelines
    left = np.full(len(instances.last), np.iinfo(np.int64).max)
    is_cancelled = np.zeros(len(instances.last), np.bool_)
    for timeline, of in zip(timelines, instances.of, strict=True):
        np.minimum.at(left, of, timeline.arrivals.leave)
        is_cancelled[of[timeline.arrivals.is_cancelled]] = True
    settled_timelines = []
    for timeline, of in zip(timelines, instances.of, strict=True):
        met = timeline.arrivals
        unknown = is_cancellable[met.path] & ~met.is_cancelled
        unknown &= np.where(met.ordinal == OF_REGION, is_cancelled[of], met.enter == met.leave)
        at = np.where(unknown, left[of], np.iinfo(np.int64).max)
        enter, final = np.minimum(met.enter, at), np.minimum(met.final, at)
        settled_timelines.append(replace(timeline, arrivals=replace(met, enter=enter, final=final)))
    return settled_timelines


def met_by_all(instances: BarrierInstances, teams: TeamTable) -> Flags:
    """Return, for each instance, whether every member of its team arrived, which is not so if the
    construct was canceled."""
    came = np.zeros(len(instances.last), np.int64)
    for of in instances.of:
        came += np.bincount(of, minlength=len(came))
    is_complete: Flags = came >= teams.size[instances.team]
    return is_complete


def completed(
    timeline: LocationTimeline, of: Ints, instances: BarrierInstances, is_whole: Flags
) -> Ints:
    """Return the ticks of each arrival in its barrier after all members had arrived and their tasks
    had ended; `is_whole` is the result of `met_by_all`."""
    end = np.where(is_whole, np.iinfo(np.int64).max, 0)
    return waited(timeline, of, end, np.maximum(instances.last, instances.done))
