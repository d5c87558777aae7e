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
    last_course: Ints
    done: Ints
    done_course: Ints
    team: Ints
    of: tuple[Ints, ...]


def instances_of(courses: list[LocationTimeline], teams: TeamTable) -> BarrierInstances:
    """Match the arrivals of all locations: members of a team meet the same barriers in the same
    order."""
    rows = [teams.rows(course.arrivals.team) for course in courses]
    met = np.zeros(len(teams.number), np.int64)
    for each, row in zip(courses, rows, strict=True):
        np.maximum.at(met, row, each.arrivals.ordinal + 1)
    first = np.concatenate([[0], np.cumsum(met + 1)])
    count = int(first[-1])
    of = tuple(
        np.where(
            each.arrivals.ordinal == OF_REGION,
            first[row + 1] - 1,
            first[row] + each.arrivals.ordinal,
        )
        for each, row in zip(courses, rows, strict=True)
    )
    last, last_course = _latest(count, of, [course.arrivals.enter for course in courses])
    done, done_course = _latest(count, of, [course.arrivals.final for course in courses])
    team = np.repeat(np.arange(len(teams.number)), met + 1)
    return BarrierInstances(last, last_course, done, done_course, team, of)


_NEVER = np.iinfo(np.int64).min


def _latest(count: int, of: tuple[Ints, ...], times: list[Ints]) -> tuple[Ints, Ints]:
    latest, course = np.empty(count, np.int64), np.empty(count, np.int64)
    latest.fill(_NEVER)
    course.fill(-1)
    for number, (instance, time) in enumerate(zip(of, times, strict=True)):
        later = time > latest[instance]
        latest[instance[later]] = time[later]
        course[instance[later]] = number
    return latest, course


def waited(course: LocationTimeline, of: Ints, until: Ints, since: Ints | None = None) -> Ints:
    """Return the ticks that each arrival waited without running tasks, up to the moment `until` of
    its instance and, if given, from the moment `since` of it."""
    waits = course.waits
    is_alike = are_alike(waits.arrival, np.arange(len(of), dtype=np.int32))
    instance = of if is_alike else of[waits.arrival]
    ticks = until[instance]
    np.minimum(ticks, waits.end, out=ticks)
    ticks -= waits.begin if since is None else np.maximum(waits.begin, since[instance])
    np.maximum(ticks, 0, out=ticks)
    return ticks if is_alike else sums(waits.arrival, ticks, len(of)).astype(np.int64)


def settled(
    courses: list[LocationTimeline], instances: BarrierInstances, is_cancellable: Flags
) -> list[LocationTimeline]:
    """Return the timelines with the arrivals at barriers at the ends of constructs with a cancel. A
    member that has not canceled the construct arrived before the first of its team left the
    barrier."""
    if not is_cancellable.any():
        return courses
    left = np.full(len(instances.last), np.iinfo(np.int64).max)
    is_cancelled = np.zeros(len(instances.last), np.bool_)
    for course, of in zip(courses, instances.of, strict=True):
        np.minimum.at(left, of, course.arrivals.leave)
        is_cancelled[of[course.arrivals.is_cancelled]] = True
    found = []
    for course, of in zip(courses, instances.of, strict=True):
        met = course.arrivals
        unknown = is_cancellable[met.path] & ~met.is_cancelled
        unknown &= np.where(met.ordinal == OF_REGION, is_cancelled[of], met.enter == met.leave)
        at = np.where(unknown, left[of], np.iinfo(np.int64).max)
        enter, final = np.minimum(met.enter, at), np.minimum(met.final, at)
        found.append(replace(course, arrivals=replace(met, enter=enter, final=final)))
    return found


def met_by_all(instances: BarrierInstances, teams: TeamTable) -> Flags:
    """Return, for each instance, whether every member of its team arrived, which is not so if the
    construct was canceled."""
    came = np.zeros(len(instances.last), np.int64)
    for of in instances.of:
        came += np.bincount(of, minlength=len(came))
    whole: Flags = came >= teams.size[instances.team]
    return whole


def completed(
    course: LocationTimeline, of: Ints, instances: BarrierInstances, is_whole: Flags
) -> Ints:
    """Return the ticks of each arrival in its barrier after all members had arrived and their tasks
    had ended; `is_whole` is the result of `met_by_all`."""
    end = np.where(is_whole, np.iinfo(np.int64).max, 0)
    return waited(course, of, end, np.maximum(instances.last, instances.done))
