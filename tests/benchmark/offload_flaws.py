"""Predicted gains of flaws at target constructs beside the gains of repairs, with the host as the device."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import time

from tests.benchmark.targets import OFFLOAD
from tests.benchmark.timing import HERE, POMP, at_once, figures, output

TURNS = 7
RUNS = 3
"""Measured runs of each flaw."""

FLAWS = {
    "repeated-transfer": "RepeatedTransfer",
    "redundant-update": "RedundantTransfer",
    "round-trip": "RoundTrip",
    "repeated-allocation": "RepeatedAllocation PageFaults",
    "unused-mapping": "UnusedMapping",
    "reads-table": "ImplicitTransfer",
    "writes-table": "ImplicitTransfer",
    "host-work": "HostWorkBetweenKernels",
    "small-kernels": "SmallKernels",
    "fallback": "FallbackToHost",
    "one-team": "TargetWithoutTeams",
}
"""By the argument of the program, the properties of which the repair is the end.

Memory that is given back is a part of both RepeatedAllocation and PageFaults."""

_CONTENTS = {"RedundantTransfer", "RoundTrip"}
_SETTINGS = {"OMP_NUM_THREADS": "2", "LIBOMP_NUM_HIDDEN_HELPER_THREADS": "1"}
_REST = 0.3
"""Seconds of rest before a program: the kernel stops what runs at once if it runs for too long."""


def offload_flaws(compiler: str, folder: str) -> None:
    """Print a row for each flaw: milliseconds without measurement, with the repair, the gain, and what
    the profile predicts."""
    if not compiler.startswith("clang"):
        print(f"SKIPPED: {compiler} cannot offload to the host")
        return
    source = str(HERE / "offload_flaws.c")
    command = [compiler, "-fopenmp", "-O2", "-gline-tables-only", *OFFLOAD, source, "-o"]
    plain, measured = (os.path.join(folder, name) for name in ("flaws-plain", "flaws-measured"))
    subprocess.run([*command, plain], check=True)
    subprocess.run([POMP, "--", *command, measured], check=True)
    print(f"{compiler}: milliseconds without measurement, medians of {TURNS} in turn")
    print(f"  {'':20}{'flawed':>9}{'repaired':>10}{'gained':>9}{'predicted':>11}")
    for flaw, properties in FLAWS.items():
        flawed, repaired = [], []
        for _ in range(TURNS):
            flawed.append(_seconds([plain, flaw], folder))
            repaired.append(_seconds([plain, flaw, "repaired"], folder))
        predicted = [_predicted([measured, flaw], properties.split(), folder) for _ in range(RUNS)]
        before, after, saved = map(statistics.median, (flawed, repaired, predicted))
        print(
            f"  {flaw:20}{1e3 * before:9.1f}{1e3 * after:10.1f}{1e3 * (before - after):9.1f}"
            f"{1e3 * saved:11.1f}  {properties}",
            flush=True,
        )


def _seconds(command: list[str], folder: str, **settings: str) -> float:
    time.sleep(_REST)
    return figures(output([*at_once(), *command], folder, **_SETTINGS, **settings))["seconds"]


def _predicted(command: list[str], properties: list[str], folder: str) -> float:
    """Return the seconds that the findings of a measured run would save: those of the largest property."""
    directory = os.path.join(folder, "flaws-run")
    shutil.rmtree(directory, ignore_errors=True)
    settings = {"POMP_TARGET_CONTENT": "1"} if _CONTENTS & set(properties) else {}
    _seconds(command, folder, POMP_EXPERIMENT_DIR=directory, **settings)
    result = subprocess.run(
        [POMP, "report", directory, "--format", "json"], check=True, capture_output=True, text=True
    )
    saved = [
        sum(place["gain"] or 0.0 for place in entry["places"])
        for entry in json.loads(result.stdout)["properties"]
        if entry["name"] in properties
    ]
    return max(saved, default=0.0)
