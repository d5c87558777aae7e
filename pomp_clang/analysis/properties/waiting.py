"""Synchronization: threads wait for one another at barriers, locks, turns, and for tasks."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis.barrier_cost import is_barrier_cost
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties.model import Property, Seen, lasting
from pomp_clang.openmp.columns import COLUMNS, TASKLOOPS, Others, Overhead, without_tasks

_OFTEN = 1000
"""Executions in a second of all threads' time above which an atomic is frequent: ompP's."""

_enter = attrgetter("enterT")
_exec = attrgetter("execT")


def _each(text: str) -> Callable[[Seen], str]:
    return lambda seen: f"{text}, {lasting(seen.each_time)} each time on average."


def _contention(what: str) -> Callable[[Seen], str]:
    def say(seen: Seen) -> str:
        body = share(seen.sum(attrgetter("bodyT")), seen.profile.execC)
        wait, inside = lasting(seen.each_time), lasting(body)
        return f"Threads wait {wait} on average for {what}, which is held for {inside} each time."

    return say


def _locks(seen: Seen) -> str:
    """Return the wait in all as well: attempts by omp_test_lock are many, each of them short."""
    calls, wait = seen.profile.execC, lasting(seen.sum(_enter))
    body = lasting(share(seen.sum(attrgetter("bodyT")), calls))
    return (
        f"Threads wait {wait} in {calls} calls, {lasting(seen.each_time)} on average, for locks that "
        f"are set or tried here, which are held for {body} a call."
    )


def _barrier(seen: Seen) -> str:
    each = lasting(seen.each_time)
    if seen.profile.region.kind == "barrier":
        return f"Threads spend {each} each time in this barrier, all of them alike."
    work = lasting(share(seen.sum(attrgetter("bodyT")), seen.profile.execC))
    return f"Threads spend {each} each time in the barrier at the end, after {work} of even work."


def _is_even(seen: Seen) -> bool:
    return is_barrier_cost(seen.profile)


def _is_frequent(seen: Seen) -> bool:
    return seen.profile.execC > _OFTEN * seen.analysis.totalT


_IMPLIED = frozenset(
    kind
    for kind, columns in COLUMNS.items()
    if any(
        c.name == "exitBarT" and c.overhead in (Overhead.IMBAL, Overhead.LIMPAR) for c in columns
    )
)
"""Constructs with a barrier at their end."""

ROWS = (
    Property(
        "WaitAtBarrier",
        frozenset({"barrier"}),
        Overhead.SYNC,
        without_tasks,
        _each("Threads wait at this barrier for the last of them"),
        "Ask whether the barrier is needed; else share out the work before it more evenly.",
        others=Others.TEAM,
    ),
    Property(
        "BarrierOverhead",
        frozenset({"barrier"}),
        Overhead.SYNC,
        without_tasks,
        _barrier,
        "The barrier itself costs this: ask whether it is needed, do more work between two "
        "barriers, or use fewer threads.",
        _is_even,
        others=Others.TEAM,
    ),
    Property(
        "BarrierOverhead",
        _IMPLIED,
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _barrier,
        "The barrier itself costs this: do more work for each barrier (merge loops or regions, "
        "parallelize a loop further out), add nowait where what follows does not need all of the "
        "results, or use fewer threads.",
        _is_even,
        others=Others.TEAM,
    ),
    Property(
        "CriticalSectionContention",
        frozenset({"critical"}),
        Overhead.SYNC,
        _enter,
        _contention("this critical section"),
        "Do less in it, or enter it less often: collect per thread and combine at the end, "
        "use a reduction, or give unrelated data critical sections of different names.",
        others=Others.PROGRAM,
    ),
    Property(
        "LockContention",
        frozenset({"lock"}),
        Overhead.SYNC,
        _enter,
        _locks,
        "Hold the lock for less time, or have more locks, each for a part of the data; between "
        "attempts by omp_test_lock a thread can do other work.",
        others=Others.PROGRAM,
    ),
    Property(
        "WaitForTurn",
        frozenset({"ordered"}),
        Overhead.SYNC,
        _enter,
        _contention("their turn in this ordered block"),
        "Do less in the ordered block; a small chunk in the schedule clause brings turns sooner.",
        others=Others.TEAM,
    ),
    Property(
        "WaitForTasks",
        frozenset({"taskwait", "taskyield"}),
        Overhead.SYNC,
        without_tasks,
        _each("Threads wait here for tasks, with none to run meanwhile"),
        "Make more and smaller tasks, so that a waiting thread finds one to run.",
        others=Others.TEAM,
    ),
    Property(
        "WaitForTasks",
        frozenset({"taskgroup"}),
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _each("Threads wait at the group's end for its tasks, with none to run meanwhile"),
        "Make more and smaller tasks, so that a waiting thread finds one to run.",
        others=Others.TEAM,
    ),
    Property(
        "WaitForTasks",
        frozenset(TASKLOOPS),
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _each("Threads wait at the loop's end for its tasks, with none to run meanwhile"),
        "Make more and smaller tasks, by num_tasks or grainsize.",
        others=Others.TEAM,
    ),
    Property(
        "FrequentAtomic",
        frozenset({"atomic"}),
        Overhead.SYNC,
        _exec,
        _each("Threads update memory atomically more often than 1000 times a second"),
        "Collect in a variable of the thread's own and update once, or use a reduction.",
        _is_frequent,
    ),
    Property(
        "FrequentFlush",
        frozenset({"flush"}),
        Overhead.SYNC,
        _exec,
        _each("Threads flush memory more often than 1000 times a second"),
        "Most constructs imply a flush; an atomic with memory order often does instead.",
        _is_frequent,
    ),
)
