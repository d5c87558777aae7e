"""The table of properties: name, title, kinds of constructs, description, advice.

`analysis.properties` evaluates the severity of each row in a profile.  A row is one inefficiency
with one piece of advice, which may depend on the size of the program's tasks.  A name stands in
several rows where the advice depends on the construct or on the reason.  Findings in a profile and
in a trace have the same title and advice; names are identifiers in files, and those of the papers.
`analysis.property_titles` has the titles of a trace's whole tree.
"""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.analysis import management_property_texts, target_property_texts
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.property_row import (
    LARGER_TASKS,
    LOOPS,
    NO_PROCESSOR,
    ONE_AFTER_ANOTHER,
    REGIONS,
    SECTIONS,
    WAITS,
    WITH_BARRIER,
    PropertyText,
    kinds_of,
)
from pomp_clang.analysis.task_size import TaskSize
from pomp_clang.openmp.kinds import TASKLOOPS

# Synchronization

WAIT_AT_BARRIER = PropertyText(
    "WaitAtBarrier",
    "Wait at a barrier",
    kinds_of("barrier"),
    "Threads that arrive early wait at the barrier until the last of their team arrives.",
    "Distribute the work before the barrier more evenly, or remove an unneeded barrier.",
    trace_names=("Wait at Barrier",),
    advice_if_queued=NO_PROCESSOR,
)
LATE_AT_BARRIER = PropertyText(
    "WaitAtBarrier",
    "Wait at a barrier",
    kinds_of("barrier"),
    "Threads wait at the barrier, each time for a different thread.",
    ONE_AFTER_ANOTHER,
    advice_by_processors=NO_PROCESSOR,
)
BARRIER_OVERHEAD = PropertyText(
    "BarrierOverhead",
    "Cost of barriers",
    kinds_of("barrier"),
    "Time that threads need to leave the barrier after all have arrived.",
    "Remove an unneeded barrier, do more work between two barriers, or use fewer threads.",
    trace_names=("Barrier Completion",),
    advice_by_processors=NO_PROCESSOR,
)
IMPLIED_BARRIER_OVERHEAD = PropertyText(
    "BarrierOverhead",
    "Cost of barriers",
    WITH_BARRIER,
    BARRIER_OVERHEAD.description,
    "Add nowait where the code that follows does not need all results. Else merge loops, or parallelize "
    "a loop further out, so that each thread has more work for each barrier.",
    trace_names=("Barrier Completion",),
    advice_by_processors=NO_PROCESSOR,
    advice_without_nowait="Merge loops or regions, or parallelize a loop further out, so that each thread "
    "has more work for each barrier.",
)
CRITICAL_CONTENTION = PropertyText(
    "CriticalSectionContention",
    "Wait for a critical section",
    kinds_of("critical"),
    "Threads wait for a critical section while another thread is in it.",
    "Use a reduction, shorten the critical section, give unrelated critical sections different "
    "names, or use an atomic.",
    trace_names=("Contention", "Critical"),
    advice_if_queued=NO_PROCESSOR,
)
LOCK_CONTENTION = PropertyText(
    "LockContention",
    "Wait for a lock",
    kinds_of("lock"),
    "Threads wait for a lock that another thread holds.",
    "Hold the lock for a shorter time, or use one lock for each part of the data. A thread that "
    "repeats omp_test_lock can do other work in between.",
    trace_names=("Contention",),
    advice_if_queued=NO_PROCESSOR,
)
WAIT_FOR_TURN = PropertyText(
    "WaitForTurn",
    "Wait for the turn in ordered",
    kinds_of("ordered"),
    "Threads wait for their turn in an ordered construct.",
    "Shorten the ordered block, or use chunks of one iteration: schedule(static, 1).",
    trace_names=("Ordered",),
    advice_if_queued=NO_PROCESSOR,
)
_NO_TASK = "Threads wait for tasks to end, with none to run meanwhile."
_SMALLER_TASKS = "Make more and smaller tasks, so that a waiting thread finds one to run."
_ORDER_OF_TASKS = (
    "Create more tasks before the wait, or replace the wait by depend clauses, so that a waiting "
    "thread finds a task to run."
)
_LARGEST_FIRST = "Create the largest tasks first, and divide those that end last."
WAIT_FOR_TASKS = PropertyText(
    "WaitForTasks",
    "Wait for tasks",
    kinds_of("taskwait", "taskyield"),
    _NO_TASK,
    _ORDER_OF_TASKS,
    trace_names=("Taskwait",),
    advice_by_size={TaskSize.SMALL: LARGER_TASKS, TaskSize.LARGE: _SMALLER_TASKS},
    advice_for_kernels=target_property_texts.WORK_BESIDE_KERNELS,
    advice_if_queued=NO_PROCESSOR,
)
WAIT_FOR_TASKGROUP = PropertyText(
    "WaitForTasks",
    "Wait for tasks",
    kinds_of("taskgroup"),
    _NO_TASK,
    _ORDER_OF_TASKS,
    trace_names=("Taskwait",),
    advice_by_size=WAIT_FOR_TASKS.advice_by_size,
    advice_for_kernels=target_property_texts.WORK_BESIDE_KERNELS,
    advice_if_queued=NO_PROCESSOR,
)
WAIT_FOR_TASKLOOP = PropertyText(
    "WaitForTasks",
    "Wait for tasks",
    frozenset(TASKLOOPS),
    _NO_TASK,
    "Make more and smaller tasks, by num_tasks or grainsize.",
    trace_names=("Taskwait",),
    advice_by_size={TaskSize.SMALL: "Make fewer and larger tasks, by num_tasks or grainsize."},
    advice_if_queued=NO_PROCESSOR,
)
WAIT_FOR_KERNELS = PropertyText(
    "WaitForKernels",
    "Wait for kernels",
    WITH_BARRIER | {"barrier"},
    "Threads wait at a barrier for a thread in a target construct, or for target constructs with "
    "nowait.",
    "Give the threads host work to do before the barrier, or let them go on: nowait on a construct "
    "whose results they do not need, and one wait where they need the kernels' results. If the "
    "kernels take longer than all such work, shorten the kernels.",
    trace_names=("Wait for Kernels",),
)

