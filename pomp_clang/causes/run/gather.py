"""The reading of a trace as a run: one location in memory at a time. Teams, barriers and locks are
matched, and the times for which threads have no event are booked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pomp_clang.causes.run.run import Progress, Run, last_of, silent
from pomp_clang.causes.timeline.activity import (
    ACTIVITIES,
    ACTIVITY_RULES,
    COPYING,
    Activity,
    classes_of,
)
from pomp_clang.causes.timeline.barriers import (
    instances_of,
    on_their_own,
    settled,
)
from pomp_clang.causes.timeline.build_location import timeline_of
from pomp_clang.causes.timeline.canceled_regions import at_the_end, cancellable, with_their_barriers
from pomp_clang.causes.timeline.columns import where
from pomp_clang.causes.timeline.contention import as_waits, contention_of
from pomp_clang.causes.timeline.copied_values import with_copied, without_entry
from pomp_clang.causes.timeline.location_timeline import (
    LocationTimeline,
    Ticks,
    outside_from,
    sums,
    within,
)
from pomp_clang.causes.timeline.places import Places, places_of
from pomp_clang.causes.timeline.teams import (
    Membership,
    TeamTable,
    end_waits,
    in_order_of_work,
    teams_of,
)
from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.experiment.records import Records
from pomp_clang.trace.model import Ints, Trace
from pomp_clang.trace.replay import TeamMoments, ValueColumns
from pomp_clang.trace.replay_buffers import location_events_of
from pomp_clang.trace.summarize import summarize

if TYPE_CHECKING:
    from pomp_clang.causes.mpi_waits.process_view import ProcessView


def gather(trace: Trace, progress: Progress = silent, mpi: ProcessView | None = None) -> Run:
    """Read a trace, one location in memory at a time, and match teams, barriers and locks.

    Raises ExperimentError if a stream cannot be read.
    """
    places = places_of(trace.records)
    if mpi is not None:
        places = mpi.calls.placed(places)
    numbers = mpi.calls.paths if mpi is not None else max(trace.records.paths, default=0) + 1
    kinds = _with_known_blocks(_kinds(places, numbers), trace.records)
    classes = classes_of(with_copied(kinds, trace.records))
    is_cancellable, is_copied = cancellable(trace.records, len(classes)), classes == COPYING
    ticks = np.zeros((len(places.threads), len(places.paths), ACTIVITIES))
    timelines: list[LocationTimeline] = []
    values: list[ValueColumns] = []
    joined: list[TeamMoments] = []
    assembled: list[TeamMoments] = []
    expected = max(1, len(trace.records.locations))
    for parts in location_events_of(trace):
        progress("reading", len(timelines) / expected)
        summary = summarize(parts, trace, ACTIVITY_RULES, classes)
        until = open_until(trace.records, parts.location, trace.end)
        summary = at_the_end(on_their_own(summary, until), until, trace.end, is_cancellable)
        summary = without_entry(summary, is_copied, until)
        summary = with_their_barriers(summary, is_cancellable | is_copied)
        summary = as_waits(summary, until, trace.records.header.ticks_per_second)
        timeline = outside_from(timeline_of(summary, classes, until, trace.end), trace.end)
        timelines.append(
            _book_ticks(places, timeline if mpi is None else mpi.calls.inserted(timeline), ticks)
        )
        values.append(summary.values)
        joined.append(summary.joined)
        assembled.append(summary.assembled)
        del parts, summary, timeline
    progress("matching", 0)
    matched = teams_of(timelines, joined, assembled)
    timelines = settled(timelines, matched[0], is_cancellable)
    return _matched(trace, places, timelines, values, ticks, matched, mpi)


def _book_ticks(places: Places, timeline: LocationTimeline, ticks: Ticks) -> LocationTimeline:
    """Book a location's ticks, and return its timeline with the ticks summed over call
    paths."""
    own_ticks = ticks[places.numbers[timeline.location]]
    rows = places.rows[: len(timeline.ticks)]
    moved = (rows - np.arange(len(rows))) * ACTIVITIES
    cells = np.arange(timeline.ticks.size) + moved.repeat(ACTIVITIES)
    own_ticks += sums(cells, timeline.ticks.reshape(-1), own_ticks.size).reshape(own_ticks.shape)
    return replace(timeline, ticks=timeline.ticks.sum(axis=0, keepdims=True))


def _kinds(places: Places, numbers: int) -> list[str]:
    """Return the kinds of the regions of call paths, as the trace numbers these."""
    kinds = [places.paths[row].kind if row else "" for row in places.rows[:numbers].tolist()]
    return kinds + [""] * (numbers - len(kinds))


def _with_known_blocks(kinds: list[str], records: Records) -> list[str]:
    """Return the kinds without those of `target data` whose block has no event: runs that recorded
    none count all of the construct as the host's."""
    rows = records.sums.items()
    with_block = {path for (path, _), row in rows if row[Column.BODY_T]}
    is_known = [not rows or number in with_block for number in range(len(kinds))]
    return [
        kind if kind != "target data" or known else ""
        for kind, known in zip(kinds, is_known, strict=True)
    ]


