"""Which stretches of the lines a page has one by one: all of them, or those of some windows."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.line import ThreadLine
from pomp_clang.report.presenter.timeline.blocks import Windows
from pomp_clang.report.presenter.timeline.marks import Marks
from pomp_clang.trace.model import Ints

WHOLE = 20 << 20
"""A trace with at most so many stretches is in the page whole."""

AROUND = 1 << 20
"""Of one with more, so many are there around the worst instances."""

_BESIDE = 100
"""Stretches of the instance's thread, before and after its begin and its end."""

_WORST = 50
"""Instances of each property."""

_BEHIND = 8
"""Ranks that the instances of a property come later which is no cause."""


def count_of(lines: tuple[ThreadLine, ...], begin: Ints, end: Ints) -> Ints:
    """Stretches of all lines within each window."""
    found = np.zeros(len(begin), np.int64)
    for line in lines:
        found += np.searchsorted(line.begin, end) - np.searchsorted(line.begin, begin, "right") + 1
    return found


def around(lines: tuple[ThreadLine, ...], marks: list[Marks]) -> Windows:
    """Where the worst of each property begin and end, then the second of each, and so on; those
    of causes some ranks before."""
    rank = [
        np.arange(min(_WORST, len(each.worst.begin))) + (0 if each.is_cause else _BEHIND)
        for each in marks
    ]
    order = np.argsort(np.concatenate([np.zeros(0, np.int64), *rank]), kind="stable")
    none = np.zeros(0, np.int64)
    thread = np.concatenate([none, *(each.worst.thread[:_WORST] for each in marks)])[order]
    since = np.concatenate([none, *(each.worst.begin[:_WORST] for each in marks)])[order]
    until = np.concatenate([none, *(each.worst.end[:_WORST] for each in marks)])[order]
    thread, when = np.repeat(thread, 2), np.stack([since, until], axis=1).reshape(-1)
    begin, end = np.empty_like(when), np.empty_like(when)
    for number, line in enumerate(lines):
        here = np.flatnonzero(thread == number)
        at = np.searchsorted(line.begin, when[here])
        last = len(line.begin) - 1
        begin[here] = line.begin[np.clip(at - _BESIDE, 0, last)]
        end[here] = line.ends[np.clip(at + _BESIDE, 0, last)]
    fits = np.cumsum(count_of(lines, begin, end)) <= AROUND
    return united(begin[fits], end[fits])


def united(begin: Ints, end: Ints) -> Windows:
    """Windows that touch or overlap are one; in the order of time."""
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    if not len(begin):
        return begin, end
    is_head = np.append(True, begin[1:] > end[:-1])
    is_tail = np.append(is_head[1:], True)
    return begin[is_head], end[is_tail]
