"""Find the constructs of a unit.

The lexer says where directives and lock calls stand, the tree which of them are live
and what statement follows each; then nesting, section separators and the pairs of
user regions are worked out on plain offsets.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain

from pomp_clang.frontend.constructs import Construct, Constructs, Extent, Home
from pomp_clang.frontend.doubt import Doubts
from pomp_clang.frontend.files import VARYING, File, Files, read_unit
from pomp_clang.frontend.headers import among_device_code, header_refusal, header_tag
from pomp_clang.frontend.home import Homes
from pomp_clang.frontend.inclusion import Graph
from pomp_clang.frontend.libclang import Kind
from pomp_clang.frontend.macros import closing
from pomp_clang.frontend.nesting import nest
from pomp_clang.frontend.octets import decoded
from pomp_clang.frontend.parse import main_name
from pomp_clang.frontend.pragmas import Pragma, Reading, read
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.tree import Position
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.frontend.unseen import unseen
from pomp_clang.frontend.variants import governed
from pomp_clang.openmp.control import ControlReading, read_control
from pomp_clang.openmp.directives import Form, State
from pomp_clang.openmp.routines import ROUTINES
from pomp_clang.record import record, replace

_BEFORE_A_CALL = tuple("{}();,=!&|?")
"""The marks behind which a function's name is that of a call, and no member."""


@record
class Found:
    """The constructs of a unit's own file and of its project's headers, and what has to be
    said of those that are not among them; `graph` says what includes what."""

    constructs: Constructs
    notes: tuple[Note, ...]
    headers: tuple[Constructs, ...]
    graph: Graph

    @property
    def files(self) -> tuple[Constructs, ...]:
        """The unit's own file, then the headers."""
        return (self.constructs, *self.headers)


def find(unit: Unit) -> Found:
    """The constructs of the unit.  Raises `UnitError` if it cannot be parsed."""
    files = read_unit(unit)
    if files is None:
        return _nothing(unit)
    device = among_device_code(files)
    finders = [
        _Finder(unit, files, file, file.path in device) for file in (files.main, *files.headers)
    ]
    main, *headers = [finder.constructs() for finder in finders]
    notes = [*files.notes, *chain.from_iterable(finder.notes for finder in finders)]
    notes += unseen(files, (main, *headers), notes)
    with_constructs = tuple(each for each in headers if each.items)
    return Found(main, tuple(notes), with_constructs, files.graph)


def _nothing(unit: Unit) -> Found:
    """What there is in a unit without directives and lock calls."""
    name = "<stdin>" if unit.path == "-" else unit.path
    source, path = Source(name, unit.text), main_name(unit)
    empty = Constructs(source, unit.language, (), (), path)
    return Found(empty, (), (), Graph(path, {path: unit.text}, (), ()))


