"""The text with every directive written out, whatever macros it holds or comes from.

Markers are put around the directives, and around the uses of macros that may make one, in a copy of
the text. The user's own compiler preprocesses the copy once. The compiler reads what then stands
between two markers, so that text takes the place of what the user wrote, on the same lines.
Directives outside the markers come from other macros.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from pomp_clang.frontend.c.preprocessed import read_output
from pomp_clang.frontend.c.preprocessor import output_of, private_folder
from pomp_clang.frontend.c.source import CSourceText, last_line
from pomp_clang.frontend.directive_text import DirectiveText
from pomp_clang.frontend.inclusion import InclusionGraph, redirected
from pomp_clang.frontend.quoted_includes import (
    includes_beside,
    searches_beside,
    with_whole_includes,
)
from pomp_clang.frontend.source import Extent, OffsetRanges, bytes_of, encoded, text_of
from pomp_clang.frontend.unit import Include, Unit, UnitError
from pomp_clang.record import record


@record
class MarkedFile:
    """A file, its live directives, and where it uses macros that may make one."""

    path: str
    source: CSourceText
    pragmas: tuple[DirectiveText, ...]
    uses: tuple[Extent, ...]

    @cached_property
    def items(self) -> list[DirectiveText | Extent]:
        """Uses, and directives outside them, in the order of the text."""
        uses = OffsetRanges((use.start, use.end) for use in self.uses)
        within = {p.start for p in self.pragmas if uses.depth(p.start)}
        by_start: dict[int, DirectiveText | Extent] = {u.start: u for u in self.uses}
        by_start.update((p.start, p) for p in self.pragmas if p.start not in within)
        return [by_start[start] for start in sorted(by_start)]


def written_out(files: Sequence[MarkedFile], expanded: dict[int, str]) -> dict[str, CSourceText]:
    """Return the texts, by path, with expansions in the places of their items.

    The items of all files are numbered one after the other. One without an expansion stays.
    """
    sources = {}
    first = 0
    for marked_file in files:
        text, moved = _with_expansions(marked_file.source, marked_file.items, expanded, first)
        sources[marked_file.path] = CSourceText(marked_file.source.path, text, tuple(moved))
        first += len(marked_file.items)
    return sources


def operator(pragma: str) -> str:
    """Return the `_Pragma` of a pragma's text."""
    escaped = pragma.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("{escaped}")'


