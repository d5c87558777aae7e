"""The time span of a timeline, and the states of a thread in it: a call path, an activity, and the
color group of both."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.causes.timeline.activity import ACTIVITIES, IN_MPI, Activity
from pomp_clang.causes.timeline.places import Place, Thread, within_team
from pomp_clang.trace.kernel import load, members, point


class Span(Protocol):
    """From when to when, in ticks; at what places and on which threads."""

    @property
    def second(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def duration(self) -> float: ...

    @property
    def paths(self) -> tuple[Place, ...]: ...

    @property
    def threads(self) -> tuple[Thread, ...]: ...


GROUPS = (
    "work", "alone", "tasks", "kernel", "barrier", "locks", "mpi", "manage", "transfer", "memory", "idle",
)  # fmt: skip
"""The groups that the page colors."""

WORK = 4
"""The number of groups that are work."""

DEVICE_ACTIVITIES = ("kernel", "to_device", "from_device", "allocate", "deallocate")
"""The activities of devices, which follow those of threads: operations in the order of
`DeviceOperation`."""

FIRST_OF_DEVICES = ACTIVITIES
_ACTIVITIES = ACTIVITIES + len(DEVICE_ACTIVITIES)

_OF_DEVICES = ("kernel", "transfer", "transfer", "memory", "memory")

_OF: dict[int, str] = {
    Activity.OUTSIDE: "idle",
    Activity.FORK: "manage",
    Activity.JOIN: "manage",
    Activity.CREATE: "manage",
    Activity.FLUSH: "manage",
    Activity.EXPLICIT: "barrier",
    Activity.IMPLICIT: "barrier",
    Activity.TASKWAIT: "barrier",
    Activity.CRITICAL: "locks",
    Activity.LOCK: "locks",
    Activity.TRYING: "locks",
    Activity.ORDERED: "locks",
    Activity.ATOMIC: "locks",
    **dict.fromkeys(IN_MPI, "mpi"),
    **dict(enumerate(_OF_DEVICES, FIRST_OF_DEVICES)),
}

Numbers = npt.NDArray[np.uint32]


class _PairsStruct(ctypes.Structure):
    """`struct pomp_pairs` of runtime/replay/bins.h."""

    _fields_ = members("COUNT", "path", "activity", "ACTIVITIES")


@dataclass(frozen=True, slots=True)
class States:
    """The states that occur on some timelines: a row for each pair of path and activity.  `lines` has for each line
    the states of its intervals, `group` is a row of `GROUPS`."""

    path: npt.NDArray[np.int64]
    activity: npt.NDArray[np.int64]
    group: npt.NDArray[np.uint8]
    timelines: tuple[Numbers, ...]


def states_of(run: Span, timelines: tuple[ThreadTimeline, ...]) -> States:
    """Number the pairs of path and activity that occur on some timeline."""
    seen = np.zeros(len(run.paths) * _ACTIVITIES, np.bool_)
    for timeline in timelines:
        _call("pomp_mark_pairs", timeline, seen)
    used = np.flatnonzero(seen)
    number = np.zeros(len(seen), np.uint32)
    number[used] = np.arange(len(used), dtype=np.uint32)
    path, activity = used // _ACTIVITIES, used % _ACTIVITIES
    return States(
        path,
        activity,
        _groups(run, path, activity),
        tuple(_numbered(timeline, number) for timeline in timelines),
    )


def _numbered(timeline: ThreadTimeline, number: Numbers) -> Numbers:
    state = np.empty(len(timeline.begin), np.uint32)
    _call("pomp_number_pairs", timeline, number, state)
    return state


def _call(name: str, timeline: ThreadTimeline, *columns: npt.NDArray[np.generic]) -> None:
    """Call a kernel that takes a timeline's pairs of call path and activity, and columns."""
    path = np.ascontiguousarray(timeline.path, np.int32)
    activity = np.ascontiguousarray(timeline.activity, np.uint8)
    pairs = _PairsStruct(count=len(path), activities=_ACTIVITIES)
    point(pairs, "path", path)
    point(pairs, "activity", activity)
    function = getattr(load(), name)
    function.argtypes = [ctypes.c_void_p] * (1 + len(columns))
    function(ctypes.byref(pairs), *(column.ctypes.data for column in columns))


def _groups(
    run: Span, path: npt.NDArray[np.int64], activity: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint8]:
    in_team, in_task = within_team(run.paths), _within_task(run.paths)
    group = np.where(in_task[path], GROUPS.index("tasks"), GROUPS.index("work"))
    group = np.where(in_team[path] | in_task[path], group, GROUPS.index("alone"))
    for doing, name in _OF.items():
        group[activity == doing] = GROUPS.index(name)
    return group.astype(np.uint8)


def _within_task(paths: tuple[Place, ...]) -> npt.NDArray[np.bool_]:
    inside = np.zeros(len(paths), np.bool_)
    for row, place in enumerate(paths):
        inside[row] = place.task or (place.above >= 0 and inside[place.above])
    return inside
