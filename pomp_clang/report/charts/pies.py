"""Pies of overheads: for each process, or for one of each group, what its loss is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pomp_clang.analysis.job import JobProfile, ProcessProfile
from pomp_clang.analysis.job.process_similarity import Group, Likeness
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.report.html.bars import STYLES, stacked
from pomp_clang.report.phrases import number, percent
from pomp_clang.report.text.region_profile import MANY

RADIUS = 50


@dataclass(frozen=True, slots=True)
class PieSlice:
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
    slices: tuple[PieSlice, ...]


@dataclass(frozen=True, slots=True)
class Pies:
    styles: tuple[str, ...]
    pies: tuple[Pie, ...]


def pies_of(job: JobProfile, similarity: Likeness) -> Pies:
    """Draw a pie per process or, of many processes, one for each group of similar ones."""
    if len(job.processes) <= MANY:
        drawn = [_pie(process, "") for process in job.processes]
    else:
        drawn = [
            _pie(job.processes[group.example], _similar_processes(group))
            for group in similarity.groups
        ]
    styles = {slice_.style for pie in drawn for slice_ in pie.slices}
    return Pies(tuple(style for style in STYLES.values() if style in styles), tuple(drawn))


def _similar_processes(group: Group) -> str:
    others = len(group.members) - 1
    return f"and {number(others, 'process')} like it" if others else "and none like it"


def _pie(process: ProcessProfile, note: str) -> Pie:
    analysis = process.run.analysis
    parts = [(STYLES[class_], analysis.lost.of(class_)) for class_ in analysis.classes]
    total = analysis.lost.total
    return Pie(
        f"rank {process.rank}" if process.run.experiment.mpi else "the process",
        note,
        lasting(total),
        percent(share(total, analysis.totalT)),
        slices(parts),
    )


def slices(parts: list[tuple[str, float]]) -> tuple[PieSlice, ...]:
    """Return the sectors clockwise from the top, without those too thin to see."""
    total = sum(value for _, value in parts)
    return tuple(
        PieSlice(part.style, _path(part.at, part.size), percent(part.size))
        for part in stacked(parts, total, 0.001)
    )


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
