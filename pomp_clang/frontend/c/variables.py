"""The arithmetic type of a variable that a directive names."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.libclang import Cursor, CursorKind, TypeKind
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.parsed_unit import ParsedUnit

INTEGER, UNSIGNED, REAL = "int", "unsigned", "real"
"""The ends of the names of the functions that take a value of each type."""

_VARIABLES = frozenset((CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.PARM_DECL))
_CLASSES = frozenset(
    (
        CursorKind.STRUCT_DECL,
        CursorKind.UNION_DECL,
        CursorKind.CLASS_DECL,
        CursorKind.CLASS_TEMPLATE,
    )
)

_OF = {
    **dict.fromkeys(TypeKind.UNSIGNED, UNSIGNED),
    **dict.fromkeys(TypeKind.SIGNED, INTEGER),
    **dict.fromkeys(TypeKind.REAL, REAL),
}


def arithmetic(position: Position, root: SyntaxNode, name: str, offset: int) -> str:
    """Return the type of the variable `name` at a place: INTEGER, UNSIGNED or REAL.

    Return "" if the name means no variable, or one of another type.
    """
    parsed = root.parsed
    for cursor in _visible(position, root, offset):
        if parsed.spelling(cursor) == name:
            return _OF.get(parsed.scalar(cursor), "")
    return ""


def arithmetic_of(declaration: SyntaxNode) -> str:
    """Return the type of a variable that a node declares, as `arithmetic` does."""
    return _OF.get(declaration.parsed.scalar(declaration.cursor), "")


def _visible(position: Position, root: SyntaxNode, offset: int) -> Iterator[Cursor]:
    """Yield the variables that are known at an offset, the nearest first."""
    for node in reversed(position.path):
        within = node.kind in _CLASSES
        before = [child for child in node.children if within or child.start < offset]
        for child in reversed(before):
            inner = child.children if child.kind == CursorKind.DECL_STMT else [child]
            yield from (
                declaration.cursor
                for declaration in reversed(inner)
                if declaration.kind in _VARIABLES
            )
        if node.is_function:
            yield from _members(node.parsed, node.cursor)
    outermost = root.parsed.children(root.cursor)
    yield from (child for child in reversed(outermost) if child.kind in _VARIABLES)


def _members(parsed: ParsedUnit, function: Cursor) -> Iterator[Cursor]:
    """Yield the variables of the class that a function is defined for."""
    owner = parsed.parent(function)
    if owner is not None and owner.kind in _CLASSES:
        yield from (member for member in parsed.children(owner) if member.kind in _VARIABLES)
