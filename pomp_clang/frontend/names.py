"""What a name in the text refers to."""

from __future__ import annotations

from collections.abc import Iterator

from clang import cindex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.tree import Node

Kind = cindex.CursorKind


def global_function(root: Node, offset: int) -> str:
    """The name of the function of global scope that the name at `offset` refers to, or ""."""
    for cursor in _names(root, offset):
        found = [c for c in _candidates(cursor) if c is not None]
        if found and all(_is_global_function(c) for c in found):
            return str(found[0].spelling)
    return ""


def _names(node: Node, offset: int) -> Iterator[cindex.Cursor]:
    """The expressions that begin at `offset` and refer to something by name.

    All of the tree is gone through that holds the offset: in a template, siblings overlap
    (the operator() of a lambda that is called in place spans the lambda).
    """
    for inner in node.children:
        if inner.start <= offset < inner.end:
            yield from _names(inner, offset)
    if node.start == offset and node.kind in (Kind.DECL_REF_EXPR, Kind.OVERLOADED_DECL_REF):
        yield node.cursor


def _candidates(name: cindex.Cursor) -> list[cindex.Cursor | None]:
    """What a name may refer to: in a template, what was found by the name alone."""
    if name.kind != Kind.OVERLOADED_DECL_REF:
        return [name.referenced]
    count = cindex.conf.lib.clang_getNumOverloadedDecls(name)
    return [cindex.conf.lib.clang_getOverloadedDecl(name, i) for i in range(count)]


def _is_global_function(cursor: cindex.Cursor) -> bool:
    if cursor.kind != Kind.FUNCTION_DECL:
        return False
    parent = cursor.semantic_parent
    while parent is not None and parent.kind in (Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
        parent = parent.semantic_parent
    return parent is not None and parent.kind == Kind.TRANSLATION_UNIT
