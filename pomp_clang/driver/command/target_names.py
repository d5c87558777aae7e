"""The targets of compilers, by the names of compilers and by options.

On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os

# fmt: off
ARCHITECTURES = frozenset((
    "aarch64", "aarch64_be", "alpha", "arm", "armeb", "armv5", "armv6", "armv7", "armv7a", "armv7l",
    "armv8l", "avr", "hexagon", "hppa", "i386", "i486", "i586", "i686", "loongarch64", "m68k",
    "microblaze", "mips", "mips64", "mips64el", "mipsel", "msp430", "nios2", "nvptx", "nvptx64",
    "or1k", "powerpc", "powerpc64", "powerpc64le", "ppc64le", "riscv32", "riscv64", "s390x", "sh4",
    "sparc", "sparc64", "wasm32", "wasm64", "x86_64", "xtensa",
))
# fmt: on
# Beginnings of the names of systems for which there is no runtime library.
_OTHER_SYSTEMS = (
    "android",
    "cygwin",
    "darwin",
    "elf",
    "freebsd",
    "gnux32",
    "macos",
    "mingw",
    "msvc",
    "musl",
    "netbsd",
    "none",
    "openbsd",
    "uclibc",
    "w64",
    "wasi",
    "windows",
)  # fmt: skip


def is_cross_compiler(compiler: str) -> bool:
    """Return True for a cross compiler by its name: aarch64-linux-gnu-gcc, musl-gcc."""
    first, *rest = os.path.basename(compiler).split("-")
    if first in ARCHITECTURES:
        return first != os.uname().machine or _is_other_system(rest)
    return bool(rest) and first.startswith("musl")


def is_native_compiler(compiler: str) -> bool:
    """Return True for a compiler whose name has this machine's target: x86_64-linux-gnu-gcc-12."""
    first, *rest = os.path.basename(compiler).split("-")
    return first == os.uname().machine and "linux" in rest and not _is_other_system(rest)


def is_other_target(name: str, value: str) -> bool:
    """Return True if an option of the command line chooses another target than this machine."""
    machine = os.uname().machine
    if name in ("-target", "--target="):
        first, *rest = value.split("-")
        return first not in (machine, "native") or _is_other_system(rest)
    if name == "-arch":
        return value != machine
    return name != "-m64" or not machine.endswith("64")


def _is_other_system(parts: list[str]) -> bool:
    return any(part.startswith(_OTHER_SYSTEMS) for part in parts)
