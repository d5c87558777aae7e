"""The structured block of a directive: the statement or directive that follows it.

A sections construct divides its block in braces into sections. The body of a worksharing loop has
the place of an iteration's event; the loop variable has a type. Only some inclusions of a header
may have a directive in front of a block.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from pomp_clang.frontend.c.enclosed import EnclosedView
from pomp_clang.frontend.c.file_view import FileView, Position
from pomp_clang.frontend.c.files import UnitFile
from pomp_clang.frontend.c.libclang import Cursor, CursorKind, TypeKind
from pomp_clang.frontend.c.macros import closing
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.constructs import Construct, LoopBody
from pomp_clang.frontend.directive_text import DirectiveReading, DirectiveText, read_directive
from pomp_clang.frontend.inclusion import Inclusions
from pomp_clang.frontend.nesting import innermost
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.directives import Directive, DirectiveForm
from pomp_clang.record import replace

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable


class StructuredBlocks:
    """The structured blocks of one file, whose unit has the inclusions `entered`."""

    def __init__(self, file: UnitFile, entered: Inclusions) -> None:
        self._file = file
        self._entered = entered

    def of(self, pragma: DirectiveText, position: Position, number: int) -> Extent | None:
        """Return the structured block: the next statement, or a standalone directive.

        Return None if another file holds the block or its end.
        """
        around = position.path[-1].end if position.path else len(self._file.source.text)
        limit = position.next.start if position.next else around
        for at in range(number, len(self._file.pragmas)):
            other = self._file.pragmas[at]
            if other.start >= limit:
                break
            directive = read_directive(other.body).directive
            if directive is not None and directive.form is DirectiveForm.STANDALONE:
                inside = not position.path or other.start < position.path[-1].end
                return Extent(other.start, other.end) if inside else None
        following = position.next
        if following is None or following.end == following.start:
            return None
        if any(self._entered.between(self._file.path, pragma.end, following.start)):
            return None
        return self.ended(following.start, following.end)

    def ended(self, start: int, end: int) -> Extent:
        """Return the extent of a statement with its semicolon, which the tree leaves out.

        If the statement ends among the arguments of a macro, the extent goes to the end of the
        macro's use.
        """
        text = self._file.source.text
        while self.first_from(end) in (")", ","):
            outside = closing(self._file.source, end, depth=1)
            if outside is None:
                break
            end = outside
        if text[end - 1] != ";":
            after = self._file.source.skip_blank(end)
            near = text[end - 1] != "}" or "\n" not in text[end:after]
            if near and text[after : after + 1] == ";":
                return Extent(start, after + 1)
        return Extent(start, end)

    def first_from(self, offset: int) -> str:
        """Return the first character from an offset on that is no space or comment."""
        at = self._file.source.skip_blank(offset)
        return self._file.source.text[at : at + 1]


def divide_sections(
    source: CSourceText, items: Sequence[Construct], is_statement: Callable[[Extent], bool]
) -> tuple[Construct, ...]:
    """Give each sections construct its separators, and each section its block.

    A section ends where the next one begins, or at the brace that closes the construct.
    `is_statement` says of the extent of a section whether it is one statement.
    """
    result = list(items)
    divided: dict[int, list[Construct]] = {
        item.index: []
        for item in items
        if item.leaf is not None
        and item.leaf.form is DirectiveForm.SECTIONS
        and item.block is not None
    }
    for item in items if divided else ():
        owner = (
            innermost(items, item, DirectiveForm.SECTIONS, "") if item.kind == "section" else None
        )
        if owner is not None and owner in divided:
            divided[owner].append(item)
    for index, parts in divided.items():
        item = items[index]
        assert item.block is not None
        opening = source.skip_blank(item.block.start + 1)
        implicit = not parts or opening != parts[0].begin.start
        pragmas = tuple(p.pragma for p in parts if p.pragma is not None)
        starts = [item.block.start + 1] * implicit + [p.begin.end for p in parts]
        ends = [p.begin.start for p in parts[0 if implicit else 1 :]] + [item.block.end - 1]
        result[index] = replace(
            item,
            separators=pragmas,
            implicit_first_section=implicit,
            may_be_refused=not all(map(is_statement, map(Extent, starts, ends))),
        )
        ends = ends[implicit:]
        for part, end in zip(parts, ends, strict=False):
            trimmed = part.begin.end + len(source.text[part.begin.end : end].rstrip())
            result[part.index] = replace(part, block=Extent(part.begin.end, trimmed))
    return tuple(result)


def is_one_statement(
    view: FileView | EnclosedView, pragmas: Sequence[DirectiveText], section: Extent
) -> bool:
    """Return True if a section has one statement, which declares nothing, and no directive beside.

    Directives whose block the statement is may stand before it.
    """
    path = view.at(section.start, section.start).path
    if not path:
        return False  # the text ends before the construct does
    around = path[-1]
    after = around.extents.beginning(section.start)
    statements = [
        around.children[number]
        for number in islice(after, 2)
        if around.children[number].start < section.end
    ]
    if len(statements) != 1 or is_declaration(statements[0]):
        return False
    first, last = (bisect_left(pragmas, at, key=start_of) for at in (section.start, section.end))
    return not any(
        pragma.sentinel == "omp" and _stands_alone(pragma)
        for pragma in pragmas[first:last]
        if not statements[0].start <= pragma.start < statements[0].end
    )


def is_declaration(statement: SyntaxNode) -> bool:
    """Return True for a declaration, also behind a label."""
    while statement.kind == CursorKind.LABEL_STMT and statement.children:
        statement = statement.children[-1]
    return statement.kind == CursorKind.DECL_STMT


def _stands_alone(pragma: DirectiveText) -> bool:
    directive = read_directive(pragma.body).directive
    return directive is None or directive.form is DirectiveForm.STANDALONE


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


def is_parted(
    view: FileView | EnclosedView,
    pragmas: Sequence[DirectiveText],
    pragma: DirectiveText,
    block: Extent,
) -> bool:
    """Return True if some readings have a directive without its block, or a block that cannot be
    wrapped where the directive is and left alone elsewhere."""
    is_whole = _is_read_with(view, pragma.start, block.end - 1)
    return not is_whole and not is_optional(view, pragmas, pragma, block)


def start_of(pragma: DirectiveText) -> int:
    """Return the offset at which a directive starts, for a search in order."""
    return pragma.start


def is_optional(
    view: FileView | EnclosedView,
    pragmas: Sequence[DirectiveText],
    pragma: DirectiveText,
    block: Extent,
) -> bool:
    """Return True if some readings have the block of a directive without the directive, and the
    block can be wrapped in the others only."""
    if not isinstance(view, EnclosedView) or pragma.spelling != "#pragma":
        return False
    directive = read_directive(pragma.body).directive
    if directive is None or _is_divided(directive) or "untied" in pragma.body:
        return False
    live, around = view.live(pragma.start), view.live(block.start)
    if around != view.live(block.end - 1) or not set(live) < set(around):
        return False
    at = bisect_left(pragmas, pragma.end, key=start_of)
    for other in pragmas[at:]:
        if other.start >= block.start:
            break
        if not set(live).isdisjoint(view.live(other.start)):
            return False
    return True


def _is_divided(directive: Directive) -> bool:
    """Return True for a sections construct, combined or not."""
    words = (directive.words, *directive.leaves)
    return any(word.split()[-1] == "sections" for word in words)


def _is_read_with(view: FileView | EnclosedView, one: int, other: int) -> bool:
    """Return True if the compiler reads both offsets whenever it reads one of them."""
    if isinstance(view, EnclosedView):
        return view.live(one) == view.live(other)
    return view.times(one) == view.times(other)
