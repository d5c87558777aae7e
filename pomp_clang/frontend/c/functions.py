"""The functions of a file, including members, templates, operators and lambdas.

A function's events begin with a variable at the top of its body. The variable's clean-up, on every
way out, is the last event. Functions for which that is impossible get an obstacle that says why.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.files import UnitFile
from pomp_clang.frontend.c.libclang import Cursor, CursorKind
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.parse_errors import ParseErrors
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.c.source import without_comments
from pomp_clang.frontend.c.surroundings import FileSurroundings
from pomp_clang.frontend.constructs import Construct, FunctionCandidates, SourceFunction
from pomp_clang.frontend.directive_text import DirectiveText, read_directive
from pomp_clang.frontend.source import Extent, OffsetRanges
from pomp_clang.record import replace

_BODIES = (CursorKind.COMPOUND_STMT, CursorKind.CXX_TRY_STMT, CursorKind.UNEXPOSED_STMT)
_COROUTINE = frozenset(("co_await", "co_yield", "co_return"))
_WITHOUT_ARGUMENTS = (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.FUNCTION_TEMPLATE)
"""Members that libclang may name with the arguments of their class template."""

_UNNAMED = re.compile(r"\((anonymous namespace|anonymous|unnamed|lambda)[^)]*\)")
_IFUNC = re.compile(r'\bifunc(?:__)?\s*\(\s*"(\w+)"')
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*", re.M)
_DECLINED = re.compile(r"\bno_instrument_function(?:__)?\b")
_CONSTANT = re.compile(r"(?<!if )\b(constexpr|constinit|static_assert|decltype|requires)\b")
_ENDS = re.compile(r"[;{}]")
_STAYS_FIRST = re.compile(
    r"__label__\b[^;]*;|#[ \t]*pragma[ \t]+(?:STDC|clang[ \t]+fp|float_control)\b[^\n]*\n"
)
"""Statements that may only stand at the beginning of a block."""

MACRO = "its body is not written in braces here"
COROUTINE = "a coroutine leaves and enters its body in between"
TAIL_CALL = "it ends in a call that must be a tail call (musttail)"
SIMD = "no call may stand in a 'declare simd' function"
RESOLVER = "it runs before the program is loaded (ifunc)"
CONSTANT = "it may be called in a constant expression"


class Functions:
    """The functions of one file."""

    def __init__(
        self,
        file: UnitFile,
        surroundings: FileSurroundings,
        parse_errors: ParseErrors,
        candidates: FunctionCandidates | None,
    ) -> None:
        self._source = source = file.source
        self._view = file.view
        self._surroundings = surroundings
        self._parse_errors = parse_errors
        self._resolvers = frozenset(_IFUNC.findall(source.text))
        self._simd = [p.end for p in file.pragmas if _is_declare_simd(p)]
        self._suspensions = [
            lexeme.start
            for lexeme in (file.lexemes if "co_" in source.text else ())
            if lexeme.kind == "word" and lexeme.text in _COROUTINE
        ]
        # A function is a coroutine if no function in it has the keyword: all must be known.
        self._candidates = None if self._suspensions else candidates
        self._directives = [pragma.start for pragma in file.pragmas]

    def items(self, refusal: str, varying: str) -> list[Construct]:
        """Return the functions of the file, without those that are no candidates.

        `refusal` says why no function of the file may be measured. `varying` says why a function is
        not measured that differs each time the file is read.
        """
        by_start: dict[int, list[Construct]] = {}
        for position in self._view.functions():
            function = self._of(position, refusal)
            if function is not None:
                by_start.setdefault(function.begin.start, []).append(function)
        alternatives = [_written(functions) for functions in by_start.values()]
        chosen = [functions[0] for functions in alternatives]
        suspended = self._suspended(chosen) if self._suspensions else set()
        return [
            self._refused(
                construct,
                varying if any(_differ(construct, other) for other in functions) else "",
                construct.begin.start in suspended,
            )
            for construct, functions in zip(chosen, alternatives, strict=True)
        ]

    def _of(self, position: Position, refusal: str) -> Construct | None:
        node = position.path[-1]
        if not self._may_be_measured(node):
            return None
        body = next((n for n in reversed(node.children) if n.kind in _BODIES), None)
        if body is None:
            return None
        start = self._name_at(node, body)
        home = self._surroundings.site(position, start)
        if refusal:
            obstacle = refusal, "header"
        elif error := self._error(position, start):
            obstacle = error, "parse"
        else:
            obstacle = self._obstacle(node, body, start)
        return Construct(
            index=-1,
            kind="function",
            begin=Extent(start, max(start, body.start) + 1),
            block=Extent(body.start, max(body.end, body.start + 1)),
            declaration_site=home,
            listed=False,
            readings=self._surroundings.readings(start),
            sub_name=qualified(position.path),
            obstacle=obstacle,
            function=SourceFunction(
                self._enter(body),
                qualified(position.path, with_parameters=True),
                node.parsed.mangled(node.cursor),
                body.kind == CursorKind.CXX_TRY_STMT and not _has_members(node),
                "no_instrument_function" if _DECLINED.search(self._head(node, body)) else "",
            ),
        )

    def _error(self, position: Position, start: int) -> str:
        """Return the error that makes the tree doubtful at a function, or ""."""
        if not self._surroundings.enclosures:
            return self._parse_errors.error_outside(position.path[0].start)
        doubtful, _ = self._surroundings.enclosed_obstacle(start)
        return doubtful or self._parse_errors.of_enclosed(position, Extent(start, start), None)

    def _may_be_measured(self, node: SyntaxNode) -> bool:
        """Return False for a function without directives that is no candidate."""
        _, _, at = node.parsed.named_at(node.cursor)
        if self._candidates is None or node.spelling == "main" or not node.start <= at < node.end:
            return True
        following = bisect_left(self._directives, node.start)
        has_directive = following < len(self._directives) and self._directives[following] < node.end
        return has_directive or self._candidates.has(*self._source.place(at))

    def _name_at(self, node: SyntaxNode, body: SyntaxNode) -> int:
        """Return the offset of the function's name, or of the function if its head lacks the name."""
        _, _, at = node.parsed.named_at(node.cursor)
        return at if node.start <= at < body.start else min(node.start, body.start)

    def _enter(self, body: SyntaxNode) -> int:
        """Return the first offset in the body where a declaration may stand."""
        block = body
        if body.kind == CursorKind.CXX_TRY_STMT and body.children:
            block = body.children[0]
        at = block.start + 1
        while match := _STAYS_FIRST.match(self._source.text, self._source.skip_blank(at)):
            at = match.end()
        return at

    def _obstacle(self, node: SyntaxNode, body: SyntaxNode, start: int) -> tuple[str, str]:
        text = self._source.text
        if body.kind == CursorKind.UNEXPOSED_STMT:
            return COROUTINE, "coroutine"
        opening = "try" if body.kind == CursorKind.CXX_TRY_STMT else "{"
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
        if node.kind == CursorKind.LAMBDA_EXPR and _CONSTANT.search(self._before(node.start)):
            return CONSTANT, "function"
        return "", ""

    def _head(self, node: SyntaxNode, body: SyntaxNode) -> str:
        """Return the text in front of the body with the attributes, which the tree leaves out."""
        start = min(self._statement(node.start), node.start)
        return _plain(self._source.text[start : body.start])

    def _before(self, at: int) -> str:
        return " ".join(_plain(self._source.text[self._statement(at) : at]).split())

    def _statement(self, at: int) -> int:
        """Return the earliest offset at which the declaration or statement at `at` may begin."""
        begin = 0
        for mark in "};{":
            # No further back than behind the last mark of another kind.
            begin = max(begin, self._source.text.rfind(mark, begin, at) + 1)
        return begin

    def _suspended(self, items: Sequence[Construct]) -> set[int]:
        """Return the offsets of the innermost functions whose bodies hold coroutine keywords."""
        blocks = [item.block or item.begin for item in items]
        bodies = OffsetRanges((block.start, block.end) for block in blocks)
        starts = set()
        for at in self._suspensions:
            around = bodies.around(at)
            if around:
                innermost = max(around, key=lambda number: blocks[number].start)
                starts.add(items[innermost].begin.start)
        return starts

    def _refused(self, function: Construct, varying: str, suspended: bool) -> Construct:
        if any(function.obstacle):
            return function
        if varying:
            return replace(function, obstacle=(varying, "header"))
        if suspended:
            return replace(function, obstacle=(COROUTINE, "coroutine"))
        return function


