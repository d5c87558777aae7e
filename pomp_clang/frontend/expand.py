"""What the preprocessor makes of directives that hold macros, or come out of them.

Markers are put in the place of the directives of a copy, the user's own compiler
preprocesses it once, and what stands between the markers is the directive as the
compiler reads it.  Directives that are left in the output come out of macros.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

from pomp_clang.frontend.pragmas import Pragma
from pomp_clang.frontend.source import Source
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Unit

_MARKED = re.compile(r"__pomp_begin_(\d+)_\b(.*?)\b__pomp_end_\1_\b", re.S)
_LINE = re.compile(r'^#\s+(\d+)\s+"((?:[^"\\]|\\.)*)".*$')
_OMP = re.compile(r"^\s*#\s*pragma\s+omp\s+(.*)$")


@dataclass(frozen=True, slots=True)
class Expansion:
    """`bodies` maps the start of a directive to its body without macros; `born` has
    (line, body) of the directives that macros of the main file make."""

    bodies: dict[int, str]
    born: tuple[tuple[int, str], ...]


def expand(unit: Unit, source: Source, pragmas: list[Pragma]) -> Expansion:
    """Preprocess a marked copy of the unit.

    Raises `UnitError` if the compiler does not preprocess it.
    """
    copy = _marked(source.text, pragmas)
    with tempfile.TemporaryDirectory(prefix="pomp-expand-") as folder:
        name = "unit.cpp" if unit.language == "c++" else "unit.c"
        path = os.path.join(folder, name)
        with open(path, "w", encoding="latin-1", newline="") as file:
            file.write(copy)
        beside = os.path.dirname(unit.path) or "."
        command = [*unit.preprocess, "-E", f"-iquote{beside}", path]
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise UnitError("the compiler does not preprocess it", reason="preprocess")
    output = done.stdout.decode("latin-1")
    bodies = {pragmas[int(m.group(1))].start: _joined(m.group(2)) for m in _MARKED.finditer(output)}
    return Expansion(bodies, tuple(_born(output, path)))


def _marked(text: str, pragmas: list[Pragma]) -> str:
    pieces = []
    at = 0
    for number, pragma in enumerate(pragmas):
        newlines = "\n" * text.count("\n", pragma.start, pragma.end)
        marked = f"__pomp_begin_{number}_ {pragma.body} __pomp_end_{number}_"
        pieces += [text[at : pragma.start], marked, newlines]
        at = pragma.end
    return "".join([*pieces, text[at:]])


def _joined(text: str) -> str:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return " ".join(" ".join(lines).split())


def _born(output: str, main: str) -> list[tuple[int, str]]:
    found = []
    path, line = "", 0
    for text in output.splitlines():
        marker = _LINE.match(text)
        if marker:
            path, line = marker.group(2), int(marker.group(1))
            continue
        pragma = _OMP.match(text)
        if pragma and path == main:
            found.append((line, pragma.group(1).strip()))
        line += 1
    return found
