"""What the masters of teams tell their members: when a team was joined, and when all were in
the barrier at its region's end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.trace.layout import Op
from pomp_clang.trace.model import Ints, Stream, Trace


@dataclass(frozen=True, slots=True)
class Told:
    """A moment for each of some teams, by their numbers."""

    team: Ints
    time: Ints

    def of(self, teams: Ints, otherwise: int = 0) -> Ints:
        if not len(self.team):
            return np.full(len(teams), otherwise)
        at = np.minimum(np.searchsorted(self.team, teams), len(self.team) - 1)
        return np.where(self.team[at] == teams, self.time[at], otherwise)


@dataclass(frozen=True, slots=True)
class Teams:
    joined: Told
    assembled: Told


def teams_of(trace: Trace) -> Teams:
    found: dict[Op, list[tuple[Ints, Ints]]] = {Op.JOINED: [], Op.ASSEMBLED: []}
    for stream in trace.streams:
        for op, pieces in found.items():
            pieces.append(_told(stream, op))
    return Teams(_sorted(found[Op.JOINED]), _sorted(found[Op.ASSEMBLED]))


def _told(stream: Stream, op: Op) -> tuple[Ints, Ints]:
    rows = np.flatnonzero(stream.op == op)
    return stream.values_of(rows)[0], stream.time[rows]


def _sorted(pieces: list[tuple[Ints, Ints]]) -> Told:
    team = np.concatenate([np.zeros(0, np.int64), *(piece[0] for piece in pieces)])
    time = np.concatenate([np.zeros(0, np.int64), *(piece[1] for piece in pieces)])
    order = np.argsort(team)
    return Told(team[order], time[order])
