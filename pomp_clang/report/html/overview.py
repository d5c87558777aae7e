"""The head of the page: facts of the run, where the time went, the parallel regions."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown
from pomp_clang.analysis.overheads import CLASSES, Analysis, share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.barriers import barriers, missed_barriers
from pomp_clang.report.html.bars import NAMES, STYLES, Segment, bar, lost_parts
from pomp_clang.report.wording import number, percent, place, what

_MEANINGS = {
    "work": "in parallel regions, tasks included",
    "serial": "the initial thread outside parallel regions",
    "sync": "threads wait for a lock, a turn, a barrier, or tasks",
    "imbal": "threads had unequal work and wait for the last one",
    "limpar": "there was work for some of the threads only",
    "mgmt": "the OpenMP runtime starts teams and hands out work",
    "idle": "threads without a team: nothing for them to do",
}
"""The parts of all time, in the order they are drawn."""


@dataclass(frozen=True, slots=True)
class Part:
    style: str
    name: str
    meaning: str
    time: str
    percent: str


@dataclass(frozen=True, slots=True)
class Charge:
    """A parallel region with all that is charged to it."""

    region: Region
    what: str
    place: str
    threads: int
    total: str
    lost: str
    own: str
    whole: str
    bar: tuple[Segment, ...]


def facts(e: Experiment, folder: str) -> list[tuple[str, str]]:
    said = [
        ("Duration", lasting(e.duration)),
        ("Threads", str(e.max_threads)),
        ("Regions", str(len(e.regions))),
        ("Started", e.start),
        ("Process", f"{e.pid} on {e.host}" if e.host else str(e.pid)),
        ("OpenMP runtime", e.openmp_runtime),
        ("Barriers", barriers(e)),
        ("Clock", e.clock),
        ("Experiment", e.directory),
        ("Sources", folder),
        ("Command line", shlex.join(e.command_line)),
    ]
    return [(name, value) for name, value in said if value]


def warnings(e: Experiment) -> list[str]:
    said = []
    if not e.complete:
        said.append("The program ended early; this is what was measured until then.")
    missed = missed_barriers(e)
    if missed:
        said.append(missed)
    dropped = sum(location.dropped for location in e.locations)
    if dropped:
        said.append(f"{number(dropped, 'event')} had to be dropped.")
    return said


def _values(b: Breakdown) -> dict[str, float]:
    lost = zip(CLASSES, b.lost, strict=True)
    losses = {STYLES[overhead]: value for overhead, value in lost}
    return {"work": b.work, "serial": b.serial, **losses, "idle": b.idle}


def parts(b: Breakdown) -> list[Part]:
    """All of the threads' time, in the order it is drawn."""
    values = _values(b)
    return [
        Part(style, NAMES[style], meaning, lasting(value), percent(share(value, b.totalT)))
        for style, meaning in _MEANINGS.items()
        for value in (values[style],)
    ]


def breakdown_bar(b: Breakdown) -> tuple[Segment, ...]:
    values = _values(b)
    return bar(values.items(), max(b.totalT, sum(values.values())))


@dataclass(frozen=True, slots=True)
class Orphaned:
    """What is charged to no parallel region."""

    lost: str
    whole: str
    bar: tuple[Segment, ...]


def orphaned(analysis: Analysis) -> Orphaned | None:
    lost = analysis.orphaned
    if not lost.total:
        return None
    whole = percent(share(lost.total, analysis.totalT))
    return Orphaned(lasting(lost.total), whole, bar(lost_parts(lost), _longest(analysis)))


def _longest(analysis: Analysis) -> float:
    """What a bar of full length is: the longest region's time, or more if more is lost."""
    times = [max(c.totalT, c.lost.total) for c in analysis.regions]
    return max([analysis.orphaned.total, *times])


def charges(analysis: Analysis, named: dict[str, Region]) -> list[Charge]:
    """The parallel regions, the largest loss first; bars are of the longest region's time."""
    regions = sorted(analysis.regions, key=lambda c: -c.lost.total)
    longest = _longest(analysis)
    made = []
    for c in regions:
        region = named[c.region.id]
        work = max(0.0, c.totalT - c.lost.total)
        made.append(
            Charge(
                region,
                what(region),
                place(region),
                c.threads,
                lasting(c.totalT),
                lasting(c.lost.total),
                percent(share(c.lost.total, c.totalT)),
                percent(share(c.lost.total, analysis.totalT)),
                bar([("work", work), *lost_parts(c.lost)], longest),
            )
        )
    return made
