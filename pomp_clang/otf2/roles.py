"""Regions of other tools' archives -> constructs: what entering one means, by its role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pomp_clang.experiment.records import RawRegion
from pomp_clang.openmp.descriptor import DescriptorFlag
from pomp_clang.otf2.definitions import RegionDefinition
from pomp_clang.otf2.layout import Paradigm, Role
from pomp_clang.otf2.regions import MAKING, TASK, WAIT
from pomp_clang.trace.layout import Enter, Kind


class Means(Enum):
    """What entering a region comes to in our trace."""

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
class Plan:
    """`region` is the construct's, which may be another region's: the creation of a task is the
    task's."""

    means: Means
    kind: int
    how: int
    region: int


_CONSTRUCTS = {
    Role.PARALLEL: ("parallel", Means.PARALLEL, Kind.PARALLEL, 0),
    Role.LOOP: ("for", Means.FRAME, Kind.WORK, Enter.SPECIAL),
    Role.WORKSHARE: ("workshare", Means.FRAME, Kind.WORK, Enter.SPECIAL),
    Role.SECTIONS: ("sections", Means.FRAME, Kind.WORK, 0),
    Role.SINGLE: ("single", Means.FRAME, Kind.WORK, 0),
    Role.MASTER: ("master", Means.FRAME, Kind.SIMPLE, 0),
    Role.ATOMIC: ("atomic", Means.FRAME, Kind.SIMPLE, 0),
    Role.FLUSH: ("flush", Means.FRAME, Kind.SIMPLE, 0),
    Role.CRITICAL: ("critical", Means.FRAME, Kind.SYNC, 0),
    Role.ORDERED: ("ordered", Means.FRAME, Kind.SYNC, 0),
    Role.BARRIER: ("barrier", Means.FRAME, Kind.BARRIER, 0),
    Role.TASK: ("task", Means.TASK, Kind.TASK, 0),
    Role.TASK_UNTIED: ("task", Means.TASK, Kind.TASK, 0),
    Role.TASK_CREATE: ("task", Means.FRAME, Kind.CREATE, 0),
    Role.TASK_WAIT: ("taskwait", Means.FRAME, Kind.WAIT, 0),
    Role.IMPLICIT_BARRIER: ("barrier", Means.BARRIER, Kind.BARRIER, 0),
    Role.SECTION: ("section", Means.BLOCK, Kind.SIMPLE, 0),
    Role.SINGLE_SBLOCK: ("single", Means.BLOCK, Kind.SIMPLE, 0),
    Role.CRITICAL_SBLOCK: ("critical", Means.BLOCK, Kind.SIMPLE, 0),
    Role.ORDERED_SBLOCK: ("ordered", Means.BLOCK, Kind.SIMPLE, 0),
}
"""The directive's words where the name does not tell them, and what is entered."""

_ROUTINES = {
    "omp_set_lock": Means.LOCK,
    "omp_test_lock": Means.LOCK,
    "omp_set_nest_lock": Means.LOCK,
    "omp_test_nest_lock": Means.LOCK,
    "omp_unset_lock": Means.RELEASE,
    "omp_unset_nest_lock": Means.RELEASE,
    "lock": Means.LOCK,
    "release lock": Means.RELEASE,
}

_PARTS = {MAKING: Means.MAKING, WAIT: Means.WAIT}

_KEPT = frozenset((Role.PARALLEL, Role.LOOP, Role.SECTIONS, Role.TASK_WAIT, Role.MASTER))
"""Roles that several directives have: their names tell which it is."""

_NAME = re.compile(r"(?:!\$omp )?(?P<words>[^(@]*?)(?: \((?P<sub>.*)\))?(?: @.*:\d+)?", re.S)


def plan_of(number: int, regions: dict[int, RegionDefinition]) -> Plan:
    """What the region with this number means, by its role and name."""
    region = regions[number]
    words, _ = _named(region)
    routine = _ROUTINES.get(words) if region.paradigm == Paradigm.OPENMP else None
    if routine:
        return Plan(routine, Kind.SYNC, 0, number)
    if region.paradigm != Paradigm.OPENMP or region.role not in _CONSTRUCTS:
        kind = Kind.USER if region.paradigm != Paradigm.OPENMP else Kind.SIMPLE
        return Plan(Means.FRAME, Kind.WORK if words == "scope" else kind, 0, number)
    _, means, kind, how = _CONSTRUCTS[Role(region.role)]
    if words in _PARTS:
        return Plan(_PARTS[words], kind, how, number)
    is_task = region.role in (Role.TASK, Role.TASK_CREATE)
    return Plan(means, kind, how, _construct_of(region, number, regions) if is_task else number)


def _construct_of(
    region: RegionDefinition, number: int, regions: dict[int, RegionDefinition]
) -> int:
    """The task that is created, or the taskloop that a task is of: the one at the same place."""
    words, _ = _named(region)
    loop = words.removesuffix(f" {TASK}")
    for other, each in regions.items():
        if region.role == Role.TASK_CREATE:
            fits = each.role in (Role.TASK, Role.TASK_UNTIED)
        else:
            fits = loop != words and _named(each)[0] == loop
        if fits and (each.file, each.lines[0]) == (region.file, region.lines[0]):
            return other
    return number


def raw_region(number: int, region: RegionDefinition) -> RawRegion:
    """As an experiment has it."""
    words, sub = _named(region)
    begin, end = region.lines
    flags = 0
    if region.paradigm != Paradigm.OPENMP:
        if region.paradigm != Paradigm.USER or words != "region":
            words, sub, flags = "region", region.name, int(DescriptorFlag.FUNCTION)
    elif words in _ROUTINES:
        flags = int(DescriptorFlag.RELEASE) if _ROUTINES[words] == Means.RELEASE else 0
        sub, words = sub or words, "lock"
    elif region.role in _CONSTRUCTS and region.role not in _KEPT:
        words = _CONSTRUCTS[Role(region.role)][0]
    lines = (begin, begin, end, end)
    return RawRegion(number, flags, 0, lines, 0, (words, sub, region.file, "", ""))


def _named(region: RegionDefinition) -> tuple[str, str]:
    """The directive's words, or what the role stands for, and the name that it gives itself."""
    found = _NAME.fullmatch(region.name)
    words, sub = (found["words"], found["sub"] or "") if found else ("", "")
    if not words and region.role in _CONSTRUCTS:
        words = _CONSTRUCTS[Role(region.role)][0]
    return words or "region", sub
