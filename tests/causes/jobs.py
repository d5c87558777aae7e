"""Jobs written by hand: what their processes did in MPI, with times in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pomp_clang.causes.mpi_waits.call_waits import WaitState
from pomp_clang.causes.mpi_waits.process_view import waits_of
from pomp_clang.mpi.variants import NAMES, NUMBERS
from pomp_clang.trace.model import Trace
from pomp_clang.trace.mpi.columns import (
    NONE,
    CallColumns,
    Clock,
    CollectiveColumns,
    Communicator,
    Correction,
    Job,
    JobLocation,
    JobProcess,
    MessageColumns,
    OneSidedColumns,
    Unmatched,
)

WORLD = 0
ALL = -2
"""Target of a post or start that names no process."""


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
        new_call = Call(rank, f"MPI_{name}", enter, leave, thread, path)
        self.calls.append(new_call)
        return new_call

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
        """Add an operation: calls, or pairs of calls that began and completed it."""
        for call in calls:
            began, completed = call if isinstance(call, tuple) else (call, call)
            own_root = (roots or {}).get(began.rank, root)
            self.parts.append((self.operations, began, completed, communicator, own_root, 16, 24))
        self.operations += 1

    def collective(self, name: str, *times: tuple[float, float], root: int = NONE) -> None:
        """Add a collective of all processes of the job, with times by rank."""
        calls = [self.call(rank, name, *when) for rank, when in enumerate(times)]
        self.together(*calls, root=root)

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
        window_call = self.call(rank, name, enter, leave)
        for target in targets or (NONE,):
            self.one_sided.append((window_call, window, target, size, exclusive))
        return window_call

    def job(self) -> Job:
        order = sorted(self.calls, key=lambda call: (call.rank, call.thread, call.enter))
        row = {id(call): number for number, call in enumerate(order)}
        world = Communicator(WORLD, tuple(range(self.ranks)))
        first = [0]
        for trace in self.traces:
            first.append(first[-1] + max(trace.records.paths, default=0) + 1)
        processes = tuple(
            JobProcess(
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
            calls=CallColumns(
                _ints(call.rank * self.threads + call.thread for call in order),
                _ns(call.enter for call in order),
                _ns(call.leave for call in order),
                _ints(NUMBERS[call.name] for call in order),
                _ints(
                    (first[call.rank] if self.traces else 0) + call.path if call.path else 0
                    for call in order
                ),
                np.zeros(len(order), np.int64),
            ),
            messages=MessageColumns(
                _ints(row[id(message[0])] for message in self.messages),
                _ints(row[id(message[1])] for message in self.messages),
                _ints(row[id(message[2])] for message in self.messages),
                _ints(row[id(message[3])] for message in self.messages),
                _ints(WORLD for _ in self.messages),
                _ints(0 for _ in self.messages),
                _ints(message[4] for message in self.messages),
            ),
            collectives=CollectiveColumns(
                _ints(part[0] for part in self.parts),
                _ints(row[id(part[1])] for part in self.parts),
                _ints(row[id(part[2])] for part in self.parts),
                _ints(part[3] for part in self.parts),
                _ints(part[4] for part in self.parts),
                _ints(part[1].rank for part in self.parts),
                _ints(part[5] for part in self.parts),
                _ints(part[6] for part in self.parts),
                _ints(NUMBERS[part[1].name] for part in self.parts),
            ),
            one_sided=OneSidedColumns(
                _ints(row[id(access[0])] for access in self.one_sided),
                _ints(access[1] for access in self.one_sided),
                _ints(access[2] for access in self.one_sided),
                _ints(access[3] for access in self.one_sided),
                np.array([access[4] for access in self.one_sided], np.bool_),
            ),
            communicators=(world, *self.communicators),
            correction=Correction(),
            unmatched=Unmatched(),
        )

    def _location(self, rank: int, thread: int) -> JobLocation:
        """Return a location with a clock that is behind the job's, and may have another pace."""
        if not self.traces:
            return JobLocation(rank, thread, _ints([0, 10]), _ints([0, 10]))
        second = self.traces[rank].records.header.ticks_per_second
        start = self.traces[rank].records.header.start
        offset = self.offsets[rank] if self.offsets else 0.0
        return JobLocation(
            rank, thread, _ints([start, start + 10 * second]), _ns([offset, offset + 10])
        )


def _ints(values: object) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(list(values), np.int64)  # type: ignore[call-overload]


def _ns(values: object) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([round(seconds * 1e9) for seconds in values], np.int64)  # type: ignore[attr-defined]


Found = dict[tuple[int, str], float]


def waiting(script: Script, state: WaitState) -> Found:
    """Return the seconds in a state by rank and function, summed over the calls."""
    job = script.job()
    result: Found = {}
    waits = waits_of(job).of(state)
    for call, ns in zip(waits.call.tolist(), waits.ns.tolist(), strict=True):
        rank = job.processes[job.locations[job.calls.location[call]].process].rank
        key = rank, NAMES[job.calls.function[call]].removeprefix("MPI_")
        result[key] = round(result.get(key, 0.0) + ns / 1e9, 9)
    return result


def states(script: Script) -> dict[str, Found]:
    """Return all states that the job has."""
    return {state.name: result for state in WaitState if (result := waiting(script, state))}


def folder_of(rank: int, folder: Path) -> Path:
    return folder / f"rank-{rank}"
