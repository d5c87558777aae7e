"""The anchor of a .cubex: its metrics, the tree of call paths, and that of the system, as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pomp_clang.export.names import program_of, role_of
from pomp_clang.export.together import Node, Process

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n'
    '<attr key="Cube anchor.xml syntax version" value="4.4"/>\n'
    '<attr key="Creator" value="pomp-clang"/>\n'
)
END = "</cube>\n"


@dataclass(frozen=True, slots=True)
class Metric:
    """`of` is the profile's column that it is, where it is one."""

    name: str
    display: str
    unit: str
    of: str
    description: str

    @property
    def type(self) -> str:
        return "DOUBLE" if self.unit == "sec" else "UINT64"


def escaped(text: str) -> str:
    return escape(_NOT_XML.sub("?", text), {'"': "&quot;"})


def anchor(several: list[Process], nodes: list[Node], metrics: list[Metric]) -> Iterator[str]:
    """The XML of anchor.xml, line by line."""
    yield f"{BEGIN}<metrics>\n"
    yield from (_metric(number, metric) for number, metric in enumerate(metrics))
    yield "</metrics>\n<program>\n"
    yield region(0, program_of(several[0].experiment), "", (-1, -1), "measurement", "artificial")
    callees: dict[_Callee, int] = {}
    for node in nodes:
        key = _callee(node)
        if key not in callees:
            callees[key] = len(callees) + 1
            yield _callee_region(callees[key], node)
    yield from _call_tree(nodes, callees)
    yield "</program>\n"
    yield from _system(several)
    yield END


def _metric(number: int, metric: Metric) -> str:
    return (
        f'<metric id="{number}" type="EXCLUSIVE">\n'
        f"<disp_name>{escaped(metric.display)}</disp_name>\n"
        f"<uniq_name>{escaped(metric.name)}</uniq_name>\n<dtype>{metric.type}</dtype>\n"
        f"<uom>{metric.unit}</uom>\n<url></url>\n<descr>{metric.description}</descr>\n</metric>\n"
    )


_Callee = tuple[str, int, int, str]


def _callee(node: Node) -> _Callee:
    """The creation of a task is a region of its own."""
    region = node.any.region
    return region.file, region.begin_line1, region.begin_column, node.name


def _callee_region(number: int, node: Node) -> str:
    its = node.any.region
    paradigm = {"function": "compiler", "region": "user"}.get(its.kind, "openmp")
    role = "task create" if node.name.startswith("!$omp create ") else role_of(its.kind)
    lines = its.begin_line1, max(its.end_line1, its.end_lineN)
    return region(number, node.name, its.file, lines, paradigm, role)


def region(
    number: int, name: str, file: str, lines: tuple[int, int], paradigm: str, role: str
) -> str:
    return (
        f'<region id="{number}" mod="{escaped(file)}" begin="{lines[0]}" end="{lines[1]}">\n'
        f"<name>{escaped(name)}</name>\n<mangled_name>{escaped(name)}</mangled_name>\n"
        f"<paradigm>{paradigm}</paradigm>\n<role>{role}</role>\n<url></url>\n<descr></descr>\n"
        "</region>\n"
    )


def _call_tree(nodes: list[Node], callees: dict[_Callee, int]) -> Iterator[str]:
    """Callers come before what they call: the nodes' order is that of the tree."""
    yield '<cnode id="0" calleeId="0">\n'
    depth = 0
    for number, node in enumerate(nodes, 1):
        yield "</cnode>\n" * (depth - node.depth)
        depth = node.depth + 1
        yield f'<cnode id="{number}" calleeId="{callees[_callee(node)]}">\n'
    yield "</cnode>\n" * (depth + 1)


def _system(several: list[Process]) -> Iterator[str]:
    """A machine, of which each host is a node; processes stand in the order of their threads' values."""
    hosts = list(dict.fromkeys(each.experiment.host or "machine" for each in several))
    machine = hosts[0] if len(hosts) == 1 else "machine"
    yield '<system>\n<systemtreenode Id="0">\n'
    yield f"<name>{escaped(machine)}</name>\n<class>machine</class>\n"
    first = 0
    firsts = []
    for each in several:
        firsts.append(first)
        first += len(each.experiment.locations)
    for number, host in enumerate(hosts, 1):
        yield f'<systemtreenode Id="{number}">\n<name>{escaped(host)}</name>\n<class>node</class>\n'
        for place, each in enumerate(several):
            if (each.experiment.host or "machine") == host:
                yield from _process(place, each, firsts[place], len(several) > 1)
        yield "</systemtreenode>\n"
    yield "</systemtreenode>\n</system>\n"


def _process(place: int, process: Process, first: int, is_one_of_many: bool) -> Iterator[str]:
    experiment = process.experiment
    name = f"{program_of(experiment)} {experiment.pid}"
    if is_one_of_many:
        name = f"MPI Rank {process.rank}"
    yield f'<locationgroup Id="{place}">\n<name>{escaped(name)}</name>\n'
    yield f"<rank>{process.rank}</rank>\n<type>process</type>\n"
    for number, each in enumerate(experiment.locations, first):
        yield location(number, each.tid)
    yield "</locationgroup>\n"


def location(number: int, thread: int) -> str:
    return (
        f'<location Id="{number}">\n<name>Thread {thread}</name>\n'
        f"<rank>{thread}</rank>\n<type>thread</type>\n</location>\n"
    )
