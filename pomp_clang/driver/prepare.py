"""The units of a command, ready for libclang, and the parse of the first of them begun.

Apart from what is done with them, so that all of that is imported while libclang parses.
"""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.driver.command import Command
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.glance import Glance
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.sources import Source
from pomp_clang.driver.toolchain import Toolchain, identify
from pomp_clang.driver.units import unit
from pomp_clang.frontend.preprocess import begin
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.record import record

UNTOUCHED = "compiled untouched"


@record
class Readable:
    """A source that may hold OpenMP, and the unit that libclang reads."""

    source: Source
    unit: Unit
    toolchain: Toolchain


def prepare(
    view: Glance,
    command: Command,
    found: Sequence[Source],
    settings: Settings,
    functions: bool = False,
) -> tuple[list[Readable], list[Note]]:
    """The units to read, and notes on the sources that there is none of; `functions` if
    those may be measured.

    Raises DriverError when the compiler cannot be run.
    """
    readable: list[Readable] = []
    notes: list[Note] = []
    for source in found:
        path = source.input.path
        if command.coverage:
            why = f"{command.coverage} would count instrumented code; build without it to measure"
            notes.append(untouched(path, why, "coverage"))
            continue
        if view.foreign:
            notes.append(untouched(path, "there is no runtime library for this target", "target"))
            continue
        try:
            toolchain = identify(command, source.input.language)
        except DriverError as error:
            if error.status in (126, 127):
                raise
            notes.append(untouched(path, error.message, "compiler"))
            continue
        if toolchain.openmp or not command.openmp:
            thread = _guarded_by(command, settings) if _calls(command, toolchain) else ""
            empty = bool(thread) and settings.library == "null"
            how = settings.barriers, functions, thread, empty, command.openmp
            one = unit(command, toolchain, source, *how)
            readable.append(Readable(source, one, toolchain))
    if readable:
        begin(readable[0].unit)
    return readable, notes


def _calls(command: Command, toolchain: Toolchain) -> bool:
    """Whether events are calls: driver/inline.py."""
    inlines = toolchain.family == "clang" and command.optimises
    return not inlines or any(arg.startswith("-fsanitize=") for arg in command.args)


def _guarded_by(command: Command, settings: Settings) -> str:
    from pomp_clang.driver.guarded import guarded_by  # seldom with clang

    return guarded_by(command, settings)


def untouched(path: str, why: str, reason: str) -> Note:
    """What is said of a source that is compiled as it stands."""
    return Note(path, 1, f"{UNTOUCHED}: {why}", reason)
