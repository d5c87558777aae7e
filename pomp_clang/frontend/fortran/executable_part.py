"""The borders of a program unit's executable part, and its exits."""

from __future__ import annotations

import re

from pomp_clang.frontend.fortran.classify import Classified, StatementKind, assigned, closing
from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.frontend.fortran.open_items import OpenUnit, rest_of_line
from pomp_clang.frontend.fortran.places import ProcedureExit, RestOfLine
from pomp_clang.frontend.fortran.statements import Statement, masked
from pomp_clang.frontend.source import Extent

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

    def _is_statement_function(
        self, unit: OpenUnit, statement: Statement, kind: Classified
    ) -> bool:
        """Return True if the statement defines a function of one statement.

        Such a statement assigns to a name that is no array. In a unit with a host or a USE
        statement, the array may be declared elsewhere.
        """
        if kind.kind is not StatementKind.ASSIGNMENT or unit.outer is not None or unit.uses:
            return False
        match = _STATEMENT_FUNCTION.match(assigned(statement.compact))
        return match is not None and match[1] not in unit.arrays

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
