"""The target of a link whose compiler's name does not tell it: a script, or a link to a compiler.

On the path of every link: imports next to nothing.
"""

from __future__ import annotations

import os

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT
from pomp_clang.driver.command.target_names import is_cross_compiler, is_native_compiler
from pomp_clang.driver.process.programs import which
from pomp_clang.driver.runtime.link import OTHER_OPTIONS, runtime_folder

_ELF = b"\x7fELF"
# Beginnings of objects of Windows for x86-64, x86, and with many sections; of Mach-O.
_OTHER_FORMATS = (
    b"\x64\x86",
    b"\x4c\x01",
    b"\0\0\xff\xff",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
)
# The names of real compilers that make code for this machine unless an option says other, and take
# our options for the linker.
_NATIVE = ("clang", "flang", "ccache", "mpi", *OTHER_OPTIONS)


def links_for_another_target(line: CommandLine) -> bool:
    """Return True if a command links a program that the runtime library does not fit."""
    if not line.links:
        return False
    own = _start(os.path.join(runtime_folder("lib"), "libpomp.so"))
    if own[:4] != _ELF:
        return False
    objects = [
        path
        for _, _, name, path, role in line.options
        if role == INPUT and not name and path.endswith((".o", ".obj"))
    ]
    for start in map(_start, objects):
        if start[:4] == _ELF:
            if _machine(start) != _machine(own):
                return True
            break
        if start.startswith(_OTHER_FORMATS):
            return True
    else:
        objects = []
    program = os.path.realpath(which(line.words[-1]))
    if not objects and is_cross_compiler(program):
        return True
    is_plain = os.path.basename(program).startswith(_NATIVE) or is_native_compiler(program)
    if is_plain or not (line.sources or objects):
        return False
    return _compiles_for_another_target(line, objects)


def _compiles_for_another_target(line: CommandLine, objects: list[str]) -> bool:
    """Return True if the compiler says so; True for a compiler that is neither gcc nor clang, which may lack
    their options, unless an object is instrumented."""
    from pomp_clang.driver.command.compiler_command import from_line
    from pomp_clang.driver.compiler.identify import identify

    command = from_line(line)
    language = next((source.language for source in command.sources), "c" if objects else "")
    if language not in ("c", "c++"):
        return False
    try:
        return identify(command, language).is_foreign and not objects
    except DriverError:
        from pomp_clang.driver.command.link_notes import is_instrumented

        return not any(map(is_instrumented, objects))


def _start(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(20)
    except OSError:
        return b""


def _machine(start: bytes) -> bytes:
    """Return the class, the byte order and the machine of an ELF file."""
    return start[4:6] + start[18:20]
