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
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.inclusion import Graph, redirected
from pomp_clang.frontend.intervals import Intervals
from pomp_clang.frontend.octets import bytes_of, encoded, text_of
from pomp_clang.frontend.pragmas import Pragma
from pomp_clang.frontend.preprocessed import read_output
from pomp_clang.frontend.source import Source, last_line
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Include, Unit
from pomp_clang.record import record

_MARKED = re.compile(r"__pomp_begin_(\d+)_\b(.*?)\b__pomp_end_\1_\b", re.S)
_OPERATOR = re.compile(r'_Pragma\("omp ((?:[^"\\]|\\.)*)"\)')
_UNIVERSAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\\U([0-9a-f]{8})')
_PRAGMA = re.compile(r"^\s*#\s*pragma\s+(.*?)\s*$")


@record
class Marked:
    """A file, its live directives, and where it uses macros that may make one."""

    path: str
    source: Source
    pragmas: tuple[Pragma, ...]
    uses: tuple[Extent, ...]

    @cached_property
    def items(self) -> list[Pragma | Extent]:
        """Uses, and directives outside them, in the order of the text."""
        uses = Intervals((use.start, use.end) for use in self.uses)
        within = {p.start for p in self.pragmas if uses.depth(p.start)}
        found: dict[int, Pragma | Extent] = {u.start: u for u in self.uses}
        found.update((p.start, p) for p in self.pragmas if p.start not in within)
        return [found[start] for start in sorted(found)]


@record
class Expansion:
    """`sources` have every marked directive and macro use spelt out; `born` has (file,
    line, body) of the OpenMP directives that other macros of these files make, `varying`
    those of a file that is included more than once and reads differently each time."""

    sources: dict[str, Source]
    born: tuple[tuple[str, int, str], ...]
    varying: tuple[tuple[str, int, str], ...]


def expand(unit: Unit, files: Sequence[Marked], graph: Graph) -> Expansion:
    """Preprocess marked copies of the unit's files, of which the first is its own.

    Raises `UnitError` if the compiler does not preprocess it.
    """
    main = files[0].path
    with tempfile.TemporaryDirectory(prefix="pomp-expand-") as folder:
        copies = {main: _copy_of(main, folder, "unit")}
        copies |= _header_copies(folder, files[1:], graph)
        texts = _marked_texts(files)
        for path, copy in copies.items():
            text = texts.get(path) or graph.text(path)
            if len(copies) > 1:
                text = redirected(text, graph.includes(path), lambda i: _instead(i, copies))
            with open(copy, "wb") as file:
                file.write(bytes_of(text))
        beside = os.path.dirname(unit.path) or "."
        command = [*unit.preprocess, "-E", f"-iquote{beside}", copies[main]]
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise UnitError("the compiler does not preprocess it", reason="preprocess")
    output = as_written(text_of(done.stdout), [each.source.text for each in files])
    readings: dict[int, set[str]] = {}
    for marked in _MARKED.finditer(output):
        readings.setdefault(int(marked.group(1)), set()).add(_one_line(marked.group(2)))
    expanded = {number: min(texts) for number, texts in readings.items() if len(texts) == 1}
    _name_files(files, expanded, copies)
    names = {copies[each.path]: each.source.path for each in files}
    varying = tuple(_varying(files, readings))
    return Expansion(_expanded(files, expanded), tuple(_born(output, names)), varying)


def as_written(output: str, texts: Sequence[str]) -> str:
    """gcc preprocesses identifiers to universal character names, which no pragma operator
    takes; characters of the texts are spelt as there."""

    @cache
    def used(character: str) -> bool:
        return any(character in text for text in texts)

    def spelt(match: re.Match[str]) -> str:
        character = encoded(chr(int(match.group(1), 16))) if match.group(1) else ""
        return character if character and used(character) else match.group()

    return _UNIVERSAL.sub(spelt, output) if "\\U" in output else output


def _copy_of(path: str, folder: str, subfolder: str) -> str:
    """Where a file's copy goes, with the name that __FILE_NAME__ then gives."""
    os.mkdir(os.path.join(folder, subfolder))
    return os.path.join(folder, subfolder, os.path.basename(path))


def _header_copies(folder: str, headers: Sequence[Marked], graph: Graph) -> dict[str, str]:
    """Where the copies of the headers stand, and of those that include one."""
    copies = {}
    for number, path in enumerate(sorted(graph.leading_to(h.path for h in headers))):
        copies[path] = _copy_of(path, folder, str(number))
    return {path: copy for path, copy in copies.items() if path != graph.main}


