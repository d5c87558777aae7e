"""The text with every directive spelt out, whatever macros it holds or comes out of.

Markers are put round the directives and the uses of macros that may make one in a
copy, the user's own compiler preprocesses it once, and what then stands between the
markers is what the compiler reads there.  It takes the place of what was written, on
the same lines.  Directives that are left outside markers come out of other macros.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile

from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.pragmas import Pragma
from pomp_clang.frontend.source import Source, last_line
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import record

_MARKED = re.compile(r"__pomp_begin_(\d+)_\b(.*?)\b__pomp_end_\1_\b", re.S)
_MARKER = re.compile(r"__pomp_(begin|end)_\d+_\b")
_LINE = re.compile(r'^#\s+(\d+)\s+"((?:[^"\\]|\\.)*)".*$')
_PRAGMA = re.compile(r"^\s*#\s*pragma\s+(.*?)\s*$")


@record
class Expansion:
    """`text` has every marked directive and macro use spelt out, `moved` says by how many
    columns that moves what stands behind an offset on its line; `born` has (line, body) of
    the OpenMP directives that other macros of the main file make."""

    text: str
    moved: tuple[tuple[int, int], ...]
    born: tuple[tuple[int, str], ...]


def expand(unit: Unit, source: Source, pragmas: list[Pragma], uses: list[Extent]) -> Expansion:
    """Preprocess a marked copy of the unit.

    Raises `UnitError` if the compiler does not preprocess it.
    """
    marked: dict[int, Pragma | Extent] = {p.start: p for p in pragmas}
    marked.update((u.start, u) for u in uses if u.start not in marked)
    items = [marked[start] for start in sorted(marked)]
    copy = _marked(source.text, items)
    with tempfile.TemporaryDirectory(prefix="pomp-expand-") as folder:
        path = os.path.join(folder, "unit.cpp" if unit.language == "c++" else "unit.c")
        with open(path, "w", encoding="latin-1", newline="") as file:
            file.write(copy)
        beside = os.path.dirname(unit.path) or "."
        command = [*unit.preprocess, "-E", f"-iquote{beside}", path]
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise UnitError("the compiler does not preprocess it", reason="preprocess")
    output = done.stdout.decode("latin-1")
    expanded = {int(m.group(1)): _one_line(m.group(2)) for m in _MARKED.finditer(output)}
    text, moved = _spelt_out(source, items, expanded)
    return Expansion(text, tuple(moved), tuple(_born(output, path)))


def _marked(text: str, items: list[Pragma | Extent]) -> str:
    pieces = []
    at = 0
    for number, item in enumerate(items):
        inner = item.body if isinstance(item, Pragma) else text[item.start : item.end]
        lost = text.count("\n", item.start, item.end) - inner.count("\n")
        marked = f"__pomp_begin_{number}_ {inner} __pomp_end_{number}_"
        pieces += [text[at : item.start], marked, "\n" * lost]
        at = item.end
    return "".join([*pieces, text[at:]])


def _spelt_out(
    source: Source, items: list[Pragma | Extent], expanded: dict[int, str]
) -> tuple[str, list[tuple[int, int]]]:
    """The text with the expansions in their places, and what they move; what is in a dead
    branch stays."""
    text = source.text
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    before = list(source.moved)
    at = length = 0
    for number, item in enumerate(items):
        new = expanded.get(number)
        if new is None or (isinstance(item, Pragma) and new.split() == item.body.split()):
            continue
        breaks = text.count("\n", item.start, item.end)
        new = item.spelt(new, breaks) if isinstance(item, Pragma) else new + "\n" * breaks
        pieces += [text[at : item.start], new]
        while before and before[0][0] <= item.start:
            where, columns = before.pop(0)
            moved.append((max(where, at) - at + length, columns))
        length += item.start - at + len(new)
        moved.append((length, last_line(new) - last_line(text[item.start : item.end])))
        at = item.end
    moved += [(max(where, at) - at + length, columns) for where, columns in before]
    return "".join([*pieces, text[at:]]), moved


def _one_line(text: str) -> str:
    """An expansion without line markers, its pragmas as operators."""
    words = []
    for line in text.splitlines():
        pragma = _PRAGMA.match(line)
        if pragma:
            escaped = pragma.group(1).replace("\\", "\\\\").replace('"', '\\"')
            words.append(f'_Pragma("{escaped}")')
        elif not line.lstrip().startswith("#"):
            words += line.split()
    return " ".join(words)


def _born(output: str, main: str) -> list[tuple[int, str]]:
    found = []
    path, line, inside = "", 0, False
    for text in output.splitlines():
        marker = _LINE.match(text)
        if marker:
            path, line = marker.group(2), int(marker.group(1))
            continue
        for edge in _MARKER.finditer(text):
            inside = edge.group(1) == "begin"
        pragma = _PRAGMA.match(text)
        if pragma and path == main and not inside and pragma.group(1).startswith("omp "):
            found.append((line, pragma.group(1).removeprefix("omp ").strip()))
        line += 1
    return found
