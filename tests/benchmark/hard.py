"""How the cost of a compile grows with a unit that is hard in one way.

Each family of `hard_units` is compiled at three sizes, n, 2n and 4n, plainly and behind
pomp-clang, by the whole command that a user types. A growth exponent is the logarithm to the
base 2 of what the last doubling multiplied: 1 is linear. The cost of pomp-clang must not grow
faster than the compile itself, or than the unit.
"""

from __future__ import annotations

import math
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.benchmark.hard_units import FAMILIES, Family
from tests.benchmark.timing import POMP, children_cpu

LONGEST = 300
"""Seconds of CPU time after which a process of a compile is given up."""
START = 0.3
"""Seconds below which the start of processes hides what grows."""


def hard(compiler: str, cplusplus: str, folder: str, selected: Sequence[str] = ()) -> None:
    """Print a row for each family, or for the wanted ones."""
    print(f"{compiler}: CPU seconds of a compile at n, 2n and 4n, plain and behind pomp-clang,")
    print("their ratio, and how the plain compile and what is added to it grow (1 is linear)")
    print(f"  {'':28} {'n':>6} {'plain':>22} {'ours':>25} {'ratio':>20}  growth: plain, added")
    for family in FAMILIES:
        takes = not family.only or compiler.startswith(family.only)
        if takes and (not selected or family.name in selected):
            _row(family, compiler, cplusplus, folder)


def is_family(name: str) -> bool:
    """Tell if a family of units has that name."""
    return any(family.name == name for family in FAMILIES)


def _row(family: Family, compiler: str, cplusplus: str, folder: str) -> None:
    plain, instrumented = [], []
    for size in (family.size, 2 * family.size, 4 * family.size):
        command = _written(family, size, compiler, cplusplus, folder)
        plain.append(cpu(command, folder))
        instrumented.append(
            cpu([POMP, "--pomp-cache=off", *family.pomp_options, "--", *command], folder)
        )
        if math.isinf(instrumented[-1]):
            break
    ratios = [b / a for a, b in zip(plain, instrumented, strict=True)]
    added = [b - a for a, b in zip(plain, instrumented, strict=True)]
    print(
        f"  {family.name:28} {family.size:6} {_figures(plain):>22} {_figures(instrumented):>25}"
        f" {_figures(ratios):>20}  {_growth(plain)}, {_growth(added)}",
        flush=True,
    )


def _written(family: Family, size: int, compiler: str, cplusplus: str, folder: str) -> list[str]:
    """Write the unit, and return the command that compiles it."""
    place = Path(folder, f"{family.name.replace(' ', '-')}-{size}")
    place.mkdir()
    files = family.make(size)
    for name, text in files.items():
        (place / name).write_text(text)
    unit = str(place / next(iter(files)))
    driver = cplusplus if unit.endswith(".cpp") else compiler
    deep = ["-fbracket-depth=4096"] if compiler.startswith("clang") else []
    return [driver, "-fopenmp", "-w", *deep, *family.flags, "-c", unit, "-o", unit + ".o"]


def cpu(command: Sequence[str], folder: str) -> float:
    """Return the CPU seconds of a command with its children; infinity if it takes too long."""
    before = children_cpu()
    limited = ["sh", "-c", f'ulimit -t {LONGEST} && exec "$@"', "sh", *command]
    result = subprocess.run(limited, cwd=folder, stderr=subprocess.PIPE, check=False)
    spent = children_cpu() - before
    if spent >= LONGEST:
        return math.inf
    if result.returncode:
        messages = result.stderr.decode(errors="replace")
        raise SystemExit(f"benchmark: {' '.join(command)}\n{messages}")
    return spent


def _figures(values: Sequence[float]) -> str:
    return " ".join("more" if math.isinf(value) else f"{value:.2f}" for value in values)


def _growth(values: Sequence[float]) -> str:
    before, last = [0.0, *values][-2:]
    if math.isinf(last):
        return "  more"
    if last < START or before <= 0:
        return "     -"
    return f"{math.log2(last / before):6.2f}"
