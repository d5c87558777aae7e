"""The part of libclang that is used here, called through ctypes.

Not by the package's own binding, clang.cindex: it describes all of libclang when it is
imported, which takes as long as the parse of a small C file, and makes objects of what
is only compared here.  Cursors are libclang's structures; places are (file, line, offset).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Set
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_uint,
    c_ulong,
    c_void_p,
)
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Place = tuple[str, int, int]

ERROR, FATAL = 3, 4
"""CXDiagnosticSeverity"""


class Kind:
    """CXCursorKind."""

    UNEXPOSED_DECL = 1
    STRUCT_DECL = 2
    UNION_DECL = 3
    CLASS_DECL = 4
    FIELD_DECL = 6
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    CXX_METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION_FUNCTION = 26
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    CLASS_TEMPLATE_PARTIAL_SPECIALIZATION = 32
    OVERLOADED_DECL_REF = 49
    DECL_REF_EXPR = 101
    LAMBDA_EXPR = 144
    BINARY_OPERATOR = 114
    CONDITIONAL_OPERATOR = 116
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    CXX_TRY_STMT = 224
    CXX_FOR_RANGE_STMT = 225
    NULL_STMT = 230
    DECL_STMT = 231
    PREPROCESSING_DIRECTIVE = 500
    MACRO_DEFINITION = 501
    MACRO_EXPANSION = 502
    INCLUSION_DIRECTIVE = 503

    @staticmethod
    def is_statement(kind: int) -> bool:
        """Whether it is a statement, and neither an expression nor a declaration."""
        return 200 <= kind < 300 and kind != Kind.DECL_STMT


class Type:
    """CXTypeKind: those that fit a `long`, an `unsigned long` and, if need be rounded, a double."""

    UNSIGNED = (3, 4, 5, 6, 7, 8, 9, 10, 11)
    SIGNED = (13, 14, 15, 16, 17, 18, 19)
    REAL = (21, 22, 23, 31, 32)
    LVALUE_REFERENCE = 103
    RVALUE_REFERENCE = 104
    ENUM = 106
    ATOMIC = 177


class LoadError(Exception):
    """The library is not there, or is none that is known."""


class Text(Structure):
    """CXString."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


