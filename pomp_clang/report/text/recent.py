"""One screen of `pomp-clang top`: the parts of the time, and the regions that took longest."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.recent_time import RecentTime, RegionTime
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.source_folder import folder_of, named_region
from pomp_clang.report.phrases import number, percent, place, what, wrapped
from pomp_clang.report.run_conditions import no_processor
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.report.time_parts import GOOD, PARTS, shown_parts

_BAR = 24
"""Cells of a bar for the whole time."""

_QUEUED = 0.02
"""The least share of the time in a processor's queue that is shown."""

_NAMES = {part.key: part.name for part in PARTS}


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen's content.

    `interval` is the number of seconds since the previous moment, 0 if there is none. The threads
    waited `queued` of these seconds for a processor, None if that is not known. At most `top`
    regions are shown.
    """

    runs: list[AnalyzedRun]
    times: RecentTime
    interval: float
    queued: float | None
    top: int

    @property
    def heading(self) -> str:
        """The heading of the column of recent time."""
        return f"last {self.interval:.1f} s %" if self.interval else "last %"


def render(screen: Screen, terminal: Terminal) -> list[str]:
    """Render the screen's lines."""
    return [
        *_heading(screen.runs, terminal),
        *_queued(screen, terminal),
        "",
        *_parts(screen.times, screen.heading, terminal),
        "",
        *_regions(screen, terminal),
    ]


def _heading(runs: list[AnalyzedRun], terminal: Terminal) -> list[str]:
    first = runs[0].experiment
    duration = f"{max(run.duration for run in runs):.1f} s"
    threads = number(sum(run.threads for run in runs), "thread")
    description = f"{number(len(runs), 'process')}, {threads}"
    if len(runs) == 1:
        description = f"{threads}, process {first.pid}"
    command = printable(shlex.join(first.command_line) or first.program)
    facts = f"  {duration}, {description}"
    room = (terminal.width or 100) - len(facts)
    return [terminal.paint(terminal.shorten(command, max(10, room)), "title") + facts]


def _queued(screen: Screen, terminal: Terminal) -> list[str]:
    """Say that threads wait for a processor: their times contain it."""
    if screen.queued is None or not screen.interval:
        return []
    threads = sum(run.threads for run in screen.runs)
    part = screen.queued / (screen.interval * threads)
    return [
        terminal.paint(line, note.role)
        for note in no_processor(part, _QUEUED)
        for line in wrapped(note.text, terminal.width)
    ]


def _parts(times: RecentTime, recent: str, terminal: Terminal) -> list[str]:
    fields = [
        Field("part of the time", right=False),
        Field(recent),
        Field("run %"),
        Field("", right=False),
    ]
    rows = []
    for part in shown_parts(times.total):
        recent_share = share(times.recent[part.key], times.recentT)
        since_start = share(times.total[part.key], times.wholeT)
        bar = terminal.bar(recent_share if times.recent else since_start, _BAR)
        role = "" if part.key in GOOD else heat(recent_share if times.recent else since_start)
        text = percent(recent_share) if times.recent else ""
        rows.append(
            [Cell(part.name), Cell(text, role), Cell(percent(since_start)), Cell(bar, role)]
        )
    return table(terminal, fields, rows)


def _regions(screen: Screen, terminal: Terminal) -> list[str]:
    regions = screen.times.regions
    shown_regions = regions[: screen.top]
    if not shown_regions:
        return [terminal.paint("No region has run yet.", "dim")]
    files = (region.file for run in screen.runs for region in run.experiment.regions)
    folder = folder_of(files)
    fields = [
        Field("region", right=False, minimum=20, elastic="left"),
        Field(screen.heading),
        Field("run %"),
        Field("mostly", right=False),
    ]
    rows = [_region_row(row, screen.times, folder) for row in shown_regions]
    lines = table(terminal, fields, rows)
    hidden = len(regions) - len(shown_regions)
    if hidden:
        lines.append(terminal.paint(f"{number(hidden, 'more region')}.", "dim"))
    return lines


def _region_row(row: RegionTime, times: RecentTime, folder: str) -> list[Cell]:
    region = named_region(row.region, folder)
    recent_share = share(row.recentT, times.recentT)
    return [
        Cell(f"{place(region)} {what(region)}"),
        Cell(percent(recent_share) if times.recent else ""),
        Cell(percent(share(row.wholeT, times.wholeT))),
        Cell(_NAMES[row.part], "" if row.part in GOOD else heat(recent_share)),
    ]
