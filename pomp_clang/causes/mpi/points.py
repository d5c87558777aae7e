"""Where the processes of a job wait for each other: their calls of MPI as points of their courses."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.graph import Point, Rows
from pomp_clang.causes.mpi.functions import NEEDS, Needs
from pomp_clang.causes.mpi.inserted import Own, clock_of, ticks_at
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

_GIVEN_BY_ALL = (Needs.ALL, Needs.MEETING, Needs.ROOT_NEEDS_ALL)


def objects_of(job: Job) -> int:
    """Messages, and behind them operations."""
    return len(job.messages.send) + int(job.collectives.instance.max(initial=-1)) + 1


def points_of(job: Job, number: int, run: Run) -> list[list[Rows]]:
    """Of each course of the process in that row of `Job.processes`: what it gives, when it begins a
    call, and what it needs to complete one, of that what comes last."""
    if run.mpi is None:
        return [[] for _ in run.courses]
    own, course = run.mpi.own, run.course_of_calls()
    gives, needs = _messages(job, own), _needed_messages(job, own)
    shared, wanted = _operations(job, own)
    call, given = (np.concatenate(column) for column in zip(gives, shared, strict=True))
    enter = own.enter[call]
    none = np.zeros(len(call), np.int64)
    begins = Rows(Point.RELEASE, given, own.path[call], enter, enter, none, 4 * call)
    begins_of = _by_course(begins, course[call], len(run.courses))
    call, needed, since = (np.concatenate(column) for column in zip(needs, wanted, strict=True))
    order = np.lexsort((since, call))
    last = order[np.append(call[order][1:] != call[order][:-1], True)[: len(order)]]
    call, needed = call[last], needed[last]
    since = ticks_at(clock_of(job, number), since[last])
    enter, leave = own.enter[call], own.leave[call]
    free = np.clip(since, enter, leave)
    completes = Rows(Point.GOT, needed, own.path[call], enter, leave, leave - free, 4 * call + 2)
    completes_of = _by_course(completes, course[call], len(run.courses))
    return [list(both) for both in zip(begins_of, completes_of, strict=True)]


def _by_course(rows: Rows, course: Ints, courses: int) -> list[Rows]:
    order = np.argsort(course, kind="stable")
    first = np.searchsorted(course[order], np.arange(courses + 1))
    return [rows.take(order[begin:end]) for begin, end in pairwise(first)]


def _mine(own: Own, call: Ints) -> Flags:
    found: Flags = (call >= own.rows.start) & (call < own.rows.stop)
    return found


def _messages(job: Job, own: Own) -> tuple[Ints, Ints]:
    """What it sends: calls, and which messages."""
    rows = np.flatnonzero(_mine(own, job.messages.send))
    return job.messages.send[rows] - own.rows.start, rows


def _needed_messages(job: Job, own: Own) -> tuple[Ints, Ints, Ints]:
    """With when each was sent, on the job's clock."""
    messages = job.messages
    rows = np.flatnonzero(_mine(own, messages.received))
    return messages.received[rows] - own.rows.start, rows, job.calls.enter[messages.send[rows]]


def _operations(job: Job, own: Own) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints, Ints]]:
    parts, calls = job.collectives, job.calls
    needs = NEEDS[parts.function]
    is_root = parts.root == parts.rank
    by_all = np.isin(needs, _GIVEN_BY_ALL)
    gives = by_all | ((needs == Needs.ROOT) & is_root)
    wants = by_all & ((needs != Needs.ROOT_NEEDS_ALL) | is_root)
    wants |= (needs == Needs.ROOT) & ~is_root
    last = np.full(int(parts.instance.max(initial=-1)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(last, parts.instance[gives], calls.enter[parts.call[gives]])
    first = len(job.messages.send)
    mine = _mine(own, parts.call)
    giving, wanting = np.flatnonzero(gives & mine), np.flatnonzero(wants & mine)
    wanting = wanting[last[parts.instance[wanting]] > np.iinfo(np.int64).min]
    of = parts.instance[wanting]
    return (
        (parts.call[giving] - own.rows.start, first + parts.instance[giving]),
        (parts.completed[wanting] - own.rows.start, first + of, last[of]),
    )
