"""The columns of a report for each kind of construct, and the lost time in them.

The columns are ompP's.  A row of `COLUMNS` is a kind, in the directive's words. A column
has the formula of its value and the class of overhead that it counts for. To add one, see
docs/contributing/report-column.md. ompP is extended in four ways.  `ordered` has the columns of a critical section:
the wait for the turn (enterT) is synchronization, the release (exitT) is management.  Creation
and execution of a task are separate.  taskwait and taskgroup exclude the tasks that run in them.
A taskloop excludes its own tasks, on whichever thread they run.

The runtime books times that do not overlap: exitBarT is the wait without the tasks
that were run in it, which are taskT.  So the time columns of a construct add up to
its execT. A task's createT and a taskloop's loopT are no part of that.  The execT of a
barrier, taskwait or taskyield holds its taskT, which is taken out of the loss.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, IntEnum
from operator import attrgetter

from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.directives import MEASURED
from pomp_clang.openmp.fortran_directives import FORTRAN_MEASURED, in_fortran
from pomp_clang.openmp.kinds import TASKLOOPS
from pomp_clang.shared_dataclass import dataclass


class Overhead(Enum):
    """Why a thread's time is lost; the value is the heading in a report."""

    SYNC = "Sync"
    """threads coordinate: they wait for a lock, a turn, a barrier, memory"""
    IMBAL = "Imbal"
    """threads had unequal amounts of work and wait for the last one"""
    LIMPAR = "Limpar"
    """limited parallelism: there was work for some of the threads only"""
    MGMT = "Mgmt"
    """the OpenMP runtime starts and stops teams, hands out work, releases locks"""
    MPI = "MPI"
    """threads are in MPI calls: they communicate, or wait for other processes"""


class Others(IntEnum):
    """The threads that a column's time is a wait for."""

    NONE = 0
    """none: the time passes whether there are others or not"""
    TEAM = 1
    """those of the thread's team"""
    PROGRAM = 2
    """any of the program"""


Value = Callable[[Measured], float]


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """One column: T are seconds, C are counts, V are bytes.

    `overhead` is the class that the column counts for, with what `cost` gives (all of
    the column where there is none).  `scarce` is the class instead of it where there
    was less to hand out than there were threads to take it.  `others` are the
    threads that the column's time waits for: without such threads it is OpenMP's own time.
    """

    name: str
    value: Value
    overhead: Overhead | None = None
    scarce: Overhead | None = None
    cost: Value | None = None
    others: Others = Others.NONE

    @property
    def is_count(self) -> bool:
        return self.name.endswith(("C", "V"))

    def lost(self, measured: Measured) -> float:
        """Return the seconds of this column that count for its class of overhead."""
        if self.overhead is None:
            return 0.0
        return (self.cost or self.value)(measured)

    def overhead_of(
        self, entries: int, bodies: int, missing: Others = Others.NONE
    ) -> Overhead | None:
        """Return the class that the column counts for.

        `entries` and `bodies` are sums over all threads; `missing` are the threads that are not
        there.
        """
        if Others.NONE < self.others <= missing:
            return Overhead.MGMT
        if self.scarce is not None and bodies < entries:
            return self.scarce
        return self.overhead


def _column(
    name: str,
    overhead: Overhead | None = None,
    others: Others = Others.NONE,
    *,
    field: str = "",
) -> ReportColumn:
    return ReportColumn(name, attrgetter(field or name), overhead, others=others)


def without_tasks(measured: Measured) -> float:
    """Return the execT of a wait without the tasks that ran in it."""
    return max(0.0, measured.execT - measured.taskT)


_CHECK = 1e-7
"""Seconds: to look whether a construct is cancelled takes less."""


def after_cancellation(measured: Measured) -> float:
    """Return the execT of a cancel, without the time of calls after which the thread continues."""
    return max(0.0, measured.execT - _CHECK * measured.execC)


def _left_of_sections(measured: Measured) -> float:
    """Return the time in which a thread neither ran a section or task nor waited for the others.

    It is not below zero: the parts are read off a clock one after the other.
    """
    return max(0.0, measured.execT - measured.bodyT - measured.exitBarT - measured.taskT)


