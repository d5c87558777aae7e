"""OpenMP: what its runtime takes, and what threads wait for each other."""

from __future__ import annotations

from itertools import chain

import numpy as np

from pomp_clang.analysis import management_property_texts, property_texts
from pomp_clang.analysis.task_size import TaskSize
from pomp_clang.causes.properties.instance_sources import Pieces, barrier_waits, contention, shares
from pomp_clang.causes.properties.measurement_cost import net_part, net_seconds
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.waits.kernel_waits import (
    join_wait_instances,
    join_wait_times,
    kernel_wait_instances,
    kernel_wait_times,
    waits_beside_kernels,
)
from pomp_clang.causes.waits.thread_waits import lock_wait_times
from pomp_clang.experiment.layout import Column

_UNFINISHED = "All threads are at the barrier; those without a task wait until the last task ends."
_LAST_TASKS = property_texts.TASKS_AT_BARRIER[TaskSize.FITTING]


class OpenMP(Property):
    name = "OpenMP"
    parent = Execution
    description = "Time in OpenMP, for management and synchronization."


class Management(Property):
    name = "Management"
    parent = OpenMP
    description = "Time to start and end teams, and to create tasks."


class Fork(Property):
    """Begin of the region on a thread - its team's fork (EXPERT)."""

    name = "Fork"
    parent = Management
    description = "Time from the fork of a team until a thread begins the region."
    advice = management_property_texts.TEAM_MANAGEMENT.advice
    advice_alone = (
        "Merge parallel regions that follow one another, so that a team starts less often. Share "
        "large firstprivate variables, which are copied."
    )
    remedy = Remedy.SKIP
    activities = (Activity.FORK,)


class Join(Property):
    """The team's join - a thread's leaving the region (Scalasca)."""

    name = "Join"
    parent = Management
    description = "Time from a thread's end of the region to the join of its team."
    advice = management_property_texts.TEAM_MANAGEMENT.advice
    remedy = Remedy.SKIP
    activities = (Activity.JOIN,)

    def severity(self, run: Run) -> Cells:
        return np.asarray(run.seconds(Activity.JOIN) * _without_kernels(run))

    def instances(self, run: Run) -> Pieces:
        return shares(run, self.activities, _without_kernels(run))


@once
def _without_kernels(run: Run) -> Cells:
    """Return the part of the time to end teams that is no wait for kernels, and not the
    measurement's."""
    gross = run.seconds(Activity.JOIN)
    waits = np.divide(join_wait_times(run), gross, out=run.cells(), where=gross > 0)
    return np.asarray(net_part(run, Activity.JOIN) * (1 - waits))


class TaskCreation(Property):
    name = "Task Creation"
    parent = Management
    description = "Time to create tasks, including the copies of their firstprivate variables."
    advice = management_property_texts.TASK_CREATION.advice
    advice_alone = management_property_texts.TASK_CREATION.advice_alone
    remedy = Remedy.SKIP
    activities = (Activity.CREATE,)


class Chunks(Property):
    """The profile's time in calls for chunks, of which a trace has no events (chunkT)."""

    name = "Chunks"
    parent = Management
    description = management_property_texts.SMALL_CHUNKS.description
    advice = management_property_texts.SMALL_CHUNKS.advice
    advice_alone = management_property_texts.SMALL_CHUNKS.advice_alone
    remedy = Remedy.SKIP

    def severity(self, run: Run) -> Cells:
        return chunk_times(run)

    def instances(self, run: Run) -> Pieces:
        gross = run.seconds(Activity.COMPUTE)
        part = np.divide(chunk_times(run), gross, out=run.cells(), where=gross > 0)
        return shares(run, (Activity.COMPUTE,), part)


@once
def chunk_times(run: Run) -> Cells:
    """Return the time in calls for chunks, a part of computing; its sampling may exceed that."""
    cells = run.cells()
    threads = run.places.numbers
    for (path, location), sums in run.records.sums.items():
        if sums[Column.CHUNK_T] and location in threads:
            row = run.places.rows[path], threads[location]
            cells[row] += sums[Column.CHUNK_T] / run.second
    return np.asarray(np.minimum(cells, np.maximum(0, net_seconds(run, Activity.COMPUTE))))


class Flush(Property):
    name = "Flush"
    parent = OpenMP
    description = "Time in flush directives."
    advice = property_texts.FREQUENT_FLUSH.advice
    remedy = Remedy.SKIP
    activities = (Activity.FLUSH,)


class Synchronization(Property):
    name = "Synchronization"
    parent = OpenMP
    description = "Time in barriers, critical sections, locks and waits for tasks."


class BarrierSynchronization(Property):
    name = "Barrier"
    parent = Synchronization
    description = "Time in barriers without running tasks."


class Explicit(Property):
    name = "Explicit"
    parent = BarrierSynchronization
    description = "Barriers written in the program: omp barrier."
    activities = (Activity.EXPLICIT,)


class ExplicitWait(Property):
    """Last of the team to enter - own enter, without tasks run meanwhile (EXPERT)."""

    name = "Wait at Barrier"
    parent = Explicit
    description = property_texts.WAIT_AT_BARRIER.description
    advice = property_texts.WAIT_AT_BARRIER.advice
    remedy = Remedy.BALANCE

    def severity(self, run: Run) -> Cells:
        return waits_beside_kernels(run)[True, False]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=True, for_tasks=False)


class ExplicitUnfinished(Property):
    """From when the last has entered to the end of the last task run there, without own ones."""

    name = "Wait for Tasks"
    parent = Explicit
    description = _UNFINISHED
    advice = _LAST_TASKS
    remedy = Remedy.DIVIDE

    def severity(self, run: Run) -> Cells:
        return waits_beside_kernels(run)[True, True]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=True, for_tasks=True)


