"""Pies of overheads: for each process, or for one of each group, what its loss is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pomp_clang.analysis.alike import Group, Likeness
from pomp_clang.analysis.job import Job, Process
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.openmp.columns import Overhead
from pomp_clang.report.text_profile import MANY
from pomp_clang.report.wording import number, percent

RADIUS = 50
_STYLES = {overhead: overhead.value.lower() for overhead in Overhead}


@dataclass(frozen=True, slots=True)
class Slice:
    """A class of overhead: a path round 0, 0."""

    style: str
    path: str
    percent: str


@dataclass(frozen=True, slots=True)
class Pie:
    """`label` says whose it is, `lost` how much in all, `share` of all of the threads' time."""

    label: str
    note: str
    lost: str
    share: str
    slices: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Pies:
    styles: tuple[str, ...]
    pies: tuple[Pie, ...]


def pies_of(job: Job, like: Likeness) -> Pies:
    """Of few processes each one's, of many the example's of each group."""
    if len(job.processes) <= MANY:
        drawn = [_pie(each, "") for each in job.processes]
    else:
        drawn = [_pie(job.processes[each.example], _like(each)) for each in like.groups]
    styles = {each.style for pie in drawn for each in pie.slices}
    return Pies(tuple(style for style in _STYLES.values() if style in styles), tuple(drawn))


def _like(group: Group) -> str:
    others = len(group.members) - 1
    return f"and {number(others, 'process')} like it" if others else "and none like it"


def _pie(process: Process, note: str) -> Pie:
    analysis = process.run.analysis
    parts = [(_STYLES[each], analysis.lost.of(each)) for each in analysis.classes]
    whole = analysis.lost.total
    return Pie(
        f"rank {process.rank}" if process.run.experiment.mpi else "the process",
        note,
        lasting(whole),
        percent(share(whole, analysis.totalT)),
        slices(parts),
    )


def slices(parts: list[tuple[str, float]]) -> tuple[Slice, ...]:
    """Clockwise from the top; none that would be too thin to see."""
    whole = sum(value for _, value in parts)
    found = []
    at = 0.0
    for style, value in parts:
        part = share(value, whole)
        if part > 0.001:
            found.append(Slice(style, _path(at, part), percent(part)))
        at += part
    return tuple(found)


def _path(at: float, part: float) -> str:
    if part > 0.999:
        return (
            f"M0 {-RADIUS}A{RADIUS} {RADIUS} 0 1 1 0 {RADIUS}A{RADIUS} {RADIUS} 0 1 1 0 {-RADIUS}Z"
        )
    (x0, y0), (x1, y1) = _on_edge(at), _on_edge(at + part)
    return f"M0 0L{x0:g} {y0:g}A{RADIUS} {RADIUS} 0 {int(part > 0.5)} 1 {x1:g} {y1:g}Z"


def _on_edge(turn: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn
    x, y = RADIUS * math.sin(angle), -RADIUS * math.cos(angle)
    return round(x, 2) + 0.0, round(y, 2) + 0.0
