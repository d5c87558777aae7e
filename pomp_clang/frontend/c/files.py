"""A unit as it is read: its tree, and the text, tokens and directives of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pomp_clang.frontend.c.bodiless import BodilessHeaders, bodiless_headers
from pomp_clang.frontend.c.enclosed import UnclearReadingsError
from pomp_clang.frontend.c.file_view import FileView
from pomp_clang.frontend.c.macros import NAME, Macros, uses
from pomp_clang.frontend.c.parse import UnitTexts, main_name
from pomp_clang.frontend.c.pragmas import find_pragmas
from pomp_clang.frontend.c.preamble_store import shared_store
from pomp_clang.frontend.c.preprocess import preprocess
from pomp_clang.frontend.c.preprocessed import Preprocessed, PreprocessedItem
from pomp_clang.frontend.c.source import CSourceText, Lexeme
from pomp_clang.frontend.c.tree import SyntaxTree
from pomp_clang.frontend.constructs import Candidates, all_functions
from pomp_clang.frontend.directive_text import DirectiveText, read_directive
from pomp_clang.frontend.inclusion import Inclusion, InclusionGraph, as_project, folders
from pomp_clang.frontend.source import Extent, decoded
from pomp_clang.frontend.unit import Note, Unit, UnitError
from pomp_clang.openmp.clauses import is_clause
from pomp_clang.openmp.directives import DirectiveState
from pomp_clang.openmp.pomp_api import ROUTINES, read_control
from pomp_clang.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.c.expand import MarkedFile

VARYING = "its file is included more than once, and reads differently each time"


@record
class UnitFile:
    """One file of the unit under libclang's name; `pragmas` are its live ones.

    `has_directives` is False for a header that is read for its functions alone. `unclear` says why
    its inclusions cannot be distinguished, if they cannot.
    """

    path: str
    source: CSourceText
    texts: UnitTexts
    pragmas: tuple[DirectiveText, ...]
    view: FileView
    has_directives: bool
    unclear: str = ""

    @property
    def lexemes(self) -> tuple[Lexeme, ...]:
        """The tokens of the file; slow for a file that no one has asked for before."""
        return self.texts.lexemes(self.path)


@record
class UnitFiles:
    """`headers` are those of the project's that may hold constructs."""

    tree: SyntaxTree
    main: UnitFile
    headers: tuple[UnitFile, ...]
    graph: InclusionGraph
    notes: tuple[Note, ...]
    varying: frozenset[tuple[str, int]]
    """the places where macros make other directives each time that the file is read"""
    preprocessed: Preprocessed | None
    """the output of the preprocessor, or None if the compiler heeds no directives"""

    def is_installed(self, path: str) -> bool:
        """Return True for a header of an installed library, whose functions are not the project's."""
        return _is_installed(path, self.preprocessed)


def read_unit(unit: Unit, candidates: Candidates = all_functions) -> UnitFiles | None:
    """Parse the unit, directives written out; None if nothing in it can be a construct.

    Bodies of functions that are neither candidates nor in a file with directives may be left out.
    Raises `UnitError` if that is impossible.
    """
    return _Reader(unit, candidates).files()


