"""The estimated cost of an empty parallel region beside its real cost, in one process.

Regions with and without measurement take turns. So both have the same processors and memory.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess

from tests.benchmark.timing import HERE, POMP

TURNS = int(os.environ.get("POMP_BENCH_TURNS", "9"))
THREADS = "2"


def alternated(compiler: str, folder: str) -> None:
    """Print the wall time of a region, what measuring adds, and the estimate over that."""
    program = _built(compiler, folder)
    rows = [_costs(program, os.path.join(folder, "experiment")) for _ in range(TURNS)]
    bare, real, estimated = (statistics.median(column) for column in zip(*rows, strict=True))
    ratios = [row[2] / row[1] for row in rows if row[1] > 0]
    print(
        f"{compiler}: an empty region takes {bare:.0f} ns, measured {real:.0f} ns more, estimated "
        f"{estimated:.0f}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
        f"of it, {THREADS} threads, {TURNS} processes",
        flush=True,
    )


def _built(compiler: str, folder: str) -> str:
    """Return the path of the program whose regions are measured in one of its objects."""
    flags = ["-fopenmp", "-O2", str(HERE / "alternated.c")]
    plain, measured = (os.path.join(folder, f"{name}.o") for name in ("bare", "measured"))
    program = os.path.join(folder, "alternated")
    subprocess.run([compiler, *flags, "-DBLOCK=bare", "-c", "-o", plain], check=True)
    subprocess.run(
        [POMP, "--", compiler, *flags, "-DBLOCK=measured", "-c", "-o", measured], check=True
    )
    main = os.path.join(folder, "main.o")
    subprocess.run([compiler, "-O2", str(HERE / "alternated.c"), "-c", "-o", main], check=True)
    linked = [compiler, "-fopenmp", main, plain, measured, "-o", program]
    subprocess.run([POMP, "--", *linked], check=True)
    return program


def _costs(program: str, experiment: str) -> tuple[float, float, float]:
    """Return the nanoseconds of a bare region, those that measuring adds, and the estimate of these."""
    shutil.rmtree(experiment, ignore_errors=True)
    variables = os.environ | {"OMP_NUM_THREADS": THREADS, "POMP_EXPERIMENT_DIR": experiment}
    result = subprocess.run([program], env=variables, capture_output=True, text=True, check=True)
    bare, added = map(float, result.stdout.split())
    command = [POMP, "report", experiment, "--format", "json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return bare, added, report["measurement"]["parallelT"] * 1e9