class Cursor(Structure):
    """CXCursor."""

    kind: int
    _fields_ = (("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3))


class TypeOf(Structure):
    """CXType."""

    kind: int
    _fields_ = (("kind", c_int), ("data", c_void_p * 2))


class Location(Structure):
    """CXSourceLocation."""

    _fields_ = (("data", c_void_p * 2), ("offset", c_uint))


class Range(Structure):
    """CXSourceRange."""

    _fields_ = (("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class Ranges(Structure):
    """CXSourceRangeList."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(Range)))


class UnsavedFile(Structure):
    """CXUnsavedFile."""

    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", c_ulong))


VISITOR = CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
INCLUSION_VISITOR = CFUNCTYPE(None, c_void_p, POINTER(Location), c_uint, c_void_p)
_WORDS, _UNITS = POINTER(c_char_p), POINTER(c_void_p)
_FILE, _NUMBER = POINTER(c_void_p), POINTER(c_uint)

# fmt: off
FUNCTIONS = {
    "clang_Cursor_getMangling": (Text, Cursor),
    "clang_Cursor_isNull": (c_int, Cursor),
    "clang_Type_getValueType": (TypeOf, TypeOf),
    "clang_getCanonicalType": (TypeOf, TypeOf),
    "clang_getCursorType": (TypeOf, Cursor),
    "clang_getEnumDeclIntegerType": (TypeOf, Cursor),
    "clang_getPointeeType": (TypeOf, TypeOf),
    "clang_getTypeDeclaration": (Cursor, TypeOf),
    "clang_IndexAction_create": (c_void_p, c_void_p),
    "clang_IndexAction_dispose": (None, c_void_p),
    "clang_Location_isInSystemHeader": (c_int, Location),
    "clang_createIndex": (c_void_p, c_int, c_int),
    "clang_disposeDiagnostic": (None, c_void_p),
    "clang_disposeIndex": (None, c_void_p),
    "clang_disposeSourceRangeList": (None, POINTER(Ranges)),
    "clang_disposeString": (None, Text),
    "clang_disposeTranslationUnit": (None, c_void_p),
    "clang_getAllSkippedRanges": (POINTER(Ranges), c_void_p),
    "clang_getCString": (c_char_p, Text),
    "clang_getCursorDisplayName": (Text, Cursor),
    "clang_getCursorExtent": (Range, Cursor),
    "clang_getCursorLocation": (Location, Cursor),
    "clang_getCursorReferenced": (Cursor, Cursor),
    "clang_getCursorSemanticParent": (Cursor, Cursor),
    "clang_getCursorSpelling": (Text, Cursor),
    "clang_getDiagnostic": (c_void_p, c_void_p, c_uint),
    "clang_getDiagnosticLocation": (Location, c_void_p),
    "clang_getDiagnosticSeverity": (c_int, c_void_p),
    "clang_getDiagnosticSpelling": (Text, c_void_p),
    "clang_getExpansionLocation": (None, Location, _FILE, _NUMBER, _NUMBER, _NUMBER),
    "clang_getFile": (c_void_p, c_void_p, c_char_p),
    "clang_getFileLocation": (None, Location, _FILE, _NUMBER, _NUMBER, _NUMBER),
    "clang_getFileName": (Text, c_void_p),
    "clang_getInclusions": (None, c_void_p, INCLUSION_VISITOR, c_void_p),
    "clang_getLocationForOffset": (Location, c_void_p, c_void_p, c_uint),
    "clang_getNumDiagnostics": (c_uint, c_void_p),
    "clang_getNumOverloadedDecls": (c_uint, Cursor),
    "clang_getOverloadedDecl": (Cursor, Cursor, c_uint),
    "clang_getRangeEnd": (Location, Range),
    "clang_getRangeStart": (Location, Range),
    "clang_getSkippedRanges": (POINTER(Ranges), c_void_p, c_void_p),
    "clang_getTranslationUnitCursor": (Cursor, c_void_p),
    "clang_indexSourceFile": (
        c_int, c_void_p, c_void_p, c_void_p, c_uint, c_uint, c_char_p, _WORDS, c_int,
        POINTER(UnsavedFile), c_uint, _UNITS, c_uint,
    ),
    "clang_isTranslationUnit": (c_uint, c_int),
    "clang_parseTranslationUnit2": (
        c_int, c_void_p, c_char_p, _WORDS, c_int, POINTER(UnsavedFile), c_uint, c_uint, _UNITS,
    ),
    "clang_visitChildren": (c_uint, Cursor, VISITOR, c_void_p),
}
# fmt: on


@cache
def load(path: str) -> CDLL:
    """The library at `path`, or for "" the Python package's.  Raises `LoadError`."""
    try:
        library = _open(path or _packaged())
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LoadError(str(error)) from None
    return library


def _open(path: str) -> CDLL:
    """As ctypes does, but while other threads run Python: it takes as long as a small parse.

    Raises OSError.
    """
    loader = CDLL(None)
    loader.dlopen.restype, loader.dlerror.restype = c_void_p, c_char_p
    handle = loader.dlopen(c_char_p(os.fsencode(path)), os.RTLD_LAZY)
    if not handle:
        raise OSError(os.fsdecode(loader.dlerror() or b""))
    return CDLL(path, handle=handle)


def _packaged() -> str:
    for place in sys.path:
        path = os.path.join(place, "clang", "native", "libclang.so")
        if os.path.isfile(path):
            return path
    raise LoadError("the Python package libclang is not installed")


class Parsed:
    """A translation unit, disposed of with its last reference; `index` is its own."""

    def __init__(self, library: CDLL, index: int, unit: int) -> None:
        self.library = library
        self._index = index
        self._unit = unit
        self._names: dict[int, str] = {}
        self._at = c_void_p(), c_uint(), c_uint(), c_uint()
        self.root: Cursor = library.clang_getTranslationUnitCursor(unit)

    def __del__(self) -> None:
        self.library.clang_disposeTranslationUnit(self._unit)
        self.library.clang_disposeIndex(self._index)

    def text(self, string: Text) -> str:
        """What a CXString holds, which is disposed of."""
        found = os.fsdecode(self.library.clang_getCString(string) or b"")
        self.library.clang_disposeString(string)
        return found

    def file(self, file: int | None) -> str:
        """A file's name as the compiler was given it."""
        if file is None:
            return ""
        if file not in self._names:
            self._names[file] = self.text(self.library.clang_getFileName(file))
        return self._names[file]

    def place(self, location: Location) -> Place:
        """Where a location is; where its macro is used, if it comes out of one."""
        return self._place(location, "clang_getExpansionLocation")

    def _place(self, location: Location, function: str) -> Place:
        file, line, column, offset = self._at
        getattr(self.library, function)(
            location, byref(file), byref(line), byref(column), byref(offset)
        )
        return self.file(file.value), line.value, offset.value

    def extent(self, cursor: Cursor) -> tuple[Place, Place]:
        """Where it begins, and where it ends: if with an argument of a macro, behind that."""
        extent = self.library.clang_getCursorExtent(cursor)
        start = self.place(self.library.clang_getRangeStart(extent))
        last = self.library.clang_getRangeEnd(extent)
        return start, max(self.place(last), self._place(last, "clang_getFileLocation"))

    def start(self, cursor: Cursor) -> Place:
        """Where it begins."""
        extent = self.library.clang_getCursorExtent(cursor)
        return self.place(self.library.clang_getRangeStart(extent))

    def named_at(self, cursor: Cursor) -> Place:
        """Where the name of what it declares stands."""
        return self.place(self.library.clang_getCursorLocation(cursor))

    def spelling(self, cursor: Cursor) -> str:
        """The name of what it declares or refers to."""
        return self.text(self.library.clang_getCursorSpelling(cursor))

    def signature(self, cursor: Cursor) -> str:
        """The name of a function with its parameters' types."""
        return self.text(self.library.clang_getCursorDisplayName(cursor))

    def mangled(self, cursor: Cursor) -> str:
        """The name that the linker knows; of a template ""."""
        return self.text(self.library.clang_Cursor_getMangling(cursor))

    def scalar(self, cursor: Cursor) -> int:
        """The kind of a variable's type: what a reference is to, an enumeration's own integer."""
        library = self.library
        kind = library.clang_getCanonicalType(library.clang_getCursorType(cursor))
        if kind.kind in (Type.LVALUE_REFERENCE, Type.RVALUE_REFERENCE):
            kind = library.clang_getCanonicalType(library.clang_getPointeeType(kind))
        if kind.kind == Type.ATOMIC:
            kind = library.clang_getCanonicalType(library.clang_Type_getValueType(kind))
        if kind.kind == Type.ENUM:
            declared = library.clang_getTypeDeclaration(kind)
            kind = library.clang_getCanonicalType(library.clang_getEnumDeclIntegerType(declared))
        return int(kind.kind)

    def children(self, cursor: Cursor) -> list[Cursor]:
        """What stands in it, but for what the preprocessor saw, of which a unit with system
        headers has ten thousand."""
        found: list[Cursor] = []

        def visit(child: Cursor, _parent: Cursor, _data: Any) -> int:
            if not 500 <= child.kind <= 503:
                found.append(child)
            return 1

        self.library.clang_visitChildren(cursor, VISITOR(visit), None)
        return found

    def within(self, cursor: Cursor, kinds: Set[int]) -> list[Cursor]:
        """The outermost of such kinds in it, however deep they stand."""
        found: list[Cursor] = []

        def visit(child: Cursor, _parent: Cursor, _data: Any) -> int:
            if child.kind in kinds:
                found.append(child)
                return 1
            return 2

        self.library.clang_visitChildren(cursor, VISITOR(visit), None)
        return found

    def referenced(self, cursor: Cursor) -> list[Cursor]:
        """What a name may refer to: in a template, all that was found by the name alone."""
        if cursor.kind != Kind.OVERLOADED_DECL_REF:
            return self._unless_null(self.library.clang_getCursorReferenced(cursor))
        count = self.library.clang_getNumOverloadedDecls(cursor)
        return [self.library.clang_getOverloadedDecl(cursor, i) for i in range(count)]

    def parent(self, cursor: Cursor) -> Cursor | None:
        """What it is a member of."""
        found = self._unless_null(self.library.clang_getCursorSemanticParent(cursor))
        return found[0] if found else None

    def is_root(self, cursor: Cursor) -> bool:
        """Whether it is the unit itself."""
        return bool(self.library.clang_isTranslationUnit(cursor.kind))

    def _unless_null(self, cursor: Cursor) -> list[Cursor]:
        return [] if self.library.clang_Cursor_isNull(cursor) else [cursor]

    def diagnostics(self, least: int) -> list[tuple[Place, str]]:
        """Those that are at least so severe."""
        found = []
        for number in range(self.library.clang_getNumDiagnostics(self._unit)):
            one = self.library.clang_getDiagnostic(self._unit, number)
            if self.library.clang_getDiagnosticSeverity(one) >= least:
                place = self.place(self.library.clang_getDiagnosticLocation(one))
                found.append((place, self.text(self.library.clang_getDiagnosticSpelling(one))))
            self.library.clang_disposeDiagnostic(one)
        return found

    def inclusions(self) -> list[tuple[int, Place]]:
        """Every file that was entered, and by which directive: none for the main file."""
        found: list[tuple[int, Place]] = []

        def visit(file: int, stack: Any, depth: int, _data: Any) -> None:
            if depth > 0:
                found.append((file, self.place(stack[0])))

        self.library.clang_getInclusions(self._unit, INCLUSION_VISITOR(visit), None)
        return found

    def is_system(self, file: int) -> bool:
        """Whether it comes from a folder of system headers."""
        start = self.library.clang_getLocationForOffset(self._unit, file, 0)
        return bool(self.library.clang_Location_isInSystemHeader(start))

    def skipped(self, path: str) -> list[tuple[int, int]]:
        """The extents in a file that the preprocessor passed over when it first read the file."""
        file = self.library.clang_getFile(self._unit, os.fsencode(path))
        ranges = self.library.clang_getSkippedRanges(self._unit, file)
        return [(start[2], end[2]) for start, end in self._places(ranges)]

    def all_skipped(self) -> dict[str, list[tuple[int, int]]]:
        """Those of all files, of each time that the preprocessor read the file."""
        found: dict[str, list[tuple[int, int]]] = {}
        for start, end in self._places(self.library.clang_getAllSkippedRanges(self._unit)):
            found.setdefault(start[0], []).append((start[2], end[2]))
        return found

    def _places(self, ranges: Any) -> list[tuple[Place, Place]]:
        """The ranges' starts and ends; the list of ranges is disposed of."""
        found = []
        for number in range(ranges.contents.count):
            one = ranges.contents.ranges[number]
            start = self.place(self.library.clang_getRangeStart(one))
            found.append((start, self.place(self.library.clang_getRangeEnd(one))))
        self.library.clang_disposeSourceRangeList(ranges)
        return found
