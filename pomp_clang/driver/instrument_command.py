"""A compiler command whose sources may be instrumented.

A cheap look at the sources comes first. The modules that instrument and compile
are imported only if that look finds something.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.compiler_command import (
    BuildContext,
    CompilerCommand,
    Input,
    from_line,
)
from pomp_clang.driver.command.options import DEPENDENCY, LANGUAGE, LINK, MODE, OUTPUT, QUERY
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compile.print_notes import print_notes
from pomp_clang.driver.process.programs import become
from pomp_clang.driver.runtime.link import added_options, native_command
from pomp_clang.driver.unit.sources import candidate_sources, is_fortran

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pomp_clang.driver.process.time_budget import TimeBudget
    from pomp_clang.driver.unit.sources import CandidateSource

_STAGES = frozenset((MODE, OUTPUT, DEPENDENCY, LANGUAGE, LINK, QUERY))
_NAMES = frozenset((
    "-MG", "-MP", "-MV", "-MT", "-MQ", "-MJ", "-v", "-Wp,", "-Xpreprocessor", "-l", "-save-temps",
    "-save-temps=", "-Xassembler", "--for-assembler",
))  # fmt: skip
_MODULES = frozenset(("-J", "-module-dir"))


def run(line: CommandLine, settings: BuildSettings) -> int | list[str]:
    """Return the exit status, or the command of the compiler if no text is replaced.

    Becomes the compiler if no source can hold OpenMP.

    Raises DriverError when the compiler cannot be run.
    """
    functions = _may_measure_functions(settings)
    if not (line.openmp or functions):
        return become(native_command(line, settings))
    command = from_line(line)
    stdin = _keep_stdin() if command.reads_stdin else None
    context = BuildContext(line, command, settings, stdin, functions)
    sources, notes = candidate_sources(context)
    if print_notes(notes if line.openmp else [], settings):
        return 1
    if not sources:
        return become(native_command(line, settings))
    from pomp_clang.driver.process.signals import end_like, guard
    from pomp_clang.driver.unit.prepare import prepare
    from pomp_clang.frontend.c.preprocess import end

    with guard.ending(end):
        budget = _watch(context, sources)
        try:
            units, unreadable = prepare(context, sources)
            # Imported while libclang loads and the preprocessor runs.
            from pomp_clang.driver.compile.build import build

            result = build(context, units, unreadable)
        finally:
            if budget is not None:
                budget.end()
    if isinstance(result, int):
        return end_like(result)
    guard.clean_up()  # the caller becomes the compiler, in which nothing of this process runs
    return result


def _watch(context: BuildContext, sources: Sequence[CandidateSource]) -> TimeBudget | None:
    """Begin to watch the time of a compile; None without a limit."""
    from pomp_clang.driver.process.time_budget import DEFAULT, TimeBudget, parse_budget

    settings, command = context.settings, context.command
    limit = parse_budget(settings.budget) if settings.budget else DEFAULT
    if not limit[0] or command.reads_stdin:
        return None

    def plain(folder: str) -> list[list[str]]:
        return [_plain_compile(context, source.input, folder) for source in sources]

    def give_up(why: str) -> list[str]:
        from pomp_clang.driver.unit.prepare import untouched

        _remove_unfinished(command)
        paths = [os.path.join(command.directory, source.input.path) for source in sources]
        failed = print_notes([untouched(path, why, "budget") for path in paths], settings)
        return [] if failed else native_command(context.line, settings)

    return TimeBudget(limit, plain, give_up)


def _remove_unfinished(command: CompilerCommand) -> None:
    """Remove what clang leaves beside an output if it is ended as it makes the file."""
    import glob

    for path in command.output_files:
        base, suffix = os.path.splitext(path)
        for name in glob.glob(f"{glob.escape(base)}-{'[0-9a-f]' * 8}{glob.escape(suffix)}.tmp"):
            with suppress(OSError):
                os.unlink(name)


def _may_measure_functions(settings: BuildSettings) -> bool:
    if settings.functions == "none" and not settings.filter:
        return False
    from pomp_clang.driver.unit.option_mapping import may_measure_functions

    return may_measure_functions(settings)


def _keep_stdin() -> bytes:
    """Read standard input and rewind it for the compiler."""
    data = sys.stdin.buffer.read()
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        os.dup2(file.fileno(), 0)
        os.lseek(0, 0, os.SEEK_SET)
    return data


def _plain_compile(context: BuildContext, source: Input, folder: str) -> list[str]:
    """Return the command that compiles a source as it stands, to measure its time.

    Nothing of it reaches the user's files: all is written into `folder`, with the modules of
    Fortran. A module that an earlier source of the command writes there is found there.
    """
    command = context.command
    options, _ = added_options(context.line, context.settings)
    output = os.path.join(folder, "plain.o")
    fortran = is_fortran(source.language)
    words = command.without(_STAGES, _NAMES | _MODULES if fortran else _NAMES)
    words = [word for word in words if not word.startswith("-Wa,")]  # may write a listing
    if fortran:
        modules = [f"-I{value}" for _, _, name, value, _ in command.options if name in _MODULES]
        options += ["-J", folder, *modules]
    stage = ["-x", source.language, "-c", "-o", output]
    return [*command.words, *words, *options, *stage, source.path]
