"""Plans for the regions of an archive: the construct that entering one stands for, by its role and
name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pomp_clang.experiment.records import RawRegion
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.otf2.layout import MAKING, TASK, WAIT, Paradigm, RegionRole
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.otf2.definitions import RegionDefinition


class EntryMeaning(Enum):
    """The operation that entering a region is in a trace of pomp-clang."""

    FRAME = "a visit of its own"
    PARALLEL = "of a region, by a member of its team"
    TASK = "a task begins"
    LOCK = "a routine that gets a lock"
    RELEASE = "a routine that gives a lock up"
    BARRIER = "the barrier that the construct around it implies"
    BLOCK = "the body of the construct around it"
    MAKING = "the taskloop around it makes its tasks"
    WAIT = "the taskgroup or taskloop around it waits for its tasks"


@dataclass(frozen=True, slots=True)
class RegionPlan:
    """The meaning of a region. `region` is the construct's region, which may be another one: for the
    creation of a task it is the task's."""

    means: EntryMeaning
    kind: int
    flags: int
    region: int


_CONSTRUCTS = {
    RegionRole.PARALLEL: ("parallel", EntryMeaning.PARALLEL, Kind.PARALLEL, 0),
    RegionRole.LOOP: ("for", EntryMeaning.FRAME, Kind.WORK, Enter.SPECIAL),
    RegionRole.WORKSHARE: ("workshare", EntryMeaning.FRAME, Kind.WORK, Enter.SPECIAL),
    RegionRole.SECTIONS: ("sections", EntryMeaning.FRAME, Kind.WORK, 0),
    RegionRole.SINGLE: ("single", EntryMeaning.FRAME, Kind.WORK, 0),
    RegionRole.MASTER: ("master", EntryMeaning.FRAME, Kind.SIMPLE, 0),
    RegionRole.ATOMIC: ("atomic", EntryMeaning.FRAME, Kind.SIMPLE, 0),
    RegionRole.FLUSH: ("flush", EntryMeaning.FRAME, Kind.SIMPLE, 0),
    RegionRole.CRITICAL: ("critical", EntryMeaning.FRAME, Kind.SYNC, 0),
    RegionRole.ORDERED: ("ordered", EntryMeaning.FRAME, Kind.SYNC, 0),
    RegionRole.BARRIER: ("barrier", EntryMeaning.FRAME, Kind.BARRIER, 0),
    RegionRole.TASK: ("task", EntryMeaning.TASK, Kind.TASK, 0),
    RegionRole.TASK_UNTIED: ("task", EntryMeaning.TASK, Kind.TASK, 0),
    RegionRole.TASK_CREATE: ("task", EntryMeaning.FRAME, Kind.CREATE, 0),
    RegionRole.TASK_WAIT: ("taskwait", EntryMeaning.FRAME, Kind.WAIT, 0),
    RegionRole.IMPLICIT_BARRIER: ("barrier", EntryMeaning.BARRIER, Kind.BARRIER, 0),
    RegionRole.SECTION: ("section", EntryMeaning.BLOCK, Kind.SIMPLE, 0),
    RegionRole.SINGLE_SBLOCK: ("single", EntryMeaning.BLOCK, Kind.SIMPLE, 0),
    RegionRole.CRITICAL_SBLOCK: ("critical", EntryMeaning.BLOCK, Kind.SIMPLE, 0),
    RegionRole.ORDERED_SBLOCK: ("ordered", EntryMeaning.BLOCK, Kind.SIMPLE, 0),
}
"""By role: the directive's words if the name has none, and the meaning, kind and flags of the enter."""

_ROUTINES = {
    "omp_set_lock": EntryMeaning.LOCK,
    "omp_test_lock": EntryMeaning.LOCK,
    "omp_set_nest_lock": EntryMeaning.LOCK,
    "omp_test_nest_lock": EntryMeaning.LOCK,
    "omp_unset_lock": EntryMeaning.RELEASE,
    "omp_unset_nest_lock": EntryMeaning.RELEASE,
    "lock": EntryMeaning.LOCK,
    "release lock": EntryMeaning.RELEASE,
}

_PARTS = {MAKING: EntryMeaning.MAKING, WAIT: EntryMeaning.WAIT}

_KEPT = frozenset(
    (
        RegionRole.PARALLEL,
        RegionRole.LOOP,
        RegionRole.SECTIONS,
        RegionRole.TASK_WAIT,
        RegionRole.MASTER,
    )
)
"""Roles that several directives have: their names tell which it is."""

_NAME = re.compile(r"(?:!\$omp )?(?P<words>[^(@]*?)(?: \((?P<sub>.*)\))?(?: @.*:\d+)?", re.S)


def plan_of(number: int, regions: dict[int, RegionDefinition]) -> RegionPlan:
    """Return the plan of a region, by its role and name."""
    region = regions[number]
    name, _ = _named(region)
    routine = _ROUTINES.get(name) if region.paradigm == Paradigm.OPENMP else None
    if routine:
        return RegionPlan(routine, Kind.SYNC, 0, number)
    if region.paradigm != Paradigm.OPENMP or region.role not in _CONSTRUCTS:
        kind = Kind.USER if region.paradigm != Paradigm.OPENMP else Kind.SIMPLE
        return RegionPlan(EntryMeaning.FRAME, Kind.WORK if name == "scope" else kind, 0, number)
    _, means, kind, flags = _CONSTRUCTS[RegionRole(region.role)]
    if name in _PARTS:
        return RegionPlan(_PARTS[name], kind, flags, number)
    is_task = region.role in (RegionRole.TASK, RegionRole.TASK_CREATE)
    return RegionPlan(
        means, kind, flags, _construct_of(region, number, regions) if is_task else number
    )


def _construct_of(
    region: RegionDefinition, number: int, regions: dict[int, RegionDefinition]
) -> int:
    """Return the task that is created, or the taskloop that a task belongs to: the region at the
    same place."""
    name, _ = _named(region)
    loop = name.removesuffix(f" {TASK}")
    for other, other_region in regions.items():
        if region.role == RegionRole.TASK_CREATE:
            is_same = other_region.role in (RegionRole.TASK, RegionRole.TASK_UNTIED)
        else:
            is_same = loop != name and _named(other_region)[0] == loop
        if is_same and (other_region.file, other_region.lines[0]) == (region.file, region.lines[0]):
            return other
    return number


def raw_region(number: int, region: RegionDefinition) -> RawRegion:
    """Return a region as an experiment has it."""
    name, sub = _named(region)
    begin, end = region.lines
    flags = 0
    if region.paradigm != Paradigm.OPENMP:
        if region.paradigm != Paradigm.USER or name != "region":
            name, sub, flags = "region", region.name, int(DescriptorFlag.FUNCTION)
    elif name in _ROUTINES:
        flags = int(DescriptorFlag.RELEASE) if _ROUTINES[name] == EntryMeaning.RELEASE else 0
        sub, name = sub or name, "lock"
    elif region.role in _CONSTRUCTS and region.role not in _KEPT:
        name = _CONSTRUCTS[RegionRole(region.role)][0]
    lines = (begin, begin, end, end)
    return RawRegion(number, flags, 0, lines, 0, (name, sub, region.file, "", ""))


def _named(region: RegionDefinition) -> tuple[str, str]:
    """Return the directive's words (those of the role without a name), and the name given to the
    construct."""
    match = _NAME.fullmatch(region.name)
    name, sub = (match["words"], match["sub"] or "") if match else ("", "")
    if not name and region.role in _CONSTRUCTS:
        name = _CONSTRUCTS[RegionRole(region.role)][0]
    return name or "region", sub
