"""The units, blocks and constructs that are open while the statements of a text are read."""

from __future__ import annotations

from pomp_clang.frontend.directive_text import DirectiveReading
from pomp_clang.frontend.fortran.directives import FortranDirective
from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.frontend.fortran.places import (
    LoopBound,
    ProcedureBody,
    ProcedureExit,
    ProgramUnit,
    RestOfLine,
)
from pomp_clang.frontend.fortran.statements import Statement
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.record import replace


def rest_of_line(statement: Statement) -> RestOfLine | None:
    """Return the statements behind one on its line, or None if it is the last one there."""
    if statement.alone:
        return None
    line = statement.line
    width = max(statement.resume - line.start, len(line.conditional) + 1)
    if line.fixed:
        width = 6
    return RestOfLine(statement.end, statement.resume, line.conditional.ljust(width))


class OpenUnit:
    """A program unit whose END has not been read.

    `interface` is True for an interface body, which has no executable part. `head` is its first
    statement, `tail` the end of its last one. `ended` says that its executable part has ended,
    `falls` that control may get to the next statement, and `obstacle` why the procedure cannot be
    measured. The other attributes are those of `ProgramUnit` and `ProcedureBody`, as far as they
    are known.
    """

    def __init__(self, index: int, kind: str, name: str, start: int, outer: int | None) -> None:
        self.index, self.kind, self.name = index, kind, name
        self.start, self.end, self.outer = start, 0, outer
        self.pure = self.external = self.interface = self.uses = False
        self.previous: Statement | None = None
        self.declarations: int | None = None
        self.rest: RestOfLine | None = None
        self.head: Extent | None = None
        self.tail: int | None = None
        self.enter: int | None = None
        self.entries: list[Extent] = []
        self.exits: list[ProcedureExit] = []
        self.ended = False
        self.falls = True
        self.obstacle = ""
        self.arrays: set[str] = set()

    def record(self) -> ProgramUnit:
        """Return the unit's record once it has ended."""
        body = None
        if self.enter is not None and self.ended:
            body = ProcedureBody(self.enter, tuple(self.entries), tuple(self.exits))
        return ProgramUnit(
            self.kind,
            self.name,
            Extent(self.start, self.end),
            self.outer,
            self.declarations,
            self.rest,
            self.pure,
            self.external,
            body,
        )


class OpenConstruct:
    """A construct whose end has not been read.

    `first` is the offset of its block. `remaining` is the number of statements that it still takes,
    if it takes single ones. `last` is its last statement if no END directive is required, `end` the
    END directive. `strict` is True if a BLOCK construct is its block. `variables` are those of its
    loops, `bounds` their bounds.
    """

    def __init__(self, directive: FortranDirective, unit: int) -> None:
        self.directive, self.unit = directive, unit
        self.first = directive.line.end
        self.remaining = 1
        self.strict = self.implicit_first_section = False
        self.last: Statement | None = None
        self.end: FortranDirective | None = None
        self.separators: list[FortranDirective] = []
        self.variables: list[str] = []
        self.bounds: list[LoopBound] = []
        self.obstacle = ("", "")

    @property
    def form(self) -> DirectiveForm:
        """The kind of text that follows the directive."""
        directive = self.directive.reading.directive
        assert directive is not None
        return directive.form

    @property
    def line(self) -> LogicalLine:
        """The line of the directive."""
        return self.directive.line

    @property
    def loops(self) -> int:
        """The number of loops that the directive is associated with."""
        collapse = self.directive.reading.clause("collapse")
        count = collapse.argument if collapse is not None else None
        return int(count) if count is not None and count.isdecimal() else 1

    def reading(self) -> DirectiveReading:
        """Return the directive's words and clauses, with the clauses of its END directive."""
        reading = self.directive.reading
        if self.end is None or not self.end.reading.clauses:
            return reading
        present = set(map(str, reading.clauses))
        end_clauses = tuple(c for c in self.end.reading.clauses if str(c) not in present)
        return replace(reading, clauses=reading.clauses + end_clauses)


class OpenBlock:
    """A loop, an executable block or a definition whose END has not been read.

    `constructs` are those that the block ends, the outermost first. `label` ends a DO.
    """

    def __init__(self, keyword: str, label: str, constructs: list[OpenConstruct]) -> None:
        self.word, self.label, self.constructs = keyword, label, constructs
        self.has_else = False


OpenItem = OpenUnit | OpenBlock | OpenConstruct
