"""Find the constructs of a unit.

The lexer says where directives and lock calls stand, the tree which of them are live
and what statement follows each; then nesting, section separators and the pairs of
user regions are worked out on plain offsets.
"""

from __future__ import annotations

from itertools import chain

from pomp_clang.frontend.attributes import spelt_as_pragmas
from pomp_clang.frontend.constructs import Construct, Constructs, Extent
from pomp_clang.frontend.expand import expand
from pomp_clang.frontend.headers import header_notes
from pomp_clang.frontend.home import Homes
from pomp_clang.frontend.macros import closing, making_directives, uses
from pomp_clang.frontend.nesting import nest
from pomp_clang.frontend.pragmas import Pragma, Reading, find_pragmas, read
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.tree import Position, Tree
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.openmp.clauses import is_clause
from pomp_clang.openmp.control import ControlReading, read_control
from pomp_clang.openmp.directives import Form, State
from pomp_clang.openmp.routines import ROUTINES
from pomp_clang.record import record, replace


@record
class Found:
    """The constructs of a unit, and what has to be said of those that are not among them."""

    constructs: Constructs
    notes: tuple[Note, ...]


def find(unit: Unit) -> Found:
    """The constructs of the unit.  Raises `UnitError` if it cannot be parsed."""
    finder = _Finder(unit)
    items = finder.items()
    silenced = tuple(_silenced(items, len(unit.text)))
    constructs = Constructs(finder.source, unit.language, nest(finder.source, items), silenced)
    return Found(constructs, tuple(finder.notes))


