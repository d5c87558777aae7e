"""A job's charts: pies of overheads for each process, or for one of each group, and a radar chart
with a spoke for each process and a line for each region, as shares of the most."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pomp_clang.analysis.job import JobProfile, ProcessProfile
from pomp_clang.analysis.job.process_similarity import Group, Likeness
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import STYLES, stacked
from pomp_clang.report.phrases import number, percent, place, what
from pomp_clang.report.text.region_profile import MANY

CHART_STYLES = (Path(__file__).parent / "charts.css").read_text(encoding="utf-8")

_PAGE = Path(__file__).parents[1] / "html" / "page.css"
_COLOUR = re.compile(r"--([a-z]+): (#[0-9a-f]{3,6});")
_USED = re.compile(r"var\(--([a-z]+)\)")
_FILLS = re.compile(r"\.[a-z]+ \{ fill: var\(--[a-z]+\); \}")


def style_of_file() -> str:
    """Return the charts' style with the page's light colors written out, because some viewers do
    not know CSS variables."""
    fills = "\n".join(dict.fromkeys(_FILLS.findall(_page())))
    return _USED.sub(lambda used: colour(used[1]), f"{fills}\n{CHART_STYLES}")


def colour(name: str) -> str:
    """Return the color of this name in a page's light style."""
    return _light_colors()[name]


@cache
def _page() -> str:
    return _PAGE.read_text(encoding="utf-8")


@cache
def _light_colors() -> dict[str, str]:
    text = _page()
    return dict(_COLOUR.findall(text[: text.index("}")]))


PIE_RADIUS = 50


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
        return f"M0 {-PIE_RADIUS}A{PIE_RADIUS} {PIE_RADIUS} 0 1 1 0 {PIE_RADIUS}A{PIE_RADIUS} {PIE_RADIUS} 0 1 1 0 {-PIE_RADIUS}Z"
    (x0, y0), (x1, y1) = _on_edge(at), _on_edge(at + part)
    return f"M0 0L{x0:g} {y0:g}A{PIE_RADIUS} {PIE_RADIUS} 0 {int(part > 0.5)} 1 {x1:g} {y1:g}Z"


def _on_edge(turn: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn
    x, y = PIE_RADIUS * math.sin(angle), -PIE_RADIUS * math.cos(angle)
    return round(x, 2) + 0.0, round(y, 2) + 0.0


RADIUS, MARGIN = 160, 34
RINGS = (0.25, 0.5, 0.75, 1.0)
MOST_LINES = 4
"""Regions; what processes do in MPI is one more."""

_FEWEST = 3
_MOST_LABELS = 24
_SAME = 0.03
"""A region whose times are another's, but for so much of the most, would lie on its line."""

Values = Sequence[float]


@dataclass(frozen=True, slots=True)
class Spoke:
    """Its end, and where its label stands; "" where there are too many for one."""

    x: float
    y: float
    label: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class RadarLine:
    """A line over all spokes.  The outermost ring stands for `maximum`; `style` is the CSS class."""

    style: str
    points: str
    name: str
    maximum: str


@dataclass(frozen=True, slots=True)
class Radar:
    """A chart around 0, 0, with a spoke for each `unit`: "process" or "thread"."""

    unit: str
    spokes: tuple[Spoke, ...]
    lines: tuple[RadarLine, ...]

    @property
    def dense(self) -> bool:
        """Too many spokes for lines that have gaps."""
        return len(self.spokes) > 3 * _MOST_LABELS


def radar_of(job: JobProfile, named: Mapping[str, Region]) -> Radar:
    """Draw the regions with most time, and MPI, over the processes of a job.

    `named` has the regions as they are shown. Fewer processes than make a polygon are replaced by
    their threads.
    """
    few = len(job.processes) < _FEWEST
    labels, times, mpi = (_of_threads if few else _of_processes)(job)
    drawn = []
    for ident in _chosen(times, mpi):
        region = named[ident]
        drawn.append((f"{ident} {what(region)} {place(region)}", times[ident]))
    if any(mpi):
        drawn.append(("MPI", mpi))
    return radar("thread" if few else "process", labels, drawn)


def radar(unit: str, labels: Sequence[str], named: Sequence[tuple[str, Values]]) -> Radar:
    count = len(labels)
    every = max(1, math.ceil(count / _MOST_LABELS))
    spokes = []
    for spoke, label in enumerate(labels):
        x, y = _point_at(spoke, count, RADIUS)
        label_x, label_y = _point_at(spoke, count, RADIUS + MARGIN / 2)
        room = spoke % every == 0 and (spoke == 0 or spoke + every <= count)
        spokes.append(Spoke(x, y, label if room else "", label_x, label_y))
    lines = [
        _line("mpi" if name == "MPI" else f"line{number}", name, values)
        for number, (name, values) in enumerate(named)
    ]
    return Radar(unit, tuple(spokes), tuple(lines))


def _of_processes(job: JobProfile) -> tuple[list[str], dict[str, Values], Values]:
    times: dict[str, Values] = {
        region.region.id: [row.measured.execT for row in region.rows] for region in job.regions
    }
    labels = [str(process.rank) for process in job.processes]
    return labels, times, [process.mpi.mpiT for process in job.processes]


def _of_threads(job: JobProfile) -> tuple[list[str], dict[str, Values], Values]:
    """Return labels, region times and MPI times of all threads, process by process."""
    places = {
        (process.rank, tid): number
        for number, (process, tid) in enumerate(
            (process, tid) for process in job.processes for tid in range(process.run.threads)
        )
    }
    times = {ident: [0.0] * len(places) for ident in job.threads}
    for ident, reached in job.threads.items():
        for thread_times in reached:
            times[ident][places[thread_times.rank, thread_times.tid]] = thread_times.measured.execT
    mpi = [0.0] * len(places)
    for process in job.processes:
        measured = process.run.experiment.mpi
        for (_, tid), calls in measured.calls.items() if measured else ():
            mpi[places[process.rank, tid]] += calls.mpiT
    alone = len(job.processes) == 1
    return [str(tid) if alone else f"{rank}.{tid}" for rank, tid in places], {**times}, mpi


def _chosen(times: Mapping[str, Values], mpi: Values) -> list[str]:
    chosen: list[str] = []
    for ident in sorted(times, key=lambda rank: -sum(times[rank])):
        others = [*(times[rank] for rank in chosen), mpi]
        if any(times[ident]) and not any(_coincide(times[ident], other) for other in others):
            chosen.append(ident)
        if len(chosen) == MOST_LINES:
            break
    return chosen


def _coincide(a: Values, b: Values) -> bool:
    """Return true if the two lines coincide in the chart."""
    tolerance = _SAME * max(a)
    return all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))


def _line(style: str, name: str, values: Values) -> RadarLine:
    maximum = max(values)
    points = (
        _point_at(number, len(values), RADIUS * value / maximum if maximum > 0 else 0.0)
        for number, value in enumerate(values)
    )
    return RadarLine(style, " ".join(f"{x:g},{y:g}" for x, y in points), name, lasting(maximum))


def _point_at(number: int, count: int, radius: float) -> tuple[float, float]:
    """Return the point at this radius: the first spoke points up, the others follow clockwise."""
    angle = 2 * math.pi * number / count
    x, y = radius * math.sin(angle), -radius * math.cos(angle)
    return round(x, 1) + 0.0, round(y, 1) + 0.0
