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
    course = np.repeat(np.arange(len(courses)), sizes)
    row = np.concatenate([np.zeros(0, np.int64), *(np.arange(size) for size in sizes)])
    named = {
        name: np.concatenate(
            [np.zeros(0, np.int64), *(getattr(each.got, name) for each in courses)]
        )
        for name in ("lock", "path", "asked", "got", "released")
    }
    order = np.lexsort((named["got"], named["lock"]))
    course, row = course[order], row[order]
    named = {name: column[order] for name, column in named.items()}
    freed, holder = _before(named["lock"], named["released"], course)
    waited = np.minimum(freed, named["got"]) - named["asked"]
    waited[(freed <= 0) | (holder == course)] = 0
    return Contention(
        course,
        row,
        named["lock"],
        named["path"],
        named["asked"],
        named["got"],
        named["released"],
        np.maximum(waited, 0),
        freed,
        holder,
    )


def _before(lock: Ints, released: Ints, course: Ints) -> tuple[Ints, Ints]:
    """When the same lock was last given up before, and by whom; 0 where it was free or that is
    not known."""
    same = np.flatnonzero(lock[1:] == lock[:-1]) + 1
    newest = np.arange(len(lock))
    for one in distinct(lock[same[released[same] < released[same - 1]]]):
        begin, end = np.searchsorted(lock, [one, one + 1])
        newest[begin:end] = begin + _newest(released[begin:end])
    freed = np.zeros(len(lock), np.int64)
    holder = np.full(len(lock), -1)
    freed[same] = np.maximum(released[newest[same - 1]], 0)
    holder[same] = course[newest[same - 1]]
    return freed, holder


def _newest(released: Ints) -> Ints:
    """Of each row, which up to it was given up last: one that nests outlasts those in it."""
    latest = np.maximum.accumulate(released)
    return np.maximum.accumulate(np.where(released == latest, np.arange(len(released)), 0))
