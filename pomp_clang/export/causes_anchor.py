"""The anchor of a .cubex with a run's causes: properties, call paths, machines down to threads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.places import Place, Thread
from pomp_clang.export.cube_anchor import BEGIN, END, escaped, location, region
from pomp_clang.export.names import construct, role_of

_UNITS = {"s": "sec"}
"""As CUBE has them, others are called alike."""


def anchor(cube: Cube) -> Iterator[str]:
    """What is below a call path stands right after it, and a process's threads together."""
    yield f"{BEGIN}<metrics>\n"
    yield from _metrics(cube)
    yield "</metrics>\n<program>\n"
    callees = {each: number for number, each in enumerate(dict.fromkeys(map(_callee, cube.paths)))}
    yield from (_region(number, each) for each, number in callees.items())
    yield from _nested(
        [each.above for each in cube.paths],
        [f'<cnode id="{n}" calleeId="{callees[_callee(p)]}">\n' for n, p in enumerate(cube.paths)],
        "</cnode>\n",
    )
    yield "</program>\n"
    yield from _system(cube.threads)
    yield END


def _nested(above: list[int], texts: list[str], end: str) -> Iterator[str]:
    """Each within the one that it is below, where they stand in that order."""
    open_: list[int] = []
    for row, text in enumerate(texts):
        while open_ and open_[-1] != above[row]:
            open_.pop()
            yield end
        open_.append(row)
        yield text
    yield end * len(open_)


def names_of(cube: Cube) -> list[str]:
    """One for each metric that no other has: with what it is a part of, where that is needed."""
    alone = Counter(each.name for each in cube.metrics)
    told = [
        each.name if alone[each.name] == 1 else " ".join(cube.metric_path(row))
        for row, each in enumerate(cube.metrics)
    ]
    return [re.sub(r"[^a-z0-9]+", "_", each.lower()).strip("_") for each in told]


def _metrics(cube: Cube) -> Iterator[str]:
    texts = [
        f'<metric id="{number}" type="EXCLUSIVE">\n<disp_name>{escaped(each.name)}</disp_name>\n'
        f"<uniq_name>{name}</uniq_name>\n<dtype>DOUBLE</dtype>\n"
        f"<uom>{escaped(_UNITS.get(each.unit, each.unit))}</uom>\n<url></url>\n"
        f"<descr>{escaped(' '.join((each.description, each.advice)).strip())}</descr>\n"
        for number, (each, name) in enumerate(zip(cube.metrics, names_of(cube), strict=True))
    ]
    yield from _nested([each.above for each in cube.metrics], texts, "</metric>\n")


_Callee = tuple[str, str, str, int, bool]


def _callee(place: Place) -> _Callee:
    """A task that runs and its creation are two."""
    return place.kind, place.name, place.file, place.line, place.task


def _region(number: int, callee: _Callee) -> str:
    kind, name, file, line, is_run = callee
    if kind == "program":
        return region(number, name, "", (-1, -1), "measurement", "artificial")
    creates = kind == "task" and not is_run
    paradigm = {"function": "compiler", "region": "user"}.get(kind, "openmp")
    lines = (line, line) if line else (-1, -1)
    role = "task create" if creates else role_of(kind)
    return region(number, construct(kind, name, file, line, creates), file, lines, paradigm, role)


def _system(threads: tuple[Thread, ...]) -> Iterator[str]:
    """A machine, or what stands for several, with their nodes."""
    machines = {each.machine for each in threads}
    sole = machines.pop() if len(machines) == 1 else ""
    yield f"<system>\n{_node(0, sole or 'machine', 'machine')}"
    groups = row = 0
    nodes = groupby(threads, lambda each: (each.machine, each.node))
    for number, ((machine, node), of_node) in enumerate(nodes, 1):
        yield _node(
            number, " ".join(filter(None, ("" if sole else machine, node))) or "node", "node"
        )
        for rank, of_process in groupby(of_node, lambda each: each.process):
            yield f'<locationgroup Id="{groups}">\n<name>Process {rank}</name>\n'
            yield f"<rank>{rank}</rank>\n<type>process</type>\n"
            groups += 1
            for each in of_process:
                yield location(row, each.thread)
                row += 1
            yield "</locationgroup>\n"
        yield "</systemtreenode>\n"
    yield "</systemtreenode>\n</system>\n"


def _node(number: int, name: str, kind: str) -> str:
    return f'<systemtreenode Id="{number}">\n<name>{escaped(name)}</name>\n<class>{kind}</class>\n'
