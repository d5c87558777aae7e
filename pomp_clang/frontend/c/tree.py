"""The syntax tree of a unit, asked by position in the text of one of its files.

libclang refuses gcc's nested functions and leaves out what stands in one, so each is passed to it
as a declaration and a block.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import accumulate

from pomp_clang.frontend.c.bodiless import BodilessHeaders
from pomp_clang.frontend.c.cursor_rows import KIND, CursorRow, cursor_of
from pomp_clang.frontend.c.enclosed import LINKAGES, EnclosedReadings
from pomp_clang.frontend.c.file_view import Fault, FileView
from pomp_clang.frontend.c.libclang import ERROR, FATAL, Cursor, CursorKind, LoadError
from pomp_clang.frontend.c.node import FUNCTIONS, SyntaxNode, nodes_of
from pomp_clang.frontend.c.parse import STANDARD_INPUT, Preamble, main_name, parse
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.inclusion import Inclusion, Inclusions
from pomp_clang.frontend.unit import Unit, UnitError
from pomp_clang.record import replace

_Run = tuple[bool, list[CursorRow]]
"""Declarations of a file in their order, and whether instances of templates may be among them."""


class SyntaxTree:
    """The parsed unit.

    `texts` replace the files that they are named after; the unit's own text is one of them. The
    declarations of a `preamble` are listed if they may hold constructs; the tree does without it if it
    does not fit. `is_preamble` is true for a unit that is one itself. The function bodies of the
    `bodiless` headers are left out.

    Raises `UnitError` if libclang cannot be loaded, if an error ends the parse of the main file, or
    if a file that this one includes is missing.
    """

    def __init__(
        self,
        unit: Unit,
        texts: dict[str, str] | None = None,
        preamble: Preamble | None = None,
        is_preamble: bool = False,
        bodiless: BodilessHeaders | None = None,
    ) -> None:
        is_read_ahead = is_preamble and unit.language == "c++"
        self.main = STANDARD_INPUT if is_read_ahead else main_name(unit)
        self._bodiless = bodiless or BodilessHeaders()
        unit = replace(unit, arguments=(*unit.arguments, *self._bodiless.options))
        self.preamble = preamble
        self._texts = {self.main: unit.text, **(texts or {})}
        try:
            parsed = parse(unit, texts or {}, preamble, is_preamble)
            if preamble is not None and not self._fits(preamble, parsed):
                self.preamble = None
                parsed = parse(unit, texts or {})
        except LoadError as error:
            raise UnitError(f"libclang cannot be loaded: {error}", reason="libclang") from None
        if parsed is None:
            raise UnitError("libclang could not parse it")
        if self.preamble is not None and self.preamble.may_hold_constructs:
            parsed.name_as(way.path for way in self.preamble.inclusions)
        self._parsed = parsed
        self._files: dict[str, SyntaxNode] = {}
        self.errors = self._faults()
        self._read_nested_functions(unit, texts or {})
        self._check_faults()

    def _fits(self, preamble: Preamble, parsed: ParsedUnit | None) -> bool:
        """Return True if a unit is parsed without an error outside of system headers.

        Its parse must not read a header of the preamble again: such a header has no include guard.
        """
        if parsed is None or parsed.has_errors_of_project():
            return False
        headers = set(map(os.path.realpath, preamble.headers))
        return headers.isdisjoint(os.path.realpath(way.path) for way in self._entered_by(parsed))

    def _read_nested_functions(self, unit: Unit, texts: dict[str, str]) -> None:
        text = unit.text
        while refused := [f.offset for f in self.errors.get(self.main, ()) if f.text == REFUSED]:
            blocks = _as_blocks(text, refused)
            parsed = parse(replace(unit, text=blocks), texts) if blocks != text else None
            if parsed is None:
                return
            text, self._parsed = blocks, parsed
            self.errors = self._faults()

    def _check_faults(self) -> None:
        fatal = bool(self._parsed.diagnostics(FATAL))
        for fault in self.errors.get(self.main, ()):
            if fatal or fault.is_missing_file:
                raise UnitError(fault.text, fault.line)

    def _faults(self) -> dict[str, tuple[Fault, ...]]:
        """Return the errors of each file that has some."""
        by_file: dict[str, list[Fault]] = {}
        for (file, line, offset), text in self._parsed.diagnostics(ERROR):
            if file and not self._is_variant(file, offset, text):
                by_file.setdefault(file, []).append(Fault(offset, line, text))
        return {file: tuple(faults) for file, faults in by_file.items()}

    def _is_variant(self, file: str, offset: int, error: str) -> bool:
        """Return True if the error is about a function that is defined for another context."""
        if not error.startswith("redefinition of "):
            return False
        return stands_in_variant(self._texts.get(file, ""), offset)

    @cached_property
    def inclusions(self) -> tuple[Inclusion, ...]:
        """Every time that the compiler entered a file of no system folder."""
        before = self.preamble.inclusions if self.preamble is not None else ()
        return (*before, *self._entered_by(self._parsed))

    def _entered_by(self, parsed: ParsedUnit) -> list[Inclusion]:
        inclusions = []
        system: dict[str, bool] = {}
        for file, (includer, line, offset), reading, is_beneath in parsed.inclusions():
            name = parsed.file(file)
            if name not in system:  # a file that a system header includes is one itself
                is_system = is_beneath or parsed.is_system(file)
                system[name] = is_system and not self._bodiless.names(name)
            if not system[name] and name != self.main:
                inclusions.append(Inclusion(name, includer, line, offset, reading))
        return inclusions

    @property
    def has_errors_of_project(self) -> bool:
        """True if an error stands outside of system headers."""
        return self._parsed.has_errors_of_project()

    def save(self, path: str) -> bool:
        """Write the tree into a file that another parse can begin with; return False on failure."""
        return self._parsed.save(path)

    @cached_property
    def entered(self) -> Inclusions:
        """The inclusions, found by their files."""
        return Inclusions(self.inclusions)

    @cached_property
    def beneath_system(self) -> frozenset[str]:
        """The files that a system header includes, through others too."""
        known = {self.main, "", *(way.path for way in self.inclusions)}
        others = {way.includer for way in self.inclusions} - known
        return frozenset(self.entered.beneath(others))

    def view(self, path: str, length: int) -> FileView:
        """Return the view of a file of the unit, whose text has `length` characters."""
        parsed = self._parsed
        root = SyntaxNode(parsed, parsed.root, path, 0, length, self.outermost(path).children)
        entered = len(self.entered.into(path)) or 1
        if entered > 1:
            skipped = [(start, end) for start, end, _ in self.skipped.get(path, ())]
        else:
            skipped = parsed.skipped(path)
        return FileView(root, tuple(skipped), entered, self.errors.get(path, ()))

    @cached_property
    def skipped(self) -> dict[str, list[tuple[int, int, int]]]:
        """The extents that the preprocessor skipped, by file, each with its reading."""
        return self._parsed.all_skipped()

    @cached_property
    def enclosed(self) -> EnclosedReadings:
        """The readings of files that are included inside declarations."""
        return EnclosedReadings(self._parsed, self)

    def outermost(self, path: str) -> SyntaxNode:
        """Return the root node of a file of the unit, without its length."""
        if path not in self._files:
            parsed = self._parsed
            rows = [
                row
                for is_checked, run in self._declarations.get(path, ())
                for row in run
                if not (is_checked and self._is_instance(row))
            ]
            declared = list(nodes_of(parsed, rows, path))
            self._files[path] = SyntaxNode(parsed, parsed.root, path, 0, 0, declared)
        return self._files[path]

    @cached_property
    def _declarations(self) -> dict[str, list[_Run]]:
        """The outermost declarations of each file; of one that is included in a linkage
        specification (`extern "C" {`) those in it."""
        by_file: dict[str, list[_Run]] = {}
        self._collect(self._parsed.root, frozenset(), by_file)
        return by_file

    def _collect(
        self,
        scope: Cursor,
        around: frozenset[str],
        by_file: dict[str, list[_Run]],
    ) -> None:
        """Add the declarations of `scope` to `by_file`; `around` are the files of its linkage
        specifications."""
        parsed = self._parsed
        has_instances = self.preamble is not None and parsed.is_root(scope)
        for file, run in parsed.runs(parsed.rows.children(scope)):
            if not file:
                for row in run:
                    for name in _files_within(parsed, row) - around:
                        by_file.setdefault(name, []).append((has_instances, [row]))
                continue
            if file not in around:
                by_file.setdefault(file, []).append((has_instances, run))
            for row in run:
                if row[KIND] in LINKAGES:
                    cursor = cursor_of(row)
                    if self._includes(cursor):
                        self._collect(cursor, around | {file}, by_file)

    def _is_instance(self, row: CursorRow) -> bool:
        """Return True for a function or variable made by a template.

        Behind a preamble, libclang lists these among the outermost declarations.
        """
        return row[KIND] in _INSTANCES and self._parsed.is_instance(cursor_of(row))

    def _includes(self, cursor: Cursor) -> bool:
        """Return True if a file is included inside a declaration."""
        (name, _, start), (_, _, end) = self._parsed.extent(cursor)
        return any(self.entered.between(name, start + 1, end))


def _files_within(parsed: ParsedUnit, template: CursorRow) -> set[str]:
    """Return the files of the children of a template that has no extent."""
    if template[KIND] != CursorKind.FUNCTION_TEMPLATE:
        return set()
    return {parsed.row_home(row) for row in parsed.rows.children(cursor_of(template))} - {""}


_INSTANCES = FUNCTIONS | {CursorKind.VAR_DECL}

REFUSED = "function definition is not allowed here"
"""libclang's error at the brace of a nested function."""


def _as_blocks(text: str, braces: Iterable[int]) -> str:
    """Replace the blank before each of the braces by a semicolon.

    A function without such a blank stays as it is.
    """
    pieces = []
    at = 0
    for brace in sorted(braces):
        if text[brace : brace + 1] == "{" and text[brace - 1 : brace] in (" ", "\t"):
            pieces += [text[at : brace - 1], ";"]
            at = brace
    return "".join([*pieces, text[at:]])


_REGION = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*pragma[ \t]+omp[ \t]+(begin|end)[ \t]+declare[ \t]+variant\b", re.M
)


def stands_in_variant(text: str, offset: int) -> bool:
    """Return True if `offset` is between a begin declare variant and its end.

    A function that is defined there is not the one of the same name outside.
    """
    starts, depths = _regions(text)
    at = bisect_left(starts, offset)
    return at > 0 and depths[at - 1] > 0


@lru_cache(maxsize=2)
def _regions(text: str) -> tuple[list[int], list[int]]:
    """Return the offsets of these directives, and how many regions are open behind each."""
    matches = list(_REGION.finditer(text))
    steps = (1 if match.group(1) == "begin" else -1 for match in matches)
    return [match.start() for match in matches], list(accumulate(steps))
