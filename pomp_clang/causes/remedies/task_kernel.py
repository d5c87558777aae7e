"""Recorded tasks and their list schedules: calls of the compiled kernel on NumPy's memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.location_timeline import Flags, Numbers, Ticks
from pomp_clang.experiment import ExperimentError
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints, Ops, Paths

WORK, CREATE, WAIT = range(3)
"""The kinds of steps: enum pomp_step of runtime/replay/task_steps.h."""

_STEPS = 4
"""The most steps of a visit: the work before it, its creation or wait, the work in it, and the wait
at its end."""


class _FollowingStruct(ctypes.Structure):
    """`struct pomp_following` of runtime/replay/task_steps.h."""

    _fields_ = members(
        "PHASES", "since", "until", "busy_since", "busy_until",
        "VISITS", "begin", "end", "busy_begin", "busy_end", "kind", "path", "is_group",
        "TASK_ROOM", "TASKS", "task_path", "task_begin",
        "STEP_ROOM", "STEPS", "step_task", "step_kind", "step_value",
        "CREATED_ROOM", "CREATED", "created_begin", "created_step", "created_price",
    )  # fmt: skip


class _ParentingStruct(ctypes.Structure):
    """`struct pomp_parenting` of runtime/replay/task_parents.h."""

    _fields_ = members(
        "MOMENTS", "is_begin", "construct", "location", "CONSTRUCTS", "LOCATIONS", "creation"
    )


class _SchedulingStruct(ctypes.Structure):
    """`struct pomp_scheduling` of runtime/replay/task_schedule.h."""

    _fields_ = (
        *members(
            "TASKS", "first", "kind", "value", "thread", "parent", "inclusive", "creation",
            "PHASES", "first_root", "roots",
        ),
        ("dispatch", ctypes.c_double),
        ("cutoff", ctypes.c_double),
        *members("dropped", "IN_ROUNDS", "took"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class VisitTimes:
    """Begins and ends of visits or phases, and the ticks that the location worked up to each."""

    begin: Ints
    end: Ints
    busy_begin: Ticks
    busy_end: Ticks


@dataclass(frozen=True, slots=True)
class FollowedTasks:
    """The tasks of a location: the `path` of each, -1 for implicit ones, and its `begin`. Then its
    steps: the `task`, `kind` and `value` of each; the value of a creation or wait is its call path,
    as the trace numbers it. Then its creations: when it was `created`, the step, and the `price`."""

    path: Numbers
    begin: Ints
    task: Numbers
    kind: Ops
    value: Ticks
    created: Ints
    created_step: Ints
    price: Ticks


def followed(
    phases: VisitTimes, visits: VisitTimes, kind: Ops, path: Paths, is_group: Flags
) -> FollowedTasks:
    """Return the tasks of a location's phases; `is_group` marks call paths of task groups."""
    count, most = len(visits.begin), len(phases.begin)
    tasks, steps = count + most, _STEPS * count + 2 * most
    task_columns: dict[str, npt.NDArray[Any]] = {
        "task_path": np.empty(tasks, np.int32), "task_begin": np.empty(tasks, np.int64),
        "step_task": np.empty(steps, np.int32), "step_kind": np.empty(steps, np.uint8),
        "step_value": np.empty(steps), "created_begin": np.empty(count, np.int64),
        "created_step": np.empty(count, np.int64), "created_price": np.empty(count),
    }  # fmt: skip
    columns: dict[str, npt.NDArray[Any]] = {
        "since": phases.begin, "until": phases.end, "busy_since": phases.busy_begin,
        "busy_until": phases.busy_end, "begin": visits.begin, "end": visits.end,
        "busy_begin": visits.busy_begin, "busy_end": visits.busy_end, "kind": kind, "path": path,
        "is_group": is_group,
    }  # fmt: skip
    run = _FollowingStruct(
        phases=most, visits=count, task_room=tasks, step_room=steps, created_room=count
    )
    _call("pomp_follow_tasks", run, columns | task_columns)
    counts = {"task": run.tasks, "step": run.steps, "created": run.created}
    return FollowedTasks(
        *(column[: counts[name.partition("_")[0]]].copy() for name, column in task_columns.items())
    )


def creations_of(is_begin: Flags, construct: Numbers, location: Numbers, locations: int) -> Ints:
    """Return, for each begin of a task, the row of its creation, -1 if there is none. Begins and
    creations are in the order of time."""
    creation = np.full(len(is_begin), -1, np.int64)
    columns: dict[str, npt.NDArray[Any]] = {
        "is_begin": is_begin, "construct": construct.astype(np.int32),
        "location": location.astype(np.int32), "creation": creation,
    }  # fmt: skip
    constructs = int(construct.max(initial=0)) + 1
    run = _ParentingStruct(moments=len(is_begin), constructs=constructs, locations=locations)
    _call("pomp_find_parents", run, columns)
    return creation


def add_work_below(tasks: Ints, parent: Numbers, work: Ticks, inclusive: Ticks) -> None:
    """Add to `inclusive` the work of each task and of all tasks below it; `tasks` are the explicit
    ones, each after all tasks below it."""
    kept = np.ascontiguousarray(tasks, np.int64)
    function = load().pomp_sum_tasks
    function.argtypes = [ctypes.c_uint64, *[ctypes.c_void_p] * 4]
    addresses = (column.ctypes.data for column in (kept, parent, work, inclusive))
    function(len(kept), *addresses)


@dataclass(frozen=True, slots=True)
class ScheduledColumns:
    """The columns of `task_graph.RecordedTasks` and `task_graph.TaskPhases` that a schedule
    needs."""

    first: Ints
    kind: Ops
    value: Ticks
    thread: Numbers
    parent: Numbers
    inclusive: Ticks
    creation: Ticks
    first_root: Ints
    roots: Numbers


def scheduled(
    columns: ScheduledColumns, dispatch: float, cutoff: float, dropped: Flags, in_rounds: bool
) -> Ticks:
    """Return the ticks of each phase; `dropped` marks the call paths of waits that are left out."""
    phase_ticks = np.zeros(len(columns.first_root) - 1)
    kinds = {
        "first": np.int64, "kind": np.uint8, "value": np.float64, "thread": np.int32,
        "parent": np.int32, "inclusive": np.float64, "creation": np.float64,
        "first_root": np.int64, "roots": np.int32,
    }  # fmt: skip
    kept = {
        name: np.ascontiguousarray(getattr(columns, name), kind) for name, kind in kinds.items()
    }
    run = _SchedulingStruct(
        tasks=len(columns.thread), phases=len(phase_ticks), dispatch=dispatch, cutoff=cutoff,
        in_rounds=in_rounds,
    )  # fmt: skip
    _call("pomp_schedule_tasks", run, kept | {"dropped": dropped, "took": phase_ticks})
    return phase_ticks


def _call(function: str, run: ctypes.Structure, columns: dict[str, npt.NDArray[Any]]) -> None:
    """Call a function that returns 0 unless the memory is not enough."""
    kept = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    for name, column in kept.items():
        point(run, name, column)
    called = getattr(load(), function)
    called.argtypes = [ctypes.c_void_p]
    if called(ctypes.byref(run)):
        raise ExperimentError(
            "the recorded tasks do not fit the memory: record less of the program"
        )
