"""Check a project's sources one by one. Compare the directives found with the directives that the
compiler reads, and the CPU time of a compile through pomp-clang with a plain compile.

usage: corpus.py COMPILE_COMMANDS.json [--every N] [--match TEXT] [--no-compile] [--runs N]

The compiler is asked without the front end: its -E output is searched for directives outside of
system headers. `pomp-clang list` lists each of them or warns about it, or the row counts the
missing ones.  CPU times are of the whole command with its children, the least of the runs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.benchmark.timing import children_cpu

MARKER = re.compile(rb'# \d+ "((?:[^"\\]|\\.)*)"((?: \d)*)')
DIRECTIVE = re.compile(rb"\s*#\s*pragma\s+omp\s+(\w+)")
DECLARATIVE = {b"allocate", b"assumes", b"begin", b"declare", b"end", b"requires", b"threadprivate"}
ASIDE = {"value", "unused"}
"""Warnings about constructs that are listed as well."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("commands", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--match", default="")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--runs", type=int, default=1)
    arguments = parser.parse_args()
    units = [
        unit
        for unit in json.loads(arguments.commands.read_text())
        if of_ours(unit, arguments.match)
    ]
    ratios, differing, directives, files = [], 0, 0, 0
    for unit in units[:: arguments.every]:
        row = checked(unit, not arguments.no_compile, arguments.runs)
        if row is None:
            continue
        read, listed, named, missing, ratio = row
        files, directives = files + 1, directives + read
        # A header that is included more than once has as many directives as the compiler reads
        # each time, and is named once for each place.
        differs = read != listed + named and missing > 0
        differing += differs
        if ratio:
            ratios.append(ratio)
        ratio_text = f"{ratio:6.2f}" if ratio else "      "
        print(
            f"{read:6} {listed:6} {named:6} {ratio_text} {'DIFFERS ' if differs else ''}{unit['file']}"
        )
        sys.stdout.flush()
    print(f"{files} files with directives; {directives} directives; {differing} files differ")
    if ratios:
        worst = max(ratios)
        print(
            f"CPU, instrumented / plain: median {statistics.median(ratios):.2f}, worst {worst:.2f}"
        )
    return 1 if differing else 0


def of_ours(unit: dict[str, Any], match: str) -> bool:
    return "-fopenmp" in unit["command"] and match in unit["file"]


def checked(
    unit: dict[str, Any], compiles: bool, runs: int
) -> tuple[int, int, int, int, float | None] | None:
    """Return the numbers of directives that the compiler reads, that are listed, that have a
    warning and that are missing, and the ratio of CPU times; None where there are no directives or
    the compiler refuses the unit.
    """
    words = without_output(shlex.split(unit["command"]))
    place = {"cwd": unit["directory"], "capture_output": True, "check": False}
    preprocessed = subprocess.run([*words, "-E"], **place)
    if preprocessed.returncode:
        print(f"REFUSED {unit['file']}", file=sys.stderr)
        return None
    directives = read_by_compiler(preprocessed.stdout)
    if not directives:
        return None
    result = subprocess.run(
        ["pomp-clang", "list", unit["file"], "--format", "json", "--", *words], **place
    )
    listing = json.loads(result.stdout) if result.stdout else {"constructs": [], "notes": []}
    rows = listing["constructs"]
    listed = sum(row["kind"] not in ("lock", "region", "function") for row in rows)
    notes = {
        (note["file"], note["line"]) for note in listing["notes"] if note["reason"] not in ASIDE
    }
    rowed = {(row["file"], row["begin_line1"]) for row in rows}
    found_at = {(os.path.realpath(file), line) for file, line in notes | rowed}
    missing = len(places_of(preprocessed.stdout) - found_at)
    ratio = ratio_of(words, unit["directory"], runs) if compiles else None
    return directives, listed, len(notes - rowed), missing, ratio


def places_of(output: bytes) -> set[tuple[str, int]]:
    """Return the files and lines of the executable directives of an -E output."""
    places, file, line, system = set(), "", 0, False
    for text in output.split(b"\n"):
        marker = MARKER.match(text)
        if marker is not None:
            file, line = marker.group(1).decode(), int(text.split(b" ", 2)[1])
            system = b"3" in marker.group(2)
            continue
        directive = None if system else DIRECTIVE.match(text)
        if directive and directive.group(1) not in DECLARATIVE:
            places.add((os.path.realpath(file), line))
        line += 1
    return places


def read_by_compiler(output: bytes) -> int:
    """Return the executable directives of an -E output; for a header entered several times, those
    of the time with most."""
    stack, entered = [0], 0
    system = False
    each_time: Counter[tuple[bytes, int]] = Counter()
    names = {0: b""}
    for line in output.split(b"\n"):
        if line[:2] == b"# ":
            marker = MARKER.match(line)
            if marker is None:
                continue
            flags = marker.group(2)
            system = b"3" in flags
            if b"1" in flags:
                entered += 1
                stack.append(entered)
                names[entered] = marker.group(1)
            elif b"2" in flags and len(stack) > 1:
                stack.pop()
        elif not system and b"pragma" in line:
            directive = DIRECTIVE.match(line)
            if directive and directive.group(1) not in DECLARATIVE:
                each_time[names[stack[-1]], stack[-1]] += 1
    most: Counter[bytes] = Counter()
    for (name, _), count in each_time.items():
        most[name] = max(most[name], count)
    return sum(most.values())


def without_output(words: list[str]) -> list[str]:
    arguments, skip = [], False
    for word in words:
        if not skip and word not in ("-o", "-MF", "-MT", "-MQ", "-MD", "-MMD"):
            arguments.append(word)
        skip = word in ("-o", "-MF", "-MT", "-MQ")
    return arguments


def ratio_of(words: list[str], directory: str, runs: int) -> float | None:
    """Return the ratio of CPU times: the compile through pomp-clang over the plain one."""
    plain, instrumented = [], []
    for _ in range(runs):
        plain.append(cpu(words, directory))
        instrumented.append(cpu(["pomp-clang", "--pomp-cache=off", "--", *words], directory))
    return min(instrumented) / min(plain) if min(plain) > 0 else None


def cpu(words: list[str], directory: str) -> float:
    """Return the CPU time of a command and its children, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        before = children_cpu()
        subprocess.run(
            [*words, "-o", os.path.join(folder, "object.o")],
            cwd=directory,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return children_cpu() - before


if __name__ == "__main__":
    sys.exit(main())
