"""What pomp-clang costs, as ratios taken in one run: `make bench`.

Every figure is a median over turns in which the plain and the instrumented command
run one after the other, so that a machine that changes its speed changes both.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
POMP = shutil.which("pomp-clang")


def wall(command: Sequence[str]) -> float:
    """Seconds of one run of a command."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def pair(plain: Sequence[str], ours: Sequence[str], turns: int) -> tuple[float, float]:
    """Median seconds of two commands run in turn, after one turn that does not count."""
    times = [(wall(plain), wall(ours)) for _ in range(turns + 1)][1:]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def compile_row(name: str, command: list[str], turns: int) -> None:
    show(name, *pair(command, [str(POMP), "--", *command], turns))


def link_row(name: str, compiler: str, source: str, folder: str) -> None:
    """The link of a plain object beside that of an instrumented one."""
    commands = []
    for number, prefix in enumerate(([], [str(POMP), "--"])):
        made = os.path.join(folder, f"link-{number}.o")
        whole = [*prefix, compiler, "-fopenmp", "-O2", "-c", source, "-o", made]
        subprocess.run(whole, check=True)
        commands.append([*prefix, compiler, "-fopenmp", made, "-lm", "-o", made + ".out"])
    show(name, *pair(commands[0], commands[1], 15))


def show(name: str, plain: float, ours: float) -> None:
    print(
        f"  {name:44} {plain * 1e3:8.1f} ms {ours * 1e3:8.1f} ms"
        f"  x{ours / plain:5.2f}  +{(ours - plain) * 1e3:6.1f} ms"
    )


def compiling(compiler: str, cplusplus: str, folder: str) -> None:
    print(f"{compiler}: compile times, plain and behind pomp-clang (median of 15)")
    stommel, heavy = str(EXAMPLES / "stommel.c"), str(HERE / "heavy.cpp")
    empty = os.path.join(folder, "empty.c")
    Path(empty).write_text("int x;\n")
    out = os.path.join(folder, "out.o")
    compile_row("query: --version", [compiler, "--version"], 15)
    compile_row("pass-through: C without -fopenmp", [compiler, "-c", empty, "-o", out], 15)
    compile_row(
        "-fopenmp, nothing to instrument", [compiler, "-fopenmp", "-c", empty, "-o", out], 15
    )
    compile_row(
        "OpenMP C file: stommel.c -O2", [compiler, "-fopenmp", "-O2", "-c", stommel, "-o", out], 15
    )
    compile_row(
        "header-heavy C++ file: heavy.cpp -O2",
        [cplusplus, "-fopenmp", "-O2", "-c", heavy, "-o", out],
        15,
    )
    link_row("link: C", compiler, stommel, folder)
    link_row("link: C++", cplusplus, heavy, folder)


def events(compiler: str, folder: str) -> None:
    """Cost of an event pair over the bare program, beside the null library."""
    source = str(HERE / "events.c")
    programs = {}
    for name, prefix in (
        ("bare", []),
        ("null", [str(POMP), "--pomp-library=null", "--"]),
        ("profile", [str(POMP), "--"]),
    ):
        programs[name] = os.path.join(folder, f"events-{name}")
        command = [compiler, "-fopenmp", "-O2", "-Wno-unknown-pragmas", source, "-o"]
        subprocess.run([*prefix, *command, programs[name]], check=True)
    rows: dict[str, dict[str, list[float]]] = {}
    for turn in range(8):
        for name, program in programs.items():
            environment = os.environ | {
                "OMP_NUM_THREADS": "1",
                "POMP_EXPERIMENT_DIR": os.path.join(folder, f"exp-{name}-{turn}"),
            }
            done = subprocess.run(
                [program], env=environment, check=True, capture_output=True, text=True
            )
            for line in done.stdout.splitlines():
                construct, cost = line.split()
                rows.setdefault(construct, {}).setdefault(name, []).append(float(cost))
    print(f"{compiler}: nanoseconds a construct, one thread (parallel: 2), median of 8")
    print(f"  {'construct':10} {'bare':>9} {'null':>9} {'profile':>9}   profile - bare")
    for construct, runs in rows.items():
        bare, null, profile = (statistics.median(runs[n]) for n in ("bare", "null", "profile"))
        print(f"  {construct:10} {bare:9.1f} {null:9.1f} {profile:9.1f}   {profile - bare:9.1f}")


def python_start(folder: str) -> None:
    bare = [sys.executable, "-E", "-S", "-c", "pass"]
    with_site = [sys.executable, "-c", "pass"]
    first, second = pair(bare, with_site, 15)
    print(f"Python alone: {first * 1e3:.1f} ms with -E -S, {second * 1e3:.1f} ms as it is")


def main() -> int:
    if POMP is None:
        print("benchmark: pomp-clang is not on the path; run make bench", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        python_start(folder)
        for compiler, cplusplus in (("clang-19", "clang++-19"), ("gcc", "g++")):
            if shutil.which(compiler) is None:
                print(f"SKIPPED: {compiler} is not here")
                continue
            compiling(compiler, cplusplus, folder)
            events(compiler, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