class _Finder:
    """Finds the constructs of one file, which may be included among device code."""

    def __init__(self, unit: Unit, files: Files, file: File, device: bool) -> None:
        self.notes: list[Note] = []
        self.source = file.source
        self._file = file
        self._view = file.view
        self._pragmas = file.pragmas
        self._unit = unit
        self._is_header = file is not files.main
        self._varying = files.varying
        self._refusal = header_refusal(files, file) if self._is_header else ""
        self._tree = files.tree
        self._doubts = Doubts(file.source, file.view, file.lexemes, file.pragmas)
        self._homes = Homes(file.source, file.view, unit.language, file.pragmas, device)

    def constructs(self) -> Constructs:
        """All of them, nested."""
        items = self.items()
        silenced = tuple(_silenced(items, len(self.source.text)))
        nested = nest(self.source, items)
        tag = header_tag(self.source) if self._is_header else ""
        repeated = any(self._view.times(item.begin.start) > 1 for item in nested)
        return Constructs(
            self.source,
            self._unit.language,
            nested,
            silenced,
            self._file.path,
            tag,
            repeated,
            self._unit.scans_alone,
        )

    def items(self) -> list[Construct]:
        """The constructs in the order of the text, nesting not yet known."""
        items: list[Construct] = []
        if not self._unit.directives:
            return sorted([*self._switches(), *self._functions()], key=lambda c: c.begin.start)
        for number, pragma in enumerate(self._pragmas):
            made = self._of_pragma(pragma, number + 1)
            if made is not None:
                items.append(made)
        for lexeme in self._file.lexemes:
            if lexeme.kind == "word" and lexeme.text in ROUTINES:
                made = self._of_routine(lexeme)
                if made is not None:
                    items.append(made)
        if self._unit.functions:
            items += self._functions()
        return sorted(items, key=lambda c: c.begin.start)

    def _switches(self) -> list[Construct]:
        """The directives that say what is not to be measured, of which the compiler is not told."""
        asked = [
            each for each in self._pragmas if each.body.strip() in ("noinstrument", "instrument")
        ]
        return [
            made
            for each in asked
            if (made := self._of_pragma(each, len(self._pragmas))) is not None
        ]

    def _functions(self) -> list[Construct]:
        from pomp_clang.frontend.functions import Functions  # nobody else pays for it

        file, homes, doubts = self._file, self._homes, self._doubts
        if self._is_header and not file.view.root.children and self._tree.is_inside(file.path):
            self._say(
                0, "its functions are not measured: it is included inside a declaration", "header"
            )
        functions = Functions(self.source, file.lexemes, file.view, homes, doubts, file.pragmas)
        return functions.items(self._refusal, VARYING)

    def _say(self, offset: int, text: str, reason: str) -> None:
        path, line = self.source.place(offset)
        self.notes.append(Note(path, line, text, reason))

    def _say_outside(self, offset: int, words: str) -> None:
        error = self._doubts.error_outside(offset)
        if error:
            self._say(offset, f"'{words}' is not measured: {error}", "parse")
        elif self._is_header:
            where = "in a file that is included inside a declaration"
            self._say(offset, f"'{words}' is not measured: it stands {where}", "header")
        else:
            self._say(offset, f"'{words}' stands outside any function", "place")

    def _say_without_block(self, offset: int, words: str, error: str) -> None:
        if error:
            self._say(offset, f"'{words}' is not measured: {error}", "parse")
        else:
            self._say(offset, f"no statement found in this file for '{words}'", "block")

    def _is_refused(self, offset: int, words: str) -> bool:
        """Whether the header cannot be rewritten, or not for this; then that is said."""
        if self.source.place(offset) in self._varying:
            return True
        why = self._refusal
        directive = read(words).directive
        if why and (directive is None or directive.form is not Form.DECLARATIVE):
            self._say(offset, f"'{words}' is not measured: {why}", "header")
        return bool(why)

    def _of_pragma(self, pragma: Pragma, following: int) -> Construct | None:
        """`following` is the number of the first directive that may be its block."""
        control = read_control(pragma.body) if pragma.spelling != "[[omp]]" else None
        reading = read(pragma.body)
        body = decoded(pragma.body)
        kind = reading.directive.words if reading.directive else body
        if pragma.spelling == "[[omp]]":
            self._say(pragma.start, f"'{kind}' as an attribute is not measured yet", "attribute")
            return None
        if self._is_refused(pragma.start, kind):
            return None
        position = self._view.at(pragma.start, pragma.end)
        if control is not None:
            return self._of_control(pragma, control, position)
        if pragma.sentinel != "omp":
            self._say(pragma.start, f"unknown directive '{pragma.sentinel} {body}'", "unknown")
            return None
        if reading.directive is None:
            self._say(pragma.start, f"unknown directive 'omp {body}'", "unknown")
            return None
        return self._of_directive(pragma, reading, position, following)

    def _of_directive(
        self, pragma: Pragma, reading: Reading, position: Position, following: int
    ) -> Construct | None:
        directive = reading.directive
        assert directive is not None
        if directive.form is Form.DECLARATIVE:
            return None
        silent = directive.state is State.SILENT
        if not position.in_code and not (silent and directive.form is Form.STANDALONE):
            self._say_outside(pragma.start, directive.words)
            return None
        standalone = not directive.bears_code or _has_no_body(reading)
        block = None if standalone else self._block(pragma, position, following)
        begin = Extent(pragma.start, pragma.end)
        error = self._doubts.error(position)
        if error and block is not None and not self._doubts.adjoin(begin, block):
            block = None
        if not standalone and block is None and not silent:
            self._say_without_block(pragma.start, directive.words, error)
            return None
        if self._varies(pragma, position, following, block):
            self._say(pragma.start, f"'{directive.words}' is not measured: {VARYING}", "header")
            return None
        return Construct(
            index=-1,
            kind=directive.words,
            begin=begin,
            block=block,
            home=self._home(position),
            listed=position.listed,
            after_empty_loop=self._follows_empty_loop(pragma, position),
            directive=directive,
            reading=reading,
            pragma=pragma,
            sub_name=decoded(reading.argument or "") if directive.words == "critical" else "",
            obstacle=self._obstacle(position, begin, block),
            statement=position.next.kind if position.next else 0,
        )

    def _follows_empty_loop(self, pragma: Pragma, position: Position) -> bool:
        """Whether such a loop stands right before the directive, and no other directive, whose
        statement this one then is."""
        loop = position.previous
        if loop is None or not position.listed or not position.after_empty_loop:
            return False
        at = bisect_left(self._pragmas, loop.end, key=_start)
        return at == len(self._pragmas) or self._pragmas[at].start >= pragma.start

    def _of_control(
        self, pragma: Pragma, control: ControlReading, position: Position
    ) -> Construct | None:
        words = control.control.words
        if control.control.call and not position.in_code:
            self._say_outside(pragma.start, words)
            return None
        if control.value:
            control = self._with_type(pragma, control, position)
        path = position.path
        target = position.next if path and not position.listed and position.next else None
        begin = Extent(pragma.start, pragma.end)
        block = self._ended(target.start, target.end) if target else None
        return Construct(
            index=-1,
            kind="region" if control.control.named else words,
            begin=begin,
            block=block,
            home=self._home(position),
            listed=position.listed,
            pragma=pragma,
            control=control,
            sub_name=decoded(control.name),
            scope=self._scope(position) if control.control.named else None,
            obstacle=self._obstacle(position, begin, block),
        )

    def _with_type(
        self, pragma: Pragma, control: ControlReading, position: Position
    ) -> ControlReading:
        from pomp_clang.frontend.variables import arithmetic  # seldom needed

        value = decoded(control.value)
        found = arithmetic(position, self._view.root, value, pragma.start)
        if not found:
            what = f"the value of '{value}' is not recorded"
            self._say(pragma.start, f"{what}: it is no variable of arithmetic type here", "value")
        return replace(control, type=found)

    def _scope(self, position: Position) -> Extent | None:
        """The block that a statement belongs to; None in a switch, which may enter it anywhere."""
        if not position.listed or any(n.kind == Kind.SWITCH_STMT for n in position.path):
            return None
        block = position.path[-1]
        return Extent(block.start, block.end) if self.source.text[block.start] == "{" else None

    def _varies(
        self,
        pragma: Pragma,
        position: Position,
        following: int,
        block: Extent | None,
    ) -> bool:
        """Whether the directive of a header has another block each time that it is included,
        or needs what the header cannot have twice."""
        times = self._view.times(pragma.start)
        if times < 2:
            return False
        others = self._view.each_at(pragma.start, pragma.end)
        if len(others) < times or self._homes.of(position).external_inline:
            return True
        return any(
            other.listed != position.listed
            or other.crowded != position.crowded
            or (block is not None and self._block(pragma, other, following) != block)
            for other in others
        )

    def _obstacle(self, position: Position, begin: Extent, block: Extent | None) -> tuple[str, str]:
        error = self._doubts.of(position, begin, block)
        if error:
            return error, "parse"
        if block is not None and position.crowded:
            return "its block is only a part of what a macro makes", "block"
        return "", ""

    def _home(self, position: Position) -> Home:
        return self._homes.of(position) if position.in_code else self._homes.nowhere()

    def _of_routine(self, word: Lexeme) -> Construct | None:
        if not self._view.is_live(word.start):
            return None
        if self._view.routine_at(word.start) != word.text:
            self._say_if_lost(word)
            return None
        if self._is_refused(word.start, word.text):
            return None
        opening = self.source.skip_blank(word.end)
        end = closing(self.source, opening) if self.source.text[opening] == "(" else None
        if end is None:
            text = f"calls of '{word.text}' through a pointer are not measured"
            self._say(word.start, text, "lock-pointer")
            return None
        position = self._view.at(word.start, word.end)
        if not position.in_code:
            self._say_outside(word.start, word.text)
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
            sub_name=decoded(argument.removeprefix("&")),
        )

    def _say_if_lost(self, word: Lexeme) -> None:
        """Name a call that stands in no expression of the tree, for an error's sake."""
        error = self._doubts.error(self._view.at(word.start, word.end))
        if not error or self._view.is_known(word.start):
            return
        before = _last_before(self.source.text, word.start)
        behind = self._first_from(word.end)
        if before in _BEFORE_A_CALL and behind == "(":
            self._say(word.start, f"'{word.text}' is not measured: {error}", "parse")

    def _block(self, pragma: Pragma, position: Position, number: int) -> Extent | None:
        """The structured block: the statement that follows, or a directive that is one;
        None if another file holds it, or its end."""
        around = position.path[-1].end if position.path else len(self.source.text)
        limit = position.next.start if position.next else around
        for at in range(number, len(self._pragmas)):
            other = self._pragmas[at]
            if other.start >= limit:
                break
            directive = read(other.body).directive
            if directive is not None and directive.form is Form.STANDALONE:
                inside = not position.path or other.start < position.path[-1].end
                return Extent(other.start, other.end) if inside else None
        following = position.next
        if following is None or following.end == following.start:
            return None
        if any(self._tree.entered.between(self._file.path, pragma.end, following.start)):
            return None
        return self._ended(following.start, following.end)

    def _ended(self, start: int, end: int) -> Extent:
        """A statement's extent with its semicolon, which the tree leaves out, and all of the
        macro among whose arguments it ends."""
        text = self.source.text
        while self._first_from(end) in (")", ","):
            outside = closing(self.source, end, depth=1)
            if outside is None:
                break
            end = outside
        if text[end - 1] != ";":
            after = self.source.skip_blank(end)
            near = text[end - 1] != "}" or "\n" not in text[end:after]
            if near and text[after : after + 1] == ";":
                return Extent(start, after + 1)
        return Extent(start, end)

    def _first_from(self, offset: int) -> str:
        """Return the first character from an offset on that is no space or comment."""
        at = self.source.skip_blank(offset)
        return self.source.text[at : at + 1]


def _last_before(text: str, offset: int) -> str:
    """Return the last character before an offset that is no space."""
    while offset and text[offset - 1].isspace():
        offset -= 1
    return text[offset - 1 : offset] if offset else ""


def _start(pragma: Pragma) -> int:
    return pragma.start


def _has_no_body(reading: Reading) -> bool:
    """Whether a directive that may have a block is written without."""
    words = reading.directive.words if reading.directive else ""
    if words == "ordered":
        return any(c.name in ("depend", "doacross") for c in reading.clauses)
    return words == "metadirective" and governed(reading) is Form.STANDALONE


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
