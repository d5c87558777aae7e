"""What a trace costs: recording an event, its bytes in memory and on disk; and reading: events a
second of processor time and bytes of memory an event, for traces of several sizes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from events import RUNS, build
from timing import HERE, POMP, figures, medians, output

SIZES = (100_000, 1_000_000, 10_000_000)
PER_TURN = 73
"""Events of a turn of traces.c, about."""

WAYS = ("words", "columns", "profile", "openmp", "causes", "instances", "gains")
READINGS = 3
RECORDED = {
    "profile": {},
    "trace, written meanwhile": {"POMP_TRACE": "1"},
    "trace, kept in memory": {"POMP_TRACE": "1", "POMP_TRACE_AT_END": "1"},
}
TURNS_OF_MEAN = 4_000_000
_FIGURES = {
    "region": "as a rule",
    "thread": "in the mean, of the thread's processor time",
    "process": "in the mean, of the process's: with the thread that makes room",
}
"""The middle one of many stretches of time, and processor time with the kernel's."""


def tracing(compiler: str, folder: str) -> None:
    recording(compiler, folder)
    reading(compiler, folder, SIZES)


def recording(compiler: str, folder: str) -> None:
    inlined = "on" if "clang" in compiler else "off"
    bare = build(compiler, folder, "bare")
    program = build(compiler, folder, "traced", f"--pomp-inline={inlined}")
    plain = []
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in RECORDED}
    for _ in range(RUNS):
        plain.append(_events(bare, folder))
        for name, settings in RECORDED.items():
            runs[name].append(_events(program, folder, **settings))
    none, found = medians(plain), {name: medians(of) for name, of in runs.items()}
    kind = "inlined" if inlined == "on" else "called"
    print(f"{compiler}: recording, events {kind}, median of {RUNS}: a pair of events over none")
    for figure, what in _FIGURES.items():
        cost = {name: of[figure] - none[figure] for name, of in found.items()}
        for name, took in cost.items():
            over = took / cost["profile"]
            print(f"  {name:28}{took:8.1f} ns {over:8.2f} of the profile's, {what}")


def _events(program: str, folder: str, **settings: str) -> dict[str, float]:
    settings["OMP_NUM_THREADS"] = "1"
    mean = [program, "mean", "region", str(TURNS_OF_MEAN)]
    stretches, whole = output([program], folder, **settings), output(mean, folder, **settings)
    return figures(stretches) | figures(whole)


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
    """The directory of a trace of about so many events."""
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
    plain = figures(output(command, folder, **_TEAM))
    kept = figures(output(command, folder, **_TEAM, **RECORDED["trace, kept in memory"]))
    directory = record(program, folder, size)
    files = sum(file.stat().st_size for file in Path(directory).glob("trace-*"))
    events = _read("count", directory)["events"]
    cells = []
    for way in WAYS:
        found = medians([_read(way, directory) for _ in range(READINGS)])
        rate = events / found["seconds"] / 1e6
        cells.append(f"{rate:9.1f} {found['bytes'] / events:5.0f} B")
    memory = (kept["peak"] - plain["peak"]) / events
    print(f"  {events:10.0f}{files / events:7.2f} B{memory:8.2f} B{''.join(cells)}")


def _read(way: str, directory: str) -> dict[str, float]:
    return figures(output([sys.executable, str(HERE / "reading.py"), way, directory], directory))
