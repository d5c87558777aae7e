"""The search for the constructs of one file of a unit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import partial

from pomp_clang.frontend.c.declaration_site import DeclarationSites, header_refusal, header_tag
from pomp_clang.frontend.c.enclosed import EnclosedView
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
    is_parted,
    start_of,
)
from pomp_clang.frontend.constructs import (
    Candidates,
    Construct,
    Constructs,
    DeclarationSite,
    Enclosure,
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

EXTERNAL = "its file is included within an inline function of external linkage"

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
        self.source = file.source
        self.path = file.path
        self.view = file.view
        self.enclosures: tuple[Enclosure, ...] = ()
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
        self.sites = DeclarationSites(
            file.source, file.view, unit.language, file.pragmas, device, device_names, no_calls
        )

    def constructs(self) -> Constructs:
        """Return the constructs of the file, nested."""
        items = self.items()
        is_statement = partial(is_one_statement, self.view, self._pragmas)
        nested = divide_sections(self.source, nest(items), is_statement)
        tag = header_tag(self.source, self._unit.prefix_maps) if self._is_header else ""
        repeated = any(self.view.times(item.begin.start) > 1 for item in nested)
        return Constructs(
            self.source,
            self._unit.language,
            nested,
            tuple(silenced(items, len(self.source.text))),
            self._file.path,
            tag,
            repeated or bool(self.enclosures),
            self._unit.scans_alone,
            enclosures=self.enclosures,
            prefix_maps=self._unit.prefix_maps,
        )

    def site_and_error(self, position: Position) -> tuple[DeclarationSite, str]:
        """Return the declaration site of a position in a declaration, and the error that makes the
        tree doubtful there, or ""."""
        return self.sites.of(position), self._parse_errors.error(position)

    def enclosed_error(self, position: Position, offset: int) -> str:
        """Return the error that makes the tree doubtful at an offset, or "", for a file that is
        included inside declarations."""
        return self._parse_errors.of_enclosed(position, Extent(offset, offset), None)

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

        file, sites, parse_errors = self._file, self.sites, self._parse_errors
        if self._is_header and self._tree.enclosed.is_inside(file.path):
            self._say(
                0, "its functions are not measured: it is included inside a declaration", "header"
            )
        functions = Functions(file, sites, parse_errors, self._candidates())
        return functions.items(self._refusal, VARYING)

    def _say(self, offset: int, text: str, reason: str) -> None:
        path, line = self.source.place(offset)
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
        if self.source.place(offset) in self._varying:
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
            self._say(pragma.start, f"'{kind}' as an attribute is not measured yet", "attribute")
            return None
        if self._is_refused(pragma.start, kind):
            return None
        position = self.view.at(pragma.start, pragma.end)
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
        if self._varies(pragma, position, following, block):
            self._say(pragma.start, f"'{directive.words}' is not measured: {VARYING}", "header")
            return None
        return Construct(
            index=-1,
            kind=directive.words,
            begin=begin,
            block=block,
            declaration_site=self._home(position, pragma.start),
            listed=position.listed,
            after_empty_loop=self._follows_empty_loop(pragma, position),
            directive=directive,
            reading=reading,
            pragma=pragma,
            sub_name=decoded(reading.argument or "") if directive.words == "critical" else "",
            may_be_refused=block is not None and not _is_statement(position.next, block),
            obstacle=self._obstacle(position, begin, block),
            loop=self._loop(reading, position, block),
            readings=self._readings(pragma.start),
            reading_functions=self._reading_functions(pragma.start, pragma.end),
            optional=block is not None and is_optional(self.view, self._pragmas, pragma, block),
        )

    def _loop(
        self, reading: DirectiveReading, position: Position, block: Extent | None
    ) -> LoopBody | None:
        if not self._unit.iterations or block is None:
            return None
        from pomp_clang.frontend.c.structured_block import loop_body  # seldom needed

        return loop_body(self.source, self.view.root, reading, position, block)

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
            declaration_site=self._home(position, pragma.start),
            listed=position.listed,
            pragma=pragma,
            control=control,
            sub_name=decoded(control.name),
            scope=self._scope(position) if control.control.named else None,
            obstacle=self._obstacle(position, begin, block),
            readings=self._readings(pragma.start),
            reading_functions=self._reading_functions(pragma.start, pragma.end),
        )

    def _with_type(
        self, pragma: DirectiveText, control: ControlReading, position: Position
    ) -> ControlReading:
        from pomp_clang.frontend.c.structured_block import arithmetic  # seldom needed

        value = decoded(control.value)
        value_type = arithmetic(position, self.view.root, value, pragma.start)
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
        return Extent(block.start, block.end) if self.source.text[block.start] == "{" else None

    def _varies(
        self,
        pragma: DirectiveText,
        position: Position,
        following: int,
        block: Extent | None,
    ) -> bool:
        """Return True if a header's directive changes with each inclusion of the header.

        It does if its block differs, or if it needs what the header cannot have twice.
        """
        if self.view.entered < 2:
            return False
        if block is not None and is_parted(self.view, self._pragmas, pragma, block):
            return True
        times = self.view.times(pragma.start)
        if times < 2:
            return False
        others = self.view.each_at(pragma.start, pragma.end)
        if len(others) < times or self._home(position, pragma.start).external_inline:
            return True
        return any(
            other.listed != position.listed
            or other.overlaps_next != position.overlaps_next
            or (block is not None and self._blocks.of(pragma, other, following) != block)
            for other in others
        )

    def _obstacle(self, position: Position, begin: Extent, block: Extent | None) -> tuple[str, str]:
        if self.enclosures and any(self._enclosed_obstacle(begin.start)):
            return self._enclosed_obstacle(begin.start)
        errors = self._parse_errors
        find_error = errors.of_enclosed if self.enclosures else errors.of
        error = find_error(position, begin, block)
        if error:
            return error, "parse"
        if block is not None and position.overlaps_next:
            return "its block is only a part of what a macro makes", "block"
        return "", ""

    def _enclosed_obstacle(self, offset: int) -> tuple[str, str]:
        places = [self.enclosures[number] for number in self._readings(offset)]
        if any(place.site.external_inline for place in places):
            return EXTERNAL, "header"
        error = next((place.error for place in places if place.error), "")
        return error, "parse" if error else ""

    def _home(self, position: Position, offset: int) -> DeclarationSite:
        if not position.in_code:
            return self.sites.nowhere()
        if not self.enclosures:
            return self.sites.of(position)
        around = [self.enclosures[number].site for number in self._readings(offset)]
        names = {site.function for site in around}
        joined = replace(
            around[0],
            function=names.pop() if len(names) == 1 else "",
            declared_at=0,
            from_directive=None,
            external_inline=any(site.external_inline for site in around),
            untouchable=next((site.untouchable for site in around if site.untouchable), ""),
        )
        return self.sites.within(position, joined)

    def _readings(self, offset: int) -> tuple[int, ...]:
        return self.view.live(offset) if isinstance(self.view, EnclosedView) else ()

    def _reading_functions(self, start: int, end: int) -> tuple[str, ...]:
        """Return the function around an extent in each reading that has the extent."""
        if not self.enclosures:
            return ()
        positions = self.view.each_at(start, end)
        return tuple(
            position.function_name or self.enclosures[number].site.function
            for number, position in zip(self._readings(start), positions, strict=True)
        )

    def _of_routine(self, word: Lexeme) -> Construct | None:
        if not self.view.is_live(word.start):
            return None
        if self.view.routine_at(word.start) != word.text:
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
        position = self.view.at(word.start, word.end)
        if not position.in_code:
            self._say_outside(word.start, word.text)
            return None
        argument = " ".join(self.source.text[opening + 1 : end - 1].split())
        return Construct(
            index=-1,
            kind="lock",
            begin=Extent(word.start, word.end),
            block=Extent(opening, end),
            declaration_site=self._home(position, word.start),
            listed=position.listed,
            routine=ROUTINES[word.text],
            sub_name=decoded(argument.removeprefix("&")),
            obstacle=self._enclosed_obstacle(word.start) if self.enclosures else ("", ""),
            readings=self._readings(word.start),
            reading_functions=self._reading_functions(word.start, word.end),
        )

    def _say_if_lost(self, word: Lexeme) -> None:
        """Name a call that stands in no expression of the tree, for an error's sake."""
        error = self._parse_errors.error(self.view.at(word.start, word.end))
        if not error or self.view.is_known(word.start):
            return
        before = _last_before(self.source.text, word.start)
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
