"""Regions of a run as OTF2 has them: a construct's block, its implied barrier, its wait for tasks, the
creation of tasks, a taskloop's tasks and the release of a lock are regions of their own there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.records import RawRegion, Records
from pomp_clang.openmp.descriptor import DescriptorFlag
from pomp_clang.otf2.layout import Paradigm, Role

Ints = npt.NDArray[np.int64]


class Part(IntEnum):
    """Of a construct."""

    WHOLE = 0
    BLOCK = 1
    BARRIER = 2
    CREATE = 3
    RELEASE = 4
    MAKING = 5
    """of a taskloop's tasks"""
    WAIT = 6
    TASK = 7
    """one of those that a taskloop makes"""


ROLES = {
    "function": Role.FUNCTION,
    "region": Role.CODE,
    "lock": Role.WRAPPER,
    "parallel": Role.PARALLEL,
    "taskloop": Role.TASK_WAIT,
    "task": Role.TASK,
    "taskwait": Role.TASK_WAIT,
    "taskgroup": Role.TASK_WAIT,
    "sections": Role.SECTIONS,
    "single": Role.SINGLE,
    "workshare": Role.WORKSHARE,
    "critical": Role.CRITICAL,
    "ordered": Role.ORDERED,
    "master": Role.MASTER,
    "masked": Role.MASTER,
    "atomic": Role.ATOMIC,
    "barrier": Role.BARRIER,
    "flush": Role.FLUSH,
    "for": Role.LOOP,
    "loop": Role.LOOP,
    "simd": Role.LOOP,
    "distribute": Role.LOOP,
}
"""The first of the directive's words that is here tells; what is not is code."""

BLOCKS = {
    "sections": Role.SECTION,
    "single": Role.SINGLE_SBLOCK,
    "critical": Role.CRITICAL_SBLOCK,
    "ordered": Role.ORDERED_SBLOCK,
}

IMPLICIT_BARRIER = "implicit barrier"
MAKING = "create tasks"
WAIT = "wait for tasks"
TASK = "task"
"""Parts, by their names."""

_BARRIERS = frozenset(("parallel", "for", "sections", "single", "scope", "workshare", "loop"))


@dataclass(frozen=True, slots=True)
class RegionRow:
    name: str
    role: Role
    paradigm: Paradigm
    file: str
    lines: tuple[int, int]


NOT_MEASURED = RegionRow("not measured", Role.ARTIFICIAL, Paradigm.MEASUREMENT_SYSTEM, "", (0, 0))
"""What was met between `inst off` and `inst on`."""


@dataclass(frozen=True, slots=True)
class Regions:
    """`numbers[part][path]` leads from a call path to the row, -1 where there is none."""

    rows: tuple[RegionRow, ...]
    numbers: Ints


def regions_of(records: Records) -> Regions:
    """Of a profile: what is written for each construct, its block and its implied barrier are
    regions of their own."""
    rows = [NOT_MEASURED]
    of_region: dict[int, list[int]] = {}
    for number, region in sorted(records.regions.items()):
        parts = dict(_parts(region))
        of_region[number] = [-1] * len(Part)
        for part, row in parts.items():
            of_region[number][part] = len(rows)
            rows.append(row)
    numbers = np.full((len(Part), max(records.paths, default=0) + 1), -1, np.int64)
    numbers[Part.WHOLE, 0] = 0
    for path, raw in records.paths.items():
        if raw.region in of_region:
            numbers[:, path] = of_region[raw.region]
    return Regions(tuple(rows), numbers)


def _parts(region: RawRegion) -> Iterator[tuple[Part, RegionRow]]:
    kind = _kind(region)
    begin, _, _, end = region.lines
    yield Part.WHOLE, _row(region, kind, _role(kind), (begin, end))
    words = frozenset(kind.split())
    block = next((role for word, role in BLOCKS.items() if word in words), None)
    if block is not None:
        what = f"{kind} section" if block == Role.SECTION else f"{kind} sblock"
        yield Part.BLOCK, _row(region, what, block, (begin, end))
    if words & _BARRIERS:
        yield Part.BARRIER, _row(region, IMPLICIT_BARRIER, Role.IMPLICIT_BARRIER, (end, end))
    if kind == "task":
        yield Part.CREATE, _row(region, "create task", Role.TASK_CREATE, (begin, end))
    if words & {"taskgroup", "taskloop"}:
        yield Part.WAIT, _row(region, WAIT, Role.TASK_WAIT, (end, end))
    if "taskloop" in words:
        yield Part.MAKING, _row(region, MAKING, Role.TASK_CREATE, (begin, end))
        yield Part.TASK, _row(region, f"{kind} {TASK}", Role.TASK, (begin, end))
    if kind == "lock":
        yield Part.RELEASE, _row(region, "release lock", Role.WRAPPER, (begin, end))


def _kind(region: RawRegion) -> str:
    return "function" if region.flags & DescriptorFlag.FUNCTION else region.strings[0]


def _role(kind: str) -> Role:
    return next((ROLES[word] for word in kind.split() if word in ROLES), Role.CODE)


def _row(region: RawRegion, what: str, role: Role, lines: tuple[int, int]) -> RegionRow:
    _, sub_name, file, _, _ = region.strings
    kind = _kind(region)
    paradigm = Paradigm.USER if kind in ("function", "region") else Paradigm.OPENMP
    if kind == "function":
        return RegionRow(sub_name or what, role, Paradigm.COMPILER, file, lines)
    name = f" ({sub_name})" if sub_name else ""
    mark = "!$omp " if paradigm == Paradigm.OPENMP else ""
    return RegionRow(
        f"{mark}{what}{name} @{PurePath(file).name}:{lines[0]}", role, paradigm, file, lines
    )
