"""A unit as it is read: its tree, and of each of its files that may hold constructs the
text, the tokens and the directives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pomp_clang.frontend.inclusion import Graph, Inclusion, folders
from pomp_clang.frontend.macros import uses
from pomp_clang.frontend.octets import decoded
from pomp_clang.frontend.parse import main_name
from pomp_clang.frontend.pragmas import Pragma, find_pragmas, read
from pomp_clang.frontend.preprocess import preprocess
from pomp_clang.frontend.preprocessed import Preprocessed, Seen
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.texts import Texts
from pomp_clang.frontend.tree import Tree, UnitError, View
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.openmp.clauses import is_clause
from pomp_clang.openmp.control import read_control
from pomp_clang.openmp.directives import State
from pomp_clang.openmp.routines import ROUTINES
from pomp_clang.record import record, replace

VARYING = "its file is included more than once, and reads differently each time"


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
    preprocessed: Preprocessed | None
    """what the compiler reads, or None where it heeds no directives"""


def read_unit(unit: Unit) -> Files | None:
    """Parse the unit, directives spelt out; None if nothing in it can be a construct.

    Raises `UnitError` if that is impossible.
    """
    return _Reader(unit).files()


class _Reader:
    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._main = main_name(unit)
        self._notes: list[Note] = []
        self._varying: set[tuple[str, int]] = set()
        self._texts = Texts(unit)

    def files(self) -> Files | None:
        """The unit, parsed once all directives are spelt out in its texts."""
        unit = self._unit
        preprocessed = preprocess(unit) if unit.directives else None
        if preprocessed is not None:
            if preprocessed.is_empty and not unit.functions:
                return None
            self._spell_out(preprocessed)
        text = self._texts.source(self._main).text
        tree = Tree(replace(unit, text=text), self._texts.changed)
        if preprocessed is None and unit.directives:
            raise UnitError("the compiler does not preprocess it", reason="preprocess")
        graph = self._graph(tree.inclusions)
        files = [self._file(tree, graph, path) for path in self._relevant(tree, preprocessed)]
        notes, varying = tuple(self._notes), frozenset(self._varying)
        return Files(tree, files[0], tuple(files[1:]), graph, notes, varying, preprocessed)

    def _relevant(self, tree: Tree, preprocessed: Preprocessed | None) -> list[str]:
        """The main file, and the headers that may hold something of ours."""
        headers = dict.fromkeys(way.path for way in tree.inclusions)
        if not self._unit.functions and preprocessed is not None:
            wanted = {self._texts.real(path) for path in preprocessed.files}
            headers = {path: None for path in headers if self._texts.real(path) in wanted}
        return [self._main, *(path for path in headers if self._texts.is_file(path))]

    def _file(self, tree: Tree, graph: Graph, path: str) -> File:
        source = self._texts.source(path)
        lexemes = self._texts.lexemes(path)
        view = tree.view(path, len(source.text))
        pragmas = tuple(p for p in find_pragmas(source, lexemes) if view.is_live(p.start))
        if path != self._main:
            source = replace(source, path=graph.spelt(path))
        return File(path, source, lexemes, pragmas, view)

    def _graph(self, inclusions: Iterable[Inclusion]) -> Graph:
        entered = tuple(inclusions)
        texts = self._texts.by_path((self._main, *(each.path for each in entered)))
        return Graph(self._main, texts, entered, folders(self._unit.arguments))

    def _spell_out(self, preprocessed: Preprocessed) -> None:
        """Spell out what macros make; name the directives that come out of others."""
        holders = [self._main, *sorted(preprocessed.files - {self._main})]
        self._texts.spell_attributes(holders)
        seen, called = _by_file(preprocessed.directives), _by_file(preprocessed.routines)
        written = {path: self._written(path, seen, called) for path in holders}
        if not any(self._needs_expansion(each, preprocessed) for each in written.values()):
            return
        from pomp_clang.frontend.expand import Marked, expand

        marked = []
        for path, each in written.items():
            found = tuple(uses(each.source, each.lexemes, preprocessed.macros))
            if path == self._main or found or any(map(_holds_macro, each.pragmas)):
                marked.append(Marked(path, each.source, each.pragmas, found))
        expansion = expand(self._unit, marked, self._graph(preprocessed.inclusions))
        for place, line, body in expansion.born:
            text = f"'{_words(body)}' comes out of a macro: not measured yet"
            self._notes.append(Note(place, line, text, "macro"))
        for place, line, body in expansion.varying:
            self._varying.add((place, line))
            text = f"'{_words(body)}' is not measured: {VARYING}"
            self._notes.append(Note(place, line, text, "header"))
        for path, source in expansion.sources.items():
            self._texts.change(path, source)

    def _written(self, path: str, seen: _ByFile, called: _ByFile) -> _Written:
        source, lexemes = self._texts.source(path), self._texts.lexemes(path)
        pragmas = tuple(find_pragmas(source, lexemes))
        return _Written(
            source, lexemes, pragmas, tuple(seen.get(path, ())), tuple(called.get(path, ()))
        )

    def _needs_expansion(self, written: _Written, preprocessed: Preprocessed) -> bool:
        if written.is_made_by_macros:
            return True
        if not any(word.kind == "word" and word.text in _IN_ARGUMENTS for word in written.lexemes):
            return False
        return bool(uses(written.source, written.lexemes, preprocessed.macros))


_IN_ARGUMENTS = {"_Pragma", *ROUTINES}


_ByFile = dict[str, list[Seen]]


def _by_file(read: Iterable[Seen]) -> _ByFile:
    """Return what the compiler reads, by the file that holds the text."""
    found: _ByFile = {}
    for each in read:
        found.setdefault(each.opened, []).append(each)
    return found


@record
class _Written:
    """A file's text as it stands, dead branches included, and what the compiler reads of it."""

    source: Source
    lexemes: tuple[Lexeme, ...]
    pragmas: tuple[Pragma, ...]
    seen: tuple[Seen, ...]
    called: tuple[Seen, ...]

    @property
    def is_made_by_macros(self) -> bool:
        """Whether some directive or lock call does not stand in the text as the compiler
        reads it."""
        spelt = Counter(self.source.line(pragma.start) for pragma in self.pragmas)
        lines = {seen.line for seen in self.seen}
        if any(_holds_macro(p) and self.source.line(p.start) in lines for p in self.pragmas):
            return True
        words = [each for each in self.lexemes if each.kind == "word" and each.text in ROUTINES]
        named = Counter(self.source.line(word.start) for word in words)
        return _exceeds(self.seen, spelt) or _exceeds(self.called, named)


def _exceeds(seen: Iterable[Seen], written: Counter[int]) -> bool:
    """Whether the compiler reads more on some line than is written there."""
    read_there = Counter((each.entry, each.line) for each in seen)
    return any(count > written[line] for (_, line), count in read_there.items())


def _words(body: str) -> str:
    directive = read(body).directive
    return directive.words if directive else decoded(body)


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
