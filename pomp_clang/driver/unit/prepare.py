"""The units of a command, ready for libclang, with the preprocessing of the first begun.

The compile's modules are imported after this one has run, while the preprocessor works.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import BuildContext, CompilerCommand
from pomp_clang.driver.command.settings import BuildSettings, is_pomp2
from pomp_clang.driver.compiler.identify import Toolchain, identify
from pomp_clang.driver.runtime.link import runtime_folder
from pomp_clang.driver.unit.sources import CandidateSource, is_fortran
from pomp_clang.driver.unit.translation_unit import MeasuredAs, translation_unit
from pomp_clang.frontend.c.preprocess import begin
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.record import record

UNTOUCHED = "compiled untouched"
NO_RUNTIME = "there is no runtime library for this target"


# With these the calls have no guard: the variable does not exist on an offload target, and a guard
# would change line counts and profiles.
# fmt: off
CALLED_WITH = (
    "-foffload", "-fopenmp-targets", "--offload", "-fprofile-", "-fauto-profile", "--coverage",
    "-coverage", "-ftest-coverage", "-fbranch-probabilities",
)
# fmt: on


def guard_symbol(command: CompilerCommand, settings: BuildSettings) -> str:
    """Return the symbol of the thread's variable that is tested before a call, or ""."""
    if settings.inline == "off" or settings.library not in ("profile", "null"):
        return ""
    if any(arg.startswith(CALLED_WITH) or _checks_all_accesses(arg) for arg in command.args):
        return ""
    try:
        with open(os.path.join(runtime_folder("inline"), "thread"), encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _checks_all_accesses(arg: str) -> bool:
    """Return True for a sanitizer that checks each access by a call: a guard would save nothing."""
    return arg.startswith("-fsanitize=") and "thread" in arg


@record
class PreparedUnit:
    """A source that may hold OpenMP, the unit that libclang parses, and its compiler."""

    source: CandidateSource
    unit: Unit
    toolchain: Toolchain


def prepare(
    context: BuildContext, sources: Sequence[CandidateSource]
) -> tuple[list[PreparedUnit], list[Note]]:
    """Return the units to parse, and notes on the sources that stay untouched.

    Raises DriverError when the compiler cannot be run.
    """
    units: list[PreparedUnit] = []
    notes: list[Note] = []
    for source in sources:
        prepared = _prepared(context, source)
        if isinstance(prepared, Note):
            notes.append(prepared)
        elif prepared is not None:
            units.append(prepared)
    first = next((item.unit for item in units if item.unit.language != "fortran"), None)
    if first is not None:
        begin(first)
    return units, notes


def _prepared(context: BuildContext, source: CandidateSource) -> PreparedUnit | Note | None:
    """Return a source's unit, or a note if it stays untouched; None if it has no OpenMP.

    Raises DriverError when the compiler cannot be run.
    """
    command, path = context.command, source.input.path
    if command.coverage:
        why = f"{command.coverage} would count instrumented code; build without it to measure"
        return untouched(path, why, "coverage")
    if context.line.foreign:
        return _of_another(command, source)
    if command.replaces_a_source:
        # gcc refuses this; it would not know the source behind our copy of it.
        return untouched(path, "an output takes a source's place; name another with -o", "output")
    fortran = is_fortran(source.input.language)
    why = _unsupported_fortran(command, path) if fortran else ""
    if why:
        return untouched(path, why, "language")
    try:
        if fortran:
            return prepare_fortran(context, source)
        toolchain = identify(command, source.input.language)
    except DriverError as error:
        if error.status in (126, 127):
            raise
        # Another compiler may lack gcc's options. Objects may be another compiler's, and need the runtime.
        context.line.foreign = len(command.sources) == len(command.inputs)
        return untouched(path, error.message, "compiler")
    if toolchain.is_foreign:
        context.line.foreign = True  # nothing is added to the command
        return untouched(path, NO_RUNTIME, "target")
    if not (toolchain.openmp or not command.openmp):
        return None
    measured = _measured_as(context, toolchain)
    unit = translation_unit(command, toolchain, source, measured)
    return PreparedUnit(source, unit, toolchain)


def _of_another(command: CompilerCommand, source: CandidateSource) -> Note:
    """Return the note on a source of a compiler for another target, or of another kind."""
    try:
        if not is_fortran(source.input.language):
            identify(command, source.input.language)
    except DriverError as error:
        return untouched(source.input.path, error.message, "compiler")
    return untouched(source.input.path, NO_RUNTIME, "target")


def prepare_fortran(context: BuildContext, source: CandidateSource) -> PreparedUnit:
    """Return a Fortran source's unit.  Raises DriverError if the compiler fails on it."""
    from pomp_clang.driver.compiler.identify import identify_fortran
    from pomp_clang.driver.unit.fortran_unit import fortran_unit

    toolchain = identify_fortran(context.command.words)
    measured = MeasuredAs(
        context.settings.barriers,
        context.functions,
        directives=context.command.openmp,
        pomp2=is_pomp2(context.settings),
    )
    return PreparedUnit(
        source, fortran_unit(context.command, toolchain, source, measured), toolchain
    )


def _unsupported_fortran(command: CompilerCommand, path: str) -> str:
    """Return why a Fortran source cannot be instrumented in a command of this kind, or ""."""
    if path == "-":
        return "a Fortran source has to be a file"
    return ""


def _measured_as(context: BuildContext, toolchain: Toolchain) -> MeasuredAs:
    """Return how the events of a unit are made: guarded calls, unless clang inlines them."""
    command, settings = context.command, context.settings
    inlines = toolchain.family == "clang" and command.optimises
    thread = ""
    if not inlines or any(arg.startswith("-fsanitize=") for arg in command.args):
        thread = guard_symbol(command, settings)
    empty = bool(thread) and settings.library == "null"
    iterations = bool(settings.filter)
    return MeasuredAs(
        settings.barriers,
        context.functions,
        thread,
        empty,
        command.openmp,
        iterations,
        pomp2=is_pomp2(settings),
        each_inclusion=settings.included == "each",
    )


def untouched(path: str, why: str, reason: str) -> Note:
    """Return the note on a source that is compiled as it stands."""
    return Note(path, 1, f"{UNTOUCHED}: {why}", reason)
