"""The companion of a Fortran unit: an object with its events and descriptors.

The companion is made from C text. It becomes a part of the unit's own object, or of the program
that the command links. A clang of flang's version compiles it to bitcode, which flang takes into the
object. An object for gfortran has the events' short way within its
subroutines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import CompilerCommand, parse
from pomp_clang.driver.command.options import TARGET
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compile.rewrite_units import InstrumentedSource
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.process.run import query
from pomp_clang.driver.runtime.event_bitcode import CALLED_WITH, EventBitcode, event_bitcode
from pomp_clang.record import record, replace

_CLANGS = ("clang-19", "clang", "clang-18", "clang-17")
OPTIONS = ("-O2", "-fPIC", "-w")
_FAT = ("-ffat-lto-objects", "-fno-ipa-icf")
"""gcc 12 crashes in a link with -r on equal functions of fat objects."""


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


_STUB = re.compile(r"\bpq[0-9a-z]{5}\d+_{0,2}\b")
"""The names of the subroutines that a companion defines."""

_LOCAL = re.compile(r"\.L(\w+)")
_GLOBAL = re.compile(r"\s*\.(?:(?:globl|hidden)\s+pq|file\b|ident\b)")
"""Lines of an assembler text that make subroutines visible elsewhere, or name the source."""

_SUFFIXES = {"-c": ".o", "-S": ".s"}
"""The endings of what a command makes of a source."""

_ABOUT_TARGET = frozenset(("-m", "--sysroot", "-isysroot", "-B"))
_C_COMPILERS = ("gcc", "clang-19", "clang", "cc")


@record
class Companion:
    """A companion's object, and the unit's object that it becomes a part of, "" for a link.

    `stubs` are the names that only this unit's object may see. `options` make the compiler take
    the companion into the object itself; then there is nothing to merge.
    """

    path: str
    unit_object: str
    stubs: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def is_input(self) -> bool:
        """True if it is linked with the command's own inputs."""
        return not self.unit_object and not self.options


def compile_companion(
    command: CompilerCommand,
    item: InstrumentedSource,
    folder: str,
    family: str,
    clang: CompanionClang | None,
) -> Companion:
    """Compile a unit's companion into `folder`, with a clang if there is one for it.

    Raises DriverError if there is no C compiler, or if it fails.
    """
    source = os.path.join(folder, "companion.c")
    with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(item.instrumented.companion)
    stubs = tuple(sorted(set(_STUB.findall(item.instrumented.companion))))
    unit_object = _unit_object(command, item)
    stage = "-S" if command.mode == "-S" else "-c"
    if clang is not None:
        try:
            options = [*target_of(command), *OPTIONS]
            return _by_clang(clang, options, source, stage, unit_object, stubs)
        except DriverError:
            pass  # it may not know an option about the target
    path = os.path.join(folder, f"companion{_SUFFIXES[stage]}")
    # The companion of several sources of flang is no bitcode: LLVM's linker plugin reads no gcc's.
    lto = _lto(command) if family == "gcc" else []
    if lto and _is_fat(command):
        lto += _FAT
    options = [*target_of(command), *OPTIONS, *lto]
    _run([*_c_compiler(command, family), *options, "-x", "c", stage, source, "-o", path], folder)
    return Companion(path, unit_object, stubs)


def _by_clang(
    clang: CompanionClang,
    options: list[str],
    source: str,
    stage: str,
    unit_object: str,
    stubs: tuple[str, ...],
) -> Companion:
    """Compile a companion to bitcode that flang embeds, or to an object with inlined events."""
    folder, stem = os.path.dirname(source), os.path.splitext(source)[0]
    # gcc's assembler need not know clang's address significance tables.
    words = [clang.path, *options, "-fno-addrsig", "-x", "c", source]
    if not clang.embeds:
        path = stem + _SUFFIXES[stage]
        _run([*words, *clang.events.arguments, stage, "-o", path], folder)
        return Companion(path, unit_object, stubs)
    _run([*words, "-c", "-emit-llvm", "-o", f"{stem}.bc"], folder)
    bitcode = filter(None, (f"{stem}.bc", clang.events.path))
    embedded = [w for path in bitcode for w in ("-mlink-builtin-bitcode", path)]
    return Companion(
        "", unit_object, stubs, tuple(w for option in embedded for w in ("-Xflang", option))
    )


