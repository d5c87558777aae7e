"""Synchronization: threads wait for one another at barriers, locks, turns, and for tasks."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis import property_texts
from pomp_clang.analysis.columns import Others, Overhead, without_tasks
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.barrier_cost import is_barrier_cost, is_late_in_turn
from pomp_clang.analysis.overheads.flush_loops import is_waiting_loop
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    lasting,
)
from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.kinds import atomic_access

_OFTEN = 1000
"""Executions per second of all threads' time above which a construct is frequent, as in ompP."""

_LAST = "Threads wait at this barrier for the last of them"

_enter = attrgetter("enterT")
_exec = attrgetter("execT")


def _mean_wait(text: str) -> Callable[[PropertyEvidence], str]:
    return lambda evidence: f"{text}, {lasting(evidence.each_time)} each time on average."


def _task_wait(text: str) -> Callable[[PropertyEvidence], str]:
    """Describe a wait for tasks, which may be target constructs."""

    def sentence(evidence: PropertyEvidence) -> str:
        tasks = "tasks, with none to run meanwhile"
        awaited = "target constructs with nowait" if evidence.profile.is_for_kernels else tasks
        return _mean_wait(f"{text} {awaited}")(evidence)

    return sentence


def _contention(resource: str) -> Callable[[PropertyEvidence], str]:
    def sentence(evidence: PropertyEvidence) -> str:
        body = share(evidence.sum(attrgetter("bodyT")), evidence.profile.execC)
        wait, inside = lasting(evidence.each_time), lasting(body)
        return (
            f"Threads wait {wait} on average for {resource}, which is held for {inside} each time."
        )

    return sentence


def _locks(evidence: PropertyEvidence) -> str:
    """Describe the total wait as well: attempts by omp_test_lock are many and short."""
    calls, wait = evidence.profile.execC, lasting(evidence.sum(_enter))
    body = lasting(share(evidence.sum(attrgetter("bodyT")), calls))
    return (
        f"Threads wait {wait} in {calls:,} calls, {lasting(evidence.each_time)} on average, for locks that "
        f"are set or tried here, which are held for {body} a call."
    )


def _barrier(evidence: PropertyEvidence) -> str:
    times = max(row.measured.execC for row in evidence.profile.rows)
    price = f"takes {lasting(evidence.each_time)} of each thread on average, {times:,} times"
    if evidence.profile.region.kind == "barrier":
        return f"This barrier {price}, alike for all threads."
    work = lasting(share(evidence.sum(attrgetter("bodyT")), evidence.profile.execC))
    return f"The barrier at the end {price}, each after {work} of even work."


def _price(resource: str) -> Callable[[PropertyEvidence], str]:
    """Describe a construct whose price is paid often: count x price."""

    def sentence(evidence: PropertyEvidence) -> str:
        count, price = evidence.profile.execC, lasting(evidence.each_time)
        return f"{count:,} {resource} take {price} each on average, {lasting(evidence.severity)} in all."

    return sentence


def _access(evidence: PropertyEvidence) -> str:
    region = evidence.profile.region
    return atomic_access(region.kind, region.clauses) or "update"


def _atomics(evidence: PropertyEvidence) -> str:
    return _price(f"atomic {_access(evidence)}s")(evidence)


def _is_even(evidence: PropertyEvidence) -> bool:
    return is_barrier_cost(evidence.profile)


def _is_frequent(evidence: PropertyEvidence) -> bool:
    return evidence.profile.execC > _OFTEN * evidence.analysis.totalT


def _is_flush_loop(evidence: PropertyEvidence) -> bool:
    flushes = [row.measured.execC for row in evidence.profile.rows]
    return is_waiting_loop(flushes, evidence.analysis.duration)


def _are_single_flushes(evidence: PropertyEvidence) -> bool:
    return _is_frequent(evidence) and not _is_flush_loop(evidence)


def _flush_loop(evidence: PropertyEvidence) -> str:
    return flush_loop_sentence(evidence.profile.execC, evidence.severity)


def flush_loop_sentence(flushes: int, seconds: float) -> str:
    """Describe a loop in which threads wait for others."""
    return (
        f"Threads flush {flushes:,} times in a loop until another thread writes: they wait "
        f"{lasting(seconds)}."
    )


def _ends(measured: Measured) -> float:
    return measured.exitBarT + measured.shutdwnT + without_tasks(measured)


FOR_KERNELS = ProfileProperty(
    property_texts.WAIT_FOR_KERNELS,
    Overhead.SYNC,
    _ends,
    _mean_wait(
        "Threads wait here for a thread in a target construct, or for target constructs with nowait"
    ),
    others=Others.TEAM,
)
"""The waits for kernels at barriers. Its cost is the part of these times that is one."""

ROWS = (
    FOR_KERNELS,
    ProfileProperty(
        property_texts.WAIT_AT_BARRIER,
        Overhead.SYNC,
        without_tasks,
        _mean_wait(_LAST),
        lambda evidence: not is_late_in_turn(evidence.profile),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.LATE_AT_BARRIER,
        Overhead.SYNC,
        without_tasks,
        lambda evidence: f"{_mean_wait(_LAST)(evidence)} Over the whole run, all wait alike.",
        lambda evidence: is_late_in_turn(evidence.profile),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.BARRIER_OVERHEAD,
        Overhead.SYNC,
        without_tasks,
        _barrier,
        _is_even,
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.IMPLIED_BARRIER_OVERHEAD,
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _barrier,
        _is_even,
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.CRITICAL_CONTENTION,
        Overhead.SYNC,
        _enter,
        _contention("this critical section"),
        others=Others.PROGRAM,
    ),
    ProfileProperty(
        property_texts.LOCK_CONTENTION, Overhead.SYNC, _enter, _locks, others=Others.PROGRAM
    ),
    ProfileProperty(
        property_texts.WAIT_FOR_TURN,
        Overhead.SYNC,
        _enter,
        _contention("their turn in this ordered block"),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.WAIT_FOR_TASKS,
        Overhead.SYNC,
        without_tasks,
        _task_wait("Threads wait here for"),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.WAIT_FOR_TASKGROUP,
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _task_wait("Threads wait at the group's end for its"),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.WAIT_FOR_TASKLOOP,
        Overhead.SYNC,
        attrgetter("exitBarT"),
        _mean_wait("Threads wait at the loop's end for its tasks, with none to run meanwhile"),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.FREQUENT_ATOMIC,
        Overhead.SYNC,
        _exec,
        _atomics,
        lambda evidence: _is_frequent(evidence) and _access(evidence) != "read",
    ),
    ProfileProperty(
        property_texts.FREQUENT_ATOMIC_READ,
        Overhead.SYNC,
        _exec,
        _atomics,
        lambda evidence: _is_frequent(evidence) and _access(evidence) == "read",
    ),
    ProfileProperty(
        property_texts.FREQUENT_FLUSH,
        Overhead.SYNC,
        _exec,
        _price("flushes"),
        _are_single_flushes,
    ),
    ProfileProperty(
        property_texts.WAIT_IN_FLUSH_LOOP, Overhead.SYNC, _exec, _flush_loop, _is_flush_loop
    ),
)