class _Finder:
    def __init__(self, unit: Unit) -> None:
        self.notes: list[Note] = []
        written = Source("<stdin>" if unit.path == "-" else unit.path, unit.text)
        spelt = spelt_as_pragmas(written)
        unit = replace(unit, text=spelt.text)
        self._read(unit, spelt.moved)
        if self._needs_expansion():
            self._expand(unit)
        self.notes += header_notes(self._tree)
        self._homes = Homes(self.source, self._tree, unit.language, self._pragmas)

    def _read(self, unit: Unit, moved: tuple[tuple[int, int], ...] = ()) -> None:
        self.source = Source("<stdin>" if unit.path == "-" else unit.path, unit.text, moved)
        self._lexemes = list(self.source.lexemes())
        self._tree = Tree(unit)
        everything = find_pragmas(self.source, self._lexemes)
        self._pragmas = [p for p in everything if self._tree.is_live(p.start)]

    def _needs_expansion(self) -> bool:
        headers = (Source(path, text).lexemes() for path, text in self._tree.project_headers)
        self._macros = making_directives(chain(self._lexemes, *headers))
        return bool(self._macros) or any(_holds_macro(p) for p in self._pragmas)

    def _expand(self, unit: Unit) -> None:
        """Spell out what macros make; name the directives that come out of others."""
        found = uses(self.source, self._lexemes, self._macros)
        expansion = expand(unit, self.source, self._pragmas, found)
        for line, body in expansion.born:
            directive = read(body).directive
            text = f"'{directive.words if directive else body}' comes out of a macro"
            self.notes.append(Note(self.source.path, line, f"{text}: not measured yet", "macro"))
        if expansion.text != unit.text:
            self._read(replace(unit, text=expansion.text), expansion.moved)

    def items(self) -> list[Construct]:
        """The constructs in the order of the text, nesting not yet known."""
        items = []
        for number, pragma in enumerate(self._pragmas):
            follows = self._pragmas[number + 1 :]
            made = self._of_pragma(pragma, follows)
            if made is not None:
                items.append(made)
        for lexeme in self._lexemes:
            if lexeme.kind == "word" and lexeme.text in ROUTINES:
                made = self._of_routine(lexeme)
                if made is not None:
                    items.append(made)
        return sorted(items, key=lambda c: c.begin.start)

    def _say(self, offset: int, text: str, reason: str) -> None:
        path, line = self.source.place(offset)
        self.notes.append(Note(path, line, text, reason))

    def _of_pragma(self, pragma: Pragma, follows: list[Pragma]) -> Construct | None:
        control = read_control(pragma.body) if pragma.spelling != "[[omp]]" else None
        reading = read(pragma.body)
        if pragma.spelling == "[[omp]]":
            kind = reading.directive.words if reading.directive else pragma.body
            self._say(pragma.start, f"'{kind}' as an attribute is not measured yet", "attribute")
            return None
        position = self._tree.at(pragma.start, pragma.end)
        if control is not None:
            return self._of_control(pragma, control, position)
        if pragma.sentinel != "omp":
            self._say(
                pragma.start, f"unknown directive '{pragma.sentinel} {pragma.body}'", "unknown"
            )
            return None
        if reading.directive is None:
            self._say(pragma.start, f"unknown directive 'omp {pragma.body}'", "unknown")
            return None
        return self._of_directive(pragma, reading, position, follows)

    def _of_directive(
        self, pragma: Pragma, reading: Reading, position: Position, follows: list[Pragma]
    ) -> Construct | None:
        directive = reading.directive
        assert directive is not None
        if directive.form is Form.DECLARATIVE:
            return None
        if not position.in_code:
            self._say(pragma.start, f"'{directive.words}' stands outside any function", "place")
            return None
        standalone = not directive.bears_code or _is_bodyless_ordered(reading)
        block = None if standalone else self._block(pragma, position, follows)
        if not standalone and block is None and directive.state is not State.SILENT:
            self._say(pragma.start, f"no statement found for '{directive.words}'", "block")
            return None
        return Construct(
            index=-1,
            kind=directive.words,
            begin=Extent(pragma.start, pragma.end),
            block=block,
            home=self._homes.of(position),
            listed=position.listed,
            after_empty_loop=position.listed and position.after_empty_loop,
            directive=directive,
            reading=reading,
            pragma=pragma,
            sub_name=(reading.argument or "") if directive.words == "critical" else "",
        )

    def _of_control(
        self, pragma: Pragma, control: ControlReading, position: Position
    ) -> Construct | None:
        words = control.control.words
        if control.control.call and not position.in_code:
            self._say(pragma.start, f"'{words}' stands outside any function", "place")
            return None
        if control.value:
            self._say(pragma.start, f"the value '{control.value}' is not recorded yet", "value")
        path = position.path
        home = self._homes.of(position) if position.in_code else self._homes.nowhere()
        target = position.next if path and not position.listed and position.next else None
        return Construct(
            index=-1,
            kind="region" if control.control.named else words,
            begin=Extent(pragma.start, pragma.end),
            block=self._ended(target.start, target.end) if target else None,
            home=home,
            listed=position.listed,
            pragma=pragma,
            control=control,
            sub_name=control.name,
        )

    def _of_routine(self, word: Lexeme) -> Construct | None:
        if not self._tree.is_live(word.start):
            return None
        if self._tree.routine_at(word.start) != word.text:
            return None
        opening = self.source.skip_blank(word.end)
        end = closing(self.source, opening) if self.source.text[opening] == "(" else None
        if end is None:
            text = f"calls of '{word.text}' through a pointer are not measured"
            self._say(word.start, text, "lock-pointer")
            return None
        position = self._tree.at(word.start, word.end)
        if not position.in_code:
            self._say(word.start, f"'{word.text}' stands outside any function", "place")
            return None
        argument = " ".join(self.source.text[opening + 1 : end - 1].split())
        return Construct(
            index=-1,
            kind="lock",
            begin=Extent(word.start, word.end),
            block=Extent(opening, end),
            home=self._homes.of(position),
            listed=position.listed,
            routine=ROUTINES[word.text],
            sub_name=argument.removeprefix("&"),
        )

    def _block(self, pragma: Pragma, position: Position, follows: list[Pragma]) -> Extent | None:
        """The structured block: the statement that follows, or a directive that is one."""
        limit = position.next.start if position.next else len(self.source.text)
        for other in follows:
            if other.start >= limit:
                break
            directive = read(other.body).directive
            if directive is not None and directive.form is Form.STANDALONE:
                inside = not position.path or other.start < position.path[-1].end
                return Extent(other.start, other.end) if inside else None
        if position.next is None:
            return None
        return self._ended(position.next.start, position.next.end)

    def _ended(self, start: int, end: int) -> Extent:
        """A statement's extent with its semicolon, which the tree leaves out."""
        text = self.source.text
        if text[end - 1] != ";":
            after = self.source.skip_blank(end)
            near = text[end - 1] != "}" or "\n" not in text[end:after]
            if near and text[after : after + 1] == ";":
                return Extent(start, after + 1)
        return Extent(start, end)


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


def _is_bodyless_ordered(reading: Reading) -> bool:
    return reading.directive is not None and (
        reading.directive.words == "ordered"
        and any(c.name in ("depend", "doacross") for c in reading.clauses)
    )


def _silenced(items: list[Construct], length: int) -> list[Extent]:
    """From each noinstrument to the next instrument, or to the end of the file."""
    stretches = []
    start: int | None = None
    for item in items:
        words = item.control.control.words if item.control else ""
        if words == "noinstrument" and start is None:
            start = item.begin.start
        elif words == "instrument" and start is not None:
            stretches.append(Extent(start, item.begin.end))
            start = None
    if start is not None:
        stretches.append(Extent(start, length))
    return stretches
