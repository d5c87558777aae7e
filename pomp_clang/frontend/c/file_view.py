"""One file of a parsed unit: what stands at an offset of its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pomp_clang.frontend.c.libclang import Cursor, CursorKind
from pomp_clang.frontend.c.node import FUNCTIONS, Descent, SyntaxNode
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.source import OffsetRanges
from pomp_clang.record import record

_LOOPS = frozenset((CursorKind.WHILE_STMT, CursorKind.FOR_STMT, CursorKind.CXX_FOR_RANGE_STMT))


@record
class Position:
    """The nodes around an offset, outermost first, and its neighbors in the innermost of them.

    `functions` are the functions and lambdas among the nodes, innermost first. `previous` is the last child that ends before the offset, `next` the first one behind it.
    `overlaps_next` is True if another child begins inside `next`, as when one macro makes both.
    """

    path: tuple[SyntaxNode, ...]
    functions: tuple[SyntaxNode, ...]
    previous: SyntaxNode | None
    next: SyntaxNode | None
    overlaps_next: bool

    @property
    def listed(self) -> bool:
        """True if the offset is in a list of statements, not where a single one is allowed."""
        return bool(self.path) and self.path[-1].kind == CursorKind.COMPOUND_STMT

    @property
    def after_empty_loop(self) -> bool:
        """True if a loop whose body is a lone semicolon stands before the offset."""
        loop = self.previous
        return (
            loop is not None
            and loop.kind in _LOOPS
            and bool(loop.children)
            and loop.children[-1].kind == CursorKind.NULL_STMT
        )

    @property
    def in_code(self) -> bool:
        """True if statements may stand at the offset."""
        return bool(self.path) and not self.path[-1].is_scope

    @property
    def function(self) -> SyntaxNode | None:
        """The innermost function or lambda around the offset."""
        return next(iter(self.functions), None)

    @property
    def function_name(self) -> str:
        """The innermost named function around the offset, or ""."""
        named = (n for n in self.functions if n.kind != CursorKind.LAMBDA_EXPR)
        return next((n.spelling for n in named), "")


@record
class Fault:
    """An error of libclang, which the compiler need not report."""

    offset: int
    line: int
    text: str

    @property
    def is_missing_file(self) -> bool:
        """True for an #include of a file that libclang does not find; the compiler may."""
        return self.text.endswith("file not found")


@record
class FileView:
    """One file of the unit.

    The preprocessor read the file `entered` times. `skipped` are the extents that it skipped, one
    for each time that it skipped them.
    """

    root: SyntaxNode
    skipped: tuple[tuple[int, int], ...]
    entered: int
    faults: tuple[Fault, ...]

    def at(self, start: int, end: int) -> Position:
        """Return the nodes around `start`, and the neighbors of the stretch from `start` to `end`."""
        path, functions = self._descent.to(start)
        return position_in(path[-1], path[1:], functions, start, end)

    def each_at(self, start: int, end: int) -> list[Position]:
        """Return the positions of `at` for every time that the compiler read the file there."""
        tops = (self.root.children[number] for number in self.root.extents.around(start))
        ways = [Descent(top, 0, 0).to(start) for top in tops]
        return [position_in(path[-1], path, functions, start, end) for path, functions in ways]

    def functions(self) -> Iterator[Position]:
        """Yield the position of every function and lambda.

        Its path begins with the outermost declaration, and has the functions around it.
        """
        for top in self.root.children:
            if top.kind in FUNCTIONS:
                paths: list[tuple[SyntaxNode, ...]] = [(top,)]
            else:
                paths = [(top, function) for function in top.functions]
            while paths:
                path = paths.pop()
                functions = tuple(n for n in reversed(path) if n.kind in FUNCTIONS)
                yield Position(path, functions, None, None, False)
                paths += [(*path, function) for function in path[-1].functions]

    @cached_property
    def _descent(self) -> Descent:
        return Descent(self.root, self.root.start, self.root.end)

    @property
    def outer_faults(self) -> list[Fault]:
        """The errors that stand in no function."""
        return [f for f in self.faults if self.at(f.offset, f.offset).function is None]

    @cached_property
    def _passed_over(self) -> OffsetRanges:
        return OffsetRanges(self.skipped)

    def times(self, offset: int) -> int:
        """Return how often the preprocessor kept the text at `offset`."""
        return self.entered - self._passed_over.depth(offset)

    def is_live(self, offset: int) -> bool:
        """Return True if the preprocessor kept the text at `offset` at least once."""
        return self.times(offset) > 0

    def routine_at(self, offset: int) -> str:
        """Return the name of the global C function that the name at `offset` refers to.

        Return "" if the name refers to a member, a variable, or a function of another scope.
        """
        return _global_function(self.root, offset)

    def is_known(self, offset: int) -> bool:
        """Return True if an expression of the tree begins with the name at `offset`."""
        return _is_expression(self.root, offset)


def position_in(
    inner: SyntaxNode,
    path: tuple[SyntaxNode, ...],
    functions: tuple[SyntaxNode, ...],
    start: int,
    end: int,
) -> Position:
    """Return the position of a stretch whose start is in `inner`, and in none of its children."""
    children, extents = inner.children, inner.extents
    previous = extents.ended(start)
    after = extents.beginning(end)
    first = next(after, None)
    following = children[first] if first is not None else None
    return Position(
        path,
        functions,
        children[previous] if previous is not None else None,
        following,
        following is not None and _crowds(following, (children[number] for number in after)),
    )


def _crowds(following: SyntaxNode, others: Iterable[SyntaxNode]) -> bool:
    """Return True if one of the others, in the order of their starts, begins inside `following`."""
    for node in others:
        if node.start >= following.end:
            return False
        if node.kind != CursorKind.NULL_STMT:
            return True
    return False


def _global_function(root: SyntaxNode, offset: int) -> str:
    """Return the name of the global function that the name at `offset` refers to, or ""."""
    parsed = root.parsed
    for cursor in _names(root, offset):
        declarations = parsed.referenced(cursor)
        if declarations and all(_is_global_function(parsed, c) for c in declarations):
            return parsed.spelling(declarations[0])
    return ""


def _is_expression(root: SyntaxNode, offset: int) -> bool:
    """Return True if an expression that begins at `offset` refers to something by name."""
    return any(_names(root, offset))


def _names(node: SyntaxNode, offset: int) -> Iterator[Cursor]:
    """Yield the expressions that begin at `offset` and refer to something by name.

    The search visits every node that holds the offset, because siblings overlap in a template: the
    operator() of a lambda that is called in place spans the lambda.
    """
    for number in node.extents.holding(offset):
        yield from _names(node.children[number], offset)
    if node.start == offset and node.kind in (
        CursorKind.DECL_REF_EXPR,
        CursorKind.OVERLOADED_DECL_REF,
    ):
        yield node.cursor


def _is_global_function(parsed: ParsedUnit, cursor: Cursor) -> bool:
    if cursor.kind != CursorKind.FUNCTION_DECL:
        return False
    parent = parsed.parent(cursor)
    while parent is not None and parent.kind in (
        CursorKind.LINKAGE_SPEC,
        CursorKind.UNEXPOSED_DECL,
    ):
        parent = parsed.parent(parent)
    return parent is not None and parsed.is_root(parent)
