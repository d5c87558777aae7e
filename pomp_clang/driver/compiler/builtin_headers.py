"""Builtin headers for libclang, and the libclang that fits them.

The Python package of libclang carries no headers. They come from a clang on the machine or from
the package clang-tidy (the extra `gcc`). Without either, libclang reads gcc's own: enough for
sources without intrinsics, which clang cannot parse in gcc's headers.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import re
from collections.abc import Sequence

from pomp_clang.driver import DriverError
from pomp_clang.driver.process.run import query
from pomp_clang.record import record

# The version of the Python package's libclang, and the newest version of headers that it reads.
PACKAGED = 18
READABLE = PACKAGED + 1

INSTALL = "install clang, or pip install 'pomp-clang[gcc]'"


@record
class BuiltinHeaders:
    """The resource folder of builtin headers, and the libclang and arguments to use with it.

    `resource_dir` is "" for gcc's own headers, `libclang` is "" for the Python package's.
    """

    resource_dir: str
    libclang: str
    arguments: tuple[str, ...] = ()


def own_libclang(programs: str, major: str) -> str:
    """Return a clang's own libclang, found by its folder of programs, or ""."""
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


def for_gcc(searched: tuple[str, ...]) -> BuiltinHeaders:
    """Return the headers for a source that gcc compiles: gcc's folders, clang's builtins.

    gcc's folder of intrinsics comes last, for what only gcc has (omp.h).
    """
    chosen = _choose()
    kept = [folder for folder in searched if _is_gcc_own(folder)]
    if chosen is None:
        arguments = [part for folder in searched for part in _internal(folder)]
        return BuiltinHeaders("", "", ("-nostdinc", "-nostdinc++", *arguments))
    builtin = os.path.join(chosen.resource_dir, "include")
    arguments = []
    placed = False
    for folder in searched:
        if folder in kept:
            if not placed:
                arguments += _internal(builtin)
            placed = True
        else:
            arguments += _internal(folder)
    if not placed:
        arguments += _internal(builtin)
    last = [part for folder in kept for part in ("-idirafter", folder)]
    start = ("-resource-dir", chosen.resource_dir, "-nostdinc", "-nostdinc++")
    return BuiltinHeaders(chosen.resource_dir, chosen.libclang, (*start, *arguments, *last))


def _internal(folder: str) -> list[str]:
    return ["-Xclang", "-internal-isystem", "-Xclang", folder]


def _is_gcc_own(folder: str) -> bool:
    """Return True for .../lib/gcc/<target>/<version>/include, which holds the intrinsics."""
    return re.search(r"/gcc/[^/]+/[^/]+/include(-fixed)?$", os.path.normpath(folder)) is not None


def _choose() -> BuiltinHeaders | None:
    """Return the best headers: a clang's with its own libclang, or readable ones, or None."""
    clangs = sorted(_clangs().items(), reverse=True)
    readable: list[tuple[int, str]] = []
    for major, program in clangs:
        try:
            resource_dir = query([program, "-print-resource-dir"]).stdout.decode().strip()
        except (DriverError, UnicodeError):
            continue
        if not os.path.isfile(os.path.join(resource_dir, "include", "stddef.h")):
            continue
        libclang = own_libclang(os.path.dirname(os.path.realpath(program)), str(major))
        if libclang:
            return BuiltinHeaders(resource_dir, libclang)
        readable.append((major, resource_dir))
    for major, resource_dir in readable:
        if major <= READABLE:
            return BuiltinHeaders(resource_dir, "")
    packaged = _clang_tidy()
    if packaged:
        return BuiltinHeaders(packaged, "")
    return BuiltinHeaders(readable[-1][1], "") if readable else None


def _clangs() -> dict[int, str]:
    """Return every clang on the PATH by its major version."""
    clangs: dict[int, str] = {}
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for path in glob.glob(os.path.join(glob.escape(folder), "clang-[0-9]*")):
            match = re.fullmatch(r"clang-(\d+)", os.path.basename(path))
            if match:
                clangs.setdefault(int(match[1]), path)
        plain = os.path.join(folder, "clang")
        if os.access(plain, os.X_OK):
            try:
                version = re.search(rb"version (\d+)", query([plain, "--version"]).stdout)
            except DriverError:
                continue
            if version:
                clangs.setdefault(int(version[1]), plain)
    return clangs


def _clang_tidy() -> str:
    """Return the resource folder in the package clang-tidy, or ""."""
    spec = importlib.util.find_spec("clang_tidy")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for folder in glob.glob(os.path.join(glob.escape(place), "data", "lib", "clang", "*")):
            if os.path.isfile(os.path.join(folder, "include", "stddef.h")):
                return folder
    return ""


def lack_builtins(arguments: Sequence[str]) -> bool:
    """Return True if arguments of libclang lead to gcc's own builtin headers."""
    return "-resource-dir" not in arguments


def install_places() -> list[str]:
    """Return the folders that change when a clang or the package clang-tidy is installed."""
    spec = importlib.util.find_spec("clang")
    packages = (
        [os.path.dirname(place) for place in (spec.submodule_search_locations or [])]
        if spec
        else []
    )
    return [*packages, *filter(None, os.environ.get("PATH", "").split(os.pathsep))]