class _Reader:
    def __init__(self, unit: Unit, candidates: Candidates) -> None:
        self._unit = unit
        self._candidates = candidates
        self._main = main_name(unit)
        self._notes: list[Note] = []
        self._varying: set[tuple[str, int]] = set()
        self._texts = UnitTexts(unit)

    def files(self) -> UnitFiles | None:
        """Return the unit, parsed once all directives are written out in its texts."""
        unit = self._unit
        preprocessed = preprocess(unit) if unit.directives else None
        if preprocessed is not None:
            if preprocessed.is_empty and not unit.functions:
                return None
            folders_ = preprocessed.project_folders
            self._unit = unit = replace(unit, arguments=as_project(unit.arguments, folders_))
            self._spell_out(preprocessed)
        text = self._texts.source(self._main).text
        tree = self._tree(text, preprocessed)
        if preprocessed is None and unit.directives:
            raise UnitError("the compiler does not preprocess it", reason="preprocess")
        graph = self._graph(tree.inclusions)
        read = self._files_read(preprocessed)
        files = [
            self._file(tree, graph, path, read is None or self._texts.real(path) in read)
            for path in self._relevant(tree, preprocessed, read)
        ]
        notes, varying = tuple(self._notes), frozenset(self._varying)
        return UnitFiles(tree, files[0], tuple(files[1:]), graph, notes, varying, preprocessed)

    def _tree(self, text: str, preprocessed: Preprocessed | None) -> SyntaxTree:
        """Return the unit's tree, by the parse of a preamble that a compile server keeps, if any.

        A preamble has all bodies of functions if functions are measured: other units may need others.
        """
        unit = replace(self._unit, text=text)
        if preprocessed is None:
            return SyntaxTree(unit, self._texts.changed)
        is_cxx, bodiless = unit.language == "c++", BodilessHeaders()
        if is_cxx and not unit.functions:
            bodiless = bodiless_headers(preprocessed, unit.arguments)
        store, beginning = shared_store(), None
        if store is not None:
            from pomp_clang.frontend.c.preamble import shared_beginning

            beginning = shared_beginning(store, unit, self._texts, preprocessed, bodiless)
        if is_cxx and unit.functions:
            candidates = self._candidates(beginning.shared if beginning is not None else ())
            if candidates:
                bodiless = bodiless_headers(preprocessed, unit.arguments, candidates.are_in)
        if store is None or beginning is None:
            return SyntaxTree(unit, self._texts.changed, bodiless=bodiless)
        from pomp_clang.frontend.c.preamble import shared_preamble

        preamble = shared_preamble(store, beginning)
        tree = SyntaxTree(unit, self._texts.changed, preamble, bodiless=bodiless)
        if preamble is not None and tree.preamble is None:
            store.fail(preamble.keys)
        return tree

    def _files_read(self, preprocessed: Preprocessed | None) -> frozenset[str] | None:
        """Return the real paths of files with a directive or a lock call; None if unknown."""
        if preprocessed is None:
            return None
        return frozenset(map(self._texts.real, (self._main, *preprocessed.files)))

    def _relevant(
        self, tree: SyntaxTree, preprocessed: Preprocessed | None, read: frozenset[str] | None
    ) -> list[str]:
        """Return the paths of the main file, and of the headers that may hold constructs.

        They are in the order in which the compiler reads them. A preamble's headers need not be first.
        """
        headers = dict.fromkeys(way.path for way in tree.inclusions)
        if preprocessed is not None and tree.preamble is not None:
            entered = dict.fromkeys(way.path for way in preprocessed.inclusions)
            headers = {path: None for path in entered if path in headers} | headers
        if read is not None:
            headers = {
                path: None
                for path in headers
                if self._texts.real(path) in read
                or (self._unit.functions and self._may_have_functions(path, preprocessed))
            }
        headers |= dict.fromkeys(_includers(tree, headers))
        return [self._main, *(path for path in headers if self._texts.is_file(path))]

    def _may_have_functions(self, path: str, preprocessed: Preprocessed | None) -> bool:
        if _is_installed(path, preprocessed):
            return False
        candidates = self._candidates(()) if self._unit.language == "c++" else None
        return candidates is None or candidates.are_in(path)

    def _file(
        self, tree: SyntaxTree, graph: InclusionGraph, path: str, has_directives: bool
    ) -> UnitFile:
        source = self._texts.source(path)
        view, unclear = tree.view(path, len(source.text)), ""
        try:
            if tree.enclosed.encloses(path):
                view = tree.enclosed.view(path)
        except UnclearReadingsError as error:
            unclear = str(error)
        lexemes = self._texts.lexemes(path) if has_directives else ()
        pragmas = tuple(p for p in find_pragmas(source, lexemes) if view.is_live(p.start))
        if path != self._main:
            source = replace(source, path=graph.spelt(path))
        return UnitFile(path, source, self._texts, pragmas, view, has_directives, unclear)

    def _graph(self, inclusions: Iterable[Inclusion]) -> InclusionGraph:
        entered = tuple(inclusions)
        texts = self._texts.by_path((self._main, *(way.path for way in entered)))
        return InclusionGraph(self._main, texts, entered, folders(self._unit.arguments))

    def _spell_out(self, preprocessed: Preprocessed) -> None:
        """Write out what macros make, and add notes on directives that come out of other macros."""
        holders = [self._main, *sorted(preprocessed.files - {self._main})]
        self._texts.spell_attributes(holders)
        seen, called = _by_file(preprocessed.directives), _by_file(preprocessed.routines)
        written = {path: self._written(path, seen, called) for path in holders}
        if not any(
            self._needs_expansion(written_file, preprocessed) for written_file in written.values()
        ):
            return
        from pomp_clang.frontend.c.expand import MarkedFile, written_out  # seldom needed

        marked = []
        for path, written_file in written.items():
            macro_uses = tuple(uses(written_file.source, written_file.lexemes, preprocessed.macros))
            if path == self._main or macro_uses or any(map(_holds_macro, written_file.pragmas)):
                marked.append(
                    MarkedFile(path, written_file.source, written_file.pragmas, macro_uses)
                )
        expansions = _expansions_read(self._unit, marked, written, preprocessed.macros)
        if expansions is not None:
            for path, source in written_out(marked, expansions).items():
                self._texts.change(path, source)
            return
        from pomp_clang.frontend.c.expand import expand

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


