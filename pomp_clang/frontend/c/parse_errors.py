"""Constructs that a parse error of libclang makes doubtful.

After an error, a statement may be missing from the tree with all that stands in it: a loop, for
example, whose condition libclang refuses. The brackets of the text decide. Between the braces and
the directive, and between the directive and its block, nothing may be left over.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from pomp_clang.frontend.c.file_view import Fault, Position
from pomp_clang.frontend.c.files import UnitFile
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.source import Lexeme
from pomp_clang.frontend.source import Extent
from pomp_clang.record import record

_MARK = re.compile(r"[^\s\\]")
_NESTING = {"(": 1, "[": 1, "{": 1, "[[": 2, ")": -1, "]": -1, "}": -1}
_GOES_ON = ("else", "catch")
"""Before these a statement is not over."""


@record
class _OpenStatement:
    """How the text from a brace on is nested at an offset.

    `depth` is negative where the brace was closed. `statement_start` is the offset of the first
    token of a statement that is not over.
    """

    at: int
    depth: int = 0
    statement_start: int | None = None


class ParseErrors:
    """The errors in one file and the constructs that they affect."""

    def __init__(self, file: UnitFile) -> None:
        self._file = file
        self._source = file.source
        self._view = file.view
        self._pragmas = {pragma.start: pragma.end for pragma in file.pragmas}
        self._faults = sorted(file.view.faults, key=_offset)
        self._outer = sorted(file.view.outer_faults, key=_offset)
        self._scans: dict[int, _OpenStatement] = {}

    def of(self, position: Position, begin: Extent, block: Extent | None) -> str:
        """Return why a directive at `begin` may stand elsewhere, or have another block, than in the
        tree.

        Return "" if there is no error, or if the text agrees with the tree.
        """
        error = self.error(position)
        if not error:
            return ""
        sure = self._begins_statement(position.path, begin.start) and (
            block is None or self._is_whole(position, block)
        )
        return "" if sure else error

    def of_enclosed(self, position: Position, begin: Extent, block: Extent | None) -> str:
        """Return the same for a file that is included inside declarations.

        Any error in the file counts.
        """
        if not self._faults:
            return ""
        sure = self._begins_statement(position.path, begin.start) and (
            block is None or self._is_whole(position, block)
        )
        return "" if sure else f"libclang finds an error in its file ({_words(self._faults[0])})"

    def adjoin(self, begin: Extent, block: Extent) -> bool:
        """Return True if only other directives stand between a directive and its block."""
        return not any(self._tokens(begin.end, block.start))

    def error(self, position: Position) -> str:
        """Return the error in the function, or one before it outside functions, or ""."""
        if not self._faults or position.function is None:
            return ""
        outermost = position.functions[-1]
        at = bisect_left(self._faults, outermost.start, key=_offset)
        if at < len(self._faults) and self._faults[at].offset < outermost.end:
            return f"libclang finds an error in the function ({_words(self._faults[at])})"
        return self.error_outside(outermost.start)

    def error_outside(self, offset: int) -> str:
        """Return the error outside functions before an offset, or ""."""
        if self._outer and self._outer[0].offset < offset:
            return f"libclang finds an error before it ({_words(self._outer[0])})"
        return ""

    def _begins_statement(self, path: tuple[SyntaxNode, ...], start: int) -> bool:
        """Return True if a statement begins at `start` according to the text.

        Only whole statements may stand between the innermost braces of the tree and `start`, or the
        beginning of the statement that `start` is in.
        """
        braces = [n for n, node in enumerate(path) if node.kind == CursorKind.COMPOUND_STMT]
        if not braces:
            return False
        brace = path[braces[-1]]
        if brace.end > len(self._source.text):  # it stands in a file that includes this one
            scan = self._scanned(0, start)
        elif self._source.text[brace.start] == "{":
            scan = self._scanned(brace.start + 1, start)
        else:
            return False
        around = [node.start for node in path[braces[-1] + 1 :]]
        return scan.depth == 0 and scan.statement_start == (around[0] if around else None)

    def _scanned(self, opening: int, until: int) -> _OpenStatement:
        """Return which brackets and statement are open at `until`.

        Directives are asked for in the order of the text, so that no token of a block is read
        twice.
        """
        scan = self._scans.get(opening)
        if scan is None or scan.at > until:
            scan = _OpenStatement(opening)
        if scan.at < until and scan.depth >= 0:
            scan = self._continued(scan, until)
        self._scans[opening] = scan
        return scan

    def _continued(self, scan: _OpenStatement, until: int) -> _OpenStatement:
        depth, statement_start = scan.depth, scan.statement_start
        for at, token in self._tokens(scan.at, until):
            statement_start = at if statement_start is None else statement_start
            depth += _NESTING.get(token, 0)
            if depth < 0:
                break
            if depth == 0 and token in (";", "}"):
                statement_start = None
        return _OpenStatement(until, depth, statement_start)

    def _is_whole(self, position: Position, block: Extent) -> bool:
        """Return True if the block ends where a statement ends."""
        if self._pragmas.get(block.start) == block.end:
            return True
        depth, last = 0, ""
        for _, last in self._tokens(block.start, block.end):
            depth += _NESTING.get(last, 0)
            if depth < 0:
                return False
        braced = position.next is not None and CursorKind.is_statement(position.next.kind)
        if depth or not (last == ";" or (last == "}" and braced)):
            return False
        _, after = next(self._tokens(block.end, len(self._source.text)), (0, ""))
        return after not in _GOES_ON or position.path[-1].kind == CursorKind.IF_STMT

    def _tokens(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the live words, literals and marks, without comments and directives."""
        for at, token in self._raw(start, end):
            if self._view.is_live(at):
                yield at, token

    def _raw(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        at = start
        lexemes = self._file.lexemes
        for number in range(bisect_left(lexemes, start, key=_start), len(lexemes)):
            lexeme = lexemes[number]
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
