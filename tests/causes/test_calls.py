"""How much of the analysis is Python: calls of functions, which do not grow with the events, and with
the threads no more than these."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.waits.find_critical_path import jumps_of
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.report.page.timeline.content import parts_of
from pomp_clang.trace.reader import read
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    PARALLEL,
    TEAM,
    Stream,
    barrier,
    begin,
    critical,
    departing,
    ending,
    fork,
    member,
    write_trace,
)


def trace(folder: Path, threads: int, turns: int) -> str:
    """Write a trace whose turns have a critical section and a barrier each.

    All threads but one wait for the critical section; in each turn, another thread comes last to
    the barrier.
    """
    long = 8 / turns
    streams: list[Stream] = []
    for thread in range(threads):
        own: Stream = []
        for turn in range(turns):
            since, part = 1 + turn * long, long / (4 * threads)
            acquired = since + thread * part
            arrived = since + long / 2 + (thread + turn) % threads * part
            own += critical(CRITICAL, since, acquired, acquired + part, acquired + part)
            own += barrier(BARRIER, arrived, since + long * 0.9)
        if thread:
            own = [member(1, PARALLEL, TEAM, 1), *own, *departing(PARALLEL, 9, 9)]
        else:
            own = [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *own]
            own += ending(PARALLEL, TEAM, 9, 9, 9)
        streams.append(own)
    return write_trace(folder, *streams)


def calls_of(act: Callable[[], Any]) -> int:
    """Return the number of calls of Python functions and built-in functions."""
    seen: Counter[str] = Counter()

    def note(_: FrameType, event: str, __: Any) -> None:
        seen[event] += 1

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return seen["call"] + seen["c_call"]


def _cube(directory: str) -> None:
    compute(gather(read(directory)), properties())


def _tally(directory: str) -> None:
    run, kinds = gather(read(directory)), properties()
    instance_tables_of(run, kinds, compute(run, kinds))


def _time_line(directory: str) -> None:
    parts_of(gather(read(directory)), properties())


def _jumps(directory: str) -> None:
    jumps_of(gather(read(directory)))


def _gains(directory: str) -> None:
    run, kinds = gather(read(directory)), properties()
    for finding in findings(compute(run, kinds), 5):
        gain_of(run, kinds[finding.metric], finding.path)


ACTS = (_cube, _tally, _time_line, _jumps, _gains)

_LEVELS = 250
"""Additional calls of a timeline: its levels of detail grow with the logarithm of its events."""


@pytest.mark.parametrize("act", ACTS)
def test_events_are_no_calls(act: Callable[[str], None], tmp_path: Path) -> None:
    """Nor barriers' instances, of which there are a hundred more on each of the threads."""
    few, many = (trace(tmp_path / str(turns), 4, turns) for turns in (20, 120))
    act(few)
    room = _LEVELS if act is _time_line else 50
    assert calls_of(lambda: act(many)) < calls_of(lambda: act(few)) + room


@pytest.mark.parametrize("act", ACTS)
def test_calls_for_threads_grow_as_these(act: Callable[[str], None], tmp_path: Path) -> None:
    """Each eight more take the same; where all are compared with all, the last take more."""
    traces = [trace(tmp_path / str(threads), threads, 4) for threads in (8, 16, 32)]
    act(traces[0])
    eight, sixteen, many = (calls_of(partial(act, one)) for one in traces)
    assert many - sixteen < 2.01 * (sixteen - eight)
