"""What is said of an event, for a person."""

from __future__ import annotations

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import KIND_SHIFT, PHASES, Enter, Kind, Op, is_told
from pomp_clang.trace.mpi.layout import is_mpi
from pomp_clang.trace.mpi.wording import name_of as mpi_name_of

_PLAIN = {
    Op.LEAVE: "leave",
    Op.BEGIN: "begin region",
    Op.COUNT_BODY: "count body",
    Op.JOINED: "join",
    Op.DEPARTS: "depart",
    Op.DEPARTED: "departed",
    Op.WAITS: "wait at region's end",
    Op.ASSEMBLED: "team assembled",
    Op.HOLDS: "acquire",
    Op.HOLDS_MORE: "acquire nestable",
    Op.RELEASES: "release",
    Op.HANDS_OVER: "release another's",
    Op.VISITS: "visit",
    Op.RELEASED: "released",
    Op.ENDS: "thread ends",
}

_KINDS = {
    Kind.FORK: "fork",
    Kind.PARALLEL: "begin region",
    Kind.CREATE: "create task",
    Kind.TASK: "begin task",
}

_PHASES = {
    0: "pause",
    Column.BODY_T: "begin body",
    Column.ENTER_T: "wait",
    Column.EXIT_T: "end body",
    Column.EXIT_BAR_T: "barrier",
    Column.STARTUP_T: "startup",
    Column.SHUTDWN_T: "shutdown",
    Column.TASK_T: "run tasks",
    Column.CREATE_T: "create",
}

_VALUES = {
    Op.JOINED: "team",
    Op.DEPARTED: "team",
    Op.ASSEMBLED: "team",
    Op.HOLDS: "lock",
    Op.HOLDS_MORE: "lock",
    Op.RELEASES: "lock",
    Op.HANDS_OVER: "lock",
}


def name_of(op: int) -> str:
    """An operation in a word or two."""
    if op >= Op.ENTER:
        kind = Kind((op & 0x7F) >> KIND_SHIFT)
        resumes = "resume " if op & Enter.RESUMES else ""
        return resumes + _KINDS.get(kind, "enter")
    if is_told(op):
        return "value"
    if is_mpi(op):
        return mpi_name_of(op)
    if op >= Op.PHASE:
        return _PHASES.get(op % PHASES, "go on")
    return _PLAIN[Op(op)]


def value_name_of(op: int) -> str:
    """What the first value of an operation is."""
    if op < Op.ENTER:
        return _VALUES[Op(op)] if op in _VALUES else "value"
    return "task" if (op & 0x7F) >> KIND_SHIFT == Kind.TASK else "team"
