"""The bodies of worksharing loops: the place of an iteration's event, and the loop variable."""

from __future__ import annotations

from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.macros import closing
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.c.variables import REAL, arithmetic, arithmetic_of
from pomp_clang.frontend.constructs import LoopBody
from pomp_clang.frontend.directive_text import DirectiveReading
from pomp_clang.frontend.extent import Extent

_OPAQUE = "no call may stand in its body"
_ORDERED = "its iterations wait for each other (ordered)"
_NO_FOR = "its loop is not written as a for statement here"
_NO_VARIABLE = "its loop variable is no integer"
_NO_BRACES = "the body of the innermost loop is not written in braces"


def loop_body(
    source: CSourceText,
    root: SyntaxNode,
    reading: DirectiveReading,
    position: Position,
    block: Extent,
) -> LoopBody | None:
    """Return where an iteration of a worksharing loop begins, or None for other directives.

    The variable is that of the outermost loop. `position` is the directive's.
    """
    directive = reading.directive
    words = directive.words.split() if directive is not None else []
    if "for" not in words or "distribute" in words or "teams" in words or "target" in words:
        return None
    if "simd" in words or reading.clause("order") is not None:
        return LoopBody(why=_OPAQUE)
    if reading.clause("ordered") is not None:
        return LoopBody(why=_ORDERED)
    collapse = reading.clause("collapse")
    depth = collapse.argument if collapse is not None and collapse.argument else "1"
    loop = position.next
    if loop is None or loop.kind != CursorKind.FOR_STMT or not depth.isdecimal():
        return LoopBody(why=_NO_FOR)
    if not _is_written(source, loop):
        return LoopBody(why=_NO_FOR)
    variable = _variable(root, position, loop)
    if not variable:
        return LoopBody(why=_NO_VARIABLE)
    if int(depth) == 1:
        head = source.skip_blank(loop.start + len("for"))
        head_end = closing(source, head)
        if head_end is None or head_end >= block.end:
            return LoopBody(why=_NO_FOR)
        return LoopBody(head_end, variable, closes=True)
    return _of_innermost(source, loop, int(depth), variable)


def _is_written(source: CSourceText, loop: SyntaxNode) -> bool:
    """Return True if no macro makes the loop's head."""
    return (
        source.text.startswith("for", loop.start)
        and source.text[source.skip_blank(loop.start + len("for"))] == "("
    )


def _of_innermost(source: CSourceText, loop: SyntaxNode, depth: int, variable: str) -> LoopBody:
    """Return the beginning of the innermost of `depth` loops, which stand in each other."""
    for _ in range(depth - 1):
        inner = _body(loop)
        while inner is not None and inner.kind == CursorKind.COMPOUND_STMT:
            inner = next((n for n in inner.children if n.kind == CursorKind.FOR_STMT), None)
        if inner is None or inner.kind != CursorKind.FOR_STMT or not _is_written(source, inner):
            return LoopBody(why=_NO_FOR)
        loop = inner
    body = _body(loop)
    if body is None or source.text[body.start] != "{" or source.text[body.end - 1] != "}":
        return LoopBody(why=_NO_BRACES)
    return LoopBody(body.start + 1, variable)


def _body(loop: SyntaxNode) -> SyntaxNode | None:
    return loop.children[-1] if loop.children else None


def _variable(root: SyntaxNode, position: Position, loop: SyntaxNode) -> str:
    """Return the name of the loop variable if it is an integer, or ""."""
    head = loop.children[0] if loop.children else None
    if head is None:
        return ""
    if head.kind == CursorKind.DECL_STMT:
        declared = [node for node in head.children if node.kind == CursorKind.VAR_DECL]
        kinds = [arithmetic_of(node) for node in declared]
        return declared[0].spelling if kinds and kinds[0] not in ("", REAL) else ""
    if head.kind != CursorKind.BINARY_OPERATOR or not head.children:
        return ""
    name = head.children[0].spelling
    known = arithmetic(position, root, name, loop.start)
    return name if known not in ("", REAL) else ""
