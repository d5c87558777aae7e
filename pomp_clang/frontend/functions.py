"""The functions of a file: members, templates, operators and lambdas among them.

Which of them cannot be measured is told here, and why: their events begin with a variable at
the top of the body whose clean-up, on every way out, is the last event.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct, Extent, Function
from pomp_clang.frontend.doubt import Doubts
from pomp_clang.frontend.home import Homes
from pomp_clang.frontend.intervals import Intervals
from pomp_clang.frontend.libclang import Cursor, Kind
from pomp_clang.frontend.pragmas import Pragma, read
from pomp_clang.frontend.source import Lexeme, Source, without_comments
from pomp_clang.frontend.tree import Node, Position, View
from pomp_clang.record import replace

_BODIES = (Kind.COMPOUND_STMT, Kind.CXX_TRY_STMT, Kind.UNEXPOSED_STMT)
_COROUTINE = frozenset(("co_await", "co_yield", "co_return"))
_WITHOUT_ARGUMENTS = (Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE)
"""What libclang may name with the arguments of the class template that it belongs to."""

_UNNAMED = re.compile(r"\((anonymous namespace|anonymous|unnamed|lambda)[^)]*\)")
_IFUNC = re.compile(r'\bifunc(?:__)?\s*\(\s*"(\w+)"')
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*", re.M)
_DECLINED = re.compile(r"\bno_instrument_function(?:__)?\b")
_CONSTANT = re.compile(r"(?<!if )\b(constexpr|constinit|static_assert|decltype|requires)\b")
_ENDS = re.compile(r"[;{}]")
_STAYS_FIRST = re.compile(
    r"__label__\b[^;]*;|#[ \t]*pragma[ \t]+(?:STDC|clang[ \t]+fp|float_control)\b[^\n]*\n"
)
"""What may stand nowhere but at the beginning of a block."""

MACRO = "its body is not written in braces here"
COROUTINE = "a coroutine leaves and enters its body in between"
TAIL_CALL = "it ends in a call that must be a tail call (musttail)"
SIMD = "no call may stand in a 'declare simd' function"
RESOLVER = "it runs before the program is loaded (ifunc)"
CONSTANT = "it may be called in a constant expression"


class Functions:
    """Answers for one file; `pragmas` are its live ones."""

    def __init__(
        self,
        source: Source,
        lexemes: Sequence[Lexeme],
        view: View,
        homes: Homes,
        doubts: Doubts,
        pragmas: Sequence[Pragma],
    ) -> None:
        self._source = source
        self._view = view
        self._homes = homes
        self._doubts = doubts
        self._resolvers = frozenset(_IFUNC.findall(source.text))
        self._simd = [p.end for p in pragmas if _is_declare_simd(p)]
        self._suspensions = [
            each.start for each in lexemes if each.kind == "word" and each.text in _COROUTINE
        ]

    def items(self, refusal: str, varying: str) -> list[Construct]:
        """All of them; `refusal` says why no function of the file may be measured, `varying`
        why none of those that are others each time that the file is read."""
        found: dict[int, Construct] = {}
        others: set[int] = set()
        for position in self._view.functions():
            made = self._of(position, refusal)
            if made is None:
                continue
            before = found.setdefault(made.begin.start, made)
            if (before.sub_name, before.block) != (made.sub_name, made.block):
                others.add(made.begin.start)
        suspended = self._suspended(list(found.values())) if self._suspensions else set()
        return [
            self._refused(each, varying if start in others else "", start in suspended)
            for start, each in found.items()
        ]

    def _of(self, position: Position, refusal: str) -> Construct | None:
        node = position.path[-1]
        body = next((n for n in reversed(node.children) if n.kind in _BODIES), None)
        if body is None:
            return None
        start = self._name_at(node, body)
        home = self._homes.of(position)
        error = self._doubts.error_outside(position.path[0].start)
        if refusal:
            obstacle = refusal, "header"
        elif error:
            obstacle = error, "parse"
        else:
            obstacle = self._obstacle(node, body, start)
        return Construct(
            index=-1,
            kind="function",
            begin=Extent(start, max(start, body.start) + 1),
            block=Extent(body.start, max(body.end, body.start + 1)),
            home=home,
            listed=False,
            sub_name=qualified(position.path),
            obstacle=obstacle,
            function=Function(
                self._enter(body),
                qualified(position.path, with_parameters=True),
                node.parsed.mangled(node.cursor),
                body.kind == Kind.CXX_TRY_STMT and not _has_members(node),
                "no_instrument_function" if _DECLINED.search(self._head(node, body)) else "",
            ),
        )

    def _name_at(self, node: Node, body: Node) -> int:
        """Where the function's name stands, if that is in its head."""
        _, _, at = node.parsed.named_at(node.cursor)
        return at if node.start <= at < body.start else min(node.start, body.start)

    def _enter(self, body: Node) -> int:
        """Where a variable may be declared, which stands before what may be declared else."""
        block = body
        if body.kind == Kind.CXX_TRY_STMT and body.children:
            block = body.children[0]
        at = block.start + 1
        while match := _STAYS_FIRST.match(self._source.text, self._source.skip_blank(at)):
            at = match.end()
        return at

    def _obstacle(self, node: Node, body: Node, start: int) -> tuple[str, str]:
        text = self._source.text
        if body.kind == Kind.UNEXPOSED_STMT:
            return COROUTINE, "coroutine"
        opening = "try" if body.kind == Kind.CXX_TRY_STMT else "{"
        if not text.startswith(opening, body.start) or text[body.end - 1 : body.end] != "}":
            return MACRO, "macro"
        if text.find("musttail", body.start, body.end) >= 0:
            return TAIL_CALL, "function"
        if node.spelling in self._resolvers:
            return RESOLVER, "function"
        last = bisect_right(self._simd, start) - 1
        if last >= 0 and not _ENDS.search(text, self._simd[last], start):
            return SIMD, "function"
        if re.search(r"\bnaked(?:__)?\b", self._head(node, body)):
            return "no call may stand in a naked function", "function"
        if node.kind == Kind.LAMBDA_EXPR and _CONSTANT.search(self._before(node.start)):
            return CONSTANT, "function"
        return "", ""

    def _head(self, node: Node, body: Node) -> str:
        """What stands before the body, with what the tree leaves out: attributes."""
        start = min(self._statement(node.start), node.start)
        return _plain(self._source.text[start : body.start])

    def _before(self, at: int) -> str:
        return " ".join(_plain(self._source.text[self._statement(at) : at]).split())

    def _statement(self, at: int) -> int:
        """Where the declaration or statement that goes on at an offset may begin."""
        begin = 0
        for mark in "};{":
            # No further back than behind the last mark of another kind.
            begin = max(begin, self._source.text.rfind(mark, begin, at) + 1)
        return begin

    def _suspended(self, items: Sequence[Construct]) -> set[int]:
        """Where the heads of the innermost functions begin in whose bodies coroutines' words
        stand."""
        blocks = [each.block or each.begin for each in items]
        bodies = Intervals((block.start, block.end) for block in blocks)
        found = set()
        for at in self._suspensions:
            around = bodies.around(at)
            if around:
                innermost = max(around, key=lambda number: blocks[number].start)
                found.add(items[innermost].begin.start)
        return found

    def _refused(self, made: Construct, varying: str, suspended: bool) -> Construct:
        if any(made.obstacle):
            return made
        if varying:
            return replace(made, obstacle=(varying, "header"))
        if suspended:
            return replace(made, obstacle=(COROUTINE, "coroutine"))
        return made


