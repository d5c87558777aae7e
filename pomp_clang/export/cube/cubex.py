"""The contents of a CUBE file (metrics, regions, call paths, machines down to threads), and the tar
of a .cubex: the anchor, and for each metric an index and its values.

anchor.xml describes the file.  N.index has the rows of the call paths that N.data has values of,
one for each thread.
"""

from __future__ import annotations

import io
import re
import struct
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from xml.sax.saxutils import escape

from pomp_clang.progress import ProgressCallback


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


_INDEX = b"CUBEX.INDEX" + struct.pack("<ihB", 1, 0, 1)
_DATA = b"CUBEX.DATA"

Values = tuple[Sequence[int], bytes]
"""Rows of call paths in ascending order, and their values, little-endian, threads side by side."""


def write_cubex(
    output: Path, content: CubeContent, values: Iterable[Values], progress: ProgressCallback
) -> None:
    """Write a file; `values` are those of each metric in turn, `progress` takes the share written.

    Raises OSError.
    """
    with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "anchor.xml", "".join(_anchor_xml(content)).encode())
        for number, (rows, data) in enumerate(values):
            _add(tar, f"{number}.index", _INDEX + struct.pack(f"<i{len(rows)}i", len(rows), *rows))
            _add(tar, f"{number}.data", _DATA + data)
            progress((number + 1) / len(content.metrics))


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n'
    '<attr key="Cube anchor.xml syntax version" value="4.4"/>\n'
    '<attr key="Creator" value="pomp-clang"/>\n'
)
_END = "</cube>\n"


def _anchor_xml(content: CubeContent) -> Iterator[str]:
    """Yield the XML of anchor.xml in pieces of whole lines."""
    yield f"{_BEGIN}<metrics>\n"
    metrics = [_metric(number, metric) for number, metric in enumerate(content.metrics)]
    yield from _nested([metric.above for metric in content.metrics], metrics, "</metric>\n")
    yield "</metrics>\n<program>\n"
    yield from _program(content.callpaths)
    yield "</program>\n"
    yield from _system(content)
    yield _END


def _escaped(text: str) -> str:
    return escape(_NOT_XML.sub("?", text), {'"': "&quot;"})


def _nested(above: Sequence[int], texts: Iterable[str], end: str) -> Iterator[str]:
    """Yield each text within that of its parent, closed by `end`; rows are depth first."""
    open_rows: list[int] = []
    for row, text in enumerate(texts):
        while open_rows and open_rows[-1] != above[row]:
            open_rows.pop()
            yield end
        open_rows.append(row)
        yield text
    yield end * len(open_rows)


def _metric(number: int, metric: CubeFileMetric) -> str:
    return (
        f'<metric id="{number}" type="EXCLUSIVE">\n'
        f"<disp_name>{_escaped(metric.display)}</disp_name>\n"
        f"<uniq_name>{_escaped(metric.name)}</uniq_name>\n<dtype>{metric.type}</dtype>\n"
        f"<uom>{_escaped(metric.unit)}</uom>\n<url></url>\n"
        f"<descr>{_escaped(metric.description)}</descr>\n"
    )


def _program(callpaths: Sequence[CubeCallPath]) -> Iterator[str]:
    """Yield the regions, numbered as the call paths come to them, then the call tree."""
    numbers: dict[tuple[object, ...], int] = {}
    for callpath in callpaths:
        key = callpath.region.key
        if key not in numbers:
            numbers[key] = len(numbers)
            yield _region(numbers[key], callpath.region)
    nodes = (
        f'<cnode id="{row}" calleeId="{numbers[callpath.region.key]}">\n'
        for row, callpath in enumerate(callpaths)
    )
    yield from _nested([callpath.above for callpath in callpaths], nodes, "</cnode>\n")


def _region(number: int, region: CubeRegion) -> str:
    name = _escaped(region.name)
    begin, end = region.lines
    return (
        f'<region id="{number}" mod="{_escaped(region.file)}" begin="{begin}" end="{end}">\n'
        f"<name>{name}</name>\n<mangled_name>{name}</mangled_name>\n"
        f"<paradigm>{region.paradigm}</paradigm>\n<role>{region.role}</role>\n"
        "<url></url>\n<descr></descr>\n</region>\n"
    )


def _system(content: CubeContent) -> Iterator[str]:
    """Yield the machine, its nodes, their processes and threads."""
    groups, locations = count(), count()
    yield f"<system>\n{_system_node(0, content.machine, 'machine')}"
    for number, node in enumerate(content.nodes, 1):
        yield from _node(number, node, groups, locations)
    yield "</systemtreenode>\n</system>\n"


def _node(
    number: int, node: CubeNode, groups: Iterator[int], locations: Iterator[int]
) -> Iterator[str]:
    yield _system_node(number, node.name, "node")
    for process in node.processes:
        yield from _process(next(groups), process, locations)
    yield "</systemtreenode>\n"


def _system_node(number: int, name: str, kind: str) -> str:
    return f'<systemtreenode Id="{number}">\n<name>{_escaped(name)}</name>\n<class>{kind}</class>\n'


def _process(number: int, process: CubeProcess, locations: Iterator[int]) -> Iterator[str]:
    yield f'<locationgroup Id="{number}">\n<name>{_escaped(process.name)}</name>\n'
    yield f"<rank>{process.rank}</rank>\n<type>process</type>\n"
    for thread in process.threads:
        yield (
            f'<location Id="{next(locations)}">\n<name>Thread {thread}</name>\n'
            f"<rank>{thread}</rank>\n<type>thread</type>\n</location>\n"
        )
    yield "</locationgroup>\n"
