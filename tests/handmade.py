"""Experiments made by hand, small enough to check their reports by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from hypothesis import strategies as st

from pomp_clang.analysis.columns import COLUMNS
from pomp_clang.experiment.model import (
    CallPath,
    Experiment,
    Location,
    Measured,
    Region,
    Snapshot,
)


def region(ident: str, kind: str, begin: int, end: int | None = None, **more: object) -> Region:
    region = Region(
        id=ident,
        kind=kind,
        name=kind,
        sub_name="",
        num_sections=0,
        file="main.c",
        begin_line1=begin,
        begin_lineN=begin,
        end_line1=end or begin,
        end_lineN=end or begin,
        begin_column=3,
        clauses="",
        function="main",
        nowait=False,
        barrier_measured=True,
    )
    return replace(region, **more)  # type: ignore[arg-type]


def call_paths(tree: str) -> tuple[CallPath, ...]:
    """Return a call path for each line: the region, below its caller and two blanks further in; `!`
    behind it is a task running.
    """
    paths: list[CallPath] = []
    outer: list[str] = []
    for number, line in enumerate(tree.strip().splitlines(), 1):
        name = line.strip()
        del outer[len(line) - len(line.lstrip()) >> 1 :]
        above = outer[-1] if outer else None
        outer.append(f"C{number:05}")
        paths.append(CallPath(outer[-1], above, name.rstrip("!"), task=name.endswith("!")))
    return tuple(paths)


def experiment(
    regions: Iterable[Region],
    profile: dict[tuple[str, int], Measured],
    *,
    threads: int = 4,
    duration: float = 4.0,
    **more: object,
) -> Experiment:
    experiment = Experiment(
        directory="pomp-app-1",
        program="app",
        command_line=("./app", "--size", "big one"),
        pid=4711,
        host="node1",
        start="2026-11-21T01:26:00+00:00",
        duration=duration,
        complete=True,
        clock="CLOCK_MONOTONIC",
        openmp_runtime="libomp",
        max_threads=threads,
        regions=tuple(regions),
        locations=tuple(Location(tid, 0) for tid in range(threads)),
        profile=profile,
    )
    return replace(experiment, **more)  # type: ignore[arg-type]


def figure_1() -> Experiment:
    """Return the critical section of the ompP paper's figure 1: four threads, one second each.

    They get it in the order 0, 2, 1, 3; what they wait there they miss at the end.
    """
    waits = (0.0, 2.0, 1.0, 3.0)
    profile = {}
    for tid, wait in enumerate(waits):
        profile["R00002", tid] = Measured(
            execC=1, execT=1.0 + wait, bodyC=1, bodyT=1.0, enterT=wait
        )
        profile["R00001", tid] = Measured(
            execC=1, execT=4.0, bodyC=1, bodyT=1.0 + wait, exitBarT=3.0 - wait
        )
    regions = (region("R00001", "parallel", 18, 24), region("R00002", "critical", 20, 23))
    return experiment(regions, profile, threads=4, duration=4.0)


def ocean(threads: int = 4) -> Experiment:
    """Return a region of most kinds, with nesting, an orphan, and one that never ran."""
    regions = (
        region("R00001", "parallel", 10, 60, file="src/ocean.c", function="step"),
        region(
            "R00002", "for", 12, 20, file="src/ocean.c", function="step", clauses="schedule(static)"
        ),
        region("R00003", "sections", 22, 30, file="src/ocean.c", function="step", num_sections=2),
        region("R00004", "single", 32, 34, file="src/ocean.c", function="step", nowait=True),
        region("R00005", "critical", 40, 42, file="src/ocean.c", function="step", sub_name="sum"),
        region("R00006", "barrier", 44, file="src/ocean.c", function="step"),
        region("R00007", "parallel for", 50, 55, file="src/ocean.c", function="step"),
        region("R00008", "atomic", 80, 81, file="src/ocean.c", function="count"),
        region("R00009", "function", 70, 99, file="src/ocean.c", sub_name="main"),
        region("R00010", "ordered", 90, 91, file="src/ocean.c", function="main"),
    )
    profile: dict[tuple[str, int], Measured] = {("R00009", 0): Measured(execC=1, execT=2.5)}
    for tid in range(threads):
        late = tid % 4 / 100
        profile |= {
            ("R00001", tid): Measured(10, 2.0, 10, 1.5 + late, 0, 0, 0.4 - late, 0.06, 0.04),
            ("R00002", tid): Measured(10, 0.5, 10, 0.25 + late, 0, 0, 0.25 - late),
            ("R00003", tid): Measured(10, 0.25, 5, 0.125, 0, 0, 0.0625),
            ("R00004", tid): Measured(10, 0.125, 10, 0.125) if tid == 0 else Measured(10),
            ("R00005", tid): Measured(100, 0.25 + late, 100, 0.125, 0.1 + late, 0.025),
            ("R00006", tid): Measured(10, 0.0625, taskT=0.03125),
            ("R00008", tid): Measured(1000, 0.001),
        }
        if tid < 2:
            profile["R00007", tid] = Measured(10, 0.1, 10, 0.08, 0, 0, 0.01, 0.006, 0.004)
    return experiment(regions, profile, threads=threads, duration=2.5)


def with_snapshots(experiment: Experiment, *shares: float) -> Experiment:
    """Return the same experiment with snapshots, each with that share of all measurements."""

    def part(measured: Measured, share: float) -> Measured:
        values = ((f.name, getattr(measured, f.name)) for f in fields(measured))
        return Measured(**{n: type(v)(v * share) for n, v in values})

    snapshots = tuple(
        Snapshot(
            number=number,
            cause="interval",
            time=experiment.duration * share,
            unsettled=0,
            profile={key: part(m, share) for key, m in experiment.profile.items()},
            callpath_profile={
                key: part(m, share) for key, m in experiment.callpath_profile.items()
            },
        )
        for number, share in enumerate(shares, 1)
    )
    return replace(experiment, snapshots=snapshots)


# A clock counts ticks, so no time but none at all is shorter than one of them.
_SECONDS = st.integers(min_value=0, max_value=10**13).map(lambda ticks: ticks / 1e9)
_COUNTS = st.integers(min_value=0, max_value=10**12)
_TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


@st.composite
def measurements(draw: st.DrawFn) -> Measured:
    """Draw values as a runtime books them: the parts do not overlap and do not exceed execT."""
    names = ("bodyT", "enterT", "exitT", "exitBarT", "startupT", "shutdwnT", "taskT")
    parts: dict[str, Any] = {name: draw(_SECONDS) for name in names}
    total = sum(parts.values()) + draw(_SECONDS)
    counts: dict[str, Any] = {name: draw(_COUNTS) for name in ("execC", "bodyC", "createC")}
    return Measured(execT=total, createT=draw(_SECONDS), **counts, **parts)


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    threads = draw(st.sampled_from([1, 2, 4, 20]))
    kinds = st.sampled_from([*sorted(COLUMNS), "no such directive"])
    regions = []
    for index in range(draw(st.integers(min_value=0, max_value=6))):
        begin = draw(st.integers(min_value=1, max_value=50))
        end = begin + draw(st.integers(min_value=0, max_value=20))
        name, file = draw(_TEXTS), draw(st.sampled_from(["a.c", "b,1.c", "c\n.c", "d \x1b[1m.c"]))
        ident = f"R{index + 1:05}"
        regions.append(region(ident, draw(kinds), begin, end, sub_name=name, file=file))
    # A few measurements, dealt to the threads in turn; some threads never come.
    hands = [*(draw(st.lists(measurements(), max_size=3))), None]
    profile = {
        (region.id, tid): hand
        for place, region in enumerate(regions)
        for tid in range(threads)
        if (hand := hands[(place + tid) % len(hands)]) is not None
    }
    return experiment(regions, profile, threads=threads, duration=draw(_SECONDS))
