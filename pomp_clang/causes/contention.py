"""Locks and criticals that were wanted while another thread had them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Course
from pomp_clang.causes.distinct import distinct
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Contention:
    """A row for each lock or critical that was got, in the order of time for each lock.

    `waited` is ticks from when it was asked for to when another thread gave it up last; that is
    `holder`'s course, at `freed`.  `row` is that of the course's `Got`.
    """

    course: Ints
    row: Ints
    lock: Ints
    path: Ints
    asked: Ints
    got: Ints
    released: Ints
    waited: Ints
    freed: Ints
    holder: Ints


def contention_of(courses: list[Course]) -> Contention:
    sizes = [len(each.got.lock) for each in courses]
    order = np.lexsort((_joined(courses, "got"), _joined(courses, "lock")))
    course = np.repeat(np.arange(len(courses)), sizes)[order]
    row = np.concatenate([np.zeros(0, np.int64), *(np.arange(size) for size in sizes)])[order]
    lock, path, asked, got, released = (
        _joined(courses, name)[order] for name in ("lock", "path", "asked", "got", "released")
    )
    del order
    freed, holder = _before(lock, released, course)
    waited = np.minimum(freed, got)
    waited -= asked
    waited[(freed <= 0) | (holder == course)] = 0
    np.maximum(waited, 0, out=waited)
    return Contention(course, row, lock, path, asked, got, released, waited, freed, holder)


def _joined(courses: list[Course], name: str) -> Ints:
    """A column of all that was got."""
    return np.concatenate([np.zeros(0, np.int64), *(getattr(each.got, name) for each in courses)])


def _before(lock: Ints, released: Ints, course: Ints) -> tuple[Ints, Ints]:
    """When the same lock was last given up before, and by whom; 0 where it was free or that is
    not known."""
    same = np.flatnonzero(lock[1:] == lock[:-1]) + 1
    newest = np.arange(len(lock))
    for one in distinct(lock[same[released[same] < released[same - 1]]]):
        begin, end = np.searchsorted(lock, [one, one + 1])
        newest[begin:end] = begin + _newest(released[begin:end])
    freed = np.zeros(len(lock), np.int64)
    holder = np.full(len(lock), -1, np.int64)
    freed[same] = np.maximum(released[newest[same - 1]], 0)
    holder[same] = course[newest[same - 1]]
    return freed, holder


def _newest(released: Ints) -> Ints:
    """Of each row, which up to it was given up last: one that nests outlasts those in it."""
    latest = np.maximum.accumulate(released)
    return np.maximum.accumulate(np.where(released == latest, np.arange(len(released)), 0))
