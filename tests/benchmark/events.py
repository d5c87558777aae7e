"""Measure the cost of an event with loops that hold one construct each, bare and measured in every
way, and compare other tools that do the same work.

The first column is a ratio: a pair of events over two bare readings of the clock, both in the same
run of the program.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.benchmark.timing import HERE, POMP, figures, medians, output

RUNS = 7
CONSTRUCTS = ("region", "master", "atomic", "critical", "parallel")
TURNS = (1000, 3000)


@dataclass(frozen=True)
class Way:
    """A program of the same source: what runs it, and with what."""

    name: str
    program: str
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    sees: tuple[str, ...] = CONSTRUCTS
    turns: tuple[int, int] = TURNS

    def figures(self, folder: str) -> dict[str, float]:
        output_ = output([self.program, *self.arguments], folder, **self.settings)
        return figures(output_)

    @property
    def settings(self) -> dict[str, str]:
        return {"OMP_NUM_THREADS": "1", **self.environment}

    def instructions(self, construct: str, folder: str) -> float | None:
        """Count the instructions of one turn of a loop, including the loop's own, by callgrind."""
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            return None
        first = self.arguments[0] if self.arguments else "count"
        counted = []
        for turns in self.turns:
            tool = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            command = [*tool, self.program, first, construct, str(turns)]
            environment = os.environ | self.settings
            environment["POMP_EXPERIMENT_DIR"] = f"{folder}/counted-{len(os.listdir(folder))}"
            result = subprocess.run(command, env=environment, capture_output=True, text=True)
            match = re.search(r"Collected : (\d+)", result.stderr)
            if match is None:
                return None
            counted.append(int(match[1]))
        return (counted[1] - counted[0]) / (self.turns[1] - self.turns[0])


def build(
    compiler: str, folder: str, name: str, *pomp_options: str, source: str = "events.c"
) -> str:
    """Build the program, plain or with pomp-clang and its options before the compiler."""
    program = os.path.join(folder, f"events-{name.replace(' ', '-')}")
    prefix = [POMP, *pomp_options, "--"] if pomp_options else []
    command = [*prefix, compiler, "-fopenmp", "-O2", "-Wno-unknown-pragmas"]
    subprocess.run([*command, str(HERE / source), "-o", program], check=True)
    return program


def ways(compiler: str, folder: str) -> list[Way]:
    """Print a row for each way, beside the bare program, which comes first."""

    def way_of(name: str, *pomp_options: str) -> Way:
        return Way(name, build(compiler, folder, name, *pomp_options))

    off, on = "--pomp-inline=off", "--pomp-inline=on"
    all_ways = [way_of("bare"), way_of("null, inlined", on, "--pomp-library=null")]
    usual = way_of("profile, inlined" if "clang" in compiler else "profile, guarded", on)
    all_ways.append(usual)
    all_ways.append(Way("off by environment", usual.program, (), {"POMP_PROFILE": "0"}))
    all_ways.append(Way("inst off", usual.program, ("off",)))
    called = way_of("profile, called", off)
    all_ways += [way_of("null, called", off, "--pomp-library=null"), called]
    all_ways.append(way_of("profile, static", off, "--pomp-runtime=static"))
    all_ways.append(Way("called, off by environment", called.program, (), {"POMP_PROFILE": "0"}))
    all_ways.append(Way("called, inst off", called.program, ("off",)))
    return all_ways


def events(compiler: str, folder: str, others: list[Way]) -> None:
    rows = [*ways(compiler, folder), *others]
    runs: dict[str, list[dict[str, float]]] = {way.name: [] for way in rows}
    for _ in range(RUNS):
        for way in rows:
            runs[way.name].append(way.figures(folder))
    medians_of = {name: medians(of) for name, of in runs.items()}
    bare, empty = medians_of["bare"], rows[0].instructions("region", folder)
    readings = bare["stamps"] - bare["bare"]
    print(
        f"{compiler}: events, one thread, median of {RUNS}; a region is a pair of them, a critical"
    )
    print(f"two, a parallel region three; two bare readings of the clock take {readings:.1f} ns")
    print(f"  {'':28} a region's pair:           nanoseconds over the bare program")
    print(f"  {'':28}   /readings  instructions" + "".join(f"{c:>10}" for c in CONSTRUCTS))
    for way in rows:
        way_medians, pair = medians_of[way.name], " " * 26
        if "region" in way.sees:
            between = way_medians.get("stamps", bare["stamps"]) - way_medians.get(
                "bare", bare["bare"]
            )
            pair = f"{(way_medians['region'] - bare['region']) / between:12.2f}"
            pair += _difference(way.instructions("region", folder), empty)
        over = (
            f"{way_medians[c] - bare[c]:10.1f}" if c in way.sees else f"{'-':>10}"
            for c in CONSTRUCTS
        )
        print(f"  {way.name:28}{pair}{''.join(over)}")


def _difference(counted: float | None, empty: float | None) -> str:
    return f"{'':14}" if counted is None or empty is None else f"{counted - empty:14.0f}"