_KERNELS_ON_HOST = (
    "The host's processors run the kernels here: other work gains what the kernels leave of them."
)


def advice_on_kernels(text: PropertyText, are_on_host: bool) -> str:
    """Return the advice on a wait for kernels."""
    advice = text.advice_for_kernels or text.advice
    return f"{advice} {_KERNELS_ON_HOST}" if are_on_host else advice


FREQUENT_ATOMIC = PropertyText(
    "FrequentAtomic",
    "Cost of atomics",
    kinds_of("atomic"),
    "Threads update memory atomically more than 1000 times a second.",
    "For few elements use a reduction; for many, let each thread update elements of its own. A reduction of "
    "an array section copies the section for each thread. A thread that computes all updates of its "
    "elements needs no atomic.",
    "Sum up in a local variable and update once; compute the value before the update.",
    trace_names=("Atomic",),
    advice_if_queued=NO_PROCESSOR,
)
FREQUENT_ATOMIC_READ = PropertyText(
    "FrequentAtomic",
    FREQUENT_ATOMIC.title,
    kinds_of("atomic"),
    "Threads read memory atomically more than 1000 times a second.",
    "If threads read in a loop until another thread writes, give that thread less to do before. "
    "Otherwise read once, into a local variable.",
    advice_if_queued=NO_PROCESSOR,
)
FREQUENT_FLUSH = PropertyText(
    "FrequentFlush",
    "Cost of flushes",
    kinds_of("flush"),
    "Threads flush memory more than 1000 times a second.",
    "Most constructs imply a flush; an atomic with memory order often does instead.",
    trace_names=("Flush",),
    advice_if_queued=NO_PROCESSOR,
)

WAIT_IN_FLUSH_LOOP = PropertyText(
    "WaitInFlushLoop",
    "Wait in a loop with flush",
    kinds_of("flush"),
    "Threads flush in a loop until another thread has written a variable.",
    "Let the awaited thread write sooner: give it less work before, or smaller blocks. Doacross loops "
    "(ordered with depend) and tasks with depend wait without such a loop.",
    advice_if_queued=NO_PROCESSOR,
)

# Imbalance

