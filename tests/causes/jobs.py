"""Jobs written by hand: what their processes did in MPI, with times in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pomp_clang.causes.mpi.share import waits_of
from pomp_clang.causes.mpi.waits import State
from pomp_clang.mpi.names import NAMES, NUMBERS
from pomp_clang.trace.model import Trace
from pomp_clang.trace.mpi.columns import (
    NONE,
    Calls,
    Clock,
    Collectives,
    Communicator,
    Correction,
    Job,
    Location,
    Messages,
    OneSided,
    Process,
    Unmatched,
)

WORLD = 0
ALL = -2
"""Of a post or start: nobody in particular."""


@dataclass(eq=False)
class Call:
    rank: int
    name: str
    enter: float
    leave: float
    thread: int = 0
    path: int = 0


@dataclass
class Script:
    """Calls, and what they have to do with each other; of `ranks` processes with some threads."""

    ranks: int
    threads: int = 1
    calls: list[Call] = field(default_factory=list)
    messages: list[tuple[Call, Call, Call, Call, int]] = field(default_factory=list)
    parts: list[tuple[int, Call, Call, int, int, int, int]] = field(default_factory=list)
    one_sided: list[tuple[Call, int, int, int, bool]] = field(default_factory=list)
    communicators: list[Communicator] = field(default_factory=list)
    traces: tuple[Trace, ...] = ()
    offsets: tuple[float, ...] = ()
    operations: int = 0

    def call(
        self, rank: int, name: str, enter: float, leave: float, thread: int = 0, path: int = 0
    ) -> Call:
        made = Call(rank, f"MPI_{name}", enter, leave, thread, path)
        self.calls.append(made)
        return made

    def message(
        self,
        send: Call,
        receive: Call,
        *,
        sent: Call | None = None,
        received: Call | None = None,
        size: int = 8,
    ) -> None:
        self.messages.append((send, sent or send, receive, received or receive, size))

    def together(
        self,
        *calls: Call | tuple[Call, Call],
        root: int = NONE,
        communicator: int = WORLD,
        roots: dict[int, int] | None = None,
    ) -> None:
        """An operation: calls, or those that began and completed it."""
        for each in calls:
            began, completed = each if isinstance(each, tuple) else (each, each)
            own = (roots or {}).get(began.rank, root)
            self.parts.append((self.operations, began, completed, communicator, own, 16, 24))
        self.operations += 1

    def collective(self, name: str, *times: tuple[float, float], root: int = NONE) -> None:
        """Of all processes of the job, by rank."""
        made = [self.call(rank, name, *when) for rank, when in enumerate(times)]
        self.together(*made, root=root)

    def window(
        self,
        rank: int,
        name: str,
        enter: float,
        leave: float,
        *targets: int,
        window: int = 100,
        size: int = 0,
        exclusive: bool = False,
    ) -> Call:
        made = self.call(rank, name, enter, leave)
        for target in targets or (NONE,):
            self.one_sided.append((made, window, target, size, exclusive))
        return made

    def job(self) -> Job:
        order = sorted(self.calls, key=lambda each: (each.rank, each.thread, each.enter))
        row = {id(each): number for number, each in enumerate(order)}
        world = Communicator(WORLD, tuple(range(self.ranks)))
        first = [0]
        for trace in self.traces:
            first.append(first[-1] + max(trace.records.paths, default=0) + 1)
        processes = tuple(
            Process(
                rank,
                f"node{rank}",
                f"rank-{rank}",
                self.traces[rank] if self.traces else None,  # type: ignore[arg-type]
                first[rank] if self.traces else 0,
                Clock(0, 0, 0),
            )
            for rank in range(self.ranks)
        )
        return Job(
            directory="pomp-app-1",
            processes=processes,
            locations=tuple(
                self._location(rank, thread)
                for rank in range(self.ranks)
                for thread in range(self.threads)
            ),
            calls=Calls(
                _ints(each.rank * self.threads + each.thread for each in order),
                _ns(each.enter for each in order),
                _ns(each.leave for each in order),
                _ints(NUMBERS[each.name] for each in order),
                _ints(
                    (first[each.rank] if self.traces else 0) + each.path if each.path else 0
                    for each in order
                ),
            ),
            messages=Messages(
                *(_ints(row[id(each[at])] for each in self.messages) for at in range(4)),
                _ints(WORLD for _ in self.messages),
                _ints(0 for _ in self.messages),
                _ints(each[4] for each in self.messages),
            ),
            collectives=Collectives(
                _ints(each[0] for each in self.parts),
                _ints(row[id(each[1])] for each in self.parts),
                _ints(row[id(each[2])] for each in self.parts),
                _ints(each[3] for each in self.parts),
                _ints(each[4] for each in self.parts),
                _ints(each[1].rank for each in self.parts),
                _ints(each[5] for each in self.parts),
                _ints(each[6] for each in self.parts),
                _ints(NUMBERS[each[1].name] for each in self.parts),
            ),
            one_sided=OneSided(
                _ints(row[id(each[0])] for each in self.one_sided),
                *(_ints(each[at] for each in self.one_sided) for at in (1, 2, 3)),
                np.array([each[4] for each in self.one_sided], np.bool_),
            ),
            communicators=(world, *self.communicators),
            correction=Correction(),
            unmatched=Unmatched(),
        )

    def _location(self, rank: int, thread: int) -> Location:
        """By a clock that is behind the job's, and may go at another pace than it."""
        if not self.traces:
            return Location(rank, thread, _ints([0, 10]), _ints([0, 10]))
        second = self.traces[rank].records.header.ticks_per_second
        start = self.traces[rank].records.header.start
        offset = self.offsets[rank] if self.offsets else 0.0
        return Location(
            rank, thread, _ints([start, start + 10 * second]), _ns([offset, offset + 10])
        )


def _ints(values: object) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(list(values), np.int64)  # type: ignore[call-overload]


def _ns(values: object) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([round(each * 1e9) for each in values], np.int64)  # type: ignore[attr-defined]


Found = dict[tuple[int, str], float]


def waiting(script: Script, state: State) -> Found:
    """Seconds in that state, by rank and function; a call twice is told from the one before."""
    job = script.job()
    found: Found = {}
    waits = waits_of(job).of(state)
    for call, ns in zip(waits.call.tolist(), waits.ns.tolist(), strict=True):
        rank = job.processes[job.locations[job.calls.location[call]].process].rank
        key = rank, NAMES[job.calls.function[call]].removeprefix("MPI_")
        found[key] = round(found.get(key, 0.0) + ns / 1e9, 9)
    return found


def states(script: Script) -> dict[str, Found]:
    """All states that there are."""
    return {state.name: found for state in State if (found := waiting(script, state))}


def folder_of(rank: int, folder: Path) -> Path:
    return folder / f"rank-{rank}"
