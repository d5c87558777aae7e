"""The overhead of programs whose functions are selected by `score --budget`: CPU and wall time over
the bare program, alternated and in several layouts of the code, beside a second copy of the bare
program."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from collections.abc import Sequence

from tests.benchmark.cost import with_folders
from tests.benchmark.programs import LAYOUTS, THREADS, WITH_FUNCTIONS, Program, built, run
from tests.benchmark.timing import POMP, at_once

TURNS = int(os.environ.get("POMP_BENCH_TURNS", "40"))
BUDGET = os.environ.get("POMP_BENCH_BUDGET", "3%")
ALL = "--pomp-functions=all"
ALTERNATED = LAYOUTS[:3]


def budget(compiler: str, checkouts: dict[str, str], folder: str) -> None:
    """Compare the programs of which `checkouts` have the sources."""
    if programs := with_folders(WITH_FUNCTIONS, checkouts):
        print(
            f"{compiler}: score --budget {BUDGET}, {THREADS} threads, {len(ALTERNATED)} layouts, "
            f"{TURNS} turns each"
        )
    for program in programs:
        _compare(program, compiler, folder)


def _compare(program: Program, compiler: str, folder: str) -> None:
    selected = [POMP, ALL, f"--pomp-filter={_filter(program, compiler, folder)}", "--"]
    prefixes: dict[str, Sequence[str]] = {"bare": (), "second copy": (), "within budget": selected}
    binaries = {
        (name, layout): built(program, layout, compiler, folder, prefix)
        for name, prefix in prefixes.items()
        for layout in ALTERNATED
    }
    before, experiment = at_once(), os.path.join(folder, "experiment")
    times: dict[tuple[str, str], list[tuple[float, float]]] = {}
    names = list(prefixes)
    for turn in range(TURNS):
        for layout in ALTERNATED:
            # Each is first in every third turn.
            for name in names[turn % 3 :] + names[: turn % 3]:
                seconds = run(program, binaries[name, layout], layout, experiment, before)
                times.setdefault((name, layout.name), []).append(seconds)
                shutil.rmtree(experiment, ignore_errors=True)
    for name in names[1:]:
        for kind, what in enumerate(("CPU", "wall")):
            _show(f"{program.name}, {name}, {what}", kind, name, times)


def _filter(program: Program, compiler: str, folder: str) -> str:
    """Write the filter that keeps to the budget, from one run in which all functions are measured;
    return its path."""
    binary = built(program, ALTERNATED[0], compiler, folder, [POMP, ALL, "--"])
    experiment = os.path.join(folder, f"{program.name}.all")
    written = os.path.join(folder, f"{program.name}.filter")
    run(program, binary, ALTERNATED[0], experiment, at_once())
    score = [POMP, "score", experiment, "--budget", BUDGET, "-o", written]
    subprocess.run(score, check=True, stdout=subprocess.DEVNULL)
    return written


def _show(
    title: str, kind: int, name: str, times: dict[tuple[str, str], list[tuple[float, float]]]
) -> None:
    """Print a row: the ratio of medians in each layout, of their sums, and the median of the
    ratios of neighboring runs."""
    bare, other = (
        [[run[kind] for run in times[way, layout.name]] for layout in ALTERNATED]
        for way in ("bare", name)
    )
    by_layout = [
        statistics.median(b) / statistics.median(a) for a, b in zip(bare, other, strict=True)
    ]
    total = sum(map(statistics.median, other)) / sum(map(statistics.median, bare))
    ratios = [y / x for a, b in zip(bare, other, strict=True) for x, y in zip(a, b, strict=True)]
    rows = " ".join(f"{100 * (ratio - 1):+.1f}" for ratio in by_layout)
    print(
        f"  {title:32} {100 * (total - 1):+5.1f} % (by layout {rows}); neighbors "
        f"{100 * (statistics.median(ratios) - 1):+5.1f} %",
        flush=True,
    )
