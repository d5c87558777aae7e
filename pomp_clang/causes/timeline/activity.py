"""The activity of a thread, derived from its newest frame and this frame's phase."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import KINDS, PHASES, Kind
from pomp_clang.trace.summarize import ActivityRules


class Activity(IntEnum):
    OUTSIDE = 0
    """no region is open"""
    COMPUTE = 1
    FORK = 2
    JOIN = 3
    CREATE = 4
    FLUSH = 5
    EXPLICIT = 6
    """in a barrier that the program spells"""
    IMPLICIT = 7
    """in a barrier that a construct implies"""
    CRITICAL = 8
    LOCK = 9
    ORDERED = 10
    TASKWAIT = 11
    ATOMIC = 12
    MPI = 13
    """in a call of MPI that is none of those below"""
    POINT_TO_POINT = 14
    COLLECTIVE = 15
    ONE_SIDED = 16
    FILE_INDIVIDUAL = 17
    FILE_COLLECTIVE = 18
    MPI_BARRIER = 19
    INIT_EXIT = 20
    COMMUNICATORS = 21
    WINDOWS = 22
    TRYING = 23
    """in attempts to get a lock that were in vain"""
    MAP = 24
    """in a target data construct, outside its block"""


ACTIVITIES = len(Activity)
IN_MPI = tuple(activity for activity in Activity if Activity.MPI <= activity <= Activity.WINDOWS)
BARRIERS = (Activity.EXPLICIT, Activity.IMPLICIT)
NOT_WAITING = (Activity.COMPUTE, Activity.MAP)
"""A thread is in its program's code, or in a target construct."""

Codes = npt.NDArray[np.uint8]

COPIED = "single copyprivate"
"""The kind of a single that hands on values, if no event has its barrier."""

_CLASSES = (
    "", "flush", "atomic", "critical", "ordered", "lock", "taskgroup", "taskloop", "target data",
    COPIED,
)  # fmt: skip
"""Regions that tell more than their frames do: of `taskloop` are all the constructs so called."""

ORDERED = _CLASSES.index("ordered")
"""As `classes_of` tells it."""

COPYING = _CLASSES.index(COPIED)

_ANY = tuple(range(PHASES))
_NOT_BODY = tuple(phase for phase in _ANY if phase != Column.BODY_T)
_ENDS = (Column.ENTER_T, Column.EXIT_T)

_ROWS: tuple[tuple[tuple[Kind, ...], tuple[int, ...], tuple[str, ...], Activity], ...] = (
    (tuple(Kind), _ANY, _CLASSES, Activity.COMPUTE),
    ((Kind.FORK,), _ANY, _CLASSES, Activity.FORK),
    ((Kind.PARALLEL,), (Column.STARTUP_T,), _CLASSES, Activity.FORK),
    ((Kind.PARALLEL,), (Column.SHUTDWN_T,), _CLASSES, Activity.JOIN),
    ((Kind.PARALLEL, Kind.WORK), (Column.EXIT_BAR_T,), _CLASSES, Activity.IMPLICIT),
    ((Kind.WORK,), _NOT_BODY, (COPIED,), Activity.IMPLICIT),
    ((Kind.PARALLEL,), (Column.CREATE_T,), ("taskloop",), Activity.CREATE),
    ((Kind.PARALLEL,), (Column.ENTER_T,), ("taskloop",), Activity.TASKWAIT),
    ((Kind.BARRIER,), _ANY, _CLASSES, Activity.EXPLICIT),
    ((Kind.CREATE,), _ANY, _CLASSES, Activity.CREATE),
    ((Kind.SIMPLE,), _ANY, ("flush",), Activity.FLUSH),
    ((Kind.SIMPLE,), _ANY, ("atomic",), Activity.ATOMIC),
    ((Kind.SIMPLE, Kind.SYNC), _ANY, ("lock",), Activity.LOCK),
    ((Kind.SIMPLE,), _NOT_BODY, ("target data",), Activity.MAP),
    ((Kind.SYNC,), _ENDS, ("critical",), Activity.CRITICAL),
    ((Kind.SYNC,), _ENDS, ("ordered",), Activity.ORDERED),
    ((Kind.WAIT,), _ANY, ("", "flush", "atomic"), Activity.TASKWAIT),
    ((Kind.WAIT,), (Column.EXIT_BAR_T,), ("taskgroup", "taskloop"), Activity.TASKWAIT),
    ((Kind.WAIT,), (Column.CREATE_T,), ("taskloop",), Activity.CREATE),
)
"""A later row overrules an earlier one."""


def _table() -> Codes:
    table = np.zeros((len(_CLASSES), KINDS, PHASES), np.uint8)
    for kinds, phases, classes, activity in _ROWS:
        class_numbers = [_CLASSES.index(name) for name in classes]
        table[np.ix_(class_numbers, kinds, phases)] = activity
    return table.reshape(-1)


TABLE = _table()
"""By the class of a call path, the kind of a frame and its phase."""


def _rules() -> ActivityRules:
    marked = np.zeros(ACTIVITIES, np.uint8)
    marked[[*BARRIERS, Activity.FORK, Activity.JOIN, Activity.TASKWAIT, Activity.ORDERED]] = 1
    keeps = np.ones((len(_CLASSES), KINDS), np.uint8)
    keeps[:, [Kind.SIMPLE, Kind.USER, Kind.SYNC]] = 0
    keeps[ORDERED, Kind.SYNC] = 1
    return ActivityRules(TABLE, Activity.OUTSIDE, marked, keeps.reshape(-1))


ACTIVITY_RULES = _rules()
"""The rules for a location's timeline: intervals of waits, and visits of teams, barriers and tasks."""


def are(doing: Codes, *activities: Activity) -> npt.NDArray[np.bool_]:
    """Return, for each code, whether it is one of the given activities."""
    if len(activities) == 1:
        return np.asarray(doing == activities[0])
    is_wanted = np.zeros(256, np.bool_)
    is_wanted[list(activities)] = True
    return is_wanted[doing]


def classes_of(kinds: Iterable[str]) -> Codes:
    """Return, for each call path, the class of its region's kind, an index of `TABLE`."""
    return np.array([_class_of(kind) for kind in kinds], np.uint8)


def _class_of(kind: str) -> int:
    if "taskloop" in kind:
        kind = "taskloop"
    return _CLASSES.index(kind) if kind in _CLASSES else 0
