"""Builtin headers for libclang, and the libclang that fits them.

The Python package of libclang carries no headers, and gcc's own intrinsics do
not parse in clang: they come from a clang on the machine, from the clang-tidy
package, or, for want of both, from gcc.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import re

from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.record import record

# The libclang that the Python package carries, and how new a clang's headers it reads.
PACKAGED = 18
READABLE = PACKAGED + 1


@record
class Headers:
    """`libclang` is "" for the one of the Python package."""

    resource_dir: str
    libclang: str
    arguments: tuple[str, ...] = ()


def own_libclang(programs: str, major: str) -> str:
    """A clang's own libclang, found by its folder of programs; "" if not installed."""
    if not programs or not major:
        return ""
    folders = [os.path.join(os.path.dirname(programs), name) for name in ("lib", "lib64")]
    folders += [*glob.glob("/usr/lib/*-linux-gnu"), "/usr/lib64", "/usr/lib"]
    names = (f"libclang-{major}.so.1", f"libclang-{major}.so.{major}", f"libclang.so.{major}")
    for folder in folders:
        beside = folder.startswith(os.path.dirname(programs) + os.sep)
        for name in (*names, "libclang.so.1", "libclang.so") if beside else names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path
    return ""


def for_gcc(searched: tuple[str, ...]) -> Headers:
    """Headers for a source that gcc compiles: its own folders, clang's builtins.

    gcc's folder of intrinsics comes last, for what only gcc has (omp.h).
    """
    chosen = _choose()
    own = [folder for folder in searched if _is_gcc_own(folder)]
    if chosen is None:
        arguments = [part for folder in searched for part in _internal(folder)]
        return Headers("", "", ("-nostdinc", "-nostdinc++", *arguments))
    builtin = os.path.join(chosen.resource_dir, "include")
    arguments = []
    placed = False
    for folder in searched:
        if folder in own:
            if not placed:
                arguments += _internal(builtin)
            placed = True
        else:
            arguments += _internal(folder)
    if not placed:
        arguments += _internal(builtin)
    last = [part for folder in own for part in ("-idirafter", folder)]
    start = ("-resource-dir", chosen.resource_dir, "-nostdinc", "-nostdinc++")
    return Headers(chosen.resource_dir, chosen.libclang, (*start, *arguments, *last))


def _internal(folder: str) -> list[str]:
    return ["-Xclang", "-internal-isystem", "-Xclang", folder]


def _is_gcc_own(folder: str) -> bool:
    """.../lib/gcc/<target>/<version>/include and include-fixed hold the intrinsics."""
    return re.search(r"/gcc/[^/]+/[^/]+/include(-fixed)?$", os.path.normpath(folder)) is not None


def _choose() -> Headers | None:
    """A clang with its own libclang is best, then headers that the packaged one reads."""
    clangs = sorted(_clangs().items(), reverse=True)
    readable: list[tuple[int, str]] = []
    for major, program in clangs:
        try:
            resource_dir = ask([program, "-print-resource-dir"]).stdout.decode().strip()
        except (DriverError, UnicodeError):
            continue
        if not os.path.isfile(os.path.join(resource_dir, "include", "stddef.h")):
            continue
        libclang = own_libclang(os.path.dirname(os.path.realpath(program)), str(major))
        if libclang:
            return Headers(resource_dir, libclang)
        readable.append((major, resource_dir))
    for major, resource_dir in readable:
        if major <= READABLE:
            return Headers(resource_dir, "")
    packaged = _clang_tidy()
    if packaged:
        return Headers(packaged, "")
    return Headers(readable[-1][1], "") if readable else None


def _clangs() -> dict[int, str]:
    """Every clang-N on the PATH, by N; a plain clang is asked for its version."""
    found: dict[int, str] = {}
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for path in glob.glob(os.path.join(glob.escape(folder), "clang-[0-9]*")):
            match = re.fullmatch(r"clang-(\d+)", os.path.basename(path))
            if match:
                found.setdefault(int(match[1]), path)
        plain = os.path.join(folder, "clang")
        if os.access(plain, os.X_OK):
            try:
                version = re.search(rb"version (\d+)", ask([plain, "--version"]).stdout)
            except DriverError:
                continue
            if version:
                found.setdefault(int(version[1]), plain)
    return found


def _clang_tidy() -> str:
    """The resource folder in the clang-tidy package, if that is installed."""
    spec = importlib.util.find_spec("clang_tidy")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for folder in glob.glob(os.path.join(glob.escape(place), "data", "lib", "clang", "*")):
            if os.path.isfile(os.path.join(folder, "include", "stddef.h")):
                return folder
    return ""