def _written(functions: Sequence[Construct]) -> Sequence[Construct]:
    """Return those of the functions at one place whose bodies are written there, or the first one.

    A macro may make several functions, as those of test frameworks do for the one that a body follows.
    """
    written = [function for function in functions if function.obstacle[0] != MACRO]
    return written or functions[:1]


def _differ(one: Construct, other: Construct) -> bool:
    return (one.sub_name, one.block) != (other.sub_name, other.block)


def qualified(path: Sequence[SyntaxNode], with_parameters: bool = False) -> str:
    """Return the name of the innermost function with the names of its scopes."""
    node = path[-1]
    if node.kind == CursorKind.LAMBDA_EXPR:
        around = [n for n in path[:-1] if n.is_function]
        return f"{qualified(around)}::{{lambda}}" if around else "{lambda}"
    name = node.parsed.signature(node.cursor) if with_parameters else node.spelling
    if node.kind in _WITHOUT_ARGUMENTS and "operator" not in name:
        name = re.sub(r"<[^()]*>", "", name, count=1)
    return "::".join((*_scopes(node.parsed, node.cursor), name))


def _has_members(node: SyntaxNode) -> bool:
    """Return True for a constructor or destructor.

    The handlers of its body run after the lives of the members have ended.
    """
    if node.kind == CursorKind.FUNCTION_TEMPLATE:
        parent = node.parsed.parent(node.cursor)
        return parent is not None and node.parsed.spelling(parent) == node.spelling.split("<")[0]
    return node.kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)


def _scopes(parsed: ParsedUnit, cursor: Cursor) -> tuple[str, ...]:
    """Return the names of the scopes around a cursor, outermost first."""
    scope = parsed.parent(cursor)
    if scope is None or parsed.is_root(scope):
        return ()
    key = bytes(scope)
    names = parsed.scope_names.get(key)
    if names is None:
        names = _scopes(parsed, scope)
        if scope.kind not in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
            names = (*names, _named(parsed.spelling(scope)))
        parsed.scope_names[key] = names
    return names


def _named(scope: str) -> str:
    """Return a scope's name without the place that libclang adds to unnamed scopes."""
    unnamed = _UNNAMED.search(scope)
    if unnamed and unnamed.group(1) == "lambda":
        return "{lambda}"
    if unnamed and unnamed.group(1) != "anonymous namespace":
        return "(unnamed)"
    return scope or "(anonymous namespace)"


def _is_declare_simd(pragma: DirectiveText) -> bool:
    directive = read_directive(pragma.body).directive
    return directive is not None and directive.words == "declare simd"


def _plain(text: str) -> str:
    return _DIRECTIVE_LINE.sub("", without_comments(text))
