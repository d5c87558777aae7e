"""OpenMP: what its runtime takes, and what threads wait for each other."""

from __future__ import annotations

import itertools

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.barriers import waited
from pomp_clang.causes.course import sums
from pomp_clang.causes.instance_sources import Pieces, barrier_waits, contention
from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.property import Property, Remedy
from pomp_clang.causes.rows import is_any
from pomp_clang.causes.run import Cells, Run, once

_WAIT = "Threads that come early wait at the barrier until the last of their team has come."
_UNFINISHED = "All have come to the barrier; those without a task wait until the last one is done."
_SMALLER = "Make the tasks smaller, and create the largest first."


@once
def _waits(run: Run) -> dict[tuple[bool, bool], Cells]:
    """By whether the barrier is spelt, and whether it is for tasks that all have come to."""
    found = np.zeros((2, 2, len(run.paths), len(run.threads)))
    last, done = run.instances.last, run.instances.done
    is_unfinished = is_any(done > last)
    for thread, course, of in zip(run.thread, run.courses, run.instances.of, strict=True):
        arrivals = course.arrivals
        row = run.places.rows[arrivals.path] + arrivals.is_explicit * len(run.paths)
        ticks = [waited(course, of, last)]
        if is_unfinished:
            ticks.append(waited(course, of, done, last))
        for for_tasks, each in enumerate(ticks):
            booked = sums(row, each, 2 * len(run.paths))
            found[:, for_tasks, :, thread] += booked.reshape(2, -1)
    found /= run.second
    which = itertools.product((False, True), (False, True))
    return dict(zip(which, found.reshape(4, *found.shape[2:]), strict=True))


@once
def _contention(run: Run) -> dict[bool, Cells]:
    """Of locks, and of criticals."""
    found, shape = run.contention, (len(run.paths), len(run.threads))
    (here,) = found.waited.nonzero()
    row = run.places.rows[found.path_at(here)] * shape[1] + run.thread[found.course[here]]
    row += (here < found.criticals) * (shape[0] * shape[1])
    booked = sums(row, found.waited[here] / run.second, 2 * shape[0] * shape[1])
    return dict(zip((False, True), booked.reshape(2, *shape), strict=True))


@once
def waits_for_others(run: Run) -> Cells:
    """At barriers, for tasks in them, and for locks and criticals."""
    return np.asarray(sum((*_waits(run).values(), *_contention(run).values()), run.cells()))


def waits_in(run: Run, activity: Activity) -> Cells:
    """Return what threads wait for others in barriers, for locks or for criticals."""
    if activity in (Activity.EXPLICIT, Activity.IMPLICIT):
        waits = _waits(run)
        is_explicit = activity is Activity.EXPLICIT
        return waits[is_explicit, False] + waits[is_explicit, True]
    if activity in (Activity.CRITICAL, Activity.LOCK):
        return _contention(run)[activity is Activity.CRITICAL]
    return run.cells()


class OpenMP(Property):
    name = "OpenMP"
    parent = Execution
    description = "What threads take in OpenMP: for its management and in synchronization."


class Management(Property):
    name = "Management"
    parent = OpenMP
    description = "What it takes to start and end teams, and to create tasks."


class Fork(Property):
    """Begin of the region on a thread - its team's fork (EXPERT)."""

    name = "Fork"
    parent = Management
    description = "From the fork of a team to when its thread begins the region: until it is awake."
    advice = (
        "Merge parallel regions that follow one another: a team is started less often. A thread "
        "without a processor begins late: have no more of them than processors. What is large and "
        "firstprivate is copied by each."
    )
    advice_alone = (
        "Merge parallel regions that follow one another: a team is started less often. What is "
        "large and firstprivate is copied."
    )
    remedy = Remedy.SKIP
    activities = (Activity.FORK,)


class Join(Property):
    """The team's join - a thread's leaving the region (Scalasca)."""

    name = "Join"
    parent = Management
    description = "From when a thread leaves the region to when its team is joined."
    advice = (
        "Merge parallel regions that follow one another, or move them out of a loop. What is "
        "private in C++ is destroyed here."
    )
    remedy = Remedy.SKIP
    activities = (Activity.JOIN,)


class TaskCreation(Property):
    name = "Task Creation"
    parent = Management
    description = "What it takes to create tasks, with the copies of what is firstprivate in them."
    advice = (
        "Make fewer and larger tasks: stop at a depth or size, or use taskloop and grainsize; "
        "share what is large."
    )
    remedy = Remedy.SKIP
    activities = (Activity.CREATE,)


class Flush(Property):
    name = "Flush"
    parent = OpenMP
    description = "What flush directives take."
    advice = "Flush less often, or name what is flushed; an atomic may be all that is needed."
    remedy = Remedy.SKIP
    activities = (Activity.FLUSH,)


class Synchronization(Property):
    name = "Synchronization"
    parent = OpenMP
    description = "What threads take for barriers, critical sections, locks and waits for tasks."


class Barrier(Property):
    name = "Barrier"
    parent = Synchronization
    description = "What threads are in barriers without running tasks there."