IMBALANCE_IN_REGION = PropertyText(
    "ImbalanceInParallelRegion",
    "Wait at the end of a region",
    REGIONS,
    "Threads wait at the end of the region because others have more work in it.",
    "Share out the work more evenly, or let threads that are done take up tasks.",
    trace_names=("Wait at Barrier",),
    advice_if_queued=NO_PROCESSOR,
)
LATE_IN_REGION = PropertyText(
    "ImbalanceInParallelRegion",
    "Wait at the end of a region",
    REGIONS,
    "Threads wait at the end of the region, although their work in it is even over the run.",
    ONE_AFTER_ANOTHER,
    advice_by_processors=NO_PROCESSOR,
)
TASKS_AT_REGION = PropertyText(
    "ImbalanceInParallelRegion",
    "Wait for tasks at a barrier",
    REGIONS,
    "Threads wait at the end of the region for tasks to end, with none to run meanwhile.",
    _LARGEST_FIRST,
    advice_by_size={TaskSize.SMALL: LARGER_TASKS, TaskSize.LARGE: _SMALLER_TASKS},
    advice_if_queued=NO_PROCESSOR,
)
IMBALANCE_IN_LOOP = PropertyText(
    "ImbalanceInParallelLoop",
    "Wait at the end of a loop",
    LOOPS,
    "Threads wait at the end of the loop because others have more iterations or longer ones.",
    "Try schedule(dynamic) or schedule(guided), a smaller chunk, or collapse of nested "
    "loops; nowait where what follows does not need all of the loop.",
    trace_names=("Wait at Barrier",),
    advice_if_queued=NO_PROCESSOR,
    advice_without_nowait="Try schedule(dynamic) or schedule(guided), a smaller chunk, or collapse of nested "
    "loops.",
)
LATE_IN_LOOP = PropertyText(
    "ImbalanceInParallelLoop",
    "Wait at the end of a loop",
    LOOPS,
    "Threads wait at the end of the loop, although their work in it is even over the run.",
    ONE_AFTER_ANOTHER,
    advice_by_processors=NO_PROCESSOR,
)
LAST_CHUNK_IN_LOOP = PropertyText(
    "ImbalanceInParallelLoop",
    "Wait at the end of a loop",
    LOOPS,
    "Threads wait at the end of the loop for a thread whose last chunk is long.",
    "Try a smaller chunk size, or schedule(guided), whose last chunks are the smallest; nowait "
    "where what follows does not need all of the loop.",
    advice_by_processors=NO_PROCESSOR,
    advice_without_nowait="Try a smaller chunk size, or schedule(guided), whose last chunks are the "
    "smallest.",
)
LATE_IN_DYNAMIC_LOOP = PropertyText(
    "ImbalanceInParallelLoop",
    "Wait at the end of a loop",
    LOOPS,
    "Threads wait at the end of the loop, and smaller chunks would not help.",
    "Let the longest iterations come first, or divide them. If all are alike, check that no other "
    "program uses the processors.",
    advice_by_processors=NO_PROCESSOR,
)
WAIT_AFTER_CANCELLATION = PropertyText(
    "WaitAfterCancellation",
    "Wait after cancellation",
    kinds_of("cancel", "cancellation point"),
    "A construct was canceled; threads that know it wait for threads that do not.",
    "Let all threads see the cancellation sooner: add a cancellation point to long "
    "work, or make the iterations or sections smaller.",
    trace_names=("Wait after Cancellation",),
)
IMBALANCE_IN_WORKSHARE = PropertyText(
    "ImbalanceInParallelWorkshare",
    "Wait at the end of a workshare",
    kinds_of("workshare", "parallel workshare"),
    "Threads wait at the end of the workshare construct because others have more work.",
    "Cut the work into more and smaller parts.",
    trace_names=("Wait at Barrier",),
    advice_if_queued=NO_PROCESSOR,
)
TOO_FEW_SECTIONS = PropertyText(
    "ImbalanceDueToNotEnoughSections",
    "Wait at the end of sections",
    SECTIONS,
    "There are fewer sections than threads, and threads without a section wait.",
    "Cut the work into as many sections as there are threads, or use tasks or a loop.",
)
UNEVEN_SECTIONS = PropertyText(
    "ImbalanceDueToUnevenSectionDistribution",
    "Wait at the end of sections",
    SECTIONS,
    "Some threads run more sections than others, which wait for them.",
    "Make the sections smaller, or their number a multiple of the threads'.",
)
IMBALANCE_IN_SECTIONS = PropertyText(
    "ImbalanceInParallelSections",
    "Wait at the end of sections",
    SECTIONS,
    "All threads run equally many sections, and wait for the longest ones.",
    "Cut the longest section into smaller ones.",
    trace_names=("Wait at Barrier",),
    advice_if_queued=NO_PROCESSOR,
)

