"""The unit of one source file that the user names."""

from __future__ import annotations

import os
import sys

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import CompilerCommand, parse
from pomp_clang.driver.command.options import language_of
from pomp_clang.driver.compiler.identify import identify
from pomp_clang.driver.compiler.installed import first_compiler
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.unit.sources import CandidateSource, is_fortran
from pomp_clang.driver.unit.translation_unit import MeasuredAs, translation_unit
from pomp_clang.frontend.unit import Unit


def unit_of(
    source: str,
    compiler_command: list[str],
    barriers: str = "arrival",
    functions: bool = False,
    iterations: bool = False,
    edited: bytes | None = None,
) -> Unit:
    """Return the unit of a source file, for `pomp-clang rewrite` and `list`.

    `edited` is its text in an editor. The command need not name the source. Without a command, it is the first compiler found,
    with -fopenmp.  Raises DriverError if the file cannot be read or is no C, C++ or Fortran, and
    if the compiler cannot be run.
    """
    argv = list(compiler_command) or _default_command(source)
    command = parse(argv)
    named = [item for item in command.inputs if _same(command, item.path, source)]
    if not named:
        command = parse([*command.words, *command.without(frozenset(), frozenset()), source])
        named = [item for item in command.inputs if item.path == source]
    fortran = bool(named) and is_fortran(named[0].language)
    if not named or (not fortran and named[0].language not in ("c", "c++")):
        raise DriverError(f"{source}: not a C, C++ or Fortran source file", 1)
    text = sys.stdin.buffer.read() if source == "-" else _read(source)
    text = text if edited is None else edited
    if fortran:
        from pomp_clang.driver.compiler.identify import identify_fortran
        from pomp_clang.driver.unit.fortran_unit import fortran_unit

        measured = MeasuredAs(barriers, functions, directives=command.openmp)
        candidate, toolchain = CandidateSource(named[0], text), identify_fortran(command.words)
        return fortran_unit(command, toolchain, candidate, measured, edited is not None)
    toolchain = identify(command, named[0].language)
    measured = MeasuredAs(barriers, functions, iterations=iterations)
    return translation_unit(command, toolchain, CandidateSource(named[0], text), measured)


def others_of(source: str, compiler_command: list[str]) -> list[str]:
    """Return the other sources that a command names."""
    if not compiler_command:
        return []
    command = parse(compiler_command)
    return [item.path for item in command.sources if not _same(command, item.path, source)]


def _same(command: CompilerCommand, path: str, source: str) -> bool:
    if path == source:
        return True
    try:
        return os.path.samefile(os.path.join(command.directory, path), source)
    except (OSError, ValueError):
        return False


def _read(source: str) -> bytes:
    try:
        with open(source, "rb") as file:
            return file.read()
    except OSError as error:
        raise DriverError(f"{source}: {error.strerror}", 1) from None


def _default_command(source: str) -> list[str]:
    if is_fortran(language_of(source, False)):
        return [next(filter(which, ("gfortran", "flang")), "gfortran"), "-fopenmp", "-c"]
    return [first_compiler(language_of(source, False) == "c++"), "-fopenmp", "-c"]
