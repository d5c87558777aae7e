"""The cost of a trace. Recording: time of an event, its bytes in memory and on disk. Reading: events
a second of processor time and bytes of memory an event, for traces of several sizes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.benchmark.events import RUNS, build
from tests.benchmark.timing import HERE, POMP, figures, medians, output

SIZES = (100_000, 1_000_000, 10_000_000)
PER_TURN = 73
"""Events of a turn of traces.c, about."""

WAYS = ("words", "columns", "openmp", "causes", "instances", "gains")
READINGS = 3
IN_MEMORY = "trace, kept in memory"
RECORDED: dict[str, dict[str, str]] = {
    "profile": {},
    "trace, written meanwhile": {"POMP_TRACE": "1"},
    IN_MEMORY: {"POMP_TRACE": "1", "POMP_TRACE_AT_END": "1"},
}
TURNS_OF_MEAN = 4_000_000
INTERVALS = 1000
OF_ITS_OWN, SHARED = 1.1, 1.25
"""Limits of a yardstick's time beside an interval, relative to the least.  Up to the first limit
the core was free.  Beyond the second limit another hardware thread of the core was busy, which a
virtual machine cannot see."""

_CLASSES = {
    "as a rule": (0.0, float("inf")),
    "on a core of its own": (0.0, OF_ITS_OWN),
    "on a shared core": (SHARED, float("inf")),
}
_MEANS = {
    "thread": "in the mean, of the thread's processor time",
    "process": "in the mean, of the process's: with the thread that makes room",
}
"""With the kernel's."""


def tracing(compiler: str, folder: str) -> None:
    recording(compiler, folder)
    reading(compiler, folder, SIZES)


def recording(compiler: str, folder: str) -> None:
    inlined = "on" if "clang" in compiler else "off"
    bare = build(compiler, folder, "bare")
    program = build(compiler, folder, "traced", f"--pomp-inline={inlined}")
    nothing: dict[str, str] = {}
    ways = {"none": (bare, nothing)} | {name: (program, of) for name, of in RECORDED.items()}
    stretches: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    means: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, (run, settings) in ways.items():
            stretches[name] += _stretches(run, folder, settings)
            means[name].append(_means(run, folder, settings))
    kind = "inlined" if inlined == "on" else "called"
    print(f"{compiler}: recording, events {kind}, {RUNS} runs: a pair of events over none")
    least = min(yardstick for of in stretches.values() for yardstick, _ in of)
    for what, (low, high) in _CLASSES.items():
        _compare(what, {n: _middle(of, low * least, high * least) for n, of in stretches.items()})
    medianly = {name: medians(of) for name, of in means.items()}
    for figure, what in _MEANS.items():
        _compare(what, {name: of[figure] for name, of in medianly.items()})


def _compare(what: str, durations: Mapping[str, float | None]) -> None:
    cost = {
        name: ns - durations["none"] for name, ns in durations.items() if ns and durations["none"]
    }
    for name in RECORDED:
        if name not in cost or "profile" not in cost:
            print(f"  {name:28}        too few stretches {what}")
            continue
        over = cost[name] / cost["profile"]
        print(f"  {name:28}{cost[name]:8.1f} ns {over:8.2f} of the profile's, {what}")


def _middle(stretches: list[tuple[float, float]], low: float, high: float) -> float | None:
    """Return the median of a turn, in ns, over stretches whose yardstick is in range; None if few."""
    durations = [turn for yardstick, turn in stretches if low <= yardstick <= high]
    return statistics.median(durations) if len(durations) >= INTERVALS // 10 else None


def _settings(settings: Mapping[str, str]) -> dict[str, str]:
    return {"OMP_NUM_THREADS": "1", **settings}


def _stretches(program: str, folder: str, settings: Mapping[str, str]) -> list[tuple[float, float]]:
    command = [program, "stretches", "region", str(INTERVALS)]
    lines = output(command, folder, **_settings(settings)).splitlines()
    return [(float(yardstick), float(turn)) for yardstick, turn in map(str.split, lines)]


def _means(program: str, folder: str, settings: Mapping[str, str]) -> dict[str, float]:
    command = [program, "mean", "region", str(TURNS_OF_MEAN)]
    return figures(output(command, folder, **_settings(settings)))


def reading(compiler: str, folder: str, sizes: tuple[int, ...]) -> None:
    program = build_traces(compiler, folder)
    print(f"{compiler}: reading, median of {READINGS}: millions of events a second, bytes an event")
    heads = "".join(f"{way:>16}" for way in WAYS)
    print(f"  {'events':>10}{'on disk':>9}{'in memory':>10}{heads}")
    for size in sizes:
        _row(program, folder, size)


def build_traces(compiler: str, folder: str) -> str:
    program = os.path.join(folder, "traces")
    command = [POMP, "--", compiler, "-fopenmp", "-O2", "-Wno-unknown-pragmas"]
    subprocess.run([*command, str(HERE / "traces.c"), "-o", program], check=True)
    return program


def record(program: str, folder: str, size: int) -> str:
    """Record a trace of about `size` events, and return its directory."""
    directory = os.path.join(folder, f"trace-{size}")
    if not os.path.isdir(directory):
        written = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": directory}
        output(_of_size(program, size), folder, **_TEAM, **written)
    return directory


_TEAM = {"OMP_NUM_THREADS": "2"}


def _of_size(program: str, size: int) -> list[str]:
    return [program, str(max(1, size // PER_TURN))]


def _row(program: str, folder: str, size: int) -> None:
    command = _of_size(program, size)
    plain, kept = (_memory(command, folder, RECORDED[way]) for way in ("profile", IN_MEMORY))
    directory = record(program, folder, size)
    files = sum(file.stat().st_size for file in Path(directory).glob("trace-*"))
    events = count_of(directory)
    cells = []
    for way in WAYS:
        seconds = medians([_read(way, directory) for _ in range(READINGS)])
        rate = events / seconds["seconds"] / 1e6
        cells.append(f"{rate:9.1f} {seconds['bytes'] / events:5.0f} B")
    memory = (kept - plain) / events
    print(f"  {events:10.0f}{files / events:7.2f} B{memory:8.2f} B{''.join(cells)}")


def count_of(directory: str) -> float:
    """Return the number of events of a trace."""
    return _read("count", directory)["events"]


def _memory(command: list[str], folder: str, settings: Mapping[str, str]) -> float:
    """Return the bytes of the process's own memory at its end."""
    runs = [figures(output(command, folder, **_TEAM, **settings)) for _ in range(READINGS)]
    return medians(runs)["memory"]


def _read(way: str, directory: str) -> dict[str, float]:
    return figures(output([sys.executable, str(HERE / "reading.py"), way, directory], directory))
