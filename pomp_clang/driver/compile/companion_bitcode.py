"""Companions that a clang compiles: as bitcode within flang's object, or with inlined events.

flang takes bitcode of a clang of its own version into the object, as clang does with that of the
events. An object for gfortran has the events' short way within its subroutines.
"""

from __future__ import annotations

import os

from pomp_clang.driver.command.compiler_command import CompilerCommand, parse
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.runtime.event_bitcode import CALLED_WITH, EventBitcode, event_bitcode
from pomp_clang.record import record, replace

_CLANGS = ("clang-19", "clang", "clang-18", "clang-17")
OPTIONS = ("-O2", "-fPIC", "-w")


@record
class CompanionClang:
    """The clang that compiles companions, and the bitcode that it inlines in them.

    `embeds` is True if the Fortran compiler takes a companion as bitcode into its object.
    """

    path: str
    events: EventBitcode
    embeds: bool = False


def companion_clang(
    command: CompilerCommand, toolchain: Toolchain, settings: BuildSettings, target: list[str]
) -> CompanionClang | None:
    """Return the clang for the companions of a command, or None if a C compiler makes them.

    `target` are the options that concern the target.
    """
    embeds = toolchain.family == "flang" and len(command.sources) == 1
    clang = _beside(command) if embeds else ""
    embeds = bool(clang)
    clang = clang or next(filter(which, _CLANGS), "")
    lto = any(arg.startswith("-flto") for arg in command.args)
    called = not command.optimises or any(arg.startswith(CALLED_WITH) for arg in command.args)
    if not clang or (not embeds and (called or lto)):
        return None
    compile = parse([clang, *target, *OPTIONS, "-c", "companion.c"])
    as_clang = replace(toolchain, family="clang")
    events = EventBitcode("", "") if called else event_bitcode(compile, as_clang, settings)
    if not embeds and not events.path:
        return None
    return CompanionClang(clang, events, embeds)


def _beside(command: CompilerCommand) -> str:
    """Return the clang of the installation that flang belongs to, or ""."""
    folder = os.path.dirname(os.path.realpath(which(command.words[-1]) or ""))
    clang = os.path.join(folder, "clang")
    return clang if os.access(clang, os.X_OK) else ""