def qualified(path: Sequence[Node], with_parameters: bool = False) -> str:
    """The name of the innermost function with those of the scopes that it belongs to."""
    node = path[-1]
    if node.kind == Kind.LAMBDA_EXPR:
        around = [n for n in path[:-1] if n.is_function]
        return f"{qualified(around)}::{{lambda}}" if around else "{lambda}"
    name = node.parsed.signature(node.cursor) if with_parameters else node.spelling
    if node.kind in _WITHOUT_ARGUMENTS and "operator" not in name:
        name = re.sub(r"<[^()]*>", "", name, count=1)
    return "::".join([*reversed(list(_scopes(node))), name])


def _has_members(node: Node) -> bool:
    """Whether it is a constructor or destructor: the handlers of its body come behind the
    end of the members' lives."""
    if node.kind == Kind.FUNCTION_TEMPLATE:
        parent = node.parsed.parent(node.cursor)
        return parent is not None and node.parsed.spelling(parent) == node.spelling.split("<")[0]
    return node.kind in (Kind.CONSTRUCTOR, Kind.DESTRUCTOR)


def _scopes(node: Node) -> Iterator[str]:
    parsed = node.parsed
    cursor: Cursor | None = parsed.parent(node.cursor)
    while cursor is not None and not parsed.is_root(cursor):
        if cursor.kind not in (Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
            yield _named(parsed.spelling(cursor))
        cursor = parsed.parent(cursor)


def _named(scope: str) -> str:
    """Without the place that libclang names what has no name by."""
    found = _UNNAMED.search(scope)
    if found and found.group(1) == "lambda":
        return "{lambda}"
    if found and found.group(1) != "anonymous namespace":
        return "(unnamed)"
    return scope or "(anonymous namespace)"


def _is_declare_simd(pragma: Pragma) -> bool:
    directive = read(pragma.body).directive
    return directive is not None and directive.words == "declare simd"


def _plain(text: str) -> str:
    return _DIRECTIVE_LINE.sub("", without_comments(text))
