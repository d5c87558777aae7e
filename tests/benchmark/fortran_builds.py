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
line for each unit and program that falls short follows, natively or instrumented.
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
    first_error,
    has_main,
)
from tests.random_programs.running import RandomRun, load, pomp_clang_here

COLUMNS = (
    "files", "units", "compile", "programs", "vary", "alike",
    "constructs", "instrumented", "without", "unmentioned", "opari2", "opari2 sees", "differ",
)  # fmt: skip


def main() -> int:
    arguments = _parser().parse_args()
    load()
    opari2 = shutil.which("opari2") is not None and not arguments.no_opari2
    if not opari2:
        print("SKIPPED: opari2")
    print(f"{'corpus':20} {'compiler':14}", *(f"{name:>12}" for name in COLUMNS))
    short = 0
    for corpus in arguments.corpora:
        name, _, folder = corpus.rpartition("=")
        for compiler in arguments.compiler or ["gfortran"]:
            with tempfile.TemporaryDirectory() as scratch:
                options = tuple(arguments.option)
                build = FortranBuild(
                    compiler, options, Path(scratch), arguments.together, arguments.seconds
                )
                short += _corpus(name or folder, Path(folder), build, arguments, opari2)
    return 1 if short else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], fromfile_prefix_chars="@"
    )
    parser.add_argument("corpora", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--compiler", action="append", help="default: gfortran")
    parser.add_argument("--option", action="append", default=[], help="of the compiler")
    parser.add_argument("--together", action="store_true", help="the files use one another")
    parser.add_argument("--also", action="append", default=[], type=_path, help="an object to link")
    parser.add_argument(
        "--data", action="append", default=[], type=_path, help="a file to run with"
    )
    parser.add_argument("--argument", action="append", default=[], help="of the programs")
    parser.add_argument("--without", action="append", default=[], help="part of a path left out")
    parser.add_argument("--differences", action="store_true", help="name differences to OPARI2")
    parser.add_argument("--refused", action="store_true", help="name files refused natively")
    parser.add_argument("--no-run", action="store_true", help="compile only")
    parser.add_argument("--no-opari2", action="store_true", help="leave OPARI2 out")
    parser.add_argument("--every", type=int, default=1, help="take every Nth file")
    parser.add_argument("--seconds", type=float, default=20, help="limit of each command")
    parser.add_argument("--processes", type=int, default=2)
    return parser


def _path(word: str) -> Path:
    return Path(word).resolve(strict=True)


def _corpus(
    name: str, folder: Path, build: FortranBuild, arguments: argparse.Namespace, opari2: bool
) -> int:
    """Print the row of one folder and compiler, and return how many units fall short."""
    files = [path.resolve() for path in sorted(folder.rglob("*")) if SUFFIXES.search(path.name)]
    files = [path for path in files if path.is_file() and not _left_out(path, arguments.without)]
    files = files[:: arguments.every]
    with ProcessPoolExecutor(arguments.processes) as pool:
        accepted, refused = _accepted(pool.map, build, files)
        units = [path for path in files if SENTINEL.search(path.read_bytes())]
        linked = [path for path in units if path in accepted]
        if build.together:
            # The modules of the units are written where those of all other files are.
            shutil.copytree(build.scratch / "native", build.scratch / "instrumented")
            for path in (path for path in files if path in accepted and path not in linked):
                words = ["--", *build.words("instrumented", path)]
                pomp_clang_here(words, build.scratch, build.seconds)
        results = _units(pool.map, build, linked, accepted, opari2)
        programs = _programs(pool.map, build, results, files, arguments)
    _print(name, build, len(units), results, programs, arguments.differences)
    for path, run_result in refused.items() if arguments.refused else ():
        print(f"  {path}: refused natively: {first_error(run_result.stderr)}")
    sys.stdout.flush()
    failed = sum(bool(result.failures) for result in results)
    return failed + sum(program.runs and bool(program.failure) for program in programs)


def _left_out(path: Path, parts: Sequence[str]) -> bool:
    return any(part in str(path) for part in parts)


def _accepted(
    mapped: Callable[..., object], build: FortranBuild, files: Sequence[Path]
) -> tuple[dict[Path, RandomRun], dict[Path, RandomRun]]:
    """Return the native compiles that succeed, after as many rounds as modules need, and others."""
    accepted: dict[Path, RandomRun] = {}
    refused: dict[Path, RandomRun] = dict.fromkeys(files, RandomRun(0, "", ""))
    more = True
    while refused and more:
        outcomes = mapped(partial(compile_natively, build), refused)
        done = dict(zip(refused, outcomes, strict=True))  # type: ignore[call-overload]
        passed = {path: ran for path, ran in done.items() if ran.status == 0}
        accepted |= passed
        refused = {path: ran for path, ran in done.items() if ran.status}
        more = bool(passed) and build.together
    return accepted, refused


def _units(
    mapped: Callable[..., object],
    build: FortranBuild,
    units: Sequence[Path],
    accepted: dict[Path, RandomRun],
    opari2: bool,
) -> list[UnitResult]:
    work = partial(build_unit, build, opari2=opari2)
    return list(mapped(work, units, [accepted[path] for path in units]))  # type: ignore[call-overload]


def _programs(
    mapped: Callable[..., object],
    build: FortranBuild,
    results: Sequence[UnitResult],
    files: Sequence[Path],
    arguments: argparse.Namespace,
) -> list[ProgramResult]:
    if arguments.no_run:
        return []
    mains = {path for path in files if has_main(build, "native", path)}
    if build.together:
        parts = [path for path in files if path not in mains]
        for way in ("native", "instrumented"):
            archive(build, way, parts, arguments.also)
    compiled = {result.path for result in results if result.compiles}
    linked = [path for path in files if path in mains and (path in compiled or build.together)]
    work = partial(run_program, build, arguments=arguments.argument, data=arguments.data)
    return list(mapped(work, linked))  # type: ignore[call-overload]


def _print(
    name: str,
    build: FortranBuild,
    files: int,
    results: Sequence[UnitResult],
    programs: Sequence[ProgramResult],
    differences: bool,
) -> None:
    ran = [program for program in programs if program.runs]
    figures = (
        files,
        len(results),
        sum(result.compiles for result in results),
        len(ran),
        sum(program.varies for program in ran),
        sum(not program.failure for program in ran),
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
            print(f"  {result.path}: {_one_line(failure)}")
        if result.remark and differences:
            print(f"  {result.path}: {result.remark}")
    for program in programs:
        if program.failure:
            print(f"  {program.path}: {_one_line(program.failure)}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