class Explicit(Property):
    name = "Explicit"
    parent = Barrier
    description = "Barriers that the program spells: omp barrier."
    activities = (Activity.EXPLICIT,)


class ExplicitWait(Property):
    """Last of the team to enter - own enter, without tasks run meanwhile (EXPERT)."""

    name = "Wait at Barrier"
    parent = Explicit
    description = _WAIT
    advice = "Share out the work before the barrier more evenly, or see if it is needed at all."
    remedy = Remedy.BALANCE

    def severity(self, run: Run) -> Cells:
        return _waits(run)[True, False]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=True, for_tasks=False)


class ExplicitUnfinished(Property):
    """From when the last has entered to the end of the last task run there, without own ones."""

    name = "Wait for Tasks"
    parent = Explicit
    description = _UNFINISHED
    advice = _SMALLER
    remedy = Remedy.DIVIDE

    def severity(self, run: Run) -> Cells:
        return _waits(run)[True, True]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=True, for_tasks=True)


class Implicit(Property):
    name = "Implicit"
    parent = Barrier
    description = "Barriers at the end of parallel regions and worksharing constructs."
    activities = (Activity.IMPLICIT,)


class ImplicitWait(Property):
    """Last of the team to enter - own enter, without tasks run meanwhile (EXPERT)."""

    name = "Wait at Barrier"
    parent = Implicit
    description = _WAIT
    advice = (
        "Share out the work more evenly: schedule(dynamic) or guided, smaller chunks, as many "
        "sections as threads, collapse; nowait where what follows does not need all of it. A "
        "single's work: share it out, make tasks of it, or do it while others have theirs."
    )
    remedy = Remedy.BALANCE

    def severity(self, run: Run) -> Cells:
        return _waits(run)[False, False]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=False)


class ImplicitUnfinished(Property):
    """From when the last has entered to the end of the last task run there, without own ones."""

    name = "Wait for Tasks"
    parent = Implicit
    description = _UNFINISHED
    advice = _SMALLER
    remedy = Remedy.DIVIDE

    def severity(self, run: Run) -> Cells:
        return _waits(run)[False, True]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=True)


class Critical(Property):
    name = "Critical"
    parent = Synchronization
    description = "What threads take to get into critical sections and out of them."
    activities = (Activity.CRITICAL,)


class CriticalContention(Property):
    """max(0, last release by another before it was got - request) (EXPERT)."""

    name = "Contention"
    parent = Critical
    description = "Threads wait for a critical section that another one is in."
    advice = (
        "Collect for each thread and combine at the end (reduction), do less within, or give "
        "names to critical sections that have nothing to do with each other; or use an atomic."
    )
    remedy = Remedy.LET_IN

    def severity(self, run: Run) -> Cells:
        return _contention(run)[True]

    def instances(self, run: Run) -> Pieces:
        return contention(run, is_critical=True)


class Lock(Property):
    name = "Lock API"
    parent = Synchronization
    description = "What threads take in routines that set locks."
    activities = (Activity.LOCK, Activity.TRYING)


class LockContention(Property):
    """max(0, last release by another before it was got - request) (EXPERT)."""

    name = "Contention"
    parent = Lock
    description = "Threads wait for a lock that another one holds."
    advice = (
        "Hold the lock for less, or have one for each part of the data instead of one for all. A "
        "thread that tries again and again by omp_test_lock can do other work in between, or sleep "
        "in omp_set_lock."
    )
    remedy = Remedy.LET_IN

    def severity(self, run: Run) -> Cells:
        return _contention(run)[False]

    def instances(self, run: Run) -> Pieces:
        return contention(run, is_critical=False)


class FailedAttempts(Property):
    name = "Failed Attempts"
    parent = Lock
    description = "Threads try to get a lock by omp_test_lock and give up without it."
    advice = "Try less often, do other work before the next attempt, or hold the lock for less."
    remedy = Remedy.SKIP
    activities = (Activity.TRYING,)


class Ordered(Property):
    name = "Ordered"
    parent = Synchronization
    description = "Threads wait for their turn in an ordered construct."
    advice = "Do less within, or make the chunks as small as one iteration: schedule(static, 1)."
    advice_alone = ""
    remedy = Remedy.SKIP
    activities = (Activity.ORDERED,)


class Taskwait(Property):
    name = "Taskwait"
    parent = Synchronization
    description = "Threads wait for tasks to end and run none meanwhile: taskwait, taskgroup."
    advice = "Make the tasks smaller so that all threads have some, or wait for fewer of them."
    advice_alone = "Wait for tasks less often, or make fewer and larger ones."
    remedy = Remedy.SKIP
    activities = (Activity.TASKWAIT,)


class Atomic(Property):
    name = "Atomic"
    parent = Synchronization
    description = "What atomic updates take, with the values that they compute."
    advice = "Sum up for each thread and combine at the end (reduction); compute the value before."
    advice_alone = "Sum up in a variable of its own and update once; compute the value before."
    remedy = Remedy.SKIP
    activities = (Activity.ATOMIC,)
