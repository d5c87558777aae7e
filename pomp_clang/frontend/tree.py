"""The syntax tree of a unit, asked by position in the text of one of its files."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from functools import cached_property

from clang import cindex

from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.names import global_function
from pomp_clang.frontend.parse import parse
from pomp_clang.frontend.unit import Unit
from pomp_clang.frontend.variants import stands_in_variant
from pomp_clang.record import record

Kind = cindex.CursorKind

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
_LINKAGES = frozenset((Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL))
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
    """A cursor whose extent lies in one file of the unit, with offsets into its text."""

    __slots__ = ("_children", "_path", "cursor", "end", "kind", "start")

    def __init__(
        self,
        cursor: cindex.Cursor,
        path: str,
        start: int,
        end: int,
        children: list[Node] | None = None,
    ) -> None:
        self.cursor = cursor
        self.kind = cursor.kind
        self.start = start
        self.end = end
        self._path = path
        self._children = children

    @property
    def children(self) -> list[Node]:
        """Those of the cursor's children that stand in the same file, in order."""
        if self._children is None:
            self._children = list(_nodes(_children(self.cursor), self._path))
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


@record
class Fault:
    """An error that libclang finds where the compiler need not find one."""

    offset: int
    line: int
    text: str


@record
class View:
    """One file of the unit: `skipped` are the extents that the preprocessor passed over,
    each of the `entered` times that it read the file."""

    root: Node
    skipped: tuple[tuple[int, int], ...]
    entered: int
    faults: tuple[Fault, ...]

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

    def times(self, offset: int) -> int:
        """How often the preprocessor kept what stands at `offset`."""
        return self.entered - sum(start <= offset < end for start, end in self.skipped)

    def is_live(self, offset: int) -> bool:
        """Whether the preprocessor kept what stands at `offset`."""
        return self.times(offset) > 0

    def routine_at(self, offset: int) -> str:
        """The name of the C function of global scope that the name at `offset` refers to,
        or "" if it is a member, a variable, or a function of some other scope."""
        return global_function(self.root, offset)


