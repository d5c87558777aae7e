"""Compile and run Fortran corpora natively, behind pomp-clang, and behind OPARI2.

usage: fortran_builds.py NAME=FOLDER ... [--compiler gfortran] [--option=WORD ...] [--together]

A unit is a file with a sentinel that the compiler accepts. Files that need the modules of others
(--together) are tried again in the next round, and programs are then linked with all other objects
of the folder. Options may stand in a file: @FILE has one word a line.

A row of the table is a folder with a compiler. It counts files with a sentinel, units, and the
units that compile behind pomp-clang with the same messages. It counts programs that run natively,
those whose native runs differ, and those that run alike. Constructs are those in the source,
instrumented, listed without events, and unmentioned: neither listed nor named in a warning. The
last columns are OPARI2's: units that compile, constructs seen, and units with other constructs. A
line for each unit that falls short follows.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.benchmark.fortran_program_runs import ProgramResult, archive, run_program
from tests.benchmark.fortran_unit_builds import (
    SENTINEL,
    SUFFIXES,
    FortranBuild,
    UnitResult,
    build_unit,
    compile_natively,
    has_main,
)
from tests.random_programs.running import Ran, load, pomp_clang_here

COLUMNS = (
    "files", "units", "compile", "programs", "vary", "alike",
    "constructs", "instrumented", "without", "unmentioned", "opari2", "opari2 sees", "differ",
)  # fmt: skip


def main() -> int:
    given = _parser().parse_args()
    load()
    opari2 = shutil.which("opari2") is not None
    if not opari2:
        print("SKIPPED: opari2 is not here")
    print(f"{'corpus':20} {'compiler':14}", *(f"{name:>12}" for name in COLUMNS))
    short = 0
    for corpus in given.corpora:
        name, _, folder = corpus.rpartition("=")
        for compiler in given.compiler or ["gfortran"]:
            with tempfile.TemporaryDirectory() as scratch:
                options = tuple(given.option)
                build = FortranBuild(
                    compiler, options, Path(scratch), given.together, given.seconds
                )
                short += _corpus(name or folder, Path(folder), build, given, opari2)
    return 1 if short else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], fromfile_prefix_chars="@"
    )
    parser.add_argument("corpora", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--compiler", action="append", help="default: gfortran")
    parser.add_argument("--option", action="append", default=[], help="of the compiler")
    parser.add_argument("--together", action="store_true", help="the files use one another")
    parser.add_argument("--also", action="append", default=[], type=Path, help="an object to link")
    parser.add_argument("--data", action="append", default=[], type=Path, help="a file to run with")
    parser.add_argument("--argument", action="append", default=[], help="of the programs")
    parser.add_argument("--without", action="append", default=[], help="part of a path left out")
    parser.add_argument("--differences", action="store_true", help="name differences to OPARI2")
    parser.add_argument("--no-run", action="store_true", help="compile only")
    parser.add_argument("--every", type=int, default=1, help="take every Nth file")
    parser.add_argument("--seconds", type=float, default=20, help="limit of each command")
    parser.add_argument("--processes", type=int, default=2)
    return parser


def _corpus(
    name: str, folder: Path, build: FortranBuild, given: argparse.Namespace, opari2: bool
) -> int:
    """Print the row of one folder and compiler, and return how many units fall short."""
    files = [path.resolve() for path in sorted(folder.rglob("*")) if SUFFIXES.search(path.name)]
    files = [path for path in files if path.is_file() and not _left_out(path, given.without)]
    files = files[:: given.every]
    with ProcessPoolExecutor(given.processes) as pool:
        accepted = _accepted(pool.map, build, files)
        units = [path for path in files if SENTINEL.search(path.read_bytes())]
        taken = [path for path in units if path in accepted]
        if build.together:
            # The modules of the units are written where those of all other files are.
            shutil.copytree(build.scratch / "native", build.scratch / "instrumented")
            for path in (path for path in files if path in accepted and path not in taken):
                pomp_clang_here(["--", *build.words("instrumented", path)], build.scratch)
        results = _units(pool.map, build, taken, accepted, opari2)
        programs = _programs(pool.map, build, results, files, given)
    _print(name, build, len(units), results, programs, given.differences)
    failed = sum(bool(result.failures) for result in results)
    return failed + sum(bool(program.failure) for program in programs)


def _left_out(path: Path, parts: Sequence[str]) -> bool:
    return any(part in str(path) for part in parts)


def _accepted(
    mapped: Callable[..., object], build: FortranBuild, files: Sequence[Path]
) -> dict[Path, Ran]:
    """Return the native compiles that succeed, after as many rounds as modules need."""
    accepted: dict[Path, Ran] = {}
    left = list(files)
    while left:
        outcomes = list(mapped(partial(compile_natively, build), left))  # type: ignore[call-overload]
        more = {path: done for path, done in zip(left, outcomes, strict=True) if done.status == 0}
        accepted |= more
        left = [path for path in left if path not in more]
        if not more or not build.together:
            break
    return accepted


def _units(
    mapped: Callable[..., object],
    build: FortranBuild,
    units: Sequence[Path],
    accepted: dict[Path, Ran],
    opari2: bool,
) -> list[UnitResult]:
    work = partial(build_unit, build, opari2=opari2)
    return list(mapped(work, units, [accepted[path] for path in units]))  # type: ignore[call-overload]


def _programs(
    mapped: Callable[..., object],
    build: FortranBuild,
    results: Sequence[UnitResult],
    files: Sequence[Path],
    given: argparse.Namespace,
) -> list[ProgramResult]:
    if given.no_run:
        return []
    mains = {path for path in files if has_main(build, "native", path)}
    if build.together:
        parts = [path for path in files if path not in mains]
        for way in ("native", "instrumented"):
            archive(build, way, parts, given.also)
    compiled = {result.path for result in results if result.compiles}
    taken = [path for path in files if path in mains and (path in compiled or build.together)]
    work = partial(run_program, build, arguments=given.argument, data=given.data)
    return [program for program in mapped(work, taken) if program.runs]  # type: ignore[attr-defined]


def _print(
    name: str,
    build: FortranBuild,
    files: int,
    results: Sequence[UnitResult],
    programs: Sequence[ProgramResult],
    differences: bool,
) -> None:
    figures = (
        files,
        len(results),
        sum(result.compiles for result in results),
        len(programs),
        sum(program.varies for program in programs),
        sum(not program.failure for program in programs),
        sum(result.source for result in results),
        sum(result.instrumented for result in results),
        sum(result.without_events for result in results),
        sum(result.unmentioned for result in results),
        sum(result.opari2 is not None for result in results),
        sum(result.opari2 or 0 for result in results),
        sum(bool(result.remark) for result in results),
    )
    print(f"{name:20} {build.compiler:14}", *(f"{figure:12}" for figure in figures))
    for result in results:
        for failure in result.failures:
            print(f"  {result.path}: {failure}")
        if result.remark and differences:
            print(f"  {result.path}: {result.remark}")
    for program in programs:
        if program.failure:
            print(f"  {program.path}: {program.failure}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
