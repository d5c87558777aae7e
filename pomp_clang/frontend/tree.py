"""The syntax tree of a unit, asked by position in the text of one of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pomp_clang.frontend.inclusion import Inclusion, Inclusions
from pomp_clang.frontend.intervals import Intervals
from pomp_clang.frontend.libclang import ERROR, FATAL, Cursor, Kind, LoadError, Parsed
from pomp_clang.frontend.names import global_function, is_expression
from pomp_clang.frontend.nested import REFUSED, as_blocks
from pomp_clang.frontend.parse import main_name, parse
from pomp_clang.frontend.unit import Unit
from pomp_clang.frontend.variants import stands_in_variant
from pomp_clang.record import record, replace

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


class UnitError(Exception):
    """The unit cannot be read as the compiler reads it; `line` says where."""

    def __init__(self, message: str, line: int = 1, reason: str = "parse") -> None:
        super().__init__(message)
        self.line = line
        self.reason = reason


class Node:
    """A cursor whose extent lies in one file of the unit, with offsets into its text."""

    __slots__ = ("_children", "_extents", "_path", "cursor", "end", "kind", "parsed", "start")

    def __init__(
        self,
        parsed: Parsed,
        cursor: Cursor,
        path: str,
        start: int,
        end: int,
        children: list[Node] | None = None,
    ) -> None:
        self.parsed = parsed
        self.cursor = cursor
        self.kind = cursor.kind
        self.start = start
        self.end = end
        self._path = path
        self._children = children
        self._extents: Intervals | None = None

    @property
    def children(self) -> list[Node]:
        """Those of the cursor's children that stand in the same file, in order."""
        if self._children is None:
            self._children = list(
                _nodes(self.parsed, self.parsed.children(self.cursor), self._path)
            )
        return self._children

    @property
    def extents(self) -> Intervals:
        """The extents of its children, numbered as these are."""
        if self._extents is None:
            self._extents = Intervals((child.start, child.end) for child in self.children)
        return self._extents

    @property
    def is_scope(self) -> bool:
        """Whether declarations stand in it, and no statements."""
        return self.kind in _SCOPES or self.parsed.is_root(self.cursor)

    @property
    def functions(self) -> list[Node]:
        """The outermost functions and lambdas in it that stand in the same file."""
        found = self.parsed.within(self.cursor, _FUNCTIONS)
        return list(_nodes(self.parsed, found, self._path))

    @property
    def is_function(self) -> bool:
        """Whether it is a function or lambda."""
        return self.kind in _FUNCTIONS

    @property
    def spelling(self) -> str:
        """The name of what it declares."""
        return self.parsed.spelling(self.cursor)


@record
class Position:
    """What the tree knows of an offset: the nodes that contain it, outermost first, and
    of the innermost's children the last that ends before it and the first after it; `crowded`
    if another begins before that has ended, as when one macro makes both."""

    path: tuple[Node, ...]
    previous: Node | None
    next: Node | None
    crowded: bool

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
        return next((n.spelling for n in named), "")


@record
class Fault:
    """An error that libclang finds where the compiler need not find one."""

    offset: int
    line: int
    text: str

    @property
    def is_missing_file(self) -> bool:
        """Whether it is an #include of what libclang does not find, and the compiler may."""
        return self.text.endswith("file not found")


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
        return self._below([self.root], start, end)

    def each_at(self, start: int, end: int) -> list[Position]:
        """The same for every time that the compiler read the file there."""
        tops = (self.root.children[number] for number in self.root.extents.around(start))
        return [self._below([self.root, top], start, end) for top in tops]

    def functions(self) -> Iterator[Position]:
        """Every function and lambda, with the functions around it and what the outermost of
        these stands in."""
        for top in self.root.children:
            if top.kind in _FUNCTIONS:
                paths: list[tuple[Node, ...]] = [(top,)]
            else:
                paths = [(top, each) for each in top.functions]
            while paths:
                path = paths.pop()
                yield Position(path, None, None, False)
                paths += [(*path, each) for each in path[-1].functions]

    def _below(self, nodes: list[Node], start: int, end: int) -> Position:
        path = nodes[1:]
        node = nodes[-1]
        while (inner := node.extents.first_around(start)) is not None:
            node = node.children[inner]
            path.append(node)
        children, extents = node.children, node.extents
        previous = extents.ended(start)
        after = extents.beginning(end)
        first = next(after, None)
        following = children[first] if first is not None else None
        return Position(
            tuple(path),
            children[previous] if previous is not None else None,
            following,
            following is not None and _crowds(following, (children[number] for number in after)),
        )

    @property
    def outer_faults(self) -> list[Fault]:
        """The errors that stand in no function."""
        return [f for f in self.faults if self.at(f.offset, f.offset).function is None]

    @cached_property
    def _passed_over(self) -> Intervals:
        return Intervals(self.skipped)

    def times(self, offset: int) -> int:
        """How often the preprocessor kept what stands at `offset`."""
        return self.entered - self._passed_over.depth(offset)

    def is_live(self, offset: int) -> bool:
        """Whether the preprocessor kept what stands at `offset`."""
        return self.times(offset) > 0

    def routine_at(self, offset: int) -> str:
        """The name of the C function of global scope that the name at `offset` refers to,
        or "" if it is a member, a variable, or a function of some other scope."""
        return global_function(self.root, offset)

    def is_known(self, offset: int) -> bool:
        """Whether the tree has an expression that begins with the name at `offset`."""
        return is_expression(self.root, offset)


