"""Rows of the table of properties on the work of the OpenMP runtime; `property_texts` has the others."""

from __future__ import annotations

from pomp_clang.analysis.property_row import (
    LARGER_TASKS,
    LOOPS,
    NO_PROCESSOR,
    PARALLEL_LOOPS,
    TEAMS,
    PropertyText,
    kinds_of,
)
from pomp_clang.analysis.task_size import TaskSize

INSUFFICIENT_WORK_IN_LOOP = PropertyText(
    "InsufficientWorkInParallelLoop",
    "Cost of starting and ending teams",
    PARALLEL_LOOPS,
    "Starting and ending the team takes longer than the loop's work.",
    "Parallelize a loop further out, merge loops into one parallel region, or add an if clause.",
    "Parallelize a loop further out, or merge loops into one parallel region.",
    advice_by_processors=NO_PROCESSOR,
)
TEAM_MANAGEMENT = PropertyText(
    "ManagementOverhead",
    "Cost of starting and ending teams",
    TEAMS,
    "The OpenMP runtime starts and ends a team.",
    "Merge parallel regions that follow one another, or move them out of a loop. Share large "
    "firstprivate variables, which every thread copies.",
    trace_names=("Fork", "Join"),
    advice_by_processors=NO_PROCESSOR,
)
SLOW_TEAM = PropertyText(
    "ManagementOverhead",
    "Cost of starting and ending teams",
    TEAMS,
    "Starting and ending a team takes far longer than the OpenMP runtime needs for it.",
    "Check that no other program uses the processors. Share large firstprivate variables, which every "
    "thread copies.",
    advice_by_processors=NO_PROCESSOR,
)
SLOW_TEAM_PRICE = 1e-3
"""Mean seconds from which on a start and end of a team has other reasons than the runtime."""

TEAM_STARTED_ONCE = PropertyText(
    "ManagementOverhead",
    "Cost of starting and ending teams",
    TEAMS,
    "The OpenMP runtime starts and ends a team here once.",
    "If this is the program's first region, it starts the threads: nothing is to be gained. Elsewhere "
    "share large firstprivate variables, which every thread copies.",
    advice_if_queued=NO_PROCESSOR,
)
RELEASE = PropertyText(
    "ManagementOverhead",
    "Cost of leaving locks",
    kinds_of("critical", "lock", "ordered"),
    "A thread leaves the construct and lets the next thread in.",
    "Enter less often: collect per thread and combine at the end.",
    "Enter less often: collect first and combine at the end.",
)
SECTION_MANAGEMENT = PropertyText(
    "ManagementOverhead",
    "Cost of handing out sections",
    kinds_of("sections"),
    "The OpenMP runtime hands out sections.",
    "Make the sections larger.",
)
SMALL_CHUNKS = PropertyText(
    "InsufficientWorkInChunks",
    "Cost of chunks",
    LOOPS,
    "The OpenMP runtime hands out a loop in chunks that are small.",
    "Use a larger chunk size, so that the work of a chunk takes fifty times as long as getting it; "
    "schedule(static) where all iterations take the same time.",
    "Use a larger chunk size, so that the work of a chunk takes fifty times as long as getting it.",
    trace_names=("Chunks",),
    advice_if_queued=NO_PROCESSOR,
)
INSUFFICIENT_WORK_IN_TASKS = PropertyText(
    "InsufficientWorkInTasks",
    "Cost of creating tasks",
    kinds_of("task"),
    "Creating the tasks takes longer than running them.",
    LARGER_TASKS,
    advice_by_size={
        TaskSize.LARGE: "Share large variables, which are copied when a task is created."
    },
    advice_if_queued=NO_PROCESSOR,
)
TASK_CREATION = PropertyText(
    "TaskCreation",
    "Cost of creating tasks",
    kinds_of("task"),
    "A thread creates tasks, with copies of their firstprivate variables.",
    "Let several threads create the tasks, and share large variables, which are copied.",
    "Share large variables, which are copied when a task is created.",
    trace_names=("Task Creation",),
    advice_by_size={TaskSize.SMALL: LARGER_TASKS},
    advice_if_queued=NO_PROCESSOR,
)
SMALL_TASKS = PropertyText(
    "InsufficientWorkInTasks",
    "Cost of small tasks",
    frozenset(),
    "Creating tasks and waiting for them takes longer than their work is worth.",
    LARGER_TASKS,
    advice_if_queued=NO_PROCESSOR,
)
"""The creation of small tasks, together with the waits of threads that find none to run."""

TABLE = tuple(value for value in vars().copy().values() if isinstance(value, PropertyText))
"""All rows, in their order."""