_EXECC = _column("execC")
_TASKT = _column("taskT")
_EXEC = (_column("execT"), _EXECC)
_SYNC = (_column("execT", Overhead.SYNC), _EXECC)
_WAIT = (
    ReportColumn(
        "execT", attrgetter("execT"), Overhead.SYNC, cost=without_tasks, others=Others.TEAM
    ),
    _EXECC,
    _TASKT,
)
_CANCEL = (
    ReportColumn(
        "execT", attrgetter("execT"), Overhead.IMBAL, cost=after_cancellation, others=Others.TEAM
    ),
    _EXECC,
)
"""The columns of a cancellation: the wait at the end of a construct that was cancelled."""


def _mutual_exclusion_columns(others: Others) -> tuple[ReportColumn, ...]:
    """Return the columns of a construct that one thread at a time is in."""
    enter = _column("enterT", Overhead.SYNC, others)
    return (*_EXEC, _column("bodyT"), enter, _column("exitT", Overhead.MGMT))


_LOCKED = _mutual_exclusion_columns(Others.PROGRAM)
_ORDERED = _mutual_exclusion_columns(Others.TEAM)
_EXIT_BAR = _column("exitBarT", Overhead.IMBAL, Others.TEAM)
_SHARED = (*_EXEC, _column("bodyT"), _EXIT_BAR, _TASKT)
_TASK = (*_EXEC, _column("createT"), _column("createC"))
_GROUP_BAR = _column("exitBarT", Overhead.SYNC, Others.TEAM)
_TASKGROUP = (*_EXEC, _column("bodyT"), _GROUP_BAR, _TASKT)
_LOOP_TASKS = (_column("loopT", field="exitT"), _column("loopC", field="bodyC"))
"""The columns of a taskloop's own tasks, which reading an experiment adds to the construct."""
_TASKLOOP = (*_EXEC, _column("createT"), _GROUP_BAR, _TASKT, *_LOOP_TASKS)
_SINGLE = (
    *_EXEC,
    _column("singleT", field="bodyT"),
    _column("singleC", field="bodyC"),
    _column("exitBarT", Overhead.LIMPAR, Others.TEAM),
    _TASKT,
)
_HANDED_OUT = (
    *_EXEC,
    _column("sectT", field="bodyT"),
    _column("sectC", field="bodyC"),
    ReportColumn(
        "exitBarT",
        attrgetter("exitBarT"),
        Overhead.IMBAL,
        scarce=Overhead.LIMPAR,
        others=Others.TEAM,
    ),
)
_SECTIONS = (*_HANDED_OUT, ReportColumn("mgmtT", _left_of_sections, Overhead.MGMT), _TASKT)
_TEAM = (_column("startupT", Overhead.MGMT), _column("shutdwnT", Overhead.MGMT), _TASKT)
_PARALLEL = (*_EXEC, _column("bodyT"), _EXIT_BAR, *_TEAM)
_PARALLEL_TASKLOOP = (*_PARALLEL, *_LOOP_TASKS)
_PARALLEL_SECTIONS = (*_HANDED_OUT, *_TEAM)

_FROM_OUTSIDE = tuple(
    row.words for row in (*MEASURED, *FORTRAN_MEASURED) if row.around and not row.inside
)
"""Constructs without an event inside: time and count, unless they have a row below."""

