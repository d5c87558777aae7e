"""The search for the constructs of one file of a unit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import partial

from pomp_clang.frontend.c.declaration_site import DeclarationSites, header_refusal, header_tag
from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.files import VARYING, UnitFile, UnitFiles
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.macros import closing
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.parse_errors import ParseErrors
from pomp_clang.frontend.c.source import Lexeme
from pomp_clang.frontend.c.structured_block import (
    StructuredBlocks,
    divide_sections,
    is_declaration,
    is_one_statement,
    is_optional,
    start_of,
)
from pomp_clang.frontend.c.surroundings import FileSurroundings
from pomp_clang.frontend.constructs import (
    Candidates,
    Construct,
    Constructs,
    LoopBody,
)
from pomp_clang.frontend.directive_text import (
    DirectiveReading,
    DirectiveText,
    governed,
    read_directive,
)
from pomp_clang.frontend.nesting import nest, silenced
from pomp_clang.frontend.source import Extent, decoded
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.openmp.directives import DirectiveForm, DirectiveState
from pomp_clang.openmp.pomp_api import ROUTINES, ControlReading, read_control
from pomp_clang.record import replace

_BEFORE_A_CALL = tuple("{}();,=!&|?")
"""The marks behind which a function's name is that of a call, and no member."""


class FileFinder:
    """Finds the constructs of one file, which may be included among device code."""

    def __init__(
        self,
        unit: Unit,
        files: UnitFiles,
        file: UnitFile,
        device: bool,
        device_names: frozenset[str],
        no_calls: Mapping[str, str],
        candidates: Candidates,
    ) -> None:
        self.notes: list[Note] = []
        self.path = file.path
        self._source = file.source
        self._view = file.view
        self._file = file
        self._pragmas = file.pragmas
        self._unit = unit
        self._is_header = file is not files.main
        self._varying = files.varying
        self._candidates = candidates
        self._refusal = header_refusal(files, file) if self._is_header else ""
        self._tree = files.tree
        self._has_functions = unit.functions and not files.is_installed(file.path)
        self._blocks = StructuredBlocks(file, files.tree.entered)
        self._parse_errors = ParseErrors(file)
        sites = DeclarationSites(
            file.source, file.view, unit.language, file.pragmas, device, device_names, no_calls
        )
        self.surroundings = FileSurroundings(file, sites, self._parse_errors, self._blocks)

    def constructs(self) -> Constructs:
        """Return the constructs of the file, nested."""
        items = self.items()
        is_statement = partial(is_one_statement, self._view, self._pragmas)
        nested = divide_sections(self._source, nest(items), is_statement)
        tag = header_tag(self._source, self._unit.prefix_maps) if self._is_header else ""
        repeated = any(self._view.times(item.begin.start) > 1 for item in nested)
        return Constructs(
            self._source,
            self._unit.language,
            nested,
            tuple(silenced(items, len(self._source.text))),
            self._file.path,
            tag,
            repeated or bool(self.surroundings.enclosures),
            self._unit.scans_alone,
            enclosures=self.surroundings.enclosures,
            prefix_maps=self._unit.prefix_maps,
        )

    def items(self) -> list[Construct]:
        """Return the constructs in the order of the text, without their nesting."""
        items: list[Construct] = []
        if not self._unit.directives:
            return sorted([*self._switches(), *self._functions()], key=lambda c: c.begin.start)
        for number, pragma in enumerate(self._pragmas):
            construct = self._of_pragma(pragma, number + 1)
            if construct is not None:
                items.append(construct)
        for lexeme in self._file.lexemes if self._file.has_directives else ():
            if lexeme.kind == "word" and lexeme.text in ROUTINES:
                construct = self._of_routine(lexeme)
                if construct is not None:
                    items.append(construct)
        if self._has_functions:
            items += self._functions()
        return sorted(items, key=lambda c: c.begin.start)

    def _switches(self) -> list[Construct]:
        """Return the noinstrument and instrument directives, which the compiler does not see."""
        switches = [
            pragma
            for pragma in self._pragmas
            if pragma.body.strip() in ("noinstrument", "instrument")
        ]
        return [
            construct
            for pragma in switches
            if (construct := self._of_pragma(pragma, len(self._pragmas))) is not None
        ]

    def _functions(self) -> list[Construct]:
        from pomp_clang.frontend.c.functions import Functions  # imported only where it is needed

        file, surroundings = self._file, self.surroundings
        is_inside = self._is_header and self._tree.enclosed.is_inside(file.path)
        if is_inside and not surroundings.is_once_in_namespaces:
            self._say(
                0,
                "its functions are not measured: it is included inside a function or class, or more "
                "than once inside a namespace",
                "header",
            )
            return []
        functions = Functions(file, surroundings, self._parse_errors, self._candidates(()))
        return functions.items(self._refusal, VARYING)

    def _say(self, offset: int, text: str, reason: str) -> None:
        path, line = self._source.place(offset)
        self.notes.append(Note(path, line, text, reason))

    def _say_outside(self, offset: int, words: str) -> None:
        error = self._parse_errors.error_outside(offset)
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
            text = f"'{words}' is not measured: its statement is not in this file"
            self._say(offset, text, "block")

    def _is_refused(self, offset: int, words: str) -> bool:
        """Return True, and add a note, if the header or this directive of it cannot be rewritten."""
        if self._source.place(offset) in self._varying:
            return True
        why = self._refusal
        directive = read_directive(words).directive
        if why and (directive is None or directive.form is not DirectiveForm.DECLARATIVE):
            self._say(offset, f"'{words}' is not measured: {why}", "header")
        return bool(why)

    def _of_pragma(self, pragma: DirectiveText, following: int) -> Construct | None:
        """Return the construct of a directive; `following` is the number of the next directive."""
        control = read_control(pragma.body) if pragma.spelling != "[[omp]]" else None
        reading = read_directive(pragma.body)
        body = decoded(pragma.body)
        kind = reading.directive.words if reading.directive else body
        if pragma.spelling == "[[omp]]":
            if self._unit.attributes:
                text = f"'{kind}' as an attribute is not measured yet"
                self._say(pragma.start, text, "attribute")
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
        self, pragma: DirectiveText, reading: DirectiveReading, position: Position, following: int
    ) -> Construct | None:
        directive = reading.directive
        assert directive is not None
        if directive.form is DirectiveForm.DECLARATIVE:
            return None
        silent = directive.state is DirectiveState.SILENT
        if not position.in_code and not (silent and directive.form is DirectiveForm.STANDALONE):
            self._say_outside(pragma.start, directive.words)
            return None
        standalone = not directive.bears_code or _has_no_body(reading)
        block = None if standalone else self._blocks.of(pragma, position, following)
        begin = Extent(pragma.start, pragma.end)
        error = self._parse_errors.error(position)
        if error and block is not None and not self._parse_errors.adjoin(begin, block):
            block = None
        if not standalone and block is None and not silent:
            self._say_without_block(pragma.start, directive.words, error)
            return None
        if self.surroundings.varies(pragma, position, following, block):
            self._say(pragma.start, f"'{directive.words}' is not measured: {VARYING}", "header")
            return None
        return Construct(
            index=-1,
            kind=directive.words,
            begin=begin,
            block=block,
            declaration_site=self.surroundings.site(position, pragma.start),
            listed=position.listed,
            after_empty_loop=self._follows_empty_loop(pragma, position),
            directive=directive,
            reading=reading,
            pragma=pragma,
            sub_name=decoded(reading.argument or "") if directive.words == "critical" else "",
            may_be_refused=block is not None and not _is_statement(position.next, block),
            obstacle=self.surroundings.obstacle(position, begin, block),
            loop=self._loop(reading, position, block),
            readings=self.surroundings.readings(pragma.start),
            reading_functions=self.surroundings.reading_functions(pragma.start, pragma.end),
            optional=block is not None and is_optional(self._view, self._pragmas, pragma, block),
        )

    def _loop(
        self, reading: DirectiveReading, position: Position, block: Extent | None
    ) -> LoopBody | None:
        if not self._unit.iterations or block is None:
            return None
        from pomp_clang.frontend.c.structured_block import loop_body  # seldom needed

        return loop_body(self._source, self._view.root, reading, position, block)

    def _follows_empty_loop(self, pragma: DirectiveText, position: Position) -> bool:
        """Return True if a loop with an empty body stands right before the directive.

        No other directive may stand between the two, because the loop would be its statement.
        """
        loop = position.previous
        if loop is None or not position.listed or not position.after_empty_loop:
            return False
        at = bisect_left(self._pragmas, loop.end, key=start_of)
        return at == len(self._pragmas) or self._pragmas[at].start >= pragma.start

    def _of_control(
        self, pragma: DirectiveText, control: ControlReading, position: Position
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
        block = self._blocks.ended(target.start, target.end) if target else None
        return Construct(
            index=-1,
            kind="region" if control.control.named else words,
            begin=begin,
            block=block,
            declaration_site=self.surroundings.site(position, pragma.start),
            listed=position.listed,
            pragma=pragma,
            control=control,
            sub_name=decoded(control.name),
            scope=self._scope(position) if control.control.named else None,
            obstacle=self.surroundings.obstacle(position, begin, block),
            readings=self.surroundings.readings(pragma.start),
            reading_functions=self.surroundings.reading_functions(pragma.start, pragma.end),
        )

    def _with_type(
        self, pragma: DirectiveText, control: ControlReading, position: Position
    ) -> ControlReading:
        from pomp_clang.frontend.c.structured_block import arithmetic  # seldom needed

        value = decoded(control.value)
        value_type = arithmetic(position, self._view.root, value, pragma.start)
        if not value_type:
            what = f"the value of '{value}' is not recorded"
            self._say(pragma.start, f"{what}: it is no variable of arithmetic type here", "value")
        return replace(control, type=value_type)

    def _scope(self, position: Position) -> Extent | None:
        """Return the block whose list of statements the position is in.

        Return None in a switch statement, which may enter the block anywhere.
        """
        if not position.listed or any(n.kind == CursorKind.SWITCH_STMT for n in position.path):
            return None
        block = position.path[-1]
        return Extent(block.start, block.end) if self._source.text[block.start] == "{" else None

    def _of_routine(self, word: Lexeme) -> Construct | None:
        if not self._view.is_live(word.start):
            return None
        if self._view.routine_at(word.start) != word.text:
            self._say_if_lost(word)
            return None
        if self._is_refused(word.start, word.text):
            return None
        opening = self._source.skip_blank(word.end)
        end = closing(self._source, opening) if self._source.text[opening] == "(" else None
        if end is None:
            text = f"calls of '{word.text}' through a pointer are not measured"
            self._say(word.start, text, "lock-pointer")
            return None
        position = self._view.at(word.start, word.end)
        if not position.in_code:
            self._say_outside(word.start, word.text)
            return None
        argument = " ".join(self._source.text[opening + 1 : end - 1].split())
        return Construct(
            index=-1,
            kind="lock",
            begin=Extent(word.start, word.end),
            block=Extent(opening, end),
            declaration_site=self.surroundings.site(position, word.start),
            listed=position.listed,
            routine=ROUTINES[word.text],
            sub_name=decoded(argument.removeprefix("&")),
            obstacle=self.surroundings.enclosed_obstacle(word.start),
            readings=self.surroundings.readings(word.start),
            reading_functions=self.surroundings.reading_functions(word.start, word.end),
        )

    def _say_if_lost(self, word: Lexeme) -> None:
        """Name a call that stands in no expression of the tree, for an error's sake."""
        error = self._parse_errors.error(self._view.at(word.start, word.end))
        if not error or self._view.is_known(word.start):
            return
        before = _last_before(self._source.text, word.start)
        following = self._blocks.first_from(word.end)
        if before in _BEFORE_A_CALL and following == "(":
            self._say(word.start, f"'{word.text}' is not measured: {error}", "parse")


def _is_statement(node: SyntaxNode | None, block: Extent) -> bool:
    """Return True if a block is a statement that declares nothing, and no directive."""
    return node is not None and node.start == block.start and not is_declaration(node)


def _last_before(text: str, offset: int) -> str:
    """Return the last character before an offset that is no space."""
    while offset and text[offset - 1].isspace():
        offset -= 1
    return text[offset - 1 : offset] if offset else ""


def _has_no_body(reading: DirectiveReading) -> bool:
    """Return True if a directive that may have a block is written without one."""
    words = reading.directive.words if reading.directive else ""
    if words == "ordered":
        return any(c.name in ("depend", "doacross") for c in reading.clauses)
    return words == "metadirective" and governed(reading) is DirectiveForm.STANDALONE
