"""The instances of a run's properties -> how many there are, how they are spread, the worst."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import Flags, Numbers, sums
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.distinct import numbered
from pomp_clang.causes.mpi.waits import NOBODY
from pomp_clang.causes.occurrence import Occurrences, joined
from pomp_clang.causes.occurrences import parts_of, pieces_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress, Run, silent
from pomp_clang.causes.tally import (
    BUCKET_SHIFT,
    BUCKETS,
    EACH,
    GROUPS,
    NONE,
    WORST,
    Table,
    Tally,
    together,
)
from pomp_clang.trace.model import Ints

_ROOM = 1 << 14
"""Instances that are looked at together, and counters of them that are no trouble."""


def tally_of(
    run: Run, kinds: Sequence[type[Property]], cube: Cube, progress: Progress = silent
) -> Tally:
    """At the rows of the run's call paths and threads, as its `cube` has them; the partners' are
    those of the job.  What is computed for these alone is not kept: it makes room."""
    is_there = cube.totals() != 0
    known = dict(run.memo)
    found: dict[type[Property], Tally] = {}
    for metric, kind in reversed(list(enumerate(kinds))):
        progress(f"instances of {kind.name}", 1 - metric / len(kinds))
        if not is_there[metric] or not kind.instances_are_counted:
            continue
        parts = [found[each].of(metric) for each in parts_of(kind, kinds, run) if each in found]
        pieces = (tallied(run, metric, each) for each in _larger(pieces_of(kind, run)))
        found[kind] = together([*pieces, *parts])
    run.memo.clear()
    run.memo.update(known)
    return together([found[kind] for kind in kinds if kind in found])


def _larger(pieces: Iterable[Occurrences]) -> Iterator[Occurrences]:
    """Some put together: what a piece takes, however small, is taken less often.  They are let go
    of before what they were put together to is looked at."""
    waiting: list[Occurrences] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += len(piece.severity)
        if count >= _ROOM:
            waiting, count = [joined(waiting)], 0
            del piece
            yield waiting.pop()
    waiting = [joined(waiting)]
    yield waiting.pop()


def tallied(run: Run, metric: int, piece: Occurrences) -> Tally:
    """A piece's, in a few passes."""
    if not len(piece.severity):
        return NONE
    severity = np.ascontiguousarray(piece.severity)
    path = piece.path
    bucket = (severity.view(np.int64) >> BUCKET_SHIFT).astype(np.int32)
    buckets = _buckets(metric, path, bucket, severity)
    heads = np.flatnonzero(np.append(True, np.diff(buckets["path"].astype(np.int64)) != 0))
    groups = np.zeros(len(heads), GROUPS)
    groups["metric"], groups["path"] = metric, buckets["path"][heads]
    groups["count"] = np.add.reduceat(buckets["count"], heads)
    groups["sum"] = np.add.reduceat(buckets["sum"], heads)
    row = np.zeros(len(run.paths), np.int64)
    row[groups["path"]] = np.arange(len(heads))
    row = row[path]
    distance = severity - (groups["sum"] / groups["count"])[row]
    groups["squares"] = sums(row, distance * distance, len(heads))
    lowest = np.flatnonzero(bucket == buckets["bucket"][heads].astype(np.int32)[row])
    groups["least"] = np.inf
    np.minimum.at(groups["least"], row[lowest], severity[lowest])
    highest = np.flatnonzero(bucket >= _floors(buckets, heads)[row])
    at = highest[_worst(row[highest], severity[highest], len(heads))]
    return Tally(groups, buckets, _told(run, metric, piece.take(at)))


def _buckets(
    metric: int, path: npt.NDArray[Any], bucket: Numbers, severity: npt.NDArray[np.float64]
) -> Table:
    """Counted by their number where that has room, else sorted."""
    low, high = int(bucket.min()), int(bucket.max())
    width = high - low + 1
    key = path.astype(np.int64) * width + (bucket - low)
    size = (int(path.max()) + 1) * width
    if size <= max(_ROOM, 2 * len(key)):
        counts = np.bincount(key, minlength=size)
        there = np.flatnonzero(counts)
        count, whole = counts[there], sums(key, severity, size)[there]
    else:
        there, place = numbered(key)
        count = np.bincount(place, minlength=len(there))
        whole = sums(place, severity, len(there))
    found = np.zeros(len(there), BUCKETS)
    found["metric"], found["path"], found["bucket"] = metric, there // width, there % width + low
    found["count"], found["sum"] = count, whole
    return found


def _floors(buckets: Table, heads: Ints) -> Numbers:
    """Of each call path the bucket from which on there are as many as are kept, or all."""
    until = np.cumsum(buckets["count"].astype(np.int64))
    ends = np.append(heads[1:], len(buckets)) - 1
    above = np.repeat(until[ends], np.diff(np.append(heads, len(buckets)))) - until
    passed = np.add.reduceat((above >= EACH).astype(np.int64), heads)
    floors: Numbers = buckets["bucket"][heads + passed].astype(np.int32)
    return floors


def _worst(row: Ints, severity: npt.NDArray[np.float64], rows: int) -> Ints:
    """The worst of each row; of equal ones those that come first."""
    found: list[Ints] = []
    left: Flags = np.ones(len(row), np.bool_)
    for _ in range(EACH):
        most = np.full(rows, -np.inf)
        here = np.flatnonzero(left)
        np.maximum.at(most, row[here], severity[here])
        is_most = here[severity[here] == most[row[here]]]
        first = np.full(rows, len(row))
        first[row[is_most[::-1]]] = is_most[::-1]
        first = first[first < len(row)]
        left[first] = False
        found.append(first)
    return np.concatenate(found)


def _told(run: Run, metric: int, worst: Occurrences) -> Table:
    table = np.zeros(len(worst.severity), WORST)
    table["metric"], table["path"], table["thread"] = metric, worst.path, worst.thread
    table["severity"] = worst.severity
    for name, ticks in (("begin", worst.begin), ("end", worst.end)):
        if run.peers is not None:
            table[name] = run.peers.seconds(run, ticks)
        else:
            table[name] = (ticks - run.start) / run.second
    names = ("partner_process", "partner_thread", "partner_path", "partner_begin")
    for row, call in enumerate(worst.partners):
        of = (-1, -1, -1, 0.0)
        if run.peers is not None and call != NOBODY:
            of = run.peers.caller(int(call))
        for name, value in zip(names, of, strict=True):
            table[name][row] = value
    return table[np.lexsort((table["begin"], -table["severity"], table["path"]))]