def _with_expansions(
    source: CSourceText, items: list[DirectiveText | Extent], expanded: dict[int, str], first: int
) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with the expansions in their places, and by how many columns they move what
    follows.

    Items in dead branches have no expansion and stay.
    """
    text = source.text
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    before = deque(source.moved)
    at = length = 0
    for number, item in enumerate(items, first):
        new = expanded.get(number)
        if new is None or (isinstance(item, DirectiveText) and new.split() == item.body.split()):
            continue
        breaks = text.count("\n", item.start, item.end)
        new = (
            _as_directive(item, new, breaks)
            if isinstance(item, DirectiveText)
            else new + "\n" * breaks
        )
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


def _as_directive(directive: DirectiveText, body: str, breaks: int) -> str:
    """Return the directive with another body, in its own spelling, over `breaks` line breaks.

    It begins on the first of the lines and ends on the last.
    """
    if directive.spelling == "#pragma":
        splices = "\\\n" * breaks
        return f"#pragma {splices}{directive.sentinel} {body}"
    escaped = body.replace("\\", "\\\\").replace('"', '\\"')
    lines = "\n" * breaks
    return f'_Pragma({lines}"{directive.sentinel} {escaped}")'


_MARKED = re.compile(r"__pomp_begin_(\d+)_\b(.*?)\b__pomp_end_\1_\b", re.S)
_OPERATOR = re.compile(r'_Pragma\("omp ((?:[^"\\]|\\.)*)"\)')
_ANY_OPERATOR = re.compile(r'_Pragma\("(omp|ompx|pomp) ((?:[^"\\]|\\.)*)"\)')
_UNIVERSAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\\U([0-9a-f]{8})')
_PRAGMA = re.compile(r"^\s*#\s*pragma\s+(.*?)\s*$")


@record
class Expansion:
    """The texts of some files with every marked directive and macro use written out.

    `born` has (file, line, body) of the OpenMP directives that other macros of these files make.
    `varying` has those that read differently each time that their file is included.
    """

    sources: dict[str, CSourceText]
    born: tuple[tuple[str, int, str], ...]
    varying: tuple[tuple[str, int, str], ...]


def expand(unit: Unit, files: Sequence[MarkedFile], graph: InclusionGraph) -> Expansion:
    """Preprocess marked copies of the unit's files, of which the first is its own.

    Raises `UnitError` if the compiler does not preprocess the copy.
    """
    main = files[0].path
    with private_folder("pomp-expand-") as folder:
        copies = {main: _copy_of(main, folder, "unit")}
        copies |= _header_copies(folder, files[1:], graph)
        texts = _marked_texts(files)
        folders: list[str] = []
        for path, copy in copies.items():
            text = with_whole_includes(texts.get(path) or graph.text(path))
            includes = (*includes_beside(text, path), *graph.includes(path))
            text = redirected(text, includes, lambda include: _instead(include, copies))
            if path == main and "-I-" not in unit.preprocess and searches_beside(text, main):
                folders.append(f"-iquote{os.path.dirname(main) or '.'}")
            with open(copy, "wb") as file:
                file.write(bytes_of(text))
        command = [*unit.preprocess, "-E", *unit.output_options, *folders, copies[main]]
        written = output_of(command)
    if written is None:
        raise UnitError("the compiler does not preprocess it", reason="preprocess")
    output = as_written(text_of(written), [marked_file.source.text for marked_file in files])
    readings: dict[int, set[str]] = {}
    for marked in _MARKED.finditer(output):
        readings.setdefault(int(marked.group(1)), set()).add(_one_line(marked.group(2)))
    expanded = {number: min(texts) for number, texts in readings.items() if len(texts) == 1}
    _name_files(files, expanded, copies)
    names = {copies[marked_file.path]: marked_file.source.path for marked_file in files}
    varying = tuple(_varying(files, readings))
    return Expansion(written_out(files, expanded), tuple(_born(output, names)), varying)


def expand_alone(unit: Unit, uses: dict[int, str], definitions: Sequence[str]) -> dict[int, str]:
    """Preprocess uses of macros, by their numbers, without the unit around them.

    `definitions` are all macros that they need. The result is empty if the compiler fails.
    """
    marked = (f"__pomp_begin_{n}_ {text} __pomp_end_{n}_" for n, text in uses.items())
    text = "\n".join((*definitions, *marked, ""))
    written = output_of([*unit.preprocess, "-E", *unit.output_options, "-"], bytes_of(text))
    output = as_written(text_of(written or b""), [text])
    return {int(m.group(1)): _one_line(m.group(2)) for m in _MARKED.finditer(output)}


def pragmas_in(expansion: str) -> list[tuple[str, str]]:
    """Return the sentinels and bodies of OpenMP's pragma operators in an expansion."""
    return [
        (match.group(1), " ".join(re.sub(r"\\(.)", r"\1", match.group(2)).split()))
        for match in _ANY_OPERATOR.finditer(expansion)
    ]


def as_written(output: str, texts: Sequence[str]) -> str:
    """Restore the characters of identifiers that gcc wrote as universal character names.

    No pragma operator takes such a name. Only characters of `texts` are restored.
    """

    @cache
    def used(character: str) -> bool:
        return any(character in text for text in texts)

    def spelt(match: re.Match[str]) -> str:
        character = encoded(chr(int(match.group(1), 16))) if match.group(1) else ""
        return character if character and used(character) else match.group()

    return _UNIVERSAL.sub(spelt, output) if "\\U" in output else output


