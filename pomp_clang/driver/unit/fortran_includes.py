"""INCLUDE lines of Fortran: the files that they name, and texts with these in their place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from pomp_clang.driver.command.compiler_command import CompilerCommand
from pomp_clang.driver.unit.preprocessor_options import folders_of_cpath, text_options

_INCLUDE = re.compile(
    rb"[ \t]*(?:[!cC*]\$[ \t]+)?include[ \t]*(['\"])(?P<name>[^'\"\n]+)\1[ \t]*(?:!.*)?\r?$", re.I
)
_CPP_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include[ \t]*[\"<](?P<name>[^\">\n]+)[\">]")
_MARKER = re.compile(rb'#[ \t]+(\d+)[ \t]+"([^"\n]*)"')
_SENTINEL = re.compile(rb"\$p?omp|^[ \t]*[!c*]p\$|\bomp_\w*_(?:nest_)?lock\b", re.I | re.M)
_FOLDERS = frozenset(("-I", "-isystem", "-idirafter", "-iquote"))

DEEPEST = 64
"""The number of files that may include each other: a file that includes itself is the user's
error."""


def folders_of(command: CompilerCommand) -> list[str]:
    """Return the folders in which a command searches for included files."""
    return [value for _, _, name, value, _ in command.options if name in _FOLDERS]


def may_hold_openmp(command: CompilerCommand, path: str, text: bytes) -> bool:
    """Return False only if neither a source nor a file that it may include holds OpenMP."""
    for_preprocessor = list(text_options(command.options, "-Wp,", "-Xpreprocessor"))
    options = [(name, value) for _, _, name, value, _ in command.options] + for_preprocessor
    if any(name == "-D" and "$omp" in value for name, value in options):
        return True
    folders = [value for name, value in options if name in _FOLDERS] + folders_of_cpath()
    pending = [(path, text)]
    seen: set[str] = set()
    while pending:
        path, text = pending.pop()
        if _SENTINEL.search(text):
            return True
        for include in _included(path, text, folders):
            if include not in seen:
                seen.add(include)
                pending.append((include, _read(include) or b""))
    return False


def _included(path: str, text: bytes, folders: Sequence[str]) -> Iterator[str]:
    if b"nclude" not in text and b"NCLUDE" not in text:
        return
    for line in text.split(b"\n"):
        match = _INCLUDE.match(line) or _CPP_INCLUDE.match(line)
        path_ = _include_path(os.path.dirname(path), match["name"], folders) if match else ""
        if path_:
            yield path_


def expanded(path: str, text: bytes, folders: Sequence[str]) -> bytes:
    """Return a text with the files that its INCLUDE lines name in their place, and with markers.

    A line whose file is not in these folders stays: it is the compiler's own file, or an error.
    """
    return marker(1, path, b"") + b"".join(_expanded(path, text, folders, 0))


def _expanded(path: str, text: bytes, folders: Sequence[str], depth: int) -> Iterator[bytes]:
    folder = os.path.dirname(path)
    name, number = path, 0
    for line in text.split(b"\n"):
        number += 1
        at = _MARKER.match(line)
        if at is not None:
            name, number = os.fsdecode(at[2]), int(at[1]) - 1
        match = _INCLUDE.match(line)
        target = _include_path(folder, match["name"], folders) if match and depth < DEEPEST else ""
        included = _read(target) if target else None
        if included is None:
            yield line + b"\n"
            continue
        yield marker(1, target, b" 1")
        yield from _expanded(target, included.removesuffix(b"\n"), folders, depth + 1)
        yield marker(number + 1, name, b" 2")


def marker(line: int, path: str, flag: bytes = b"") -> bytes:
    """Return the line that names the place of the next one."""
    return b'# %d "%s"%s\n' % (line, os.fsencode(path), flag)


def _include_path(beside: str, name: bytes, folders: Sequence[str]) -> str:
    file_name = os.fsdecode(name)
    for folder in (beside, *folders):
        path = os.path.join(folder, file_name)
        if os.path.isfile(path):
            return path
    return ""


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None