class Tree:
    """The parsed unit.

    `texts` are read in the place of the files that they are named after; the unit's
    own text is one of them.  Raises `UnitError` if libclang cannot be loaded, or finds
    an error that ends the parse of the main file, or not a file that this includes.
    """

    def __init__(self, unit: Unit, texts: dict[str, str] | None = None) -> None:
        self.main = main_name(unit)
        self._texts = {self.main: unit.text, **(texts or {})}
        try:
            parsed = parse(unit, texts or {})
        except LoadError as error:
            raise UnitError(f"libclang cannot be loaded: {error}", reason="libclang") from None
        if parsed is None:
            raise UnitError("libclang could not parse it")
        self._parsed = parsed
        self._files: dict[str, Node] = {}
        self.errors = self._faults()
        self._read_nested_functions(unit, texts or {})
        self._check_faults()

    def _read_nested_functions(self, unit: Unit, texts: dict[str, str]) -> None:
        text = unit.text
        while refused := [f.offset for f in self.errors.get(self.main, ()) if f.text == REFUSED]:
            blocks = as_blocks(text, refused)
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
        """The errors in each file that has some."""
        found: dict[str, list[Fault]] = {}
        for (file, line, offset), text in self._parsed.diagnostics(ERROR):
            if file and not self._is_variant(file, offset, text):
                found.setdefault(file, []).append(Fault(offset, line, text))
        return {file: tuple(faults) for file, faults in found.items()}

    def _is_variant(self, file: str, offset: int, error: str) -> bool:
        """Whether it is a function defined for another context that libclang complains of."""
        return error.startswith("redefinition of ") and stands_in_variant(
            self._texts.get(file, ""), offset
        )

    @cached_property
    def inclusions(self) -> tuple[Inclusion, ...]:
        """Every time that the compiler entered a file of no system folder."""
        found = []
        system: dict[str, bool] = {}
        for file, (includer, line, offset) in self._parsed.inclusions():
            name = self._parsed.file(file)
            if name not in system:
                system[name] = self._parsed.is_system(file)
            if not system[name] and name != self.main:
                found.append(Inclusion(name, includer, line, offset))
        return tuple(found)

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

    def view(self, path: str, length: int) -> View:
        """A file of the unit; `length` is that of its text."""
        parsed = self._parsed
        root = Node(parsed, parsed.root, path, 0, length, self._outermost(path).children)
        entered = len(self.entered.into(path)) or 1
        skipped = self._skipped.get(path, ()) if entered > 1 else parsed.skipped(path)
        return View(root, tuple(skipped), entered, self.errors.get(path, ()))

    @cached_property
    def _skipped(self) -> dict[str, list[tuple[int, int]]]:
        return self._parsed.all_skipped()

    def _outermost(self, path: str) -> Node:
        """A file of the unit, whatever its length."""
        if path not in self._files:
            parsed = self._parsed
            declared = list(_nodes(parsed, self._declarations.get(path, ()), path))
            self._files[path] = Node(parsed, parsed.root, path, 0, 0, declared)
        return self._files[path]

    @cached_property
    def _declarations(self) -> dict[str, list[Cursor]]:
        """The outermost declarations of each file; of one that is included in a linkage
        specification (`extern "C" {`) those in it."""
        found: dict[str, list[Cursor]] = {}
        self._collect(self._parsed.root, frozenset(), found)
        return found

    def _collect(
        self, scope: Cursor, around: frozenset[str], found: dict[str, list[Cursor]]
    ) -> None:
        """`around` are the files of the specifications that the scope stands in."""
        parsed = self._parsed
        for child in parsed.children(scope):
            file = parsed.start(child)[0]
            for name in (file,) if file else _files_within(parsed, child):
                if name not in around:
                    found.setdefault(name, []).append(child)
            if file and child.kind in _LINKAGES and self._includes(child):
                self._collect(child, around | {file}, found)

    def _includes(self, cursor: Cursor) -> bool:
        """Whether a file is included in a declaration."""
        (name, _, start), (_, _, end) = self._parsed.extent(cursor)
        return any(self.entered.between(name, start + 1, end))

    def is_inside(self, path: str) -> bool:
        """Whether the file is included inside a declaration: a namespace, class or function."""
        for way in self.entered.into(path):
            file = self._outermost(way.includer)
            around = (file.children[number] for number in file.extents.around(way.offset))
            if any(node.kind not in _LINKAGES for node in around):
                return True
        return False


def _nodes(parsed: Parsed, cursors: Iterable[Cursor], path: str) -> Iterator[Node]:
    for child in cursors:
        file = parsed.start(child)[0]
        if file == path:
            (_, _, start), (file, _, end) = parsed.extent(child)
            yield Node(parsed, child, path, start, end if file == path else start)
        elif not file and child.kind == Kind.FUNCTION_TEMPLATE:
            yield from _abbreviated(parsed, child, path)


def _files_within(parsed: Parsed, template: Cursor) -> set[str]:
    """The files of what stands in a template that has no extent."""
    if template.kind != Kind.FUNCTION_TEMPLATE:
        return set()
    return {parsed.start(child)[0] for child in parsed.children(template)} - {""}


def _crowds(following: Node, others: Iterable[Node]) -> bool:
    """Whether one of the others, in the order of their starts, begins before that has ended."""
    for node in others:
        if node.start >= following.end:
            return False
        if node.kind != Kind.NULL_STMT:
            return True
    return False


def _abbreviated(parsed: Parsed, template: Cursor, path: str) -> Iterator[Node]:
    """A function that is a template by its parameters (`auto x`): libclang gives it no extent,
    so it goes from the first of what stands in it to the last."""
    inner = list(_nodes(parsed, parsed.children(template), path))
    if inner:
        start, end = min(n.start for n in inner), max(n.end for n in inner)
        yield Node(parsed, template, path, start, end, inner)