def _copy_of(path: str, folder: str, subfolder: str) -> str:
    """Make a subfolder and return the path of a file's copy in it, so that __FILE_NAME__ stays."""
    os.mkdir(os.path.join(folder, subfolder))
    return os.path.join(folder, subfolder, os.path.basename(path))


def _header_copies(
    folder: str, headers: Sequence[MarkedFile], graph: InclusionGraph
) -> dict[str, str]:
    """Return the paths of the copies, by header; headers that include a copied one are copied."""
    copies = {}
    for number, path in enumerate(sorted(graph.leading_to(h.path for h in headers))):
        copies[path] = _copy_of(path, folder, str(number))
    return {path: copy for path, copy in copies.items() if path != graph.main}


def _instead(include: Include, copies: dict[str, str]) -> str:
    """Return the path that a copy includes: another copy, or the file beside the original."""
    if include.varies:
        return ""
    original = os.path.abspath(include.path) if include.beside else ""
    return copies.get(include.path, original)


def _marked_texts(files: Sequence[MarkedFile]) -> dict[str, str]:
    texts = {}
    first = 0
    for marked_file in files:
        texts[marked_file.path] = _marked(marked_file.source.text, marked_file.items, first)
        first += len(marked_file.items)
    return texts


def _name_files(
    files: Sequence[MarkedFile], expanded: dict[int, str], copies: dict[str, str]
) -> None:
    """Replace the names of copies in the expansions by __FILE__ and __BASE_FILE__."""
    base = _literal(copies[files[0].path])
    first = 0
    for marked_file in files:
        copy_name = _literal(copies[marked_file.path])
        for number in range(first, first + len(marked_file.items)):
            if number in expanded:
                named = expanded[number].replace(copy_name, "__FILE__")
                expanded[number] = named.replace(base, "__BASE_FILE__")
        first += len(marked_file.items)


def _literal(path: str) -> str:
    escaped = encoded(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _marked(text: str, items: list[DirectiveText | Extent], first: int) -> str:
    pieces = []
    at = 0
    for number, item in enumerate(items, first):
        inner = item.body if isinstance(item, DirectiveText) else text[item.start : item.end]
        lost = text.count("\n", item.start, item.end) - inner.count("\n")
        marked = f"__pomp_begin_{number}_ {inner} __pomp_end_{number}_"
        pieces += [text[at : item.start], marked, "\n" * lost]
        at = item.end
    return "".join([*pieces, text[at:]])


def _varying(
    files: Sequence[MarkedFile], readings: dict[int, set[str]]
) -> Iterator[tuple[str, int, str]]:
    numbered = enumerate((marked_file, item) for marked_file in files for item in marked_file.items)
    for number, (marked_file, item) in numbered:
        texts = readings.get(number, set())
        for text in sorted(texts) if len(texts) > 1 else []:
            bodies = [text] if isinstance(item, DirectiveText) else _OPERATOR.findall(text)
            yield from (
                (marked_file.source.path, marked_file.source.line(item.start), body)
                for body in bodies
            )


def _one_line(text: str) -> str:
    """Return an expansion on one line, without line markers, its pragmas as operators."""
    words = []
    for line in text.split("\n"):
        pragma = _PRAGMA.match(line)
        if pragma:
            words.append(operator(pragma.group(1)))
        elif not line.lstrip().startswith("#"):
            words += line.split()
    return " ".join(words)


def _born(output: str, names: dict[str, str]) -> list[tuple[str, int, str]]:
    marked = [match.span() for match in _MARKED.finditer(output)]
    starts = [start for start, _ in marked]
    directives = []
    for seen in read_output(output, "", "<stdin>").directives:
        before = bisect_right(starts, seen.at) - 1
        inside = before >= 0 and seen.at < marked[before][1]
        if seen.file in names and seen.sentinel == "omp" and not inside:
            directives.append((names[seen.file], seen.line, seen.text))
    return directives
