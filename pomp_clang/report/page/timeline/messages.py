"""The messages between the threads of a job, drawn as arrows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from pomp_clang.report.page.timeline.marks import InstanceMarks
from pomp_clang.report.page.timeline.pack import Pack
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job

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