class ExplicitKernels(Property):
    """Waits while the last of the team is in a target construct, or target nowait has not ended."""

    name = "Wait for Kernels"
    parent = Explicit
    description = property_texts.WAIT_FOR_KERNELS.description
    advice = property_texts.WAIT_FOR_KERNELS.advice
    remedy = Remedy.OVERLAP

    def severity(self, run: Run) -> Cells:
        return np.asarray(kernel_wait_times(run)[1])

    def instances(self, run: Run) -> Pieces:
        return kernel_wait_instances(run, is_explicit=True)


class Implicit(Property):
    name = "Implicit"
    parent = BarrierSynchronization
    description = "Barriers at the end of parallel regions and worksharing constructs."
    activities = (Activity.IMPLICIT,)

    def severity(self, run: Run) -> Cells:
        return net_seconds(run, Activity.IMPLICIT) + join_wait_times(run)

    def instances(self, run: Run) -> Pieces:
        own_pieces = shares(run, self.activities, net_part(run, Activity.IMPLICIT))
        return chain(own_pieces, join_wait_instances(run))


class ImplicitWait(Property):
    """Last of the team to enter - own enter, without tasks run meanwhile (EXPERT)."""

    name = "Wait at Barrier"
    parent = Implicit
    description = property_texts.WAIT_AT_BARRIER.description
    advice = (
        "Distribute the work more evenly: schedule(dynamic) or guided, smaller chunks, as many "
        "sections as threads, collapse; add nowait if the code that follows does not need all "
        "results. Turn the work of a single into tasks, or do it while others work (nowait)."
    )
    remedy = Remedy.BALANCE

    def severity(self, run: Run) -> Cells:
        return waits_beside_kernels(run)[False, False]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=False)


class ImplicitUnfinished(Property):
    """From when the last has entered to the end of the last task run there, without own ones."""

    name = "Wait for Tasks"
    parent = Implicit
    description = _UNFINISHED
    advice = _LAST_TASKS
    remedy = Remedy.DIVIDE

    def severity(self, run: Run) -> Cells:
        return waits_beside_kernels(run)[False, True]

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=True)


class ImplicitKernels(Property):
    """The same, and from when all have left a region until target nowait in it has ended."""

    name = "Wait for Kernels"
    parent = Implicit
    description = property_texts.WAIT_FOR_KERNELS.description
    advice = property_texts.WAIT_FOR_KERNELS.advice
    remedy = Remedy.OVERLAP

    def severity(self, run: Run) -> Cells:
        return np.asarray(kernel_wait_times(run)[0] + join_wait_times(run))

    def instances(self, run: Run) -> Pieces:
        return chain(kernel_wait_instances(run, is_explicit=False), join_wait_instances(run))


class Critical(Property):
    name = "Critical"
    parent = Synchronization
    description = "Time spent entering and leaving critical sections."
    advice = property_texts.CRITICAL_CONTENTION.advice
    advice_alone = ""
    remedy = Remedy.SKIP
    activities = (Activity.CRITICAL,)


class CriticalContention(Property):
    """max(0, last release by another before it was got - request) (EXPERT)."""

    name = "Contention"
    parent = Critical
    description = property_texts.CRITICAL_CONTENTION.description
    advice = property_texts.CRITICAL_CONTENTION.advice
    remedy = Remedy.LET_IN

    def severity(self, run: Run) -> Cells:
        return lock_wait_times(run)[True]

    def instances(self, run: Run) -> Pieces:
        return contention(run, is_critical=True)


class Lock(Property):
    name = "Lock API"
    parent = Synchronization
    description = "Time in routines that set locks."
    activities = (Activity.LOCK, Activity.TRYING)


class LockContention(Property):
    """max(0, last release by another before it was got - request) (EXPERT)."""

    name = "Contention"
    parent = Lock
    description = property_texts.LOCK_CONTENTION.description
    advice = property_texts.LOCK_CONTENTION.advice
    remedy = Remedy.LET_IN

    def severity(self, run: Run) -> Cells:
        return lock_wait_times(run)[False]

    def instances(self, run: Run) -> Pieces:
        return contention(run, is_critical=False)


class FailedAttempts(Property):
    name = "Failed Attempts"
    parent = Lock
    description = "Threads try to set a lock with omp_test_lock and give up."
    advice = "Try less often, do other work before the next attempt, or hold the lock for a shorter time."
    remedy = Remedy.SKIP
    activities = (Activity.TRYING,)


class Ordered(Property):
    name = "Ordered"
    parent = Synchronization
    description = property_texts.WAIT_FOR_TURN.description
    advice = property_texts.WAIT_FOR_TURN.advice
    advice_alone = ""
    remedy = Remedy.SKIP
    activities = (Activity.ORDERED,)


class Taskwait(Property):
    name = "Taskwait"
    parent = Synchronization
    description = property_texts.WAIT_FOR_TASKS.description
    advice = property_texts.WAIT_FOR_TASKS.advice
    advice_alone = "Wait for tasks less often, or make fewer and larger ones."
    remedy = Remedy.SKIP
    activities = (Activity.TASKWAIT,)


class Atomic(Property):
    name = "Atomic"
    parent = Synchronization
    description = "Time in atomics, including the values that they compute."
    advice = property_texts.FREQUENT_ATOMIC.advice
    advice_alone = (
        "Sum up in a local variable and update once; compute the value before the update."
    )
    remedy = Remedy.SKIP
    activities = (Activity.ATOMIC,)
