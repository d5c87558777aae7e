"""Other work at points of threads' courses: the compiled part, called with NumPy's memory."""

from __future__ import annotations

import ctypes

import numpy as np

from pomp_clang.causes.course import Ticks
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints


class _Sparing(ctypes.Structure):
    """struct pomp_sparing of runtime/replay/rework.h"""

    _fields_ = (
        *members("POINTS", "after", "work", "PIECES", "begin", "end"),
        ("start", ctypes.c_int64),
        ("part", ctypes.c_double),
    )


class _Spans(ctypes.Structure):
    _fields_ = members("COUNT", "since", "until")


def spare(after: Ints, work: Ticks, since: int, pieces: tuple[Ints, Ints], part: float) -> float:
    """Takes from the work that leads to each of a course's points, from `after` of the one before
    or from `since`, a part of what lies in pieces of time, which are disjoint and in order: their
    begins and ends.  Returns the ticks after the last point."""
    begin, end = (np.ascontiguousarray(column, np.int64) for column in pieces)
    run = _Sparing(points=len(after), pieces=len(begin), start=since, part=part)
    for name, column in (("after", after), ("work", work), ("begin", begin), ("end", end)):
        assert column.flags.c_contiguous
        point(run, name, column)
    function = load().pomp_spare
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_double
    return float(function(ctypes.byref(run)))


def summed(work: Ticks, since: Ints, until: Ints) -> Ticks:
    """Of each span, which are the rows after each `since` up to each `until`."""
    sums = np.zeros(len(since))
    _call("pomp_sum_spans", since, until, work, sums)
    return sums


def scaled(work: Ticks, since: Ints, until: Ints, factor: Ticks) -> Ticks:
    """Each span by its factor."""
    found = work.copy()
    _call("pomp_scale_spans", since, until, factor, work, found)
    return found


def _call(function: str, since: Ints, until: Ints, *columns: Ticks) -> None:
    spans = _Spans(count=len(since))
    kept = [np.ascontiguousarray(column, np.int64) for column in (since, until)]
    for name, column in zip(("since", "until"), kept, strict=True):
        point(spans, name, column)
    called = getattr(load(), function)
    called.argtypes = [ctypes.c_void_p] * (1 + len(columns))
    called(ctypes.byref(spans), *(column.ctypes.data for column in columns))