def _instead(include: Include, copies: dict[str, str]) -> str:
    """What a copy includes: a copy, or what was beside the original."""
    original = os.path.abspath(include.path) if include.beside else ""
    return copies.get(include.path, original)


def _marked_texts(files: Sequence[Marked]) -> dict[str, str]:
    texts = {}
    first = 0
    for each in files:
        texts[each.path] = _marked(each.source.text, each.items, first)
        first += len(each.items)
    return texts


def _name_files(files: Sequence[Marked], expanded: dict[int, str], copies: dict[str, str]) -> None:
    """Where the preprocessor has named a copy, let the compiler name the original."""
    base = _literal(copies[files[0].path])
    first = 0
    for each in files:
        own = _literal(copies[each.path])
        for number in range(first, first + len(each.items)):
            if number in expanded:
                named = expanded[number].replace(own, "__FILE__")
                expanded[number] = named.replace(base, "__BASE_FILE__")
        first += len(each.items)


def _literal(path: str) -> str:
    escaped = encoded(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _expanded(files: Sequence[Marked], expanded: dict[int, str]) -> dict[str, Source]:
    sources = {}
    first = 0
    for each in files:
        text, moved = _spelt_out(each.source, each.items, expanded, first)
        sources[each.path] = Source(each.source.path, text, tuple(moved))
        first += len(each.items)
    return sources


def _marked(text: str, items: list[Pragma | Extent], first: int) -> str:
    pieces = []
    at = 0
    for number, item in enumerate(items, first):
        inner = item.body if isinstance(item, Pragma) else text[item.start : item.end]
        lost = text.count("\n", item.start, item.end) - inner.count("\n")
        marked = f"__pomp_begin_{number}_ {inner} __pomp_end_{number}_"
        pieces += [text[at : item.start], marked, "\n" * lost]
        at = item.end
    return "".join([*pieces, text[at:]])


def _varying(
    files: Sequence[Marked], readings: dict[int, set[str]]
) -> Iterator[tuple[str, int, str]]:
    numbered = enumerate((each, item) for each in files for item in each.items)
    for number, (each, item) in numbered:
        texts = readings.get(number, set())
        for text in sorted(texts) if len(texts) > 1 else []:
            bodies = [text] if isinstance(item, Pragma) else _OPERATOR.findall(text)
            yield from ((each.source.path, each.source.line(item.start), body) for body in bodies)


def _spelt_out(
    source: Source, items: list[Pragma | Extent], expanded: dict[int, str], first: int
) -> tuple[str, list[tuple[int, int]]]:
    """The text with the expansions in their places, and what they move; what is in a dead
    branch stays."""
    text = source.text
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    before = deque(source.moved)
    at = length = 0
    for number, item in enumerate(items, first):
        new = expanded.get(number)
        if new is None or (isinstance(item, Pragma) and new.split() == item.body.split()):
            continue
        breaks = text.count("\n", item.start, item.end)
        new = item.spelt(new, breaks) if isinstance(item, Pragma) else new + "\n" * breaks
        pieces += [text[at : item.start], new]
        while before and before[0][0] <= item.start:
            where, columns = before.popleft()
            moved.append((where - at + length, columns))
        length += item.start - at + len(new)
        moved.append((length, last_line(new) - last_line(text[item.start : item.end])))
        at = item.end
        while before and before[0][0] <= at:
            where, columns = before.popleft()
            if "\n" not in text[where:at]:
                moved.append((length, columns))
    moved += [(where - at + length, columns) for where, columns in before]
    return "".join([*pieces, text[at:]]), moved


def _one_line(text: str) -> str:
    """An expansion without line markers, its pragmas as operators."""
    words = []
    for line in text.split("\n"):
        pragma = _PRAGMA.match(line)
        if pragma:
            escaped = pragma.group(1).replace("\\", "\\\\").replace('"', '\\"')
            words.append(f'_Pragma("{escaped}")')
        elif not line.lstrip().startswith("#"):
            words += line.split()
    return " ".join(words)


def _born(output: str, names: dict[str, str]) -> list[tuple[str, int, str]]:
    marked = [match.span() for match in _MARKED.finditer(output)]
    starts = [start for start, _ in marked]
    found = []
    for seen in read_output(output, "", "<stdin>").directives:
        before = bisect_right(starts, seen.at) - 1
        inside = before >= 0 and seen.at < marked[before][1]
        if seen.file in names and seen.sentinel == "omp" and not inside:
            found.append((names[seen.file], seen.line, seen.text))
    return found
