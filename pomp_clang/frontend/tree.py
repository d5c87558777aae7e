"""The syntax tree of a unit, asked by position in the main file's text."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from functools import cached_property

from clang import cindex

from pomp_clang.frontend.names import global_function
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import record

Kind = cindex.CursorKind

PREPROCESSING_RECORD = 0x01
"""CXTranslationUnit_DetailedPreprocessingRecord: without it no skipped range is known"""

KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a missing header does not end the parse"""

_FUNCTIONS = frozenset(
    (
        Kind.FUNCTION_DECL,
        Kind.CXX_METHOD,
        Kind.CONSTRUCTOR,
        Kind.DESTRUCTOR,
        Kind.CONVERSION_FUNCTION,
        Kind.FUNCTION_TEMPLATE,
        Kind.LAMBDA_EXPR,
    )
)
_LOOPS = frozenset((Kind.WHILE_STMT, Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT))
_SCOPES = frozenset(
    (
        Kind.TRANSLATION_UNIT,
        Kind.NAMESPACE,
        Kind.LINKAGE_SPEC,
        Kind.UNEXPOSED_DECL,
        Kind.STRUCT_DECL,
        Kind.CLASS_DECL,
        Kind.UNION_DECL,
        Kind.CLASS_TEMPLATE,
        Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )
)


_PREPROCESSING = frozenset(
    k.value
    for k in (
        Kind.PREPROCESSING_DIRECTIVE,
        Kind.MACRO_DEFINITION,
        Kind.MACRO_INSTANTIATION,
        Kind.INCLUSION_DIRECTIVE,
    )
)


class UnitError(Exception):
    """The unit cannot be read as the compiler reads it; `line` says where."""

    def __init__(self, message: str, line: int = 1, reason: str = "parse") -> None:
        super().__init__(message)
        self.line = line
        self.reason = reason


class Node:
    """A cursor whose extent lies in the main file, with offsets into its text."""

    __slots__ = ("_children", "_path", "cursor", "end", "kind", "start")

    def __init__(self, cursor: cindex.Cursor, path: str, start: int, end: int) -> None:
        self.cursor = cursor
        self.kind = cursor.kind
        self.start = start
        self.end = end
        self._path = path
        self._children: list[Node] | None = None

    @property
    def children(self) -> list[Node]:
        """Those of the cursor's children that stand in the main file, in order."""
        if self._children is None:
            self._children = list(_nodes(self.cursor, self._path))
        return self._children

    @property
    def is_scope(self) -> bool:
        """Whether declarations stand in it, and no statements."""
        return self.kind in _SCOPES


@record
class Position:
    """What the tree knows of an offset: the nodes that contain it, outermost first, and
    of the innermost's children the last that ends before it and the first after it."""

    path: tuple[Node, ...]
    previous: Node | None
    next: Node | None

    @property
    def listed(self) -> bool:
        """Whether the offset stands in a list of statements, not where just one goes."""
        return bool(self.path) and self.path[-1].kind == Kind.COMPOUND_STMT

    @property
    def after_empty_loop(self) -> bool:
        """Whether a loop whose body is a lone semicolon stands before the offset."""
        loop = self.previous
        return (
            loop is not None
            and loop.kind in _LOOPS
            and bool(loop.children)
            and loop.children[-1].kind == Kind.NULL_STMT
        )

    @property
    def in_code(self) -> bool:
        """Whether statements may stand here."""
        return bool(self.path) and not self.path[-1].is_scope

    @property
    def functions(self) -> list[Node]:
        """The functions and lambdas around the offset, innermost first."""
        return [n for n in reversed(self.path) if n.kind in _FUNCTIONS]

    @property
    def function(self) -> Node | None:
        """The innermost function or lambda around the offset."""
        return next(iter(self.functions), None)

    @property
    def function_name(self) -> str:
        """The innermost named function around the offset, or ""."""
        named = (n for n in self.functions if n.kind != Kind.LAMBDA_EXPR)
        return next((str(n.cursor.spelling) for n in named), "")