def _is_installed(path: str, preprocessed: Preprocessed | None) -> bool:
    folders_ = preprocessed.project_folders if preprocessed is not None else ()
    return path.startswith(tuple(f"{folder.rstrip('/')}/" for folder in folders_))


def _includers(tree: SyntaxTree, headers: Iterable[str]) -> Iterator[str]:
    """Yield the headers through which files are included inside declarations."""
    pending, known = list(headers), {tree.main, ""}
    while pending:
        path = pending.pop()
        if tree.enclosed.is_inside(path):
            more = {way.includer for way in tree.entered.into(path)} - known
            known |= more
            pending += more
            yield from sorted(more)


_IN_ARGUMENTS = {"_Pragma", *ROUTINES}


_ByFile = dict[str, list[PreprocessedItem]]


def _by_file(items: Iterable[PreprocessedItem]) -> _ByFile:
    """Return what the compiler reads, by the file that holds the text."""
    by_file: _ByFile = {}
    for item in items:
        by_file.setdefault(item.opened, []).append(item)
    return by_file


@record
class _Written:
    """A file's text with its dead branches, and the items of it that the compiler reads."""

    source: CSourceText
    lexemes: tuple[Lexeme, ...]
    pragmas: tuple[DirectiveText, ...]
    seen: tuple[PreprocessedItem, ...]
    called: tuple[PreprocessedItem, ...]

    @property
    def is_made_by_macros(self) -> bool:
        """True if the compiler reads some directive or lock call that the text does not have."""
        lines = {seen.line for seen in self.seen}
        if any(_holds_macro(p) and self.source.line(p.start) in lines for p in self.pragmas):
            return True
        return self.reads_more_than(self.pragmas)

    def readings(self) -> dict[int, set[tuple[str, str]]]:
        """Return the sentinels and bodies of the directives that the compiler reads, by line."""
        readings: dict[int, set[tuple[str, str]]] = {}
        for seen in self.seen:
            readings.setdefault(seen.line, set()).add((seen.sentinel, seen.text))
        return readings

    def calls_routine(self, item: DirectiveText | Extent) -> bool:
        """Return True if the compiler reads a lock call on a line of the item."""
        first, last = self.source.line(item.start), self.source.line(item.end)
        return any(first <= seen.line <= last for seen in self.called)

    def reads_more_than(self, items: Iterable[DirectiveText | Extent]) -> bool:
        """Return True if the compiler reads more on some line than these items stand there."""
        spelt = Counter(self.source.line(item.start) for item in items)
        words = [
            lexeme for lexeme in self.lexemes if lexeme.kind == "word" and lexeme.text in ROUTINES
        ]
        named = Counter(self.source.line(word.start) for word in words)
        return _exceeds(self.seen, spelt) or _exceeds(self.called, named)


