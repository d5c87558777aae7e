"""The time line of a job: the threads of all processes, on the job's clock, and the messages between
them, drawn as arrows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.instance import Instances
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.causes.run.thread_timeline import ThreadTimeline, thread_timelines_of
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.page.causes import JobRuns
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.timeline.devices import DeviceRow, device_rows
from pomp_clang.report.page.timeline.marks import InstanceMarks, marks_of, worst_of_several
from pomp_clang.report.page.timeline.scene import Scene
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job, JobLocation

MOST = 1 << 18
"""A page's limit of messages; the ones longest under way are kept."""


class JobRows(Protocol):
    """A job whose time line begins at `start` of its clock."""

    @property
    def job(self) -> Job: ...

    @property
    def start(self) -> int: ...

    def threads_of(self, calls: Ints) -> Ints:
        """Return rows of the timeline for rows of the job's calls."""


def packed(job_rows: JobRows, pack: Pack) -> dict[str, Any]:
    """Pack the messages ordered by begin: from the begin of the sending call to the end of the
    receiving one."""
    job = job_rows.job
    messages = job.messages
    begin = job.calls.enter[messages.send]
    duration = np.maximum(0, job.calls.leave[messages.received] - begin)
    rows = np.arange(len(begin))
    if len(rows) > MOST:
        rows = np.argpartition(-duration, MOST)[:MOST]
    rows = rows[np.argsort(begin[rows], kind="stable")]
    return {
        "count": len(begin),
        "from": pack.add(job_rows.threads_of(messages.send[rows])),
        "to": pack.add(job_rows.threads_of(messages.received[rows])),
        "begin": pack.add(np.maximum(0, begin[rows] - job_rows.start)),
        "length": pack.add(duration[rows]),
        "bytes": pack.add(np.maximum(0, messages.bytes[rows])),
        "tag": pack.add(np.maximum(0, messages.tag[rows])),
    }


def partners(rows: JobRows, marks: Iterable[InstanceMarks], pack: Pack) -> dict[str, Any]:
    """Pack for each mark the call that it waits for, or that waits for it: thread + 1 (0 for
    none), and begin."""
    calls = rows.job.calls
    none = np.zeros(0, np.int64)
    row = np.concatenate([none, *(mark.worst.partners for mark in marks)])
    is_one = row >= 0
    thread, begin = np.zeros(len(row), np.int64), np.zeros(len(row), np.int64)
    thread[is_one] = rows.threads_of(row[is_one]) + 1
    begin[is_one] = np.maximum(0, calls.enter[row[is_one]] - rows.start)
    return {"thread": pack.add(thread), "begin": pack.add(begin)}


_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _JobPart:
    """A process: `rows` lead from its call paths to the job's, `first` is its first thread there."""

    run: Run
    clock: JobLocation
    rows: Ints
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class JobSpan:
    """All processes, with the call paths and threads that their cube has.  Ticks are ns of the
    job's clock, from when the first process begins to when the last one ends."""

    job: Job
    start: int
    end: int
    paths: tuple[Place, ...]
    threads: tuple[Thread, ...]
    parts: tuple[_JobPart, ...]

    @property
    def second(self) -> int:
        return _SECOND

    @property
    def duration(self) -> float:
        return (self.end - self.start) / _SECOND

    def threads_of(self, calls: Ints) -> Ints:
        """Return the threads that made the calls in these rows of `job.calls`."""
        parts = self.parts
        thread = np.array(
            [
                parts[location.process].first
                + parts[location.process].run.places.numbers[location.number]
                for location in self.job.locations
            ],
            np.int64,
        )
        threads: Ints = thread[self.job.calls.location[calls]]
        return threads


def whole_job(of_job: JobRuns) -> JobSpan:
    """Call paths of all processes that are the same are one; threads are numbered by process."""
    job, runs = of_job.job, of_job.runs
    paths, rows = of_all([run.paths for run in runs])
    clocks = [clock_of(job, number) for number in range(len(runs))]
    ends = np.array(
        [clock.at(np.array([run.start, run.end])) for clock, run in zip(clocks, runs, strict=True)]
    )
    first = np.cumsum([0, *(len(run.threads) for run in runs)]).tolist()
    threads = tuple(
        replace(thread, process=process.rank)
        for process, run in zip(job.processes, runs, strict=True)
        for thread in run.threads
    )
    parts = map(_JobPart, runs, clocks, rows, first)
    return JobSpan(job, int(ends.min()), int(ends.max()), paths, threads, tuple(parts))


def timelines_of_job(job_span: JobSpan) -> tuple[ThreadTimeline, ...]:
    """Build the timelines in the order of `JobSpan.threads`; a thread without data does nothing."""
    return tuple(
        _on_job_clock(job_span, part, timeline)
        for part in job_span.parts
        for timeline in thread_timelines_of(part.run)
    )


def _on_job_clock(job_span: JobSpan, part: _JobPart, timeline: ThreadTimeline) -> ThreadTimeline:
    begin = part.clock.at(timeline.begin)
    end = int(part.clock.at(np.array([timeline.end]))[0])
    begin = np.concatenate([[job_span.start], np.maximum(begin, job_span.start), [end]])
    path = np.concatenate([[0], part.rows[timeline.path], [0]]).astype(np.int32)
    outside = np.array([Activity.OUTSIDE], np.uint8)
    activity = np.concatenate([outside, timeline.activity, outside])
    return ThreadTimeline(np.maximum.accumulate(begin), path, activity, job_span.end)


def marks_of_job(
    job_span: JobSpan, kinds: list[type[Property]], progress: Progress = silent
) -> list[InstanceMarks]:
    """Collect the worst instances of each property over all processes."""
    by_metric: dict[int, list[InstanceMarks]] = {}
    for number, part in enumerate(job_span.parts):
        progress("instances", number / len(job_span.parts))
        for marks in marks_of(part.run, kinds):
            worst = _placed(part, marks.worst)
            by_metric.setdefault(marks.metric, []).append(replace(marks, worst=worst))
    return [worst_of_several(by_metric[metric]) for metric in sorted(by_metric)]


def _placed(part: _JobPart, worst: Instances) -> Instances:
    return replace(
        worst,
        thread=worst.thread + part.first,
        path=part.rows[worst.path],
        begin=part.clock.at(worst.begin),
        end=part.clock.at(worst.end),
    )


def scene_of_job(
    of_job: JobRuns, kinds: list[type[Property]], progress: Progress = silent
) -> Scene:
    """Build the scene of a job, with messages between threads; times are ns of the job's clock."""
    job_span = whole_job(of_job)
    marks = marks_of_job(job_span, kinds, progress)

    def more(pack: Pack) -> dict[str, Any]:
        return {
            "messages": packed(job_span, pack),
            "partners": partners(job_span, marks, pack),
        }

    return Scene(job_span, timelines_of_job(job_span), marks, more, devices_of_job(job_span))


def devices_of_job(job_span: JobSpan) -> tuple[DeviceRow, ...]:
    """Build the rows of the devices of all processes."""
    return tuple(
        row
        for part in job_span.parts
        for row in device_rows(
            part.run,
            job_span.threads[part.first],
            part.rows,
            part.clock.at,
            job_span.start,
            job_span.end,
        )
    )
