"""The units, blocks and constructs that are open while the statements of a text are read, and the
borders of a program unit's executable part, with its exits.
"""

from __future__ import annotations

import re

from pomp_clang.frontend.directive_text import DirectiveReading
from pomp_clang.frontend.fortran.classify import Classified, StatementKind, assigned, closing
from pomp_clang.frontend.fortran.directives import FortranDirective
from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.frontend.fortran.places import (
    LoopBound,
    ProcedureBody,
    ProcedureExit,
    ProgramUnit,
    RestOfLine,
)
from pomp_clang.frontend.fortran.statements import Statement, masked
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
    measured. The other attributes are those of `ProgramUnit` and `ProcedureBody`, if they
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
        self.variables: set[str] = set()

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
        if self.end is None:
            return reading
        reading = replace(
            reading,
            is_whole=reading.is_whole and self._has_plain_end(self.end),
            follows_comma=reading.follows_comma or self.end.reading.follows_comma,
        )
        if not self.end.reading.clauses:
            return reading
        present = set(map(str, reading.clauses))
        end_clauses = tuple(c for c in self.end.reading.clauses if str(c) not in present)
        return replace(reading, clauses=reading.clauses + end_clauses)

    def _has_plain_end(self, end: FortranDirective) -> bool:
        """Return True if the END directive has only the clauses and the name that go with it."""
        reading, row = end.reading, self.directive.reading.directive
        is_combined = row is not None and bool(row.leaves)
        allowed = frozenset[str]() if is_combined else _OF_END
        named = reading.argument is None or self.directive.words == "critical"
        return reading.is_whole and named and all(c.name in allowed for c in reading.clauses)


class OpenBlock:
    """A loop, an executable block or a definition whose END has not been read.

    `constructs` are those that the block ends, the outermost first. `label` ends a DO.
    """

    def __init__(self, keyword: str, label: str, constructs: list[OpenConstruct]) -> None:
        self.word, self.label, self.constructs = keyword, label, constructs
        self.has_else = False


_OF_END = frozenset(("nowait", "copyprivate"))
"""The clauses of END directives."""

OpenItem = OpenUnit | OpenBlock | OpenConstruct


_EXECUTABLE = frozenset(
    (
        StatementKind.ASSIGNMENT,
        StatementKind.DO,
        StatementKind.BLOCK,
        StatementKind.ACTION,
    )
)
_DECLARATION = re.compile(
    r"(?:integer|real|doubleprecision|doublecomplex|complex|logical|character|byte|type\(|class\("
    r"|dimension|allocatable|pointer|target|common|save|volatile|codimension)"
)
_TYPE = re.compile(
    r"(?:integer|real|doubleprecision|doublecomplex|complex|logical|character|byte)(?:\*\d+)?"
)
_ARRAY = re.compile(r"([^\W\d]\w*)\(")
_NAME = re.compile(r"[^\W\d]\w*")
_STATEMENT_FUNCTION = re.compile(r"([^\W\d]\w*)\((?:[^\W\d]\w*(?:,[^\W\d]\w*)*)?\)\Z")
_RETURN = re.compile(r"return(?!\w*=)")
_LEAVES = frozenset(("return", "stop", "errorstop", "goto"))
_COMPUTED = "goto("
"""A GOTO of several labels, which may go on with the next statement."""

_BODILESS = frozenset(("module", "submodule", "blockdata"))

SHARED_ENTRY = "its ENTRY statement shares a line with another statement"
SHARED_BEGIN = "its first statement shares a line with another one"


