"""The screens of `pomp-clang top`: a running program is read and shown until it ends."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from pomp_clang.analysis.recent_time import recent_time
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.reader import find
from pomp_clang.experiment.running import ProgramState, directory_of_process, read_running
from pomp_clang.report.output import ReportError, encoded
from pomp_clang.report.phrases import number
from pomp_clang.report.terminal import Terminal, printable, terminal_of
from pomp_clang.report.text.recent import Screen, render

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
