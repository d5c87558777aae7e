"""The cost of measuring whole programs, beside the report's "Cost of the measurement": CPU time of
alternated runs, with us and without, in several layouts of the code."""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.benchmark.programs import (
    FORTRAN,
    FORTRAN_LAYOUTS,
    LAYOUTS,
    OTHERS,
    OURS,
    THREADS,
    WITH_FUNCTIONS,
    Layout,
    Program,
    built,
    environment,
    folder_of_run,
    run,
)
from tests.benchmark.timing import POMP

TURNS = int(os.environ.get("POMP_BENCH_TURNS", "15"))
READ = 5
"""Turns whose experiments are read."""


@dataclass(frozen=True)
class Compared:
    """A program in one layout, instrumented over plain: the ratios of medians, of minimums, from
    the report's estimate and its upper figure, and of instructions (0: not counted).
    """

    layout: Layout
    median: float
    least: float
    estimate: float
    said_at_most: float
    instructions: float


def cost(compilers: tuple[str, str], checkouts: dict[str, str], folder: str) -> None:
    """Compare all programs in C and C++; `compilers` are for C and for C++, `checkouts` have
    others' sources."""
    _heading(compilers[0])
    for program in (*OURS, *with_folders(OTHERS, checkouts)):
        if not program.files:
            raise SystemExit(f"benchmark: no sources of {program.name} in {program.folder}")
        compiler = compilers[program.cplusplus]
        _show(program, [_compared(program, one_layout, compiler, folder) for one_layout in LAYOUTS])


def cost_of_fortran(compiler: str, checkouts: dict[str, str], folder: str) -> None:
    """Compare all programs in Fortran of which `checkouts` have the sources."""
    programs = with_folders(FORTRAN, checkouts)
    if not programs:
        return
    _heading(compiler)
    layouts = next(rows for name, rows in FORTRAN_LAYOUTS.items() if name in compiler)
    for program in programs:
        _show(program, [_compared(program, one_layout, compiler, folder) for one_layout in layouts])


def with_folders(programs: Sequence[Program], checkouts: dict[str, str]) -> list[Program]:
    """Return the programs whose checkouts are given, each with its folder."""
    known = {p.checkout or p.name for p in (*OTHERS, *WITH_FUNCTIONS, *FORTRAN)}
    if unknown := set(checkouts) - known:
        raise SystemExit(f"benchmark: no program {', '.join(unknown)}: {', '.join(sorted(known))}")
    named = [(program, program.checkout or program.name) for program in programs]
    return [
        replace(program, folder=checkouts[name]) for program, name in named if name in checkouts
    ]


def _heading(compiler: str) -> None:
    print(f"{compiler}: CPU time with us over without, {THREADS} threads, {TURNS} turns")
    print(f"  {'':38} {'median':>8} {'least':>8} {'said':>8} {'at most':>8} {'instructions':>14}")


def _show(program: Program, comparisons: Sequence[Compared]) -> None:
    for compared in comparisons:
        counted = _percent(compared.instructions) if compared.instructions else ""
        print(
            f"  {program.name + ', ' + compared.layout.name:38} {_percent(compared.median)} "
            f"{_percent(compared.least)} {_percent(compared.estimate)} "
            f"{_percent(compared.said_at_most)} {counted:>14}"
        )
    medians, least = ([getattr(c, name) for c in comparisons] for name in ("median", "least"))
    estimate = statistics.median(compared.estimate for compared in comparisons)
    most = statistics.median(compared.said_at_most for compared in comparisons)
    print(
        f"  {program.name}: median of the layouts {_percent(statistics.median(medians)).strip()} "
        f"({_percent(min(medians)).strip()} to {_percent(max(medians)).strip()}), of the least "
        f"{_percent(statistics.median(least)).strip()}; said {_percent(estimate).strip()} "
        f"to {_percent(most).strip()}",
        flush=True,
    )


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+7.1f}%"


def _compared(program: Program, layout: Layout, compiler: str, folder: str) -> Compared:
    binaries = [built(program, layout, compiler, folder, prefix) for prefix in ((), (POMP, "--"))]
    commands = [[path, *program.words(program.arguments)] for path in binaries]
    times: tuple[list[float], list[float]] = ([], [])
    estimate: tuple[list[float], list[float]] = ([], [])
    for turn in range(TURNS):
        # Each is first in every other turn.
        for instrumented in (0, 1) if turn % 2 else (1, 0):
            experiment = os.path.join(binaries[1] + f"-{turn}")
            duration, _ = run(program, binaries[instrumented], layout, experiment)
            times[instrumented].append(duration)
            if instrumented and turn < READ:
                for ratios, seconds in zip(estimate, _estimate(experiment), strict=True):
                    ratios.append(
                        duration / (duration - seconds) if duration > seconds else math.inf
                    )
            shutil.rmtree(experiment, ignore_errors=True)
    return Compared(
        layout,
        statistics.median(times[1]) / statistics.median(times[0]),
        min(times[1]) / min(times[0]),
        statistics.median(estimate[0]),
        statistics.median(estimate[1]),
        _instructions(program, commands, layout, folder),
    )


def _estimate(experiment: str) -> tuple[float, float]:
    """Return the cost of the measurement in seconds of all threads, as the report estimates it:
    the price of the events, and its upper figure."""
    command = [POMP, "report", experiment, "--format", "json"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    measurement = json.loads(result.stdout)["measurement"]
    return measurement["overheadT"], measurement["overhead_mostT"]


def _instructions(
    program: Program, commands: list[list[str]], layout: Layout, folder: str
) -> float:
    """Return the ratio of instructions in user mode, if the processor's counters are available."""
    perf = shutil.which("perf")
    if perf is None:
        return 0
    counted = []
    for command in commands:
        experiment = os.path.join(folder, "counted")
        shutil.rmtree(experiment, ignore_errors=True)
        result = subprocess.run(
            [perf, "stat", "-x,", "-e", "instructions:u", *command],
            cwd=folder_of_run(program, command[0]),
            env=environment(layout, experiment),
            capture_output=True,
            text=True,
        )
        value = result.stderr.strip().splitlines()[-1:] or [""]
        number = value[0].split(",")[0]
        if not number.isdigit():
            return 0
        counted.append(int(number))
    return counted[1] / counted[0]
