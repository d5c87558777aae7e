"""Check many random programs, one after the other.

    python -m tests.random_programs.fuzz --seed 1 --count 10000 --jobs 2

Language, compiler and flags of a program follow from its seed.  A program that fails without
instrumentation as well is set aside: it found a bug in a compiler or its OpenMP library.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, UNFIT, Case, complaints
from tests.random_programs.fortran.grammar import program as fortran_program
from tests.random_programs.fortran.program import FortranProgram
from tests.random_programs.grammar import program
from tests.random_programs.program import Program
from tests.random_programs.running import load

KINDS = (("c", "clang-19"), ("c++", "clang-19"), ("c", "gcc"), ("c++", "gcc"))
FORTRAN_KINDS = (("fortran", "gfortran"), ("fortran", "flang"))


def usable(kinds: tuple[tuple[str, str], ...] = KINDS) -> tuple[tuple[str, str], ...]:
    """Return the languages and compilers available here."""
    return tuple(k for k in kinds if links_openmp(COMPILERS[k[0]][k[1]]))


def any_program(seed: int, language: str, compiler: str, size: int) -> Program | FortranProgram:
    """Return the program of a seed in any language."""
    if language == "fortran":
        return fortran_program(seed, compiler, size)
    return program(seed, language, compiler, size)


def case(
    seed: int, kinds: tuple[tuple[str, str], ...], size: int, folder: Path, barriers: str
) -> Case:
    """Return the program of a seed, and its compiler."""
    language, compiler = kinds[seed % len(kinds)]
    program = any_program(seed, language, compiler, size)
    return Case(program, compiler, folder, barriers=barriers)


def checked(
    seed: int,
    kinds: tuple[tuple[str, str], ...],
    size: int,
    thorough: bool,
    keep: Path | None,
    barriers: str,
) -> tuple[int, int, list[str]]:
    """Return seed, number of constructs and complaints of one program; keep a program with
    complaints.
    """
    with tempfile.TemporaryDirectory(prefix="random-program-") as name:
        folder = Path(name)
        one = case(seed, kinds, size, folder, barriers)
        result = list(complaints(one, thorough))
        if result and keep is not None:
            kept = keep / str(seed)
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            settings = [f"{k}={v}" for k, v in one.environment.items()]
            (kept / "complaints.txt").write_text(
                "\n".join([f"{one.name} {' '.join(one.options)}", *settings, *result, ""])
            )
        return seed, len(one.program.placed()), [f"{one.name}: {text}" for text in result]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs.fuzz")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--size", type=int, default=60, help="nodes in a program, about")
    parser.add_argument("--thorough", action="store_true", help="build natively as well, and list")
    parser.add_argument("--barriers", choices=("arrival", "explicit", "ompt"), default="arrival")
    parser.add_argument("--keep", type=Path, help="a folder for the programs that failed")
    parser.add_argument(
        "--language",
        choices=("c", "fortran"),
        default="c",
        help="c: C and C++ (default: %(default)s)",
    )
    options = parser.parse_args()
    load()
    kinds = usable(FORTRAN_KINDS if options.language == "fortran" else KINDS)
    seeds = range(options.seed, options.seed + options.count)
    constructs = mismatches = unfit = 0
    began = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        pending = [
            pool.submit(
                checked, seed, kinds, options.size, options.thorough, options.keep, options.barriers
            )
            for seed in seeds
        ]
        for number, job in enumerate(pending, 1):
            seed, size, result = job.result()
            constructs += size
            is_unfit = any(UNFIT in text for text in result)
            unfit += is_unfit
            mismatches += bool(result) and not is_unfit
            if result:
                more = f" (and {len(result) - 1} more)" if len(result) > 1 else ""
                print(f"seed {seed}: {' '.join(result[0].split())[:300]}{more}", flush=True)
            if number % 100 == 0:
                spent = time.monotonic() - began
                print(
                    f"{number} programs, {mismatches} mismatches, {unfit} unfit, {spent:.0f} s",
                    flush=True,
                )
    print(
        f"{len(seeds) - unfit} programs, {constructs} constructs, {mismatches} mismatches, "
        f"{unfit} more that fail without instrumentation, "
        f"seeds {seeds[0]} to {seeds[-1]}, {', '.join(sorted({c for _, c in kinds}))}"
    )
    return bool(mismatches)


if __name__ == "__main__":
    sys.exit(main())
