"""What a name in the text refers to."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.libclang import Cursor, Kind, Parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.tree import Node


def global_function(root: Node, offset: int) -> str:
    """The name of the function of global scope that the name at `offset` refers to, or ""."""
    parsed = root.parsed
    for cursor in _names(root, offset):
        found = parsed.referenced(cursor)
        if found and all(_is_global_function(parsed, c) for c in found):
            return parsed.spelling(found[0])
    return ""


def is_expression(root: Node, offset: int) -> bool:
    """Whether some expression that begins at `offset` refers to something by name."""
    return any(_names(root, offset))


def _names(node: Node, offset: int) -> Iterator[Cursor]:
    """The expressions that begin at `offset` and refer to something by name.

    All of the tree is gone through that holds the offset: in a template, siblings overlap
    (the operator() of a lambda that is called in place spans the lambda).
    """
    for number in node.extents.holding(offset):
        yield from _names(node.children[number], offset)
    if node.start == offset and node.kind in (Kind.DECL_REF_EXPR, Kind.OVERLOADED_DECL_REF):
        yield node.cursor


def _is_global_function(parsed: Parsed, cursor: Cursor) -> bool:
    if cursor.kind != Kind.FUNCTION_DECL:
        return False
    parent = parsed.parent(cursor)
    while parent is not None and parent.kind in (Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
        parent = parsed.parent(parent)
    return parent is not None and parsed.is_root(parent)
