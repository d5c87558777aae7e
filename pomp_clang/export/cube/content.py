"""The contents of a CUBE file: metrics, regions, call paths, and machines down to threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CubeFileMetric:
    """A metric, exclusive along the call paths; `above` is the row of its parent, -1 for none.

    `name` is unique in the file.  `type` is CUBE's name of the type of its values.
    """

    name: str
    display: str
    unit: str
    type: str
    description: str
    above: int = -1


@dataclass(frozen=True, slots=True)
class CubeRegion:
    """A place in the source; `lines` are the first and the last, -1 where they are not known.

    Call paths whose regions have the same `key` share one region of the file.
    """

    key: tuple[object, ...]
    name: str
    file: str
    lines: tuple[int, int]
    paradigm: str
    role: str


NO_LINES = (-1, -1)


def program_region(name: str) -> CubeRegion:
    """Return the region of the call tree's root."""
    return CubeRegion(("program", name), name, "", NO_LINES, "measurement", "artificial")


@dataclass(frozen=True, slots=True)
class CubeCallPath:
    """A node of the call tree: the row of its parent (-1 for none), and its region."""

    above: int
    region: CubeRegion


@dataclass(frozen=True, slots=True)
class CubeProcess:
    """A process with the numbers of its threads."""

    name: str
    rank: int
    threads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CubeNode:
    """A node of the machine with its processes."""

    name: str
    processes: tuple[CubeProcess, ...]


@dataclass(frozen=True, slots=True)
class CubeContent:
    """All of a file but the values.

    Rows of `metrics` and `callpaths` stand right after their parents, depth first.  The threads'
    values stand in the order of `nodes`.
    """

    metrics: Sequence[CubeFileMetric]
    callpaths: Sequence[CubeCallPath]
    machine: str
    nodes: Sequence[CubeNode]
