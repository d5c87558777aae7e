"""Bitcode of the events' short way, which clang inlines in the units that it compiles.

It has to be the very compiler's, and made with the options that the unit is compiled with,
as far as they are about code: the linker of modules compares them.  Made at the first
compile with such options, and kept.
"""

from __future__ import annotations

import os

from pomp_clang.driver import cache
from pomp_clang.driver.command import Command
from pomp_clang.driver.link import runtime_folder
from pomp_clang.driver.options import LANG_FLAG, TARGET
from pomp_clang.driver.path import which
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.toolchain import Toolchain
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What is inlined for a library; for any other the events are calls.
SOURCES = {"profile": "profile.c", "null": "null.c"}

# With these the events are calls: another target is compiled for too, sanitizers are to see
# the user's memory accesses alone, and a profile belongs to the user's own flow of control.
CALLED_WITH = ("-fsanitize=", "-fopenmp-targets", "--offload", "-fprofile-", "-fauto-profile")

# Options about code that the bitcode is not made with: they would change what is laid out in
# it, make more of it than its functions, or are about the source's language.
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
class Bitcode:
    """Where it is; or nowhere, and why."""

    path: str
    why: str

    @property
    def arguments(self) -> list[str]:
        """What makes clang inline it."""
        return ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", self.path] if self.path else []


def bitcode(command: Command, toolchain: Toolchain, settings: Settings) -> Bitcode:
    """What is inlined in a command's units."""
    if settings.inline == "off":
        return Bitcode("", "--pomp-inline=off")
    if toolchain.family != "clang":
        return Bitcode("", "the compiler is no clang")
    if settings.library not in SOURCES:
        return Bitcode("", "the library is not one of ours")
    if not command.optimises:
        return Bitcode("", "nothing is optimized without -O1")
    hindrance = next((arg for arg in command.args if arg.startswith(CALLED_WITH)), "")
    if hindrance:
        return Bitcode("", f"{hindrance} is given")
    source = os.path.join(runtime_folder("inline"), SOURCES[settings.library])
    if not os.path.isfile(source):
        return Bitcode("", "the runtime has no source for it")
    return _kept(command, source)


def _kept(command: Command, source: str) -> Bitcode:
    if not cache.folder():
        return Bitcode("", "there is no private cache folder to keep it in")
    program = which(command.words[-1]) or command.words[-1]
    options = _options(command)
    key: dict[str, Any] = {
        "inline": source,
        "words": list(command.words),
        "program": cache.stamp(os.path.realpath(program)),
        "options": options,
        "path": os.environ.get("PATH", ""),
    }
    if any(not os.path.isabs(word) for word in options if "/" in word):
        key["folder"] = os.getcwd()
    made = cache.lookup(key, lambda: _make([*command.words, *options], source))
    return Bitcode(made["path"], made["why"])


def _options(command: Command) -> list[str]:
    found: list[str] = []
    for index, width, name, _, role in command.options:
        flag = role == LANG_FLAG and not command.args[index].startswith(NOT_FOR_BITCODE)
        if flag or role == TARGET or name in _ABOUT_TARGET:
            found += command.args[index : index + width]
    return found


def _make(compiler: list[str], source: str) -> dict[str, Any]:
    """The record of the bitcode, or of why there is none."""
    from pomp_clang.driver.ask import ask
    from pomp_clang.driver.errors import DriverError

    folder = os.path.dirname(source)
    stamps = [cache.stamp(path) for path in (source, os.path.join(folder, "layout.h"))]
    command = [*compiler, "-w", "-O2", "-x", "c", "-std=gnu11", "-c", "-emit-llvm", source]
    try:
        said = ask([*command, "-o", "-"])
    except DriverError as error:
        return {"path": "", "why": error.message, "stamps": stamps}
    if said.status or not said.stdout.startswith(b"BC"):
        lines = said.stderr.decode("utf-8", "replace").splitlines()
        why = next((line for line in lines if "error:" in line), "the compiler made no bitcode")
        return {"path": "", "why": why, "stamps": stamps}
    path = cache.keep(said.stdout, ".bc")
    why = "" if path else "it cannot be kept"
    return {"path": path, "why": why, "stamps": [*stamps, *([cache.stamp(path)] if path else [])]}
