"""Bitcode of the events' fast path, which clang inlines in the units that it compiles.

The unit's own compiler makes it, with those of the unit's options that concern code: the linker
of modules compares them. It is made at the first compile with such options, and cached.
"""

from __future__ import annotations

import os

from pomp_clang.driver.command.compiler_command import CompilerCommand
from pomp_clang.driver.command.options import LANG_FLAG, TARGET
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.process.programs import distributor, which
from pomp_clang.driver.runtime.link import runtime_folder
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The sources inlined for a library; for any other library the events are calls.
SOURCES = {"profile": "profile.c", "null": "null.c"}

# With these the events are calls: an offload target has no bitcode, sanitizers must see the
# user's memory accesses alone, and a profile must show the user's own flow of control.
CALLED_WITH = ("-fsanitize=", "-fopenmp-targets", "--offload", "-fprofile-", "-fauto-profile")

# Options about code that the bitcode is made without: they would change its data layout, add
# to its functions, or concern the source's language.
# fmt: off
NOT_FOR_BITCODE = (
    "-fopenmp", "-flto", "-fthinlto", "-fno-inline", "-finline", "-finstrument", "-fshort-enums",
    "-fpack-struct", "-fms-", "-fplugin", "-fpass-", "-fcoverage", "-ftest-coverage", "-fxray",
    "-fsave-opt", "-ftime-", "-fmodule", "-fpch", "-finput-charset", "-fsyntax-only", "-fcrash",
    "-fdiagnostics", "-fno-diagnostics", "-fdebug", "-ffile-prefix", "-fmacro-prefix", "-femit",
    "-fembed", "-fproc-stat", "-fstack-usage", "-fuse-ld", "-fno-lto", "-fsanitize", "-ferror",
    "-fcoroutines", "-frtti", "-fno-rtti", "-fvisibility", "-fno-semantic", "-fwhole-program",
    "-fbuild-session", "-fno-sanitize", "-fcolor", "-fno-color", "-ftemplate", "-fconstexpr",
)
# fmt: on
_ABOUT_TARGET = frozenset(("-m", "--sysroot", "-isysroot", "--config", "-B", "--gcc-toolchain="))


@record
class EventBitcode:
    """The path of the bitcode, or "" and why there is none."""

    path: str
    why: str

    @property
    def arguments(self) -> list[str]:
        """The options that make clang inline it."""
        return ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", self.path] if self.path else []


def event_bitcode(
    command: CompilerCommand, toolchain: Toolchain, settings: BuildSettings
) -> EventBitcode:
    """Return the bitcode that is inlined in a command's units."""
    if settings.inline == "off":
        return EventBitcode("", "--pomp-inline=off")
    if toolchain.family != "clang":
        return EventBitcode("", "the compiler is no clang")
    if settings.library not in SOURCES:
        return EventBitcode("", "the library is not one of ours")
    if not command.optimises:
        return EventBitcode("", "nothing is optimized without -O1")
    hindrance = next((arg for arg in command.args if arg.startswith(CALLED_WITH)), "")
    if hindrance:
        return EventBitcode("", f"{hindrance} is given")
    program = distributor(command.words)
    if program:
        return EventBitcode("", f"{program} may compile on another machine, which lacks it")
    source = os.path.join(runtime_folder("inline"), SOURCES[settings.library])
    if not os.path.isfile(source):
        return EventBitcode("", "the runtime has no source for it")
    return _cached(command, source)


def _cached(command: CompilerCommand, source: str) -> EventBitcode:
    if not cache.folder():
        return EventBitcode("", "there is no private cache folder to keep it in")
    program = which(command.words[-1]) or command.words[-1]
    options = _options(command)
    key: dict[str, Any] = {
        "inline": source,
        "words": list(command.words),
        "program": cache.stamp(os.path.realpath(program)),
        "options": options,
        "path": os.environ.get("PATH", ""),
        "environment": cache.environment(),
    }
    if any(not os.path.isabs(word) for word in options if "/" in word):
        key["folder"] = os.getcwd()
    entry = cache.lookup(key, lambda: _make([*command.words, *options], source))
    return EventBitcode(entry["path"], entry["why"])


def _options(command: CompilerCommand) -> list[str]:
    options: list[str] = []
    for index, width, name, _, role in command.options:
        flag = role == LANG_FLAG and not command.args[index].startswith(NOT_FOR_BITCODE)
        if flag or role == TARGET or name in _ABOUT_TARGET:
            options += command.args[index : index + width]
    return options


def _make(compiler: list[str], source: str) -> dict[str, Any]:
    """Make the bitcode, and return its cache record, which tells why if there is none."""
    from pomp_clang.driver import DriverError
    from pomp_clang.driver.process.run import query

    folder = os.path.dirname(source)
    stamps = [cache.stamp(path) for path in (source, os.path.join(folder, "layout.h"))]
    options = ["-w", "-O2", "-x", "c", "-std=gnu11", "-c", "-emit-llvm", f"-I{folder}"]
    command = [*compiler, *options, source]
    try:
        answer = query([*command, "-o", "-"])
    except DriverError as error:
        return {"path": "", "why": error.message, "stamps": stamps}
    if answer.status or not answer.stdout.startswith(b"BC"):
        lines = answer.stderr.decode("utf-8", "replace").splitlines()
        why = next((line for line in lines if "error:" in line), "the compiler made no bitcode")
        return {"path": "", "why": why, "stamps": stamps}
    path = cache.store(answer.stdout, ".bc")
    why = "" if path else "it cannot be kept"
    return {"path": path, "why": why, "stamps": [*stamps, *([cache.stamp(path)] if path else [])]}