class ExecutableParts:
    """Notes, statement by statement, where the executable part of each unit begins and ends."""

    def has_begun(self, unit: OpenUnit) -> bool:
        """Return True if an executable statement of the unit has been read."""
        return unit.declarations is not None

    def directive(self, unit: OpenUnit, line: LogicalLine) -> None:
        """Note a directive that is executable."""
        if unit.declarations is None:
            unit.declarations = line.start
        if unit.enter is None:
            unit.enter = line.start
        unit.falls = True

    def statement(
        self, unit: OpenUnit, statement: Statement, kind: Classified, direct: bool
    ) -> None:
        """Note a statement of a unit; `direct` if it stands in no block of the unit."""
        if kind.kind is StatementKind.ENTRY:
            self._entry(unit, statement)
            return
        if kind.kind not in _EXECUTABLE:
            if unit.declarations is None:
                self._specification(unit, statement)
            elif kind.kind in (StatementKind.END_BLOCK, StatementKind.MIDDLE):
                unit.falls = True
            return
        if unit.declarations is None:
            unit.declarations, unit.rest = _begin(unit, statement)
        if unit.enter is None and not self._is_statement_function(unit, statement, kind):
            self._enter(unit, statement)
        unit.previous = statement
        if unit.enter is not None:
            self._way_out(unit, statement, kind, direct)

    def _specification(self, unit: OpenUnit, statement: Statement) -> None:
        unit.previous = statement
        unit.uses = unit.uses or statement.compact.startswith(("use", "import"))
        if _DECLARATION.match(statement.compact):
            text = statement.compact
            unit.arrays.update(_ARRAY.findall(text))
            if "dimension(" in text:
                unit.arrays.update(_NAME.findall(text))
            if typed := _TYPE.match(text):
                before, colons, names = text[typed.end() :].partition("::")
                unit.variables.update(_NAME.findall(names if colons else before))

    def _is_statement_function(
        self, unit: OpenUnit, statement: Statement, kind: Classified
    ) -> bool:
        """Return True if the statement defines a function of one statement.

        Such a statement assigns to a name that is no array. In a unit with a host or a USE
        statement, a name without a type may be that of an array that is declared elsewhere.
        """
        if kind.kind is not StatementKind.ASSIGNMENT:
            return False
        match = _STATEMENT_FUNCTION.match(assigned(statement.compact))
        if match is None or match[1] in unit.arrays:
            return False
        return match[1] in unit.variables or not (unit.outer is not None or unit.uses)

    def _way_out(
        self, unit: OpenUnit, statement: Statement, kind: Classified, direct: bool
    ) -> None:
        leaves = kind.keyword in _LEAVES and not statement.compact.startswith(_COMPUTED)
        unit.falls = not (direct and leaves)
        conditional = kind.keyword == "if"
        action = kind.action if conditional else statement.compact
        if not _RETURN.match(action) or assigned(action):
            return
        returns = None
        if conditional:
            mask = masked(statement.text).lower()
            end = closing(mask, mask.index("("))
            at = end + len(mask[end:]) - len(mask[end:].lstrip())
            returns = Extent(statement.line.offset(statement.first + at), statement.end)
        unit.exits.append(_exit(statement, returns))

    def _enter(self, unit: OpenUnit, statement: Statement) -> None:
        unit.enter, rest = _begin(unit, statement)
        if rest is not None:
            unit.obstacle = SHARED_BEGIN

    def _entry(self, unit: OpenUnit, statement: Statement) -> None:
        unit.falls = True
        if unit.enter is None:
            return
        line = statement.line
        unit.entries.append(Extent(line.start, line.end))
        if not (statement.alone and _exit(statement).leads):
            unit.obstacle = SHARED_ENTRY

    def end(self, unit: OpenUnit, statement: Statement) -> None:
        """Note the statement that ends the executable part: END or CONTAINS."""
        if unit.ended or unit.interface or unit.kind in _BODILESS:
            return
        if unit.declarations is None:
            unit.declarations, unit.rest = _begin(unit, statement)
        if unit.enter is None:
            self._enter(unit, statement)
        if unit.falls or statement.label:
            unit.exits.append(_exit(statement))
        unit.ended = True


def _exit(statement: Statement, returns: Extent | None = None) -> ProcedureExit:
    leads = not statement.label and not statement.line.text[: statement.first].strip()
    extent = Extent(statement.start, statement.end)
    return ProcedureExit(extent, statement.line.start, leads, returns)


def _begin(unit: OpenUnit, statement: Statement) -> tuple[int, RestOfLine | None]:
    """Return the line of a unit's first executable statement, and what stands before it there."""
    previous = unit.previous
    shares = previous is not None and previous.line is statement.line
    rest = rest_of_line(previous) if previous is not None and shares else None
    return statement.line.start, rest
