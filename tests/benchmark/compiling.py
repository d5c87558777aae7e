"""The cost of the compiler command: compile and link times, plain and behind pomp-clang.

A row has wall times, and then CPU times with the server's. The plain and the instrumented command
run one after the other, so that a machine that changes its speed changes both. "Unchanged" is a
compile whose rewriting is in the cache.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmark.timing import EXAMPLES, HERE, POMP, command_cpu, pair, wall

TURNS = 15
EARLY = 4
"""Sources of a build before those that are timed: the third one parses the headers for all others."""


def compile_row(name: str, command: list[str]) -> None:
    pomp_command = [POMP, "--", *command]
    times = [(wall(_new(command)), wall(_new(pomp_command))) for _ in range(TURNS + 1)][1:]
    show(name, *(statistics.median(column) for column in zip(*times, strict=True)))
    plain = mean_cpu(command, _new)
    show("  CPU time", plain, mean_cpu(pomp_command, _new))
    if "-fopenmp" in command:
        show("  CPU time, unchanged", plain, mean_cpu(pomp_command, list))


def _new(command: list[str]) -> list[str]:
    """Return the command with a macro, by which its source has not been compiled before."""
    return [*command, f"-DTURN={time.time_ns()}"] if "-c" in command else command


def mean_cpu(command: list[str], turned: Callable[[list[str]], list[str]]) -> float:
    """Return the mean CPU seconds of runs of a command: a single one is too short for a server's
    clock."""
    return statistics.mean(command_cpu(turned(command)) for _ in range(TURNS))


def build_row(name: str, compiler: str, source: str, folder: str) -> None:
    """Show the CPU time of compiles of new sources that begin with the same headers, later in a build."""
    text = Path(source).read_text()

    def times(prefix: list[str], kind: str) -> list[float]:
        copies = [Path(folder, f"{kind}-{number}{Path(source).suffix}") for number in range(TURNS)]
        command = [*prefix, compiler, "-fopenmp", "-O0", "-o", os.path.join(folder, "out.o"), "-c"]
        for copy in copies:
            copy.write_text(f"{text}// {copy.name} {time.time_ns()}\n")
        return [command_cpu([*command, str(copy)]) for copy in copies][EARLY:]

    plain, instrumented = times([], "plain"), times([POMP, "--"], "instrumented")
    show(name, statistics.mean(plain), statistics.mean(instrumented))


def link_row(name: str, compiler: str, source: str, folder: str) -> None:
    """Time linking a plain object and an instrumented one."""
    commands = []
    for number, prefix in enumerate(([], [POMP, "--"])):
        object_file = os.path.join(folder, f"link-{number}.o")
        command = [*prefix, compiler, "-fopenmp", "-O2", "-c", source, "-o", object_file]
        subprocess.run(command, check=True)
        commands.append(
            [*prefix, compiler, "-fopenmp", object_file, "-lm", "-o", object_file + ".out"]
        )
    show(name, *pair(commands[0], commands[1], TURNS))


def show(name: str, plain: float, instrumented: float) -> None:
    print(
        f"  {name:44} {plain * 1e3:8.1f} ms {instrumented * 1e3:8.1f} ms"
        f"  x{instrumented / plain:5.2f}  +{(instrumented - plain) * 1e3:6.1f} ms"
    )


def compiling(compiler: str, cplusplus: str, folder: str) -> None:
    print(f"{compiler}: compile times, plain and behind pomp-clang (median of {TURNS})")
    stommel, heavy = str(EXAMPLES / "stommel.c"), str(HERE / "heavy.cpp")
    empty = os.path.join(folder, "empty.c")
    Path(empty).write_text("int x;\n")
    out = os.path.join(folder, "out.o")
    compile_row("query: --version", [compiler, "--version"])
    compile_row("pass-through: C without -fopenmp", [compiler, "-c", empty, "-o", out])
    compile_row("-fopenmp, nothing to instrument", [compiler, "-fopenmp", "-c", empty, "-o", out])
    name = "OpenMP C file: stommel.c -O2"
    compile_row(name, [compiler, "-fopenmp", "-O2", "-c", stommel, "-o", out])
    name = "header-heavy C++ file: heavy.cpp -O2"
    compile_row(name, [cplusplus, "-fopenmp", "-O2", "-c", heavy, "-o", out])
    build_row("  CPU time at -O0, later in a build", cplusplus, heavy, folder)
    link_row("link: C", compiler, stommel, folder)
    link_row("link: C++", cplusplus, heavy, folder)


def python_start() -> None:
    bare = [sys.executable, "-E", "-S", "-c", "pass"]
    with_site = [sys.executable, "-c", "pass"]
    first, second = pair(bare, with_site, TURNS)
    print(f"Python alone: {first * 1e3:.1f} ms with -E -S, {second * 1e3:.1f} ms as it is")
