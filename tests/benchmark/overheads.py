"""Measure the cost of each construct for a team by the method of the EPCC microbenchmarks, with
pomp-clang and without. Check that a long run neither grows nor loses events.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.benchmark.timing import HERE, POMP, figures, medians, output

RUNS = 5
MANY = 10_000_000
COUNTING = HERE.parent / "barriers" / "programs" / "count_barriers.c"


def overheads(compiler: str, folder: str) -> None:
    ways = _ways(compiler, folder)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, (program, settings) in ways.items():
            runs[name].append(figures(output([program], folder, **settings)))
    bare, *others = (medians(runs[name]) for name in ways)
    threads = os.environ.get("OMP_NUM_THREADS", str(os.cpu_count()))
    print(f"{compiler}: what a construct costs {threads} threads, us, median of {RUNS}")
    print(f"  {'':10} {'bare':>9}" + "".join(f" {name:>9}{'':17}" for name in list(ways)[1:]))
    for name, bare_time in bare.items():
        print(
            f"  {name:10} {bare_time:9.2f}"
            + "".join(_beside(bare_time, other[name]) for other in others)
        )
    if "ompt" in ways:
        _barriers(compiler, folder, {name: way for name, way in ways.items() if name != "a tool"})


def _ways(compiler: str, folder: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Measure the plain program, also with an OMPT tool without callbacks, and the instrumented one."""
    bare = _built(compiler, folder, "overheads", "bare")
    ways: dict[str, tuple[str, dict[str, str]]] = {
        "bare": (bare, {}),
        "profile": (_built(compiler, folder, "overheads", "profile"), {}),
    }
    if compiler.startswith("clang"):
        tool = _library(compiler, folder, HERE / "ompt_empty.c")
        ways["a tool"] = bare, {"OMP_TOOL_LIBRARIES": tool}
        ways["ompt"] = _built(compiler, folder, "overheads", "ompt"), {}
    return ways


def _beside(bare_time: float, pomp_time: float) -> str:
    times = f"x{pomp_time / bare_time:6.2f}" if bare_time > 0 else " " * 7
    return f" {pomp_time:9.2f} +{pomp_time - bare_time:6.2f} {times}"


def _barriers(compiler: str, folder: str, ways: dict[str, tuple[str, dict[str, str]]]) -> None:
    """Count the barriers in the program: with OMPT as many as in the plain one."""
    library, file = _library(compiler, folder, COUNTING), os.path.join(folder, "count")
    counts = {}
    for name, (program, settings) in ways.items():
        output([program], folder, LD_PRELOAD=library, BARRIER_COUNT=file, **settings)
        counts[name] = int(Path(file).read_text())
    print("  barriers called for: " + ", ".join(f"{n} {count}" for n, count in counts.items()))
    if counts["ompt"] != counts["bare"]:
        raise SystemExit("benchmark: OMPT mode adds a barrier")


def _library(compiler: str, folder: str, source: Path) -> str:
    library_file = os.path.join(folder, f"lib{source.stem}.so")
    command = [
        compiler,
        "-O2",
        "-w",
        "-D_GNU_SOURCE",
        "-shared",
        "-fPIC",
        str(source),
        "-o",
        library_file,
    ]
    subprocess.run(command, check=True)
    return library_file


def many(compiler: str, folder: str) -> None:
    """Run ten million atomics and criticals a thread, and check counts and memory."""
    program = _built(compiler, folder, "many", "profile")
    sums = output([program, str(MANY)], folder).split()
    newest = max((e for e in os.scandir(folder) if e.is_dir()), key=lambda e: e.stat().st_mtime)
    command = [POMP, "report", newest.path, "--format", "json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counts = {
        region["kind"]: sum(thread["execC"] for thread in region["threads"])
        for region in json.loads(printed)["regions"]
    }
    print(f"{compiler}: {MANY} atomics and criticals a thread")
    print(f"  the program counted {sums[0]} and {sums[1]}, ", end="")
    print(f"the profile {counts['atomic']} and {counts['critical']}; memory grew by {sums[2]} KiB")
    if [counts["atomic"], counts["critical"]] != [int(sums[0]), int(sums[1])]:
        raise SystemExit("benchmark: the counts differ")


def _built(compiler: str, folder: str, stem: str, name: str) -> str:
    program = os.path.join(folder, f"{stem}-{name}")
    commands = {"profile": [POMP, "--"], "ompt": [POMP, "--pomp-barriers=ompt", "--"]}
    prefix = commands.get(name, [])
    command = [*prefix, compiler, "-fopenmp", "-O2", str(HERE / f"{stem}.c"), "-o", program]
    subprocess.run(command, check=True)
    return program
