"""A unit as libclang parsed it: cursors, places and diagnostics."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from ctypes import CDLL, byref, c_size_t, c_uint, c_void_p

from pomp_clang.frontend.c.cursor_rows import BEGIN, END, CursorRow, CursorRows, cursor_of
from pomp_clang.frontend.c.libclang import (
    ERROR,
    FATAL,
    INCLUSION_VISITOR,
    VISITOR,
    ClangLocation,
    ClangString,
    Cursor,
    CursorKind,
    Place,
    TypeKind,
)
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OUT_OF_MACRO = 1 << 31
"""The mark of a clang location that a macro makes."""


@record
class _FileReading:
    """clang's numbers for the places of one reading of a file: from `first` to before `end`."""

    name: str
    first: int
    end: int


class ParsedUnit:
    """A translation unit, disposed of with its last reference; `index` is its own."""

    def __init__(self, library: CDLL, index: int, unit: int) -> None:
        self.library = library
        self._index = index
        self._unit = unit
        self._names: dict[int, str] = {}
        self._names_ahead: dict[str, str] = {}
        self._at = c_void_p(), c_uint(), c_uint(), c_uint()
        self._firsts: list[int] = []
        self._readings: list[_FileReading] = []
        """The readings that are known, in the order of their numbers, with the first of each."""
        self.rows = CursorRows(library)
        self.scope_names: dict[bytes, tuple[str, ...]] = {}
        """The names of scopes, outermost first, by the bytes of the innermost one's cursor."""
        self.root: Cursor = library.clang_getTranslationUnitCursor(unit)

    def __del__(self) -> None:
        self.library.clang_disposeTranslationUnit(self._unit)
        self.library.clang_disposeIndex(self._index)

    def name_as(self, paths: Iterable[str]) -> None:
        """Give files of a preamble these names, which they have in a unit that is parsed whole:
        a precompiled header has absolute names without `./`."""
        self._names_ahead = {os.path.abspath(path): path for path in paths}

    def save(self, path: str) -> bool:
        """Write the unit as a precompiled header; return False if libclang cannot."""
        return not self.library.clang_saveTranslationUnit(self._unit, os.fsencode(path), 0)

    def text(self, string: ClangString) -> str:
        """Return the text of a CXString, and free it."""
        data = os.fsdecode(self.library.clang_getCString(string) or b"")
        self.library.clang_disposeString(string)
        return data

    def file(self, file: int | None) -> str:
        """Return a file's name as the compiler was given it."""
        if file is None:
            return ""
        if file not in self._names:
            name = self.text(self.library.clang_getFileName(file))
            if self._names_ahead:
                name = self._names_ahead.get(os.path.abspath(name), name)
            self._names[file] = name
        return self._names[file]

    def place(self, location: ClangLocation) -> Place:
        """Return the place of a location; for the result of a macro, where the macro is used."""
        return self._place(location, "clang_getExpansionLocation")

    def _place(self, location: ClangLocation, function: str) -> Place:
        file, line, column, offset = self._at
        getattr(self.library, function)(
            location, byref(file), byref(line), byref(column), byref(offset)
        )
        return self.file(file.value), line.value, offset.value

    def extent(self, cursor: Cursor) -> tuple[Place, Place]:
        """Return the first place of a cursor and the one behind it.

        If the cursor ends with an argument of a macro, the second place is behind that argument.
        """
        extent = self.library.clang_getCursorExtent(cursor)
        start = self.place(self.library.clang_getRangeStart(extent))
        last = self.library.clang_getRangeEnd(extent)
        return start, max(self.place(last), self._place(last, "clang_getFileLocation"))

    def home(self, cursor: Cursor) -> str:
        """Return the file where a cursor begins, "" without an extent; if it begins with a macro,
        where it ends.

        clang numbers all places of a file's reading in a row, so most calls need no look-up.
        """
        extent = self.library.clang_getCursorExtent(cursor)
        at, edge = extent.begin, self.library.clang_getRangeStart
        if at >= _OUT_OF_MACRO and extent.end < _OUT_OF_MACRO:
            at, edge = extent.end, self.library.clang_getRangeEnd
        reading = self._reading_of(at)
        if reading:
            return reading.name
        name, _, offset = self.place(edge(extent))
        if name and at < _OUT_OF_MACRO:
            size, first = c_size_t(), at - offset
            self.library.clang_getFileContents(self._unit, self._at[0].value, byref(size))
            number = bisect_right(self._firsts, first)
            self._firsts.insert(number, first)
            self._readings.insert(number, _FileReading(name, first, first + size.value + 1))
        return name

    def named_at(self, cursor: Cursor) -> Place:
        """Return the place of the name that a cursor declares."""
        return self.place(self.library.clang_getCursorLocation(cursor))

    def spelling(self, cursor: Cursor) -> str:
        """Return the name that a cursor declares or refers to."""
        return self.text(self.library.clang_getCursorSpelling(cursor))

    def signature(self, cursor: Cursor) -> str:
        """Return the name of a function with the types of its parameters."""
        return self.text(self.library.clang_getCursorDisplayName(cursor))

    def mangled(self, cursor: Cursor) -> str:
        """Return the linker's name, or "" for a template."""
        return self.text(self.library.clang_Cursor_getMangling(cursor))

    def scalar(self, cursor: Cursor) -> int:
        """Return the kind of a variable's type.

        A reference counts as the type it refers to, an enumeration as its integer type.
        """
        library = self.library
        kind = library.clang_getCanonicalType(library.clang_getCursorType(cursor))
        if kind.kind in (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE):
            kind = library.clang_getCanonicalType(library.clang_getPointeeType(kind))
        if kind.kind == TypeKind.ATOMIC:
            kind = library.clang_getCanonicalType(library.clang_Type_getValueType(kind))
        if kind.kind == TypeKind.ENUM:
            declared = library.clang_getTypeDeclaration(kind)
            kind = library.clang_getCanonicalType(library.clang_getEnumDeclIntegerType(declared))
        return int(kind.kind)

    def children(self, cursor: Cursor) -> list[Cursor]:
        """Return the children of a cursor without those of the preprocessor."""
        return [cursor_of(row) for row in self.rows.children(cursor)]

    def row_home(self, row: CursorRow) -> str:
        """Return the file where a row begins, as `home` does."""
        reading = self._reading_of(row[BEGIN] if row[BEGIN] < _OUT_OF_MACRO else row[END])
        return reading.name if reading else self.home(cursor_of(row))

    def runs(self, rows: Iterable[CursorRow]) -> Iterator[tuple[str, list[CursorRow]]]:
        """Yield the rows in their order, in runs of those whose homes are one file."""
        run: list[CursorRow] = []
        name = ""
        first = end = 0
        for row in rows:
            at = row[BEGIN] if row[BEGIN] < _OUT_OF_MACRO else row[END]
            if not first <= at < end:
                if run:
                    yield name, run
                name, run = self.row_home(row), []
                reading = self._reading_of(at)
                first, end = (reading.first, reading.end) if reading else (0, 0)
            run.append(row)
        if run:
            yield name, run

    def row_span(self, row: CursorRow, path: str) -> tuple[int, int] | None:
        """Return the offsets where a row begins and ends in a file, twice the former if it ends in
        another file; None if it does not begin there."""
        begin, end = row[BEGIN], row[END]
        reading = self._reading_of(begin)
        last = self._reading_of(end)
        if reading and last:
            if reading.name != path:
                return None
            start = begin - reading.first
            return start, end - last.first if last.name == path else start
        if self.row_home(row) != path:
            return None
        (name, _, start), (last_name, _, last_offset) = self.extent(cursor_of(row))
        if name != path:
            return None
        return start, last_offset if last_name == path else start

    def _reading_of(self, number: int) -> _FileReading | None:
        """Return the known reading that has a place in a file, by the place's number."""
        at = bisect_right(self._firsts, number) - 1
        if at >= 0 and number < self._readings[at].end:
            return self._readings[at]
        return None

    def referenced(self, cursor: Cursor) -> list[Cursor]:
        """Return what a name may refer to: in a template, all that lookup by name found."""
        if cursor.kind != CursorKind.OVERLOADED_DECL_REF:
            return self._unless_null(self.library.clang_getCursorReferenced(cursor))
        count = self.library.clang_getNumOverloadedDecls(cursor)
        return [self.library.clang_getOverloadedDecl(cursor, i) for i in range(count)]

    def parent(self, cursor: Cursor) -> Cursor | None:
        """Return the cursor that a cursor is a member of."""
        parents = self._unless_null(self.library.clang_getCursorSemanticParent(cursor))
        return parents[0] if parents else None

    def is_instance(self, cursor: Cursor) -> bool:
        """Return True for a function or variable that a template has made, which stands in its place,
        and for one that is no outermost declaration."""
        library = self.library
        if not self.is_root(library.clang_getCursorLexicalParent(cursor)):
            return True
        template = library.clang_getSpecializedCursorTemplate(cursor)
        if library.clang_Cursor_isNull(template):
            return False
        return self.named_at(template) == self.named_at(cursor)

    def is_root(self, cursor: Cursor) -> bool:
        """Return True for the cursor of the unit itself."""
        return bool(self.library.clang_isTranslationUnit(cursor.kind))

    def _unless_null(self, cursor: Cursor) -> list[Cursor]:
        return [] if self.library.clang_Cursor_isNull(cursor) else [cursor]

    def diagnostics(self, least: int) -> list[tuple[Place, str]]:
        """Return the place and text of each diagnostic that is at least so severe."""
        diagnostics = []
        for number in range(self.library.clang_getNumDiagnostics(self._unit)):
            diagnostic = self.library.clang_getDiagnostic(self._unit, number)
            if self.library.clang_getDiagnosticSeverity(diagnostic) >= least:
                place = self.place(self.library.clang_getDiagnosticLocation(diagnostic))
                diagnostics.append(
                    (place, self.text(self.library.clang_getDiagnosticSpelling(diagnostic)))
                )
            self.library.clang_disposeDiagnostic(diagnostic)
        return diagnostics

    def has_errors_of_project(self) -> bool:
        """Return True if an error stands outside of system headers, or ends the parse."""
        library = self.library
        for number in range(library.clang_getNumDiagnostics(self._unit)):
            diagnostic = library.clang_getDiagnostic(self._unit, number)
            severity = library.clang_getDiagnosticSeverity(diagnostic)
            location = library.clang_getDiagnosticLocation(diagnostic)
            library.clang_disposeDiagnostic(diagnostic)
            if severity >= FATAL or (
                severity >= ERROR and not library.clang_Location_isInSystemHeader(location)
            ):
                return True
        return False

    def inclusions(self) -> list[tuple[int, Place, int, bool]]:
        """Return every file that was entered, the main file left out, with the place of its #include,
        the reading of the includer, and whether the includer is a system header."""
        entered: list[tuple[int, Place, int, bool]] = []
        is_system = self.library.clang_Location_isInSystemHeader

        def visit(file: int, stack: Any, depth: int, _data: Any) -> None:
            if depth > 0:
                place = self.place(stack[0])
                reading = stack[0].offset - place[2]
                entered.append((file, place, reading, bool(is_system(stack[0]))))

        self.library.clang_getInclusions(self._unit, INCLUSION_VISITOR(visit), None)
        return entered

    def is_system(self, file: int) -> bool:
        """Return True if the file comes from a folder of system headers."""
        start = self.library.clang_getLocationForOffset(self._unit, file, 0)
        return bool(self.library.clang_Location_isInSystemHeader(start))

    def skipped(self, path: str) -> list[tuple[int, int]]:
        """Return the extents of a file that the preprocessor skipped when it first read the file."""
        file = self.library.clang_getFile(self._unit, os.fsencode(path))
        ranges = self.library.clang_getSkippedRanges(self._unit, file)
        return [(start[2], end[2]) for start, end, _ in self._places(ranges)]

    def all_skipped(self) -> dict[str, list[tuple[int, int, int]]]:
        """Return the skipped extents of all files with the reading that skipped each."""
        by_file: dict[str, list[tuple[int, int, int]]] = {}
        ranges = self.library.clang_getAllSkippedRanges(self._unit)
        for start, end, reading in self._places(ranges):
            by_file.setdefault(start[0], []).append((start[2], end[2], reading))
        return by_file

    def reading(self, cursor: Cursor) -> int | None:
        """Return the number of the reading of its file that a cursor stands in, greater for later
        readings; None for a cursor that a macro makes.

        clang lays the texts that it reads one behind the other. A location is an offset in all of
        them, with a mark if it comes out of a macro.
        """
        extent = self.library.clang_getCursorExtent(cursor)
        start = self.place(self.library.clang_getRangeStart(extent))
        for location in (
            self.library.clang_getRangeStart(extent),
            self.library.clang_getRangeEnd(extent),
        ):
            file, _, offset = self.place(location)
            if location.offset < _OUT_OF_MACRO and file == start[0]:
                return int(location.offset) - offset
        return None

    def order(self, cursor: Cursor) -> int:
        """Return a number that is greater for what the preprocessor reads later."""
        extent = self.library.clang_getCursorExtent(cursor)
        start = self.library.clang_getRangeStart(extent)
        return int(start.offset) & (_OUT_OF_MACRO - 1)

    def readings(self) -> dict[str, set[int]]:
        """Return the readings of all files in which the preprocessor met a directive or a macro."""
        by_file: dict[str, set[int]] = {}

        def visit(child: Cursor, _parent: Cursor, _data: Any) -> int:
            if 500 <= child.kind <= 503:
                location = self.library.clang_getCursorLocation(child)
                if location.offset < _OUT_OF_MACRO:
                    file, _, offset = self.place(location)
                    by_file.setdefault(file, set()).add(location.offset - offset)
            return 1

        self.library.clang_visitChildren(self.root, VISITOR(visit), None)
        return by_file

    def _places(self, ranges: Any) -> list[tuple[Place, Place, int]]:
        """Return the starts, ends and readings of the ranges, and free their list."""
        places = []
        for number in range(ranges.contents.count):
            extent = ranges.contents.ranges[number]
            location = self.library.clang_getRangeStart(extent)
            start = self.place(location)
            end = self.place(self.library.clang_getRangeEnd(extent))
            places.append((start, end, location.offset - start[2]))
        self.library.clang_disposeSourceRangeList(ranges)
        return places
