"""Build a random program with and without instrumentation, run both, compare."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.experiment.reader import read
from pomp_clang.report.json_report import document
from pomp_clang.report.options import Options
from tests.random_programs.program import Program

COMPILERS = {
    "c": {"clang-19": "clang-19", "gcc": "gcc"},
    "c++": {"clang-19": "clang++-19", "gcc": "g++"},
}
FLAGS = ("-fopenmp", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")
COUNTS = ("execC", "sectC", "singleC")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program, or a compiler, left behind."""

    status: int
    stdout: str
    stderr: str


def _run(command: list[str], folder: Path, **environment: str) -> Ran:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    done = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=120
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def complaints(
    program: Program, compiler: str, folder: Path, flags: tuple[str, ...] = ()
) -> Iterator[str]:
    """What is wrong with a program and its instrumentation: nothing, if all is well."""
    source = folder / ("program.cpp" if program.language == "c++" else "program.c")
    source.write_text(program.text())
    name = COMPILERS[program.language][compiler]
    command = [name, *FLAGS, *flags, source.name, "-o"]
    native = _run([*command, "native"], folder)
    if native != Ran(0, "", ""):
        yield f"GENERATOR: the native build says\n{native.stderr}"
        return
    built = _run(["pomp-clang", "--pomp-strict", "--", *command, "measured"], folder)
    if built != Ran(0, "", ""):
        yield f"the instrumented build ends with {built.status} and says\n{built.stderr}"
        return
    environment = {
        "OMP_NUM_THREADS": str(program.settings.threads),
        "OMP_DYNAMIC": "false",
        "OMP_WAIT_POLICY": "passive",
    }
    plain = _run(["./native"], folder, **environment)
    ran = _run(["./measured"], folder, **environment, POMP_EXPERIMENT_DIR="run")
    if plain != ran:
        yield f"natively it does\n{plain}\ninstrumented it does\n{ran}"
    if (folder / "run").is_dir():
        yield from _regions(program, document(read(str(folder / "run")), Options())["regions"])
    else:
        yield "there is no experiment"
    yield from _listed(program, name, source.name, folder)


Row = tuple[str, ...]


def _regions(program: Program, regions: list[dict[str, object]]) -> Iterator[str]:
    """Every construct is reported, nothing else is, and all counts are exact."""
    counts = program.counts()
    expected: Counter[Row] = Counter()
    for placed in program.placed():
        if placed.instrumented:
            has = {"execC"}
            has |= {"sectC"} if placed.kind.endswith("sections") else set()
            has |= {"singleC"} if placed.kind == "single" else set()
            place = f"{placed.begin.line}:{placed.begin.column}-{placed.begin_last}"
            end = f"{placed.end_first}-{placed.end_last}"
            numbers = [f"{c}={counts[placed.key, c]}" for c in COUNTS if c in has]
            expected[placed.kind, place, end, *numbers] += 1
    found: Counter[Row] = Counter()
    for region in regions:
        place = f"{region['begin_line1']}:{region['begin_column']}-{region['begin_lineN']}"
        end = f"{region['end_line1']}-{region['end_lineN']}"
        total = region["sum"]
        assert isinstance(total, dict)
        numbers = [f"{c}={total[c]}" for c in COUNTS if c in total]
        found[str(region["kind"]), place, end, *numbers] += 1
    yield from _difference(expected, found, "reported")


def _listed(program: Program, compiler: str, source: str, folder: Path) -> Iterator[str]:
    """`pomp-clang list` has every construct, with its state."""
    command = ["pomp-clang", "list", source, "--format", "json", "--", compiler, "-fopenmp"]
    ran = _run(command, folder)
    if ran.status:
        yield f"list says\n{ran.stderr}"
        return
    states = {True: "instrumented", False: "noinstrument"}
    expected: Counter[Row] = Counter(
        (placed.kind, f"{placed.begin.line}:{placed.begin.column}", states[placed.instrumented])
        for placed in program.placed()
    )
    found: Counter[Row] = Counter()
    for entry in json.loads(ran.stdout)["constructs"]:
        releases = entry["kind"] == "lock" and "unset" in entry["name"]
        ends = entry["kind"] == "region" and "end" in entry["name"]
        if entry["kind"] == "section" or releases or ends or entry["state"] == "control":
            continue
        place = f"{entry['begin_line1']}:{entry['begin_column']}"
        found[entry["kind"], place, entry["state"]] += 1
    yield from _difference(expected, found, "listed")


def _difference(expected: Counter[Row], found: Counter[Row], how: str) -> Iterator[str]:
    for row in sorted((expected - found).elements()):
        yield f"not {how}: {' '.join(row)}"
    for row in sorted((found - expected).elements()):
        yield f"{how} and not expected: {' '.join(row)}"
