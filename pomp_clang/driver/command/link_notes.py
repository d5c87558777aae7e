"""Notes on a link: objects of another version of pomp-clang, and programs that are not measured.

Programs are not measured if no object is instrumented, or if they are made without -fopenmp from
sources with OpenMP directives. On the path of links alone: imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT
from pomp_clang.driver.runtime.link import runtime_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterable

_OURS = b"POMP_"
_OPENMP = (b"__kmpc_fork_call", b"GOMP_parallel")
_LAYOUT = rb"([0-9a-f]+)_of_another_pomp_clang"
_MOST = 64 << 20
"""Bytes of objects that are searched; a link with more gets no line."""


def say_of_objects(line: CommandLine) -> None:
    """Print one line on stderr if the program will not link with this version's library, or if
    nothing of it is measured although it has OpenMP code."""
    unmeasured, left = "", _MOST
    for _, _, name, path, role in line.options:
        if role != INPUT or name or not path.endswith((".o", ".a")):
            continue
        left -= _size(path)
        if left < 0:
            return
        with _Contents(path) as text:
            if text.find(_OURS) >= 0:
                _say_if_other_version(path, text)
                return
            if not unmeasured and any(text.find(call) >= 0 for call in _OPENMP):
                unmeasured = path
    if unmeasured:
        _say(
            f"{unmeasured}: note: no object is instrumented; nothing of the program is measured; "
            "compile with `pomp-clang --` before the compiler, too [pomp-uninstrumented]"
        )


def is_instrumented(path: str) -> bool:
    """Return True for an object of pomp-clang, or one too large to tell."""
    with _Contents(path) as text:
        return _size(path) > _MOST or text.find(_OURS) >= 0


def _say_if_other_version(path: str, text: mmap.mmap | bytes) -> None:
    """Print a line if an object's inlined events are those of another library."""
    import re  # slow to import, and most programs need no such search

    layout = re.search(_LAYOUT, text)
    if layout is None or layout[1] in (own := _own_layout()) or not own:
        return
    _say(
        f"{path}: warning: compiled by another version of pomp-clang; POMP symbols are undefined in "
        "the link; do a clean rebuild [pomp-version]"
    )


def _own_layout() -> bytes:
    try:
        with open(os.path.join(runtime_folder("inline"), "layout.h"), "rb") as file:
            return file.read()
    except OSError:
        return b""


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


_WITHOUT_EVENT = rb"POMP2 has no events:([^\0]*?):(\d+):([^\0]*)\0"
"""A string of `rewrite.pomp2`: file, line, and the number of constructs of each kind."""


def say_without_event(line: CommandLine, of_sources: Iterable[tuple[str, int, str]] = ()) -> None:
    """Print one line on stderr with the constructs that POMP2 has no events for, in the objects of a
    link and in sources: of each file its name, a line, and the counts."""
    import re  # slow to import, and most programs need no such search

    marks = list(of_sources)
    for _, _, name, path, role in line.options:
        if role == INPUT and not name and path.endswith((".o", ".a")) and _size(path) <= _MOST:
            with _Contents(path) as text:
                for file, number, counts in re.findall(_WITHOUT_EVENT, text):
                    marks.append((os.fsdecode(file), int(number), counts.decode()))
    marks = list(dict.fromkeys(marks))
    if not marks:
        return
    sums: dict[str, int] = {}
    for _, _, counts in marks:
        for part in counts.split(", "):
            count, _, kind = part.partition(" ")
            sums[kind] = sums.get(kind, 0) + int(count)
    total = ", ".join(f"{count} {kind}" for kind, count in sorted(sums.items()))
    files = "1 file" if len(marks) == 1 else f"{len(marks)} files"
    _say(
        f"{marks[0][0]}:{marks[0][1]}: note: POMP2 has no events for constructs of {files}: {total}; "
        "POMP_POMP2_USER=1 in the environment makes them user regions [pomp-pomp2]"
    )


class _Contents:
    """The contents of a file while it is open; none if it cannot be read."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._map: mmap.mmap | None = None

    def __enter__(self) -> mmap.mmap | bytes:
        import mmap

        try:
            with open(self._path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return b""
        return self._map

    def __exit__(self, *_: object) -> None:
        if self._map is not None:
            self._map.close()


def _say(text: str) -> None:
    """Print a line in one piece: links of one build run at a time, and share stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


_DIRECTIVES = (b"#pragma omp ", b"# pragma omp ", b"\n!$omp ")
_MOST_OF_SOURCE = 1 << 20
"""Bytes of a source that are searched."""


def say_if_ignored(line: CommandLine) -> None:
    """Print one line on stderr if the command makes a program and its compiler ignores directives."""
    if line.openmp or not (line.links and line.sources):
        return
    if any(name == "-fno-openmp" for _, _, name, _, _ in line.options):
        return
    for _, _, name, value, role in line.options:
        if role == INPUT and not name and _has_directive(value):
            _say(
                f"{value}: note: OpenMP directives are ignored without -fopenmp; nothing of the "
                "program is measured; add -fopenmp [pomp-no-openmp]"
            )
            return


def _has_directive(path: str) -> bool:
    if path.endswith((".o", ".a", ".so")) or path == "-":
        return False
    try:
        with open(path, "rb") as file:
            text = file.read(_MOST_OF_SOURCE)
    except OSError:
        return False
    return any(words in text for words in _DIRECTIVES)
