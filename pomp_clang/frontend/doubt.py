"""What an error that libclang finds puts in doubt: of a function that holds one, or comes
behind one, the constructs whose place and block the text itself does not bear out.

After an error a statement may be missing from the tree with all that stands in it, as a
loop is whose condition libclang refuses.  The brackets of the text tell: between the
braces and the directive, and between the directive and its block, nothing may be left.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Extent
from pomp_clang.frontend.libclang import Kind
from pomp_clang.frontend.pragmas import Pragma
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.tree import Fault, Node, Position, View
from pomp_clang.record import record

_MARK = re.compile(r"[^\s\\]")
_NESTING = {"(": 1, "[": 1, "{": 1, "[[": 2, ")": -1, "]": -1, "}": -1}
_GOES_ON = ("else", "catch")
"""Before these a statement is not over."""


@record
class _Scan:
    """How the text from a brace on is nested at an offset: `depth` is negative where the brace
    was closed, `begun` the offset of the first token of a statement that is not over."""

    at: int
    depth: int = 0
    begun: int | None = None


class Doubts:
    """Answers for one file; `pragmas` are its live ones."""

    def __init__(
        self, source: Source, view: View, lexemes: Sequence[Lexeme], pragmas: Sequence[Pragma]
    ) -> None:
        self._source = source
        self._view = view
        self._lexemes = lexemes
        self._pragmas = {pragma.start: pragma.end for pragma in pragmas}
        self._faults = sorted(view.faults, key=_offset)
        self._outer = sorted(view.outer_faults, key=_offset)
        self._scans: dict[int, _Scan] = {}

    def of(self, position: Position, begin: Extent, block: Extent | None) -> str:
        """Why a directive at `begin` may not be where the tree has it, or its block not be
        what it should; or ""."""
        error = self.error(position)
        if not error:
            return ""
        sure = self._begins_statement(position.path, begin.start) and (
            block is None or self._is_whole(position, block)
        )
        return "" if sure else error

    def adjoin(self, begin: Extent, block: Extent) -> bool:
        """Whether nothing stands between a directive and its block but other directives."""
        return not any(self._tokens(begin.end, block.start))

    def error(self, position: Position) -> str:
        """The error in the function, or one before it outside functions; or ""."""
        if not self._faults or position.function is None:
            return ""
        outermost = position.functions[-1]
        at = bisect_left(self._faults, outermost.start, key=_offset)
        if at < len(self._faults) and self._faults[at].offset < outermost.end:
            return f"libclang finds an error in the function ({_words(self._faults[at])})"
        return self.error_outside(outermost.start)

    def error_outside(self, offset: int) -> str:
        """The error outside functions before an offset; or ""."""
        if self._outer and self._outer[0].offset < offset:
            return f"libclang finds an error before it ({_words(self._outer[0])})"
        return ""

    def _begins_statement(self, path: tuple[Node, ...], start: int) -> bool:
        """Whether nothing but whole statements stands between the braces that the tree has
        round `start` and `start`, or else the beginning of the statement that it is part of."""
        braces = [n for n, node in enumerate(path) if node.kind == Kind.COMPOUND_STMT]
        if not braces or self._source.text[path[braces[-1]].start] != "{":
            return False
        scan = self._scanned(path[braces[-1]].start + 1, start)
        around = [node.start for node in path[braces[-1] + 1 :]]
        return scan.depth == 0 and scan.begun == (around[0] if around else None)

    def _scanned(self, opening: int, until: int) -> _Scan:
        """What stands open between a brace and an offset; directives are asked for in the
        order of the text, so that no token of a block is read twice."""
        scan = self._scans.get(opening)
        if scan is None or scan.at > until:
            scan = _Scan(opening)
        if scan.at < until and scan.depth >= 0:
            scan = self._continued(scan, until)
        self._scans[opening] = scan
        return scan

    def _continued(self, scan: _Scan, until: int) -> _Scan:
        depth, begun = scan.depth, scan.begun
        for at, token in self._tokens(scan.at, until):
            begun = at if begun is None else begun
            depth += _NESTING.get(token, 0)
            if depth < 0:
                break
            if depth == 0 and token in (";", "}"):
                begun = None
        return _Scan(until, depth, begun)

    def _is_whole(self, position: Position, block: Extent) -> bool:
        """Whether the block ends where a statement does."""
        if self._pragmas.get(block.start) == block.end:
            return True
        depth, last = 0, ""
        for _, last in self._tokens(block.start, block.end):
            depth += _NESTING.get(last, 0)
            if depth < 0:
                return False
        braced = position.next is not None and Kind.is_statement(position.next.kind)
        if depth or not (last == ";" or (last == "}" and braced)):
            return False
        _, after = next(self._tokens(block.end, len(self._source.text)), (0, ""))
        return after not in _GOES_ON or position.path[-1].kind == Kind.IF_STMT

    def _tokens(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Live words, literals and marks; neither comments nor directives."""
        for at, token in self._raw(start, end):
            if self._view.is_live(at):
                yield at, token

    def _raw(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        at = start
        for number in range(bisect_left(self._lexemes, start, key=_start), len(self._lexemes)):
            lexeme = self._lexemes[number]
            if lexeme.start >= end:
                break
            if lexeme.start < at:
                continue
            yield from self._marks(at, lexeme.start)
            at = self._pragmas.get(lexeme.start, lexeme.end)
            if lexeme.kind not in ("comment", "directive") and lexeme.start not in self._pragmas:
                yield lexeme.start, lexeme.text
        yield from self._marks(at, end)

    def _marks(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        for mark in _MARK.finditer(self._source.text, start, end):
            yield mark.start(), mark.group()


def _offset(fault: Fault) -> int:
    return fault.offset


def _words(fault: Fault) -> str:
    return f"line {fault.line}: {fault.text}"


def _start(lexeme: Lexeme) -> int:
    return lexeme.start