class Tree:
    """The parsed unit.

    Raises `UnitError` if libclang cannot be loaded or finds an error in the main
    file: what it then says of extents is not to be trusted.
    """

    def __init__(self, unit: Unit) -> None:
        self._path = "<stdin>.c" if unit.path == "-" else unit.path
        if unit.path == "-" and unit.language == "c++":
            self._path = "<stdin>.cpp"
        index = _index(unit.libclang)
        arguments = ["-x", unit.language, *unit.arguments]
        contents = unit.text.encode("latin-1")
        try:
            self._unit = index.parse(
                self._path,
                arguments,
                [(self._path, contents)],
                options=KEEP_GOING | PREPROCESSING_RECORD,
            )
        except cindex.TranslationUnitLoadError:
            raise UnitError("libclang could not parse it") from None
        self._file = self._unit.get_file(self._path)
        self._skipped: dict[str, list[tuple[int, int]]] = {}
        self._refuse_errors()
        cursor = self._unit.cursor
        self.root = Node(cursor, self._path, 0, len(unit.text))

    def _refuse_errors(self) -> None:
        for diagnostic in self._unit.diagnostics:
            if diagnostic.severity >= cindex.Diagnostic.Error:
                location = diagnostic.location
                if location.file is not None and location.file.name == self._path:
                    raise UnitError(diagnostic.spelling, location.line)

    def at(self, start: int, end: int) -> Position:
        """What contains `start`, and what follows `end` there."""
        path = []
        node = self.root
        while True:
            inner = next((n for n in node.children if n.start < start < n.end), None)
            if inner is None:
                break
            path.append(inner)
            node = inner
        before = [n for n in node.children if n.end <= start]
        after = [n for n in node.children if n.start >= end]
        previous = max(before, key=lambda n: n.end, default=None)
        return Position(tuple(path), previous, min(after, key=lambda n: n.start, default=None))

    def is_live(self, offset: int, path: str = "") -> bool:
        """Whether the preprocessor kept what stands at `offset` of the main file, or of
        an included file."""
        path = path or self._path
        if path not in self._skipped:
            ranges = _skipped_ranges(self._unit, self._unit.get_file(path))
            self._skipped[path] = [(r.start.offset, r.end.offset) for r in ranges]
        return not any(start <= offset < end for start, end in self._skipped[path])

    def routine_at(self, offset: int) -> str:
        """The name of the C function of global scope that the name at `offset` refers to,
        or "" if it is a member, a variable, or a function of some other scope."""
        return global_function(self.root, offset)

    @cached_property
    def project_headers(self) -> tuple[tuple[str, str], ...]:
        """Path and text of the files that the unit includes from no system folder."""
        found: dict[str, str] = {}
        for inclusion in self._unit.get_includes():
            name = inclusion.include.name
            if name not in found and name != self._path:
                start = cindex.SourceLocation.from_offset(self._unit, inclusion.include, 0)
                if not start.is_in_system_header and os.path.isfile(name):
                    with open(name, encoding="latin-1", newline="") as file:
                        found[name] = file.read()
        return tuple(found.items())


def _index(library: str) -> cindex.Index:
    if library and not cindex.Config.loaded:
        cindex.Config.set_library_file(library)
    try:
        return cindex.Index.create()
    except cindex.LibclangError as error:
        raise UnitError(f"libclang cannot be loaded: {error}", reason="libclang") from None


def _nodes(cursor: cindex.Cursor, path: str) -> Iterator[Node]:
    for child in _children(cursor):
        extent = child.extent
        start = extent.start
        if start.file is not None and start.file.name == path:
            end = extent.end
            stop = end.offset if end.file is not None and end.file.name == path else start.offset
            yield Node(child, path, start.offset, stop)


def _children(cursor: cindex.Cursor) -> list[cindex.Cursor]:
    """The cursor's children but for what the preprocessor saw, of which a unit with system
    headers has ten thousand: they are dropped before the binding looks at them."""
    found: list[cindex.Cursor] = []

    def visit(child: cindex.Cursor, _parent: cindex.Cursor, _data: object) -> int:
        if child._kind_id not in _PREPROCESSING:
            child._tu = cursor._tu
            found.append(child)
        return 1

    cindex.conf.lib.clang_visitChildren(cursor, cindex.callbacks["cursor_visit"](visit), None)
    return found


class _RangeList(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange)))


def _skipped_ranges(unit: cindex.TranslationUnit, file: cindex.File) -> list[cindex.SourceRange]:
    """clang_getSkippedRanges, which the Python binding does not wrap."""
    library = cindex.conf.lib
    get = library.clang_getSkippedRanges
    get.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    get.restype = ctypes.POINTER(_RangeList)
    dispose = library.clang_disposeSourceRangeList
    dispose.argtypes = (ctypes.POINTER(_RangeList),)
    dispose.restype = None
    found = get(unit.obj, file.obj)
    try:
        return [_copy(found.contents.ranges[i]) for i in range(found.contents.count)]
    finally:
        dispose(found)


def _copy(extent: cindex.SourceRange) -> cindex.SourceRange:
    return cindex.SourceRange.from_buffer_copy(extent)
