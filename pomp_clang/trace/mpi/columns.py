"""The MPI operations of a job's processes on one clock: times are ns from the job's beginning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints, Trace
from pomp_clang.trace.mpi.call_sites import UNKNOWN, CallSite

NONE = -1
"""The absence of a rank or a row."""


@dataclass(frozen=True, slots=True, eq=False)
class CallColumns:
    """Visits of MPI functions, in the order of location and enter.

    `location` is a row of `Job.locations`, `function` a row of `pomp_clang.mpi.variants.NAMES`,
    `path` a call path of the job, 0 for none, and `site` a row of `Job.sites`.
    """

    location: Ints
    enter: Ints
    leave: Ints
    function: Ints
    path: Ints
    site: Ints


@dataclass(frozen=True, slots=True, eq=False)
class MessageColumns:
    """Messages that were sent and received.

    `send` and `sent` are the rows of `CallColumns` that began and completed the sending, `receive`
    and `received` those of the receiving.
    """

    send: Ints
    sent: Ints
    receive: Ints
    received: Ints
    communicator: Ints
    tag: Ints
    bytes: Ints


@dataclass(frozen=True, slots=True, eq=False)
class CollectiveColumns:
    """The processes' parts in collective operations; the rows of one `instance` stand together.

    `call` began the part and `completed` completed it. `rank` is the process, `root` the root
    (`NONE` if there is none): ranks of the job. `function` is a row of
    `pomp_clang.mpi.variants.NAMES`; for a persistent operation it is the row of its preparation.
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
class OneSidedColumns:
    """Calls on windows. `target` is a rank of the job or `NONE`; `exclusive` marks exclusive locks.

    A call that names a group (start, post) has a row for each member, side by side.
    """

    call: Ints
    window: Ints
    target: Ints
    bytes: Ints
    exclusive: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Communicator:
    """A communicator, or the communicator of a window (`is_window`). `members` are ranks of the job.

    For an intercommunicator `remote` is the other group, as seen by a process of the first.
    """

    number: int
    members: tuple[int, ...]
    remote: tuple[int, ...] = ()
    name: str = ""
    is_window: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """A process's clock, measured at the job's beginning and end; all values are ns, 0 for a shared
    clock.

    `offset` is how far it was behind the first process's, `drift` how much farther each second, and
    `error` half the shortest round trip.
    """

    offset: float
    drift: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class JobProcess:
    """A process of a job; `first_path` is the job's number of its call path 0, added to the
    process's own numbers."""

    rank: int
    host: str
    directory: str
    trace: Trace
    first_path: int
    clock: Clock


@dataclass(frozen=True, slots=True, eq=False)
class JobLocation:
    """A thread: `process` is a row of `Job.processes`, `number` its location there.

    At `ticks`, moments of its trace, the job's time is `ns`; between them it is linear.
    """

    process: int
    number: int
    ticks: Ints
    ns: Ints

    def at(self, ticks: Ints) -> Ints:
        """Convert moments of its trace to the job's clock."""
        first, last = self.ticks[0], self.ticks[-1]
        within = np.interp((ticks - first).astype(np.float64), self.ticks - first, self.ns)
        before = np.minimum(ticks - first, 0) * self._pace(0)
        after_last = np.maximum(ticks - last, 0) * self._pace(-1)
        moments: Ints = np.rint(within + before + after_last).astype(np.int64)
        return moments

    def _pace(self, at: int) -> float:
        return float(np.diff(self.ns)[at] / np.diff(self.ticks)[at])


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """The logical correction's effect: `backwards` messages, `moved` moments, and the `furthest`
    move in ns."""

    backwards: int = 0
    moved: int = 0
    furthest: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Unmatched:
    """Numbers of sends, receives and collectives without a partner, as after a kill or in a full
    trace."""

    sends: int = 0
    receives: int = 0
    collectives: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """The traces of a job; `processes` are in the order of ranks, `locations` by process, as it
    reports them, and the first of `sites` is the unknown one."""

    directory: str
    processes: tuple[JobProcess, ...]
    locations: tuple[JobLocation, ...]
    calls: CallColumns
    messages: MessageColumns
    collectives: CollectiveColumns
    one_sided: OneSidedColumns
    communicators: tuple[Communicator, ...]
    correction: Correction
    unmatched: Unmatched
    sites: tuple[CallSite, ...] = (UNKNOWN,)

    def rank_of(self, calls: Ints) -> Ints:
        """Return the rank of each of some rows of `calls`."""
        ranks = np.array(
            [self.processes[location.process].rank for location in self.locations], np.int64
        )
        return ranks[self.calls.location[calls]]
