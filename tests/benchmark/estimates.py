"""Compare the estimated cost of an event with its real cost, by kind of region. The real cost is
the time that instrumentation adds to loops of one construct each.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess

from tests.benchmark.timing import HERE, POMP

TURNS = int(os.environ.get("POMP_BENCH_TURNS", "9"))

KINDS = ("region", "atomic", "critical", "master", "parallel")
WAYS = {
    "inlined": (),
    "called": ("--pomp-inline=off",),
    "OMPT": ("--pomp-barriers=ompt",),
}


def estimates(compiler: str, folder: str) -> None:
    """Print, for each way to measure, the estimate over the real cost (median and range)."""
    print(f"{compiler}: estimated cost of a visit over its real cost, {TURNS} turns")
    print(f"  {'':8}" + "".join(f"{kind:>22}" for kind in KINDS))
    build = [compiler, "-fopenmp", "-O2", "-w", str(HERE / "events.c"), "-o"]
    bare = os.path.join(folder, "estimates-bare")
    subprocess.run([*build, bare], check=True)
    for way, options in WAYS.items():
        if way == "OMPT" and "gcc" in compiler:
            print(f"  {way}: SKIPPED, libgomp has no OMPT")
            continue
        measured = os.path.join(folder, f"estimates-{way}")
        subprocess.run([POMP, *options, "--", *build, measured], check=True)
        ratios: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for _ in range(TURNS):
            experiment = os.path.join(folder, "estimates-experiment")
            shutil.rmtree(experiment, ignore_errors=True)
            instrumented, native = _visit_times(measured, experiment), _visit_times(bare, "")
            estimated = _estimated_costs(experiment)
            for kind in KINDS:
                real = instrumented[kind] - native[kind]
                ratios[kind].append(estimated[kind] / real if real > 0 else float("inf"))
        print(f"  {way:8}" + "".join(f"{_spread(ratios[kind]):>22}" for kind in KINDS), flush=True)


def _spread(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _visit_times(program: str, experiment: str) -> dict[str, float]:
    """Return the nanoseconds of a visit by kind."""
    environment = os.environ | {"POMP_EXPERIMENT_DIR": experiment}
    result = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    return {kind: float(time) for kind, time in map(str.split, result.stdout.splitlines())}


def _estimated_costs(experiment: str) -> dict[str, float]:
    """Return the nanoseconds that the report's estimate gives a visit, by kind."""
    command = [POMP, "report", experiment, "--format", "json"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(result.stdout)
    regions = {region["id"]: region for region in report["regions"]}
    return {
        regions[row["region"]]["kind"]: row["visitsT"]
        / regions[row["region"]]["sum"]["execC"]
        * 1e9
        for row in report["measurement"]["regions"]
    }
