"""A replaced text under the original path, for clang: a VFS overlay.

Marks of the text become #line directives. clang writes no debug line for code on line 0: a
debugger does not stop at inserted text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence

from pomp_clang.driver.place.gcc_copy import like
from pomp_clang.record import record

# Long ago, but not zero, which some file systems take for "no time".
LONG_AGO = 1_000_000_000


@record
class Overlay:
    """The overlay's map file; `texts` maps a source's path in the command to its replaced text."""

    map: str
    texts: dict[str, str]


def write(
    folder: str, texts: dict[str, bytes], directory: str, names: Mapping[str, Sequence[str]]
) -> Overlay:
    """Write the texts and the map into `folder`, a private one.

    `names` has further names of an original.  Raises OSError, and UnicodeError for a name that a map cannot spell.
    """
    files: dict[str, str] = {}
    roots = []
    for number, (path, text) in enumerate(texts.items()):
        place = os.path.join(folder, f"{number}-{os.path.basename(path)}")
        with open(place, "wb") as file:
            file.write(text)
        like(place, os.path.join(directory, path))
        files[path] = place
        known = (s for name in (path, *names.get(path, ())) for s in spellings(name, directory))
        for spelling in dict.fromkeys(known):
            spelling.encode("utf-8")
            roots.append({"type": "file", "name": spelling, "external-contents": place})
    name = os.path.join(folder, "overlay.yaml")
    content = {"version": 0, "use-external-names": False, "case-sensitive": True, "roots": roots}
    with open(name, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
    for written in (name, *files.values()):
        _age(written)
    return Overlay(name, files)


def spellings(path: str, directory: str) -> list[str]:
    """Return every absolute name under which the compiler may open the file.

    The overlay compares names component by component, so a path through a
    symbolic link needs an entry of its own.
    """
    names = []
    for base in _working_directories():
        absolute = os.path.join(base, directory, path)
        names += [absolute, os.path.normpath(absolute)]
    names.append(os.path.realpath(names[0]))
    return list(dict.fromkeys(name for name in names if name))


def _working_directories() -> list[str]:
    """Return the working directory under the shell's name and the kernel's, like clang."""
    real = os.getcwd()
    shell = os.environ.get("PWD", "")
    try:
        same = os.path.isabs(shell) and os.path.samefile(shell, real)
    except OSError:
        same = False
    return [shell, real] if same else [real]


def not_taken(overlay: Overlay) -> list[str]:
    """Return the sources whose replaced text no compiler has read.

    Access times show it at no cost. The map is always read, so it shows whether this file system
    records access times.
    """
    if not _was_read(overlay.map):
        return []
    return [path for path, place in overlay.texts.items() if not _was_read(place)]


def _age(path: str) -> None:
    modified = os.stat(path).st_mtime_ns
    os.utime(path, ns=(LONG_AGO * 1_000_000_000, modified))


def _was_read(path: str) -> bool:
    try:
        return os.stat(path).st_atime != LONG_AGO
    except OSError:
        return True


QUIET = ("-Wno-gnu-zero-line-directive",)

_MARK = rb"/\*pomp-line (?:(brace) |from (\d+) )?(\d+)\*/"


def with_line_directives(text: bytes) -> bytes:
    """Return the text as clang is to read it."""
    return re.sub(_MARK, _directive, text)


def _directive(mark: re.Match[bytes]) -> bytes:
    return b"\n#line %s\n%s" % (mark[3], b" " * (int(mark[2] or 1) - 1))
