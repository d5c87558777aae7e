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
    arrival_count = np.zeros(len(teams.number), np.int64)
    for timeline, row in zip(timelines, rows, strict=True):
        np.maximum.at(arrival_count, row, timeline.arrivals.ordinal + 1)
    first = np.concatenate([[0], np.cumsum(arrival_count + 1)])
    count = int(first[-1])
    instance = tuple(
        np.where(
            timeline.arrivals.ordinal == OF_REGION,
            first[row + 1] - 1,
            first[row] + timeline.arrivals.ordinal,
        )
        for timeline, row in zip(timelines, rows, strict=True)
    )
    last, last_location = _latest(
        count, instance, [timeline.arrivals.enter for timeline in timelines]
    )
    all_final, done_location = _latest(
        count, instance, [timeline.arrivals.final for timeline in timelines]
    )
    team = np.repeat(np.arange(len(teams.number)), arrival_count + 1)
    return BarrierInstances(last, last_location, all_final, done_location, team, instance)


_NEVER = np.iinfo(np.int64).min


def _latest(count: int, instances: tuple[Ints, ...], times: list[Ints]) -> tuple[Ints, Ints]:
    latest, location = np.empty(count, np.int64), np.empty(count, np.int64)
    latest.fill(_NEVER)
    location.fill(-1)
    for number, (instance, time) in enumerate(zip(instances, times, strict=True)):
        later = time > latest[instance]
        latest[instance[later]] = time[later]
        location[instance[later]] = number
    return latest, location


def waited(
    timeline: LocationTimeline, instance_of: Ints, until: Ints, since: Ints | None = None
) -> Ints:
    """Return the ticks that each arrival waited without running tasks. `until` and `since` are
    moments of each instance: the wait ends at the first, and begins at the second if given."""
    waits = timeline.waits
    is_alike = are_alike(waits.arrival, np.arange(len(instance_of), dtype=np.int32))
    instance = instance_of if is_alike else instance_of[waits.arrival]
    ticks = until[instance]
    np.minimum(ticks, waits.end, out=ticks)
    ticks -= waits.begin if since is None else np.maximum(waits.begin, since[instance])
    np.maximum(ticks, 0, out=ticks)
    return ticks if is_alike else sums(waits.arrival, ticks, len(instance_of)).astype(np.int64)


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
    for timeline, instance in zip(timelines, instances.of, strict=True):
        np.minimum.at(left, instance, timeline.arrivals.leave)
        is_cancelled[instance[timeline.arrivals.is_cancelled]] = True
    settled_timelines = []
    for timeline, instance in zip(timelines, instances.of, strict=True):
        arrivals = timeline.arrivals
        unknown = is_cancellable[arrivals.path] & ~arrivals.is_cancelled
        unknown &= np.where(
            arrivals.ordinal == OF_REGION, is_cancelled[instance], arrivals.enter == arrivals.leave
        )
        at = np.where(unknown, left[instance], np.iinfo(np.int64).max)
        enter, final = np.minimum(arrivals.enter, at), np.minimum(arrivals.final, at)
        settled_timelines.append(
            replace(timeline, arrivals=replace(arrivals, enter=enter, final=final))
        )
    return settled_timelines


def met_by_all(instances: BarrierInstances, teams: TeamTable) -> Flags:
    """Return, for each instance, whether every member of its team arrived, which is not so if the
    construct was canceled."""
    arrived = np.zeros(len(instances.last), np.int64)
    for instance in instances.of:
        arrived += np.bincount(instance, minlength=len(arrived))
    is_complete: Flags = arrived >= teams.size[instances.team]
    return is_complete


def completed(
    timeline: LocationTimeline, instance: Ints, instances: BarrierInstances, is_whole: Flags
) -> Ints:
    """Return the ticks of each arrival in its barrier after all members had arrived and their tasks
    had ended; `is_whole` is the result of `met_by_all`."""
    end = np.where(is_whole, np.iinfo(np.int64).max, 0)
    return waited(timeline, instance, end, np.maximum(instances.last, instances.done))
