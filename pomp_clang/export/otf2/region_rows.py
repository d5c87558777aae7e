"""Regions of a run as OTF2 has them.

A construct's block, its implied barrier and its wait for tasks are regions of their own. So are the
creation of tasks, a taskloop's tasks, and the release of a lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.records import RawRegion, Records
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.otf2.layout import (
    BLOCKS,
    IMPLICIT_BARRIER,
    MAKING,
    ROLES,
    TASK,
    WAIT,
    Paradigm,
    RegionRole,
)

Ints = npt.NDArray[np.int64]


class ConstructPart(IntEnum):
    """A part of a construct that is a region of its own."""

    WHOLE = 0
    BLOCK = 1
    BARRIER = 2
    CREATE = 3
    RELEASE = 4
    MAKING = 5
    """the creation of a taskloop's tasks"""
    WAIT = 6
    TASK = 7
    """a task that a taskloop creates"""


_BARRIERS = frozenset(("parallel", "for", "do", "sections", "single", "scope", "workshare", "loop"))


@dataclass(frozen=True, slots=True)
class RegionRow:
    """A region of an archive."""

    name: str
    role: RegionRole
    paradigm: Paradigm
    file: str
    lines: tuple[int, int]


NOT_MEASURED = RegionRow(
    "not measured", RegionRole.ARTIFICIAL, Paradigm.MEASUREMENT_SYSTEM, "", (0, 0)
)
"""The region of events between `inst off` and `inst on`."""


@dataclass(frozen=True, slots=True)
class RegionNumbers:
    """The regions of an archive; `numbers[part][path]` is the row of a call path's part, -1 for
    none."""

    rows: tuple[RegionRow, ...]
    numbers: Ints


def regions_of(records: Records) -> RegionNumbers:
    """Return the regions of all parts of a profile's constructs."""
    rows = [NOT_MEASURED]
    of_region: dict[int, list[int]] = {}
    for number, region in sorted(records.regions.items()):
        parts = dict(_parts(region))
        of_region[number] = [-1] * len(ConstructPart)
        for part, row in parts.items():
            of_region[number][part] = len(rows)
            rows.append(row)
    numbers = np.full((len(ConstructPart), max(records.paths, default=0) + 1), -1, np.int64)
    numbers[ConstructPart.WHOLE, 0] = 0
    for path, raw in records.paths.items():
        if raw.region in of_region:
            numbers[:, path] = of_region[raw.region]
    return RegionNumbers(tuple(rows), numbers)


def _parts(region: RawRegion) -> Iterator[tuple[ConstructPart, RegionRow]]:
    kind = _kind(region)
    begin, _, _, end = region.lines
    yield ConstructPart.WHOLE, _row(region, kind, _role(kind), (begin, end))
    constructs = frozenset(kind.split())
    block = next((role for word, role in BLOCKS.items() if word in constructs), None)
    if block is not None:
        description = f"{kind} section" if block == RegionRole.SECTION else f"{kind} sblock"
        yield ConstructPart.BLOCK, _row(region, description, block, (begin, end))
    if constructs & _BARRIERS:
        yield (
            ConstructPart.BARRIER,
            _row(region, IMPLICIT_BARRIER, RegionRole.IMPLICIT_BARRIER, (end, end)),
        )
    if kind == "task":
        yield (
            ConstructPart.CREATE,
            _row(region, "create task", RegionRole.TASK_CREATE, (begin, end)),
        )
    if constructs & {"taskgroup", "taskloop"}:
        yield ConstructPart.WAIT, _row(region, WAIT, RegionRole.TASK_WAIT, (end, end))
    if "taskloop" in constructs:
        yield ConstructPart.MAKING, _row(region, MAKING, RegionRole.TASK_CREATE, (begin, end))
        yield ConstructPart.TASK, _row(region, f"{kind} {TASK}", RegionRole.TASK, (begin, end))
    if kind == "lock":
        yield ConstructPart.RELEASE, _row(region, "release lock", RegionRole.WRAPPER, (begin, end))


def _kind(region: RawRegion) -> str:
    return "function" if region.flags & DescriptorFlag.FUNCTION else region.strings[0]


def _role(kind: str) -> RegionRole:
    return next((ROLES[word] for word in kind.split() if word in ROLES), RegionRole.CODE)


def _row(
    region: RawRegion, description: str, role: RegionRole, lines: tuple[int, int]
) -> RegionRow:
    _, sub_name, file, _, _ = region.strings
    kind = _kind(region)
    paradigm = Paradigm.USER if kind in ("function", "region") else Paradigm.OPENMP
    if kind == "function":
        return RegionRow(sub_name or description, role, Paradigm.COMPILER, file, lines)
    name = f" ({sub_name})" if sub_name else ""
    mark = "!$omp " if paradigm == Paradigm.OPENMP else ""
    return RegionRow(
        f"{mark}{description}{name} @{PurePath(file).name}:{lines[0]}", role, paradigm, file, lines
    )
