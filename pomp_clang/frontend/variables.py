"""What arithmetic type a variable has that a directive names."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.libclang import Cursor, Kind, Parsed, Type
from pomp_clang.frontend.tree import Node, Position

INTEGER, UNSIGNED, REAL = "int", "unsigned", "real"
"""How the functions' names end that take a value of it."""

_VARIABLES = frozenset((Kind.FIELD_DECL, Kind.VAR_DECL, Kind.PARM_DECL))
_CLASSES = frozenset((Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE))

_OF = {
    **dict.fromkeys(Type.UNSIGNED, UNSIGNED),
    **dict.fromkeys(Type.SIGNED, INTEGER),
    **dict.fromkeys(Type.REAL, REAL),
}


def arithmetic(position: Position, root: Node, name: str, offset: int) -> str:
    """Which of these types the variable has that a name means at a place, or "" if that is no
    variable, or not of arithmetic type."""
    parsed = root.parsed
    for cursor in _meant(position, root, offset):
        if parsed.spelling(cursor) == name:
            return _OF.get(parsed.scalar(cursor), "")
    return ""


def _meant(position: Position, root: Node, offset: int) -> Iterator[Cursor]:
    """The variables that are known at an offset, the nearest first."""
    for node in reversed(position.path):
        within = node.kind in _CLASSES
        before = [each for each in node.children if within or each.start < offset]
        for each in reversed(before):
            inner = each.children if each.kind == Kind.DECL_STMT else [each]
            yield from (one.cursor for one in reversed(inner) if one.kind in _VARIABLES)
        if node.is_function:
            yield from _members(node.parsed, node.cursor)
    own = root.parsed.children(root.cursor)
    yield from (each for each in reversed(own) if each.kind in _VARIABLES)


def _members(parsed: Parsed, function: Cursor) -> Iterator[Cursor]:
    """Those of the class that a function is defined for, wherever."""
    owner = parsed.parent(function)
    if owner is not None and owner.kind in _CLASSES:
        yield from (each for each in parsed.children(owner) if each.kind in _VARIABLES)
