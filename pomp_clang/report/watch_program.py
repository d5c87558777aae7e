"""The screens of `pomp-clang top`: a running program is read and shown until it ends.

A screen has the parts of the time, and the regions that took longest.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.analysis.timeline import RecentTime, RegionTime, recent_time
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.reader import find
from pomp_clang.experiment.running import ProgramState, directory_of_process, read_running
from pomp_clang.experiment.source_folder import folder_of, named_region
from pomp_clang.report.output import ReportError, encoded
from pomp_clang.report.phrases import (
    GOOD_PARTS,
    TIME_PARTS,
    number,
    percent,
    place,
    shown_parts,
    what,
    wrapped,
)
from pomp_clang.report.run_conditions import no_processor
from pomp_clang.report.terminal import Terminal, heat, printable, terminal_of
from pomp_clang.report.text.table import Cell, Field, table

__all__ = ["ReportError", "WatchRequest", "watch"]

_HOME, _CLEAR_LINE, _CLEAR_REST = "\033[H", "\033[K", "\033[J"
_REGIONS = 20
"""Regions where the terminal's height does not decide."""

_OTHER_LINES = 20
"""Lines of a screen that are no region."""


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """A request for screens.

    `program` is an experiment directory, a process id, or None for the newest experiment here.
    `interval` is in seconds; `count` None shows screens until the program ends, `top` None as many
    regions as fit.
    """

    program: str | None
    interval: float
    count: int | None
    top: int | None
    color: str


@dataclass(frozen=True, slots=True)
class _Moment:
    """All processes that could be read, and when (seconds of this process's clock)."""

    read_at: float
    runs: list[AnalyzedRun]
    states: list[ProgramState]
    queued: float | None
    reasons: list[str]

    @property
    def duration(self) -> float:
        return max(run.duration for run in self.runs)

    @property
    def has_ended(self) -> bool:
        return ProgramState.RUNNING not in self.states


def watch(request: WatchRequest, wait: Callable[[float], None] = time.sleep) -> None:
    """Show a screen each interval until the program ends; ReportError if it cannot be read."""
    try:
        directory = _directory(request.program)
        _show_screens(directory, request, wait)
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def _show_screens(directory: str, request: WatchRequest, wait: Callable[[float], None]) -> None:
    before = None
    moment = _read(directory)
    number_shown = 0
    while True:
        if not moment.has_ended:
            wait(max(0.0, moment.read_at + request.interval - time.monotonic()))
            before, moment = moment, _read(directory)
        number_shown += 1
        _show(directory, before, moment, request)
        if moment.has_ended or number_shown == request.count:
            return


def _directory(program: str | None) -> str:
    """Return the experiment directory of a directory's name or of a process id."""
    if program is not None and program.isdecimal() and not os.path.exists(program):
        return directory_of_process(int(program))
    return find(program)


def _read(directory: str) -> _Moment:
    """Read all processes. Raises ExperimentError if none can be read."""
    read_at = time.monotonic()
    runs, states, queued, reasons = [], [], [], []
    for process in processes(directory) or [directory]:
        try:
            running = read_running(process)
        except ExperimentError as error:
            reasons.append(str(error))
            continue
        runs.append(analyze_run(running.experiment))
        states.append(running.state)
        queued.append(running.queued)
    if not runs:
        raise ExperimentError(reasons[0])
    known = [report for report in queued if report is not None]
    return _Moment(read_at, runs, states, sum(known) if len(known) == len(runs) else None, reasons)


def _show(directory: str, before: _Moment | None, moment: _Moment, request: WatchRequest) -> None:
    """Print a screen, on a terminal over the one before."""
    terminal = terminal_of(sys.stdout, request.color)
    interval, queued = 0.0, None
    if before:
        interval = max(0.0, moment.duration - before.duration)
        if before.queued is not None and moment.queued is not None:
            queued = max(0.0, moment.queued - before.queued)
    times = recent_time(before.runs if before else (), moment.runs)
    screen = Screen(moment.runs, times, interval, queued, request.top or _fitting_regions())
    lines = render(screen, terminal)
    lines += _end(directory, moment, terminal)
    if sys.stdout.isatty():
        text = _HOME + "".join(f"{line}{_CLEAR_LINE}\n" for line in lines) + _CLEAR_REST
    else:
        text = "\n".join([*lines, "", ""])
    sys.stdout.flush()
    sys.stdout.buffer.write(encoded(text, sys.stdout.encoding or "utf-8"))
    sys.stdout.buffer.flush()


def _fitting_regions() -> int:
    """Return the number of regions for which a terminal has lines."""
    if not sys.stdout.isatty():
        return _REGIONS
    try:
        height = os.get_terminal_size(sys.stdout.fileno()).lines
    except OSError:
        return _REGIONS
    return max(3, height - _OTHER_LINES) if height else _REGIONS


def _end(directory: str, moment: _Moment, terminal: Terminal) -> list[str]:
    """Report missing data, and how the program ended."""
    lines = []
    if moment.reasons:
        message = f"{number(len(moment.reasons), 'process')} cannot be read: {moment.reasons[0]}"
        lines.append(terminal.paint(printable(" ".join(message.split())), "warm"))
    if not moment.has_ended:
        return ["", *lines] if lines else []
    verb = printable(f"pomp-clang report {shlex.quote(directory)}")
    killed = moment.states.count(ProgramState.KILLED)
    ended = "The program ended."
    if killed:
        part_of = f" ({killed} of {len(moment.states)} processes)" if len(moment.states) > 1 else ""
        ended = f"The program ended early{part_of}: the times are those until its last event."
    return ["", *lines, f"{ended} For the whole profile: {verb}"]


_BAR = 24
"""Cells of a bar for the whole time."""

_QUEUED = 0.02
"""The least share of the time in a processor's queue that is shown."""

_NAMES = {part.key: part.name for part in TIME_PARTS}


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
        role = "" if part.key in GOOD_PARTS else heat(recent_share if times.recent else since_start)
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
        Cell(_NAMES[row.part], "" if row.part in GOOD_PARTS else heat(recent_share)),
    ]
