"""A node of the syntax tree, with offsets into the text of one file, and the way down to an offset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pomp_clang.frontend.c.cursor_rows import KIND, CursorRow, cursor_of
from pomp_clang.frontend.c.libclang import Cursor, CursorKind
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.source import OffsetRanges
from pomp_clang.record import record

FUNCTIONS = frozenset(
    (
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.LAMBDA_EXPR,
    )
)

_SCOPES = frozenset(
    (
        CursorKind.NAMESPACE,
        CursorKind.LINKAGE_SPEC,
        CursorKind.UNEXPOSED_DECL,
        CursorKind.STRUCT_DECL,
        CursorKind.CLASS_DECL,
        CursorKind.UNION_DECL,
        CursorKind.CLASS_TEMPLATE,
        CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )
)


class SyntaxNode:
    """A cursor whose extent lies in one file of the unit, with offsets into its text."""

    __slots__ = (
        "_children", "_cursor", "_extents", "_path", "end", "kind", "parsed", "start",
    )  # fmt: skip

    def __init__(
        self,
        parsed: ParsedUnit,
        cursor: Cursor | CursorRow,
        path: str,
        start: int,
        end: int,
        children: list[SyntaxNode] | None = None,
    ) -> None:
        self.parsed = parsed
        self._cursor = cursor
        self.kind: int = cursor[KIND] if isinstance(cursor, tuple) else cursor.kind
        self.start = start
        self.end = end
        self._path = path
        self._children = children
        self._extents: OffsetRanges | None = None

    @property
    def cursor(self) -> Cursor:
        """The cursor, always the same object."""
        if isinstance(self._cursor, tuple):
            self._cursor = cursor_of(self._cursor)
        return self._cursor

    @property
    def children(self) -> list[SyntaxNode]:
        """The cursor's children that stand in the same file, in order."""
        if self._children is None:
            self._children = list(
                nodes_of(self.parsed, self.parsed.rows.children(self.cursor), self._path)
            )
        return self._children

    @property
    def extents(self) -> OffsetRanges:
        """The extents of its children, numbered as these are."""
        if self._extents is None:
            self._extents = OffsetRanges((child.start, child.end) for child in self.children)
        return self._extents

    @property
    def is_scope(self) -> bool:
        """True if the node holds declarations, and no statements."""
        return self.kind in _SCOPES or self.parsed.is_root(self.cursor)

    @property
    def functions(self) -> list[SyntaxNode]:
        """The outermost functions and lambdas in it that stand in the same file."""
        rows = self.parsed.rows.within(self.cursor, FUNCTIONS)
        return list(nodes_of(self.parsed, rows, self._path))

    @property
    def is_function(self) -> bool:
        """True for a function or a lambda."""
        return self.kind in FUNCTIONS

    @property
    def spelling(self) -> str:
        """The name that the node declares."""
        return self.parsed.spelling(self.cursor)


def nodes_of(parsed: ParsedUnit, rows: Iterable[CursorRow], path: str) -> Iterator[SyntaxNode]:
    """Yield the nodes of those cursors that stand in the file."""
    for row in rows:
        span = parsed.row_span(row, path)
        if span is not None:
            yield SyntaxNode(parsed, row, path, *span)
        elif row[KIND] == CursorKind.FUNCTION_TEMPLATE and not parsed.row_home(row):
            yield from _abbreviated(parsed, row, path)


def _abbreviated(parsed: ParsedUnit, template: CursorRow, path: str) -> Iterator[SyntaxNode]:
    """Yield the node of a function that is a template by its parameters (`auto x`).

    libclang gives such a function no extent, so the node spans the nodes in it.
    """
    inner = list(nodes_of(parsed, parsed.rows.children(cursor_of(template)), path))
    if inner:
        start, end = min(n.start for n in inner), max(n.end for n in inner)
        yield SyntaxNode(parsed, template, path, start, end, inner)


@record
class _Step:
    """A node on the way, and the offsets (`low` and `high` excluded) whose ways all have it.

    `functions` are the functions and lambdas up to it, innermost first.
    """

    node: SyntaxNode
    low: int
    high: int
    functions: tuple[SyntaxNode, ...]


class Descent:
    """The way from a node down to the innermost node around an offset.

    The next way begins where it leaves the last one: constructs are asked for in their order, and
    a chain of a thousand else-ifs is a thousand nodes deep.
    """

    def __init__(self, top: SyntaxNode, low: int, high: int) -> None:
        functions = (top,) if top.kind in FUNCTIONS else ()
        self._steps = [_Step(top, low, high, functions)]

    def to(self, offset: int) -> tuple[tuple[SyntaxNode, ...], tuple[SyntaxNode, ...]]:
        """Return the nodes around an offset, outermost first, and the functions among them,
        innermost first."""
        steps = self._steps
        while len(steps) > 1 and not steps[-1].low < offset < steps[-1].high:
            steps.pop()
        while (inner := steps[-1].node.extents.first_around(offset)) is not None:
            steps.append(_below(steps[-1], inner))
        return tuple([step.node for step in steps]), steps[-1].functions


def _below(step: _Step, number: int) -> _Step:
    """Return the step to a child of a node."""
    node = step.node.children[number]
    functions = (node, *step.functions) if node.kind in FUNCTIONS else step.functions
    if step.node.extents.is_disjoint:
        return _Step(node, max(step.low, node.start), min(step.high, node.end), functions)
    return _Step(node, 0, 0, functions)