# Limited parallelism

SERIAL_SINGLE = PropertyText(
    "UnparallelizedInSingleRegion",
    "Wait at the end of a single",
    kinds_of("single"),
    "Threads wait at the end of a single construct for the one that runs its block.",
    "Share out the work of the block, or add nowait so that the others go on.",
    trace_names=("Wait at Barrier",),
    advice_without_nowait="Share out the work of the block, or let the others work before they need its "
    "result.",
)
LATE_AT_SINGLE = PropertyText(
    "UnparallelizedInSingleRegion",
    "Wait at the end of a single",
    kinds_of("single"),
    "Threads wait at the end of a single construct for threads that arrive late.",
    "Distribute the work before the construct more evenly, or add nowait if the code that follows "
    "does not need the block's results.",
    advice_by_processors=NO_PROCESSOR,
    advice_without_nowait="Distribute the work before the construct more evenly.",
)
TASKS_AT_SINGLE = PropertyText(
    "UnparallelizedInSingleRegion",
    "Wait at the end of a single",
    kinds_of("single"),
    "Threads wait at the end of a single construct and find no task to run.",
    "Let tasks create further tasks, so that more threads find one early.",
    advice_by_size={TaskSize.SMALL: LARGER_TASKS, TaskSize.LARGE: _SMALLER_TASKS},
    advice_if_queued=NO_PROCESSOR,
)
SERIAL_MASTER = PropertyText(
    "UnparallelizedInMasterRegion",
    "Work of one thread alone",
    kinds_of("master", "masked"),
    "One thread alone runs the block.",
    "Share out the work of the block, or let it be a task beside other work.",
)
IDLE_THREADS = PropertyText(
    "IdleThreads",
    "Idle threads",
    frozenset(),
    "Threads are idle while the main thread works alone.",
    "Parallelize the serial parts, the longest first; more threads do not make them faster.",
    trace_names=("Idle Threads",),
)
LIMITED_PARALLELISM = PropertyText(
    "LimitedParallelism",
    "Idle threads beside a small team",
    frozenset(),
    "Threads are idle while a smaller team works.",
    "Check num_threads and if clauses, OMP_NUM_THREADS and thread limits.",
    trace_names=("Limited Parallelism",),
    advice_by_processors={ProcessorUse.OVERSUBSCRIBED: NO_PROCESSOR[ProcessorUse.OVERSUBSCRIBED]},
)
IDLE_DURING_TARGET = PropertyText(
    "IdleDuringTarget",
    "Idle threads during target",
    frozenset(),
    "Threads are idle while the main thread is in a target construct, or waits for kernels.",
    "Give part of the work to the host's threads meanwhile, with nowait on the target constructs.",
    trace_names=("Idle During Target",),
)
IDLE_DURING_MPI = PropertyText(
    "IdleDuringMPI",
    "Idle threads during MPI",
    frozenset(),
    "Threads are idle while the main thread is in MPI calls outside parallel regions, other than "
    "MPI_Init and MPI_Finalize.",
    "Shorten the calls, or let the other threads work meanwhile.",
)
PAGE_FAULTS = PropertyText(
    "PageFaults",
    "Page faults",
    frozenset(),
    "The program gives memory back and takes it again, and the operating system clears each page anew.",
    "Keep memory instead of freeing it, or set MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=2147483647.",
)

OVERHEAD_OF_ONE_THREAD = PropertyText(
    "OverheadOfOneThread",
    "Synchronization of one thread",
    WAITS,
    "A thread is alone in its team, and the construct costs its synchronization all the same.",
    "Leave the construct out where there is one thread, or run with more threads.",
    advice_if_queued=NO_PROCESSOR,
)

TASKS_AT_BARRIER: Mapping[TaskSize, str] = {
    TaskSize.SMALL: LARGER_TASKS,
    TaskSize.FITTING: _LARGEST_FIRST,
    TaskSize.LARGE: _SMALLER_TASKS,
}
"""Advice for waits in a barrier for the last tasks, which only a trace separates."""

TABLE = (
    *(value for value in vars().copy().values() if isinstance(value, PropertyText)),
    *management_property_texts.TABLE,
    *target_property_texts.TABLE,
)
"""All rows, in their order."""