class Tree:
    """The parsed unit.

    `texts` are read in the place of the files that they are named after; the unit's
    own text is one of them.  Raises `UnitError` if libclang cannot be loaded, or finds
    an error outside the functions of the main file: what it then says of extents is not
    to be trusted, as it is not of the function that holds an error.
    """

    def __init__(self, unit: Unit, texts: dict[str, str] | None = None) -> None:
        self.main = main_name(unit)
        index = _index(unit.libclang)
        arguments = ["-x", unit.language, *unit.arguments]
        self._texts = replaced = {self.main: unit.text, **(texts or {})}
        try:
            self._unit = parse(index, self.main, arguments, replaced, unit.language == "c++")
        except cindex.TranslationUnitLoadError:
            raise UnitError("libclang could not parse it") from None
        self._check_faults(len(unit.text))

    def _check_faults(self, length: int) -> None:
        faults = self.errors.get(self.main, ())
        if faults:
            view = self.view(self.main, length)
            fatal = any(d.severity == cindex.Diagnostic.Fatal for d in self._unit.diagnostics)
            for fault in faults:
                if fatal or view.at(fault.offset, fault.offset).function is None:
                    raise UnitError(fault.text, fault.line)

    @cached_property
    def errors(self) -> dict[str, tuple[Fault, ...]]:
        """The errors in each file that has some."""
        found: dict[str, tuple[Fault, ...]] = {}
        for diagnostic in self._unit.diagnostics:
            if diagnostic.severity >= cindex.Diagnostic.Error:
                at = diagnostic.location
                if at.file is not None and not self._is_variant(diagnostic):
                    fault = Fault(at.offset, at.line, diagnostic.spelling)
                    found[at.file.name] = (*found.get(at.file.name, ()), fault)
        return found

    def _is_variant(self, error: cindex.Diagnostic) -> bool:
        """Whether it is a function defined for another context that libclang complains of."""
        if not error.spelling.startswith("redefinition of "):
            return False
        text = self._texts.get(error.location.file.name, "")
        return stands_in_variant(text, error.location.offset)

    @cached_property
    def inclusions(self) -> tuple[Inclusion, ...]:
        """Every time that the compiler entered a file of no system folder."""
        found = []
        system: dict[str, bool] = {}
        for entered in self._unit.get_includes():
            file, at = entered.include, entered.location
            if file.name not in system:
                start = cindex.SourceLocation.from_offset(self._unit, file, 0)
                system[file.name] = start.is_in_system_header
            if not system[file.name] and file.name != self.main:
                includer = at.file.name if at.file is not None else ""
                found.append(Inclusion(file.name, includer, at.line, at.offset))
        return tuple(found)

    def view(self, path: str, length: int) -> View:
        """A file of the unit; `length` is that of its text."""
        cursors = self._within(self._unit.cursor, path, self.ways(path))
        root = Node(self._unit.cursor, path, 0, length, list(_nodes(cursors, path)))
        file = self._unit.get_file(path)
        entered = sum(each.path == path for each in self.inclusions) or 1
        skipped = [
            (each.start.offset, each.end.offset)
            for each in _skipped_ranges(self._unit, file if entered == 1 else None)
            if entered == 1 or (each.start.file is not None and each.start.file.name == path)
        ]
        return View(root, tuple(skipped), entered, self.errors.get(path, ()))

    @cached_property
    def _declarations(self) -> list[cindex.Cursor]:
        return _children(self._unit.cursor)

    def ways(self, path: str) -> list[Inclusion]:
        """Where the file is included, and what includes it, and so on."""
        ways: list[Inclusion] = []
        pending = [path]
        while pending:
            wanted = pending.pop()
            found = [i for i in self.inclusions if i.path == wanted and i not in ways]
            ways += found
            pending += [i.includer for i in found]
        return ways

    def _within(
        self, cursor: cindex.Cursor, path: str, ways: list[Inclusion]
    ) -> Iterator[cindex.Cursor]:
        """The declarations of a scope, those of the linkage specifications (`extern "C" {`)
        that the file is included in among them."""
        top = cursor == self._unit.cursor
        for child in self._declarations if top else _children(cursor):
            if ways and child.kind in _LINKAGES and _spans(child, path, ways):
                yield from self._within(child, path, ways)
            else:
                yield child


def main_name(unit: Unit) -> str:
    """How libclang is told of the unit's own file."""
    if unit.path != "-":
        return unit.path
    return "<stdin>.cpp" if unit.language == "c++" else "<stdin>.c"


def _spans(cursor: cindex.Cursor, path: str, ways: list[Inclusion]) -> bool:
    start, end = cursor.extent.start, cursor.extent.end
    name = start.file.name if start.file is not None else ""
    return name != path and any(
        way.includer == name and start.offset < way.offset < end.offset for way in ways
    )


def _index(library: str) -> cindex.Index:
    if library and not cindex.Config.loaded:
        cindex.Config.set_library_file(library)
    try:
        return cindex.Index.create()
    except cindex.LibclangError as error:
        raise UnitError(f"libclang cannot be loaded: {error}", reason="libclang") from None


def _nodes(cursors: Iterable[cindex.Cursor], path: str) -> Iterator[Node]:
    for child in cursors:
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


def _skipped_ranges(
    unit: cindex.TranslationUnit, file: cindex.File | None
) -> list[cindex.SourceRange]:
    """clang_getSkippedRanges, which the Python binding does not wrap and which knows of a
    file's first inclusion alone, or those of all files."""
    library = cindex.conf.lib
    get = library.clang_getSkippedRanges if file else library.clang_getAllSkippedRanges
    get.argtypes = (ctypes.c_void_p, ctypes.c_void_p) if file else (ctypes.c_void_p,)
    get.restype = ctypes.POINTER(_RangeList)
    dispose = library.clang_disposeSourceRangeList
    dispose.argtypes = (ctypes.POINTER(_RangeList),)
    dispose.restype = None
    found = get(unit.obj, file.obj) if file else get(unit.obj)
    try:
        return [_copy(found.contents.ranges[i]) for i in range(found.contents.count)]
    finally:
        dispose(found)


def _copy(extent: cindex.SourceRange) -> cindex.SourceRange:
    return cindex.SourceRange.from_buffer_copy(extent)