COLUMNS: dict[str, tuple[ReportColumn, ...]] = {
    **dict.fromkeys(_FROM_OUTSIDE, _EXEC),
    "parallel": _PARALLEL,
    "parallel for": _PARALLEL,
    "parallel for simd": _PARALLEL,
    "parallel loop": _PARALLEL,
    "parallel workshare": _PARALLEL,
    "parallel sections": _PARALLEL_SECTIONS,
    "parallel master": _PARALLEL,
    "parallel masked": _PARALLEL,
    "parallel master taskloop": _PARALLEL_TASKLOOP,
    "parallel masked taskloop": _PARALLEL_TASKLOOP,
    "parallel master taskloop simd": _PARALLEL_TASKLOOP,
    "parallel masked taskloop simd": _PARALLEL_TASKLOOP,
    "for": _SHARED,
    "for simd": _SHARED,
    "workshare": _SHARED,
    "scope": _SHARED,
    "sections": _SECTIONS,
    "single": _SINGLE,
    "critical": _LOCKED,
    "lock": _LOCKED,
    "ordered": _ORDERED,
    "atomic": _SYNC,
    "flush": _SYNC,
    "barrier": _WAIT,
    "cancel": _CANCEL,
    "cancellation point": _CANCEL,
    "master": _EXEC,
    "masked": _EXEC,
    "task": _TASK,
    "taskwait": _WAIT,
    "taskyield": _WAIT,
    "taskgroup": _TASKGROUP,
    "target data": (*_EXEC, _column("bodyT")),
    **dict.fromkeys(TASKLOOPS, _TASKLOOP),
    "region": _EXEC,
    "function": _EXEC,
}
COLUMNS |= {
    in_fortran(kind): columns for kind, columns in COLUMNS.items() if in_fortran(kind) != kind
}


MPI_COLUMNS = (
    ReportColumn("mpiT", attrgetter("mpiT"), Overhead.MPI, cost=attrgetter("mpiOwnT")),
    *(_column(name) for name in ("inV", "outV", "recvC", "sendC", "collC")),
)
"""Further columns of a region with MPI calls: inclusive, and lost time where the calls are."""


CHUNK_COLUMNS = (_column("chunkC"), _column("chunkT", Overhead.MGMT))
"""Further columns of a loop whose chunks the OpenMP runtime hands out one by one. Their time is part
of the body."""


COLUMN_MEANINGS = {
    "execT": "time from entering the construct to leaving it",
    "execC": "number of times the thread entered it; for a task, of tasks executed",
    "bodyT": "time in the construct's own code, with all that runs inside it",
    "singleT": "time in the block of the single",
    "singleC": "number of times this thread executed the block",
    "sectT": "time in sections",
    "sectC": "number of sections this thread ran",
    "enterT": "wait for the critical section, the lock, or the turn in ordered",
    "exitT": "cost of leaving: releasing the next thread",
    "exitBarT": "wait at the end of the construct for the other threads",
    "mgmtT": "cost of handing out sections: the rest of the construct",
    "startupT": "cost of starting the team: until the thread begins in it",
    "shutdwnT": "cost of ending the team: from the thread's end to the team's end",
    "taskT": "running tasks while waiting",
    "createT": "cost of creating tasks",
    "createC": "number of tasks this thread created",
    "loopT": "time in the taskloop's own tasks, in whichever wait they ran",
    "loopC": "number of the taskloop's own tasks this thread ran",
    "chunkC": "number of chunks that the OpenMP runtime handed out to the thread one by one",
    "chunkT": "time in its calls for chunks, part of the body; from one call in 31",
    "mpiT": "time in MPI calls",
    "inV": "bytes received by MPI calls",
    "outV": "bytes sent by MPI calls",
    "recvC": "MPI receive operations",
    "sendC": "MPI send operations",
    "collC": "MPI collective operations",
}
"""The meaning of each column, by its name, as the pages of the report show it."""


_of_mpi = attrgetter(*(column.name for column in MPI_COLUMNS))


def calls_mpi(measured: Measured) -> bool:
    return any(_of_mpi(measured))


def asks_for_chunks(measured: Measured) -> bool:
    return measured.chunkC > 0


def columns_of(kind: str) -> tuple[ReportColumn, ...]:
    """Return the columns of a kind; for an unknown kind, time and count."""
    return COLUMNS.get(kind, _EXEC)


def has_time_only(kind: str) -> bool:
    """Return True if a kind of region has no columns but its time and count."""
    return columns_of(kind) == _EXEC


def target_time(kind: str, measured: Measured) -> float:
    """Return the seconds in a target construct in which the host runs none of its own code.

    The body of `target data` is the host's.  Experiments from before the body was measured do
    not tell its time: there the construct counts as the host's.
    """
    if kind != "target data":
        return measured.execT
    return max(0.0, measured.execT - measured.bodyT) if measured.bodyT else 0.0