def _c_compiler(command: CompilerCommand, family: str) -> list[str]:
    """Return the compiler for C: gcc's programs compile C as well as Fortran."""
    if family == "gcc":
        return list(command.words)
    compiler = next(filter(which, _C_COMPILERS), "")
    if not compiler:
        raise DriverError("there is no C compiler for its descriptors; install gcc or clang")
    return [compiler]


def target_of(command: CompilerCommand) -> list[str]:
    """Return the options of a command that concern its target."""
    arguments: list[str] = []
    for index, width, name, _, role in command.options:
        if role == TARGET or name in _ABOUT_TARGET:
            arguments += command.args[index : index + width]
    return arguments


def _lto(command: CompilerCommand) -> list[str]:
    lto_options = [arg for arg in command.args if arg.startswith(("-flto", "-fno-lto"))]
    return lto_options[-1:] if lto_options and lto_options[-1] != "-fno-lto" else []


def _is_fat(command: CompilerCommand) -> bool:
    """Return True if objects for link-time optimization have machine code as well."""
    options = [arg for arg in command.args if arg.endswith("fat-lto-objects")]
    return options[-1:] == ["-ffat-lto-objects"]


def _unit_object(command: CompilerCommand, item: InstrumentedSource) -> str:
    """Return the object or assembler text that a command makes of a source, "" if it links."""
    if command.mode not in _SUFFIXES:
        return ""
    if command.output:
        return command.output
    return os.path.splitext(os.path.basename(item.path))[0] + _SUFFIXES[command.mode]


def merge(command: CompilerCommand, companions: Sequence[Companion], folder: str) -> None:
    """Make each companion a part of its unit's object.  Raises DriverError if that fails."""
    merged = os.path.join(folder, "merged.o")
    for companion in companions:
        if not companion.unit_object or companion.options:
            continue
        if command.mode == "-S":
            _append(companion)
            continue
        lto = _lto(command)
        if lto and not _is_fat(command):
            # The linker's plugin reads the names of such an object: they stay.
            linker = [
                "gcc",
                *target_of(command),
                *lto,
                "-r",
                "-nostdlib",
                "-flinker-output=rel",
                "-w",
            ]
            _run([*linker, companion.unit_object, companion.path, "-o", merged], folder)
        else:
            emulation = ["-m", "elf_i386"] if "-m32" in command.args else []
            _run(
                ["ld", "-r", *emulation, companion.unit_object, companion.path, "-o", merged],
                folder,
            )
            names = os.path.join(folder, "stubs")
            with open(names, "w", encoding="ascii") as file:
                file.write("\n".join(companion.stubs) + "\n")
            _run(["objcopy", f"--localize-symbols={names}", merged], folder)
        _replace(merged, companion.unit_object)


def _append(companion: Companion) -> None:
    """Append a companion's assembler text to that of its unit, with local names of its own."""
    with open(companion.path, encoding="utf-8", errors="surrogateescape") as file:
        text = _LOCAL.sub(r".Lpomp_\1", file.read())
    kept = (line for line in text.split("\n") if not _GLOBAL.match(line))
    with open(companion.unit_object, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(kept))


def _replace(merged: str, unit_object: str) -> None:
    """Put the merged object in the place of the unit's, which may be a link to another file."""
    with open(merged, "rb") as source, open(unit_object, "wb") as target:
        target.write(source.read())


def _run(words: list[str], folder: str) -> None:
    outcome = query(words, 600, temporary=folder)
    if outcome.status:
        lines = outcome.stderr.decode("utf-8", "replace").splitlines()
        error = next((line for line in lines if "rror" in line), "") or "".join(lines[:1])
        raise DriverError(f"{os.path.basename(words[0])}: {error}")
