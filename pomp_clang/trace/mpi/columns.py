"""What a job's processes did in MPI, on one clock: times are ns from the job's beginning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints, Trace

NONE = -1
"""A rank, or a row, that there is none of."""


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """A row a visit of a function of MPI, in the order of location and enter.

    `location` is a row of `Job.locations`, `function` a row of `pomp_clang.mpi.names.NAMES`, and
    `path` a call path of the job, 0 none.
    """

    location: Ints
    enter: Ints
    leave: Ints
    function: Ints
    path: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """A row a message that was sent and received; `send`, `sent`, `receive` and `received` are
    rows of `Calls`: which began to send it and completed that, which began to receive it and
    completed that."""

    send: Ints
    sent: Ints
    receive: Ints
    received: Ints
    communicator: Ints
    tag: Ints
    bytes: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Collectives:
    """A row a process's part in a collective operation, those of one `instance` in a row.

    `call` began it and `completed` completed it; `rank` is who took part, `root` is `NONE` where
    there is none: ranks of the job.  `function` is what it is, a row of
    `pomp_clang.mpi.names.NAMES`: of one that was prepared that which did so.
    """

    instance: Ints
    call: Ints
    completed: Ints
    communicator: Ints
    root: Ints
    rank: Ints
    bytes_out: Ints
    bytes_in: Ints
    function: Ints


@dataclass(frozen=True, slots=True, eq=False)
class OneSided:
    """A row a call on a window, `target` is a rank of the job or `NONE`; `exclusive` tells locks
    that nobody else may have meanwhile.

    A call that names a group (start, post) has a row for each of its members, in a row.
    """

    call: Ints
    window: Ints
    target: Ints
    bytes: Ints
    exclusive: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Communicator:
    """Or a window's, whose `is_window` is true.  `members` are ranks of the job; of one between
    two groups `remote` is the other one, as seen by a process of the first."""

    number: int
    members: tuple[int, ...]
    remote: tuple[int, ...] = ()
    name: str = ""
    is_window: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """A process's clock as it was measured at the job's beginning and end.

    `offset` is by how much it was behind that of the first process, and `drift` by how much more
    it was then with each second; `error` is half the shortest round trip: all in ns, and 0 where
    they are the same clock.
    """

    offset: float
    drift: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class Process:
    """`first_path` is the job's number of its call path 0: a call path's is that and its own."""

    rank: int
    host: str
    directory: str
    trace: Trace
    first_path: int
    clock: Clock


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """A thread: `process` is a row of `Job.processes`, `number` its location there.

    Between `ticks`, moments of its trace, its time goes on evenly; they are `ns` of the job.
    """

    process: int
    number: int
    ticks: Ints
    ns: Ints

    def at(self, ticks: Ints) -> Ints:
        """Moments of its trace on the job's clock."""
        first, last = self.ticks[0], self.ticks[-1]
        within = np.interp((ticks - first).astype(np.float64), self.ticks - first, self.ns)
        before = np.minimum(ticks - first, 0) * self._pace(0)
        behind = np.maximum(ticks - last, 0) * self._pace(-1)
        moments: Ints = np.rint(within + before + behind).astype(np.int64)
        return moments

    def _pace(self, at: int) -> float:
        return float(np.diff(self.ns)[at] / np.diff(self.ticks)[at])


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What made every message arrive after it was sent: how many would not have, how many moments
    were moved for it, and by how much at most (ns)."""

    backwards: int = 0
    moved: int = 0
    furthest: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Unmatched:
    """Messages that were sent or received, and collectives of whose members not all were seen:
    those of a program that was killed, or whose trace was full."""

    sends: int = 0
    receives: int = 0
    collectives: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """`processes` are in the order of their ranks, `locations` by process and as it reports them."""

    directory: str
    processes: tuple[Process, ...]
    locations: tuple[Location, ...]
    calls: Calls
    messages: Messages
    collectives: Collectives
    one_sided: OneSided
    communicators: tuple[Communicator, ...]
    correction: Correction
    unmatched: Unmatched

    def rank_of(self, calls: Ints) -> Ints:
        """Of some rows of `calls`."""
        ranks = np.array([self.processes[each.process].rank for each in self.locations], np.int64)
        return ranks[self.calls.location[calls]]
