"""The cost of events that are switched off, as guarded calls: over the same program without
pomp-clang, compiled with the same options."""

from __future__ import annotations

import os
import subprocess

from tests.benchmark.events import CONSTRUCTS
from tests.benchmark.timing import HERE, POMP, figures, medians, output

RUNS = 5
OPTIONS = (
    ("-O0",),
    ("-O0", "-fsanitize=address"),
    ("-O2", "-fsanitize=address"),
    ("-O2", "-fsanitize=undefined"),
)
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


def _build(compiler: str, folder: str, options: tuple[str, ...], *pomp_options: str) -> str:
    program = os.path.join(folder, f"switched{len(os.listdir(folder))}")
    command = [
        *pomp_options,
        compiler,
        "-fopenmp",
        "-w",
        *options,
        str(HERE / "events.c"),
        "-o",
        program,
    ]
    subprocess.run(command, check=True)
    return program


def switched(compiler: str, folder: str) -> None:
    print(f"{compiler}: events that are switched off, one thread, median of {RUNS}:")
    print(f"  {'nanoseconds over the bare program':46}" + "".join(f"{c:>10}" for c in CONSTRUCTS))
    for options in OPTIONS:
        plain = _build(compiler, folder, options)
        instrumented = _build(compiler, folder, options, POMP, "--")
        runs: dict[str, list[dict[str, float]]] = {}
        for _ in range(RUNS):
            for name, command, more in (
                ("bare", [plain], {}),
                ("by environment", [instrumented], {"POMP_PROFILE": "0"}),
                ("inst off", [instrumented, "off"], {}),
            ):
                printed = output(command, folder, **ONE_THREAD, **more)
                runs.setdefault(name, []).append(figures(printed))
        bare = medians(runs.pop("bare"))
        for name, timings in runs.items():
            over = medians(timings)
            costs = "".join(f"{over[c] - bare[c]:10.1f}" for c in CONSTRUCTS)
            print(f"  {' '.join(options) + ', ' + name:46}{costs}")
