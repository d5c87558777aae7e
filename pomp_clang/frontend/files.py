"""A unit as it is read: its tree, and of each of its files that may hold constructs the
text, the tokens and the directives."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import chain

from pomp_clang.frontend.attributes import spelt_as_pragmas
from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.inclusion import Graph, folders
from pomp_clang.frontend.macros import making_directives, names_one, taking_arguments, uses
from pomp_clang.frontend.octets import decoded, text_of
from pomp_clang.frontend.pragmas import Pragma, find_pragmas, read
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.tree import Tree, View
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.openmp.clauses import is_clause
from pomp_clang.openmp.control import read_control
from pomp_clang.openmp.directives import State
from pomp_clang.openmp.routines import ROUTINES
from pomp_clang.record import record, replace

VARYING = "its file is included more than once, and reads differently each time"
_DIRECTIVE = re.compile(r"\bpragma\b|_Pragma\b|\bomp\s*(?:::|:\s*(?:directive|sequence))")
_MAKES = re.compile("|".join(("_Pragma", *ROUTINES)))


@record
class File:
    """One file of the unit under libclang's name; `pragmas` are its live ones."""

    path: str
    source: Source
    lexemes: tuple[Lexeme, ...]
    pragmas: tuple[Pragma, ...]
    view: View


@record
class Files:
    """`headers` are those of the project's that may hold constructs."""

    tree: Tree
    main: File
    headers: tuple[File, ...]
    graph: Graph
    notes: tuple[Note, ...]
    varying: frozenset[tuple[str, int]]
    """where macros make other directives each time that the compiler reads the file"""


def read_unit(unit: Unit) -> Files:
    """Parse the unit, directives spelt out.  Raises `UnitError` if that is impossible."""
    return _Reader(unit).files()


class _Reader:
    def __init__(self, unit: Unit) -> None:
        name = "<stdin>" if unit.path == "-" else unit.path
        self._unit = unit
        self._notes: list[Note] = []
        self._varying: set[tuple[str, int]] = set()
        self._main = spelt_as_pragmas(Source(name, unit.text))
        self._parse({})
        self._headers = self._read_headers()
        self._macros: dict[str, bool] = {}
        self._wrapping: frozenset[str] = frozenset()

    def files(self) -> Files:
        """The unit, parsed again wherever directives had to be spelt out for that."""
        self._spell_attributes()
        files = [self._file(path) for path in self._relevant()]
        if self._needs_expansion(files) and self._expand(files):
            files = [self._file(each.path) for each in files]
        notes, varying = tuple(self._notes), frozenset(self._varying)
        return Files(self._tree, files[0], tuple(files[1:]), self._graph(), notes, varying)

    def _parse(self, texts: dict[str, str]) -> None:
        self._tree = Tree(replace(self._unit, text=self._main.text), texts)
        self._made: Graph | None = None

    def _read_headers(self) -> dict[str, Source]:
        found: dict[str, Source] = {}
        for each in self._tree.inclusions:
            if each.path not in found and os.path.isfile(each.path):
                with open(each.path, "rb") as file:
                    found[each.path] = Source(each.path, text_of(file.read()))
        return found

    def _spell_attributes(self) -> None:
        spelt = {path: spelt_as_pragmas(source) for path, source in self._headers.items()}
        changed = {p: s.text for p, s in spelt.items() if s.text != self._headers[p].text}
        if changed:
            self._headers |= spelt
            self._parse(changed)

    def _source(self, path: str) -> Source:
        return self._main if path == self._tree.main else self._headers[path]

    def _relevant(self) -> list[str]:
        """The main file and the headers that may hold something of ours."""
        sources = [self._main, *self._headers.values()]
        if any(_MAKES.search(source.text) for source in sources):
            self._macros = making_directives(chain(*(source.lexemes() for source in sources)))
            self._wrapping = taking_arguments(chain(*(source.lexemes() for source in sources)))
        found = [
            path
            for path, source in self._headers.items()
            if self._unit.functions
            or ("omp" in source.text and _DIRECTIVE.search(source.text))
            or names_one(source.text, self._macros)
        ]
        return [self._tree.main, *found]

    def _file(self, path: str) -> File:
        source = self._source(path)
        lexemes = tuple(source.lexemes())
        view = self._tree.view(path, len(source.text))
        pragmas = tuple(p for p in find_pragmas(source, lexemes) if view.is_live(p.start))
        if path != self._tree.main:
            source = replace(source, path=self._graph().spelt(path))
        return File(path, source, lexemes, pragmas, view)

    def _graph(self) -> Graph:
        """What includes what in the unit as it was parsed last."""
        if self._made is None:
            self._made = self._new_graph()
        return self._made

    def _new_graph(self) -> Graph:
        texts = {self._tree.main: self._main.text}
        texts |= {path: source.text for path, source in self._headers.items()}
        searched = folders(self._unit.arguments)
        return Graph(self._tree.main, texts, self._tree.inclusions, searched)

    def _needs_expansion(self, files: Iterable[File]) -> bool:
        if self._macros or any(_holds_macro(p) for f in files for p in f.pragmas):
            return True
        return any(self._uses(file) for file in files)

    def _uses(self, file: File) -> list[Extent]:
        if not self._macros and not self._wrapping:
            return []
        return uses(file.source, file.lexemes, self._macros, self._wrapping)

    def _expand(self, files: list[File]) -> bool:
        """Spell out what macros make; name the directives that come out of others.  Whether
        there was something to spell out."""
        from pomp_clang.frontend.expand import Marked, expand

        marked = []
        for file in files:
            found = self._uses(file)
            if file.path == self._tree.main or found or any(map(_holds_macro, file.pragmas)):
                marked.append(Marked(file.path, file.source, file.pragmas, tuple(found)))
        expansion = expand(self._unit, marked, self._graph())
        for path, line, body in expansion.born:
            directive = read(body).directive
            text = f"'{directive.words if directive else decoded(body)}' comes out of a macro"
            self._notes.append(Note(path, line, f"{text}: not measured yet", "macro"))
        for path, line, body in expansion.varying:
            directive = read(body).directive
            text = f"'{directive.words if directive else decoded(body)}' is not measured"
            why = VARYING
            self._varying.add((path, line))
            self._notes.append(Note(path, line, f"{text}: {why}", "header"))
        changed = {p: s for p, s in expansion.sources.items() if s.text != self._source(p).text}
        if not changed:
            return False
        self._main = changed.get(self._tree.main, self._main)
        self._headers |= {p: s for p, s in changed.items() if p != self._tree.main}
        self._parse({path: source.text for path, source in self._headers.items()})
        return True


def _holds_macro(pragma: Pragma) -> bool:
    """Whether a directive has a word that no table knows where one of them must stand."""
    if pragma.sentinel != "omp" or read_control(pragma.body):
        return False
    reading = read(pragma.body)
    if reading.directive is None:
        return True
    if reading.directive.state is not State.MEASURED:
        return False
    return any(not is_clause(c.name) for c in reading.clauses)
