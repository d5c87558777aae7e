"""The profile that a trace tells: the same sums by call path and location as the runtime's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.trace.departures import book, together
from pomp_clang.trace.model import Ints, Paths, Trace
from pomp_clang.trace.parts import parts_of
from pomp_clang.trace.replay import Departures, Moments, Replay, replay_parts

Sums = dict[tuple[int, int], list[int]]


@dataclass(frozen=True, slots=True)
class _Part:
    """What a location leaves until all have been read."""

    location: int
    sums: Ints
    departures: Departures
    path: Paths
    joined: Moments
    assembled: Moments


def sums(trace: Trace) -> Sums:
    """(call path, location) -> the columns of `layout.Column`, where any is not 0."""
    parts = [_part(replay_parts(each, trace)) for each in parts_of(trace)]
    joined = together([part.joined for part in parts])
    assembled = together([part.assembled for part in parts])
    found: Sums = {}
    for part in parts:
        book(part.sums, part.path, part.departures, joined, assembled, trace.end)
        for path in np.flatnonzero(part.sums.any(axis=1)):
            if path:
                found[int(path), part.location] = [int(value) for value in part.sums[path]]
    return found


def _part(told: Replay) -> _Part:
    path = told.visits.path[told.departures.visit]
    return _Part(told.location, told.sums, told.departures, path, told.joined, told.assembled)
