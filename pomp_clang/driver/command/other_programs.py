"""Programs that are no compilers, behind `pomp-clang --`: they run as they are.

Someone who types one reads where pomp-clang belongs. CMake's launchers put pomp-clang before commands of
its own: these run silently. On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os

_IN_A_BUILD = "is a build tool, and runs as it is; pass the compiler to it: "
_STARTS = "starts programs, and runs as it is; compile the program with `pomp-clang --`, and start it alone"
_MAKE = _IN_A_BUILD + "make CC='pomp-clang -- gcc' CXX='pomp-clang -- g++'"
_CMAKE = (
    _IN_A_BUILD + 'cmake -DCMAKE_TOOLCHAIN_FILE="$(pomp-clang --cmake-dir)/PompToolchain.cmake" ...'
)
_CONFIGURED = _IN_A_BUILD + "CC=pomp-cc CXX=pomp-c++ FC=pomp-fc {name} ..."
_ADVICE = {
    "make": _MAKE,
    "gmake": _MAKE,
    "ninja": _CMAKE,
    "cmake": _CMAKE,
    "configure": _CONFIGURED,
    "meson": _CONFIGURED,
    "pip": _CONFIGURED,
    "pip3": _CONFIGURED,
    "scons": _CONFIGURED,
    "mpiexec": _STARTS,
    "mpirun": _STARTS,
    "srun": _STARTS,
}
_SILENT = ("-E", "-P")


def advice_on(words: list[str], args: list[str]) -> str | None:
    """Return a line for a command whose program is no compiler, "" for one of CMake's own; None for
    a compiler."""
    name = os.path.basename(words[-1]) if words else ""
    if name not in _ADVICE:
        return None
    if name == "cmake" and args[:1] and args[0] in _SILENT:
        return ""
    return f"pomp-clang: {name} {_ADVICE[name].format(name=name)}"
