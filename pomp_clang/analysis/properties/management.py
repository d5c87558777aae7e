"""Management: the OpenMP runtime starts teams, hands out work, releases locks, makes tasks."""

from __future__ import annotations

from operator import attrgetter

from pomp_clang.analysis.properties.model import Property, Seen, lasting
from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.columns import COLUMNS, Others, Overhead, columns_of

_LOCKED = frozenset({"critical", "lock", "ordered"})
_TEAM = frozenset(kind for kind in COLUMNS if kind.split()[0] == "parallel")
_LOOP = frozenset({"parallel for", "parallel for simd", "parallel loop"})

_body = attrgetter("bodyT")


def _team(m: Measured) -> float:
    return m.startupT + m.shutdwnT


def _sections(m: Measured) -> float:
    return sum(c.lost(m) for c in columns_of("sections") if c.overhead is Overhead.MGMT)


def _little_work(seen: Seen) -> bool:
    return seen.sum(_body) <= seen.severity


def _enough_work(seen: Seen) -> bool:
    return seen.profile.region.kind not in _LOOP or not _little_work(seen)


def _insufficient(seen: Seen) -> str:
    work = lasting(seen.sum(_body) / max(1, seen.profile.execC))
    cost = lasting(seen.each_time)
    return f"A thread's part of the loop takes {work}, starting and ending the team {cost}."


def _start(seen: Seen) -> str:
    return f"Starting and ending the team takes {lasting(seen.each_time)} of each thread each time."


def _release(seen: Seen) -> str:
    if seen.profile.missing is Others.PROGRAM:
        return f"Leaving it takes {lasting(seen.each_time)} each time on average."
    return f"Letting the next one in takes {lasting(seen.each_time)} each time on average."


def _hand_out(seen: Seen) -> str:
    return f"Handing out sections takes {lasting(seen.each_time)} of each thread each time."


def _create(seen: Seen) -> str:
    made = seen.sum(attrgetter("createC"))
    cost = lasting(seen.severity / max(1, made))
    work = lasting(seen.sum(attrgetter("execT")) / max(1, seen.profile.execC))
    return f"Making one of these tasks takes {cost}, running it {work}."


def _tiny(seen: Seen) -> bool:
    return seen.sum(attrgetter("execT")) <= seen.severity


def _worth_it(seen: Seen) -> bool:
    return not _tiny(seen)


ROWS = (
    Property(
        "InsufficientWorkInParallelLoop",
        _LOOP,
        Overhead.MGMT,
        _team,
        _insufficient,
        "Parallelize a loop further out, merge loops into one parallel region, or add an if clause.",
        _little_work,
        advice_alone="Parallelize a loop further out, or merge loops into one parallel region.",
    ),
    Property(
        "ManagementOverhead",
        _TEAM,
        Overhead.MGMT,
        _team,
        _start,
        "Merge parallel regions that follow one another, or move the region out of a loop.",
        _enough_work,
    ),
    Property(
        "ManagementOverhead",
        _LOCKED,
        Overhead.MGMT,
        attrgetter("exitT"),
        _release,
        "Enter less often: collect per thread and combine at the end.",
        advice_alone="Enter less often: collect first and combine at the end.",
    ),
    Property(
        "ManagementOverhead",
        frozenset({"sections"}),
        Overhead.MGMT,
        _sections,
        _hand_out,
        "Make the sections larger.",
    ),
    Property(
        "InsufficientWorkInTasks",
        frozenset({"task"}),
        None,
        attrgetter("createT"),
        _create,
        "Make fewer and larger tasks: stop at a depth or size, or use taskloop with grainsize.",
        _tiny,
    ),
    Property(
        "TaskCreation",
        frozenset({"task"}),
        None,
        attrgetter("createT"),
        _create,
        "Make larger tasks, or let several threads make them.",
        _worth_it,
        advice_alone="Make larger tasks.",
    ),
)