def _matched(
    trace: Trace,
    places: Places,
    timelines: list[LocationTimeline],
    values: list[ValueColumns],
    ticks: Ticks,
    matched: tuple[TeamTable, Membership],
    mpi: ProcessView | None,
) -> Run:
    records = trace.records
    teams, membership = matched
    thread = np.array([places.numbers[timeline.location] for timeline in timelines], np.int64)
    level = [records.locations[timeline.location].level for timeline in timelines]
    is_worker = np.array([depth > 0 for depth in level], np.bool_)
    is_worker[membership.location[~membership.is_master]] = True
    initial = [row for row, depth in enumerate(level) if depth <= 0]
    main = min(initial, key=lambda row: timelines[row].location, default=0)
    visits = np.zeros((len(places.paths), len(places.threads)), np.int64)
    for row, timeline in enumerate(timelines):
        place_rows = places.rows[: len(timeline.visits)]
        visits[:, thread[row]] += sums(place_rows, timeline.visits, len(visits)).astype(np.int64)
    serial = np.zeros(len(places.paths))
    if timelines:
        main_serial = timelines[main].serial
        serial = sums(places.rows[: len(main_serial)], main_serial, len(serial))
    membership = in_order_of_work(membership, thread)
    for row, timeline in enumerate(timelines):
        end_waits(timeline, teams, membership, row)
    run = Run(
        records=records,
        places=places,
        second=records.header.ticks_per_second,
        start=records.header.start,
        end=trace.end,
        timelines=tuple(map(_without_teams, timelines)),
        values=tuple(values),
        thread=thread,
        is_worker=is_worker,
        main=main,
        spent=ticks,
        serial=serial,
        visits=visits,
        teams=teams,
        membership=membership,
        instances=instances_of(timelines, teams),
        contention=contention_of(timelines),
        mpi=mpi,
    )
    _complete(run)
    return run


def _without_teams(timeline: LocationTimeline) -> LocationTimeline:
    """Drop the teams of arrivals, which those of their barrier instances are."""
    arrivals = timeline.arrivals
    return replace(timeline, arrivals=replace(arrivals, team=arrivals.team[:0].copy()))


def _complete(run: Run) -> None:
    """Book the time for which a thread has no event of its own: the ways into teams and out of
    them, and the time outside all regions."""
    for row, timeline in enumerate(run.timelines):
        _book_teams(run, row)
        outside = run.spent[run.thread[row], 0]
        if run.is_worker[row]:
            continue
        first = int(timeline.begin[0]) if len(timeline.begin) else run.end
        outside[Activity.COMPUTE] += timeline.ticks[:, Activity.OUTSIDE].sum()
        if row == run.main:
            outside[Activity.COMPUTE] += max(0, first - run.start)
            run.serial[0] += max(0, first - run.start)
        else:
            outside[Activity.COMPUTE] -= max(0, run.end - last_of(run, row))
    run.spent[:, :, Activity.OUTSIDE] = 0


def _work_outside_teams(run: Run, thread: int) -> tuple[Ints, Ints]:
    """Return the intervals in which a thread worked outside all teams, for all locations that were
    this thread one after the other."""
    loose = [run.timelines[row].loose for row in where(run.thread == thread)]
    if len(loose) == 1:
        begin, end = loose[0]
    else:
        begin, end = (np.concatenate(column) for column in zip(*loose, strict=True))
    if not len(begin):
        return begin, end
    order = np.argsort(begin, kind="stable")
    return begin[order], end[order]


def _book_teams(run: Run, row: int) -> None:
    """Book a worker's ways from its master's fork into the region and from the region to the
    join."""
    members, timeline = run.membership, run.timelines[row]
    rows = members.worker_of(row)
    place_rows = run.places.rows[members.path[rows]]
    ticks = run.spent[run.thread[row]]
    loose = _work_outside_teams(run, int(run.thread[row]))
    for activity, since, until in (
        (Activity.FORK, members.fork[rows], members.begin[rows]),
        (Activity.JOIN, members.leave[rows], members.join[rows]),
    ):
        ticks[:, activity] += sums(
            place_rows, until - since - within(*loose, since, until), len(ticks)
        )
    ended = where(timeline.waits.arrival >= timeline.departed)
    if not len(ended):
        return
    wait_ticks = timeline.waits.end[ended] - timeline.waits.begin[ended]
    place_rows = run.places.rows[timeline.arrivals.path[timeline.waits.arrival[ended]]]
    moved = sums(place_rows, wait_ticks, len(ticks))
    ticks[:, Activity.IMPLICIT] += moved
    ticks[:, Activity.JOIN] -= moved