def _expansions_read(
    unit: Unit, marked: Sequence[MarkedFile], written: Mapping[str, _Written], macros: Macros
) -> dict[int, str] | None:
    """Return what the items of files expand to as the compiler has read them, by their number.

    Return None if that takes another run of the preprocessor over the unit. It does where a macro
    with text around its directive changes within the unit. So it does where a line has several
    items or reads differently each time.
    """
    from pomp_clang.frontend.c.expand import operator

    items_of = {file.path: file.items for file in marked}
    expansions: dict[int, str] = {}
    with_text: dict[int, str] = {}
    first = 0
    for path, there in written.items():
        items = items_of.get(path, there.pragmas)
        if there.reads_more_than(items):
            return None
        if path not in items_of:
            continue
        readings = there.readings()
        number_on = Counter(there.source.line(item.start) for item in items)
        for number, item in enumerate(items, first):
            line = there.source.line(item.start)
            is_whole = not isinstance(item, Extent) or macros.makes_one_pragma(
                _name_at(there.source, item)
            )
            if not is_whole and there.calls_routine(item):
                return None
            if line in readings:
                if number_on[line] > 1 or len(readings[line]) > 1:
                    return None
                ((sentinel, text),) = readings[line]
                if not isinstance(item, Extent):
                    expansions[number] = text
                    continue
                expansions[number] = operator(f"{sentinel} {text}")
                if not is_whole:
                    with_text[number] = there.source.text[item.start : item.end]
        first += len(items)
    return _with_text(unit, expansions, with_text, macros) if with_text else expansions


def _with_text(
    unit: Unit, expansions: dict[int, str], with_text: dict[int, str], macros: Macros
) -> dict[int, str] | None:
    """Return the expansions, those of macros with text around the directive preprocessed alone.

    Return None where that is not certain to give what the compiler reads in the unit.
    """
    definitions = macros.lasting_definitions(" ".join(with_text.values()))
    if definitions is None:
        return None
    from pomp_clang.frontend.c.expand import expand_alone, pragmas_in

    alone = expand_alone(unit, with_text, definitions)
    for number in with_text:
        if pragmas_in(alone.get(number, "")) != pragmas_in(expansions[number]):
            return None
    return expansions | alone


def _name_at(source: CSourceText, use: Extent) -> str:
    """Return the name of the macro that is used."""
    match = NAME.match(source.text, use.start)
    return match.group() if match else ""


def _exceeds(seen: Iterable[PreprocessedItem], written: Counter[int]) -> bool:
    """Return True if the compiler reads more on some line than is written there."""
    read_there = Counter((item.entry, item.line) for item in seen)
    return any(count > written[line] for (_, line), count in read_there.items())


def _words(body: str) -> str:
    directive = read_directive(body).directive
    return directive.words if directive else decoded(body)


def _holds_macro(pragma: DirectiveText) -> bool:
    """Return True if a word of a directive is in no table where a word of a table must stand."""
    if pragma.sentinel != "omp" or read_control(pragma.body):
        return False
    reading = read_directive(pragma.body)
    if reading.directive is None:
        return True
    if reading.directive.state is not DirectiveState.MEASURED:
        return False
    return any(not is_clause(c.name) for c in reading.clauses)
