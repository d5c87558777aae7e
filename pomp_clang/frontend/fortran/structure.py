"""The structure of a Fortran text: program units, blocks and constructs, from one stack.

Each statement opens, divides or ends what stands on top of the stack. Loops that end in one labelled
statement end together. An END directive that may be left out belongs to the construct that the
statement in front of it ended.
"""

from __future__ import annotations

import re

from pomp_clang.frontend.directive_text import alternatives
from pomp_clang.frontend.fortran.classify import Classified, StatementKind, classify
from pomp_clang.frontend.fortran.directives import FortranDirective, read_fortran_directive
from pomp_clang.frontend.fortran.lines import logical_lines
from pomp_clang.frontend.fortran.open_items import (
    ExecutableParts,
    OpenBlock,
    OpenConstruct,
    OpenItem,
    OpenUnit,
)
from pomp_clang.frontend.fortran.statements import Statement, loop_bounds, statements
from pomp_clang.frontend.source import Extent
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.openmp.directives import Directive, DirectiveForm

_EXTERNAL = re.compile(r"implicitnone\((?:type,)?external(?:,type)?\)")
_LOOP_VARIABLE = re.compile(r"(?:[^\W\d]\w*:)?do\d*,?([^\W\d]\w*)=")
_NEUTRAL = frozenset(("error", "nothing", "metadirective"))
"""Directives that may stand among specifications too."""

SHARED_END = "its loop ends with the statement that ends an outer loop", "block"
STRICT_SECTIONS = "its sections stand inside a BLOCK construct", "block"
NO_LOOP = "no loop follows it", "block"
NO_END = "it has no END directive", "block"
RETURN_IN_LOOP = "a RETURN is in the statement that ends a labeled loop"
SIMD = "no call may stand in a 'declare simd' procedure"
DEVICE = "it is code for a device (declare target)"
_DECLARED = {"declare simd": SIMD, "declare target": DEVICE}
"""Directives among a procedure's specifications for which no event may stand in it."""


class Structure:
    """The structure of a text, read by `read`.

    `units`, `constructs`, `controls` and `statements` are in the order of the text; `faults` has
    the lines at which something ends that is not open, with a message each.
    """

    def __init__(self, form: SourceForm, conditional: bool) -> None:
        self.units: list[OpenUnit] = []
        self.constructs: list[OpenConstruct] = []
        self.separators: list[tuple[FortranDirective, int]] = []
        self.controls: list[tuple[FortranDirective, int]] = []
        self.unknown: list[FortranDirective] = []
        self.actions: list[tuple[Statement, int]] = []
        self.uses: list[Statement] = []
        self.faults: list[tuple[int, str]] = []
        self._form = form
        self._conditional = conditional
        self._stack: list[OpenItem] = []
        self._waiting: list[OpenConstruct] = []
        self._ended: list[OpenConstruct] = []
        self._previous: FortranDirective | None = None
        self._parts = ExecutableParts()

    def read(self, text: str) -> None:
        """Read the statements and directives of a text."""
        for line in logical_lines(text, self._form, self._conditional):
            if line.sentinel:
                if self._conditional or line.sentinel == "pomp":
                    self._directive(read_fortran_directive(line))
            else:
                for statement in statements(line):
                    self._statement(statement)
        while self._stack:
            item = self._stack.pop()
            if isinstance(item, OpenUnit):
                item.end = len(text)
            elif isinstance(item, OpenConstruct):
                item.obstacle = NO_END
            self._lose_waiting()

    # Directives

    def _directive(self, directive: FortranDirective) -> None:
        row = directive.reading.directive
        if directive.ends:
            self._end_directive(directive)
            self._previous = directive
            return
        self._ended = []
        if directive.control is not None:
            self.controls.append((directive, self._unit(directive.line.start).index))
        elif row is None or directive.line.sentinel == "pomp":
            self.unknown.append(directive)
        elif row.form is DirectiveForm.SEPARATOR:
            self._separator(directive)
        elif row.form is not DirectiveForm.DECLARATIVE:
            self._construct(directive, row)
        elif row.words in _DECLARED and (unit := self._innermost()) is not None:
            unit.obstacle = unit.obstacle or _DECLARED[row.words]
        if row is None or row.form is not DirectiveForm.DECLARATIVE:
            self._previous = directive

    def _construct(self, directive: FortranDirective, row: Directive) -> None:
        unit = self._unit(directive.line.start)
        if row.words not in _NEUTRAL or self._parts.has_begun(unit):
            self._parts.directive(unit, directive.line)
        construct = OpenConstruct(directive, unit.index)
        self.constructs.append(construct)
        form = _form(directive, row)
        if form is DirectiveForm.LOOP:
            self._waiting.append(construct)
            return
        if self._waiting:
            self._lose_waiting()
        if form in (DirectiveForm.BLOCK, DirectiveForm.SECTIONS):
            self._stack.append(construct)
        elif form is DirectiveForm.STATEMENT:
            clauses = {clause.name for clause in directive.reading.clauses}
            construct.remaining = 2 if "capture" in clauses else 1
            self._stack.append(construct)
        elif form is not DirectiveForm.STANDALONE:
            construct.obstacle = (
                "its variants do not go with the same kind of statement",
                "metadirective",
            )

    def _separator(self, directive: FortranDirective) -> None:
        unit = self._unit(directive.line.start)
        self.separators.append((directive, unit.index))
        if directive.words != "section":
            return
        for item in reversed(self._stack):
            construct = item
            if isinstance(item, OpenBlock):
                if not item.constructs:
                    continue
                construct = item.constructs[-1]
            if isinstance(construct, OpenConstruct) and construct.form is DirectiveForm.SECTIONS:
                previous = self._previous
                if not construct.separators:
                    construct.implicit_first_section = previous is not construct.directive
                construct.separators.append(directive)
                return

    def _end_directive(self, directive: FortranDirective) -> None:
        for number, construct in enumerate(self._ended):
            if construct.directive.words == directive.words:
                construct.end = directive
                self._ended = self._ended[number + 1 :]
                return
        self._ended = []
        self._lose_waiting()
        for number in range(len(self._stack) - 1, -1, -1):
            item = self._stack[number]
            if isinstance(item, OpenUnit):
                break
            if isinstance(item, OpenConstruct) and item.directive.words == directive.words:
                if number != len(self._stack) - 1:
                    self._fault(
                        directive.line.start, f"'end {directive.words}' stands inside a block"
                    )
                    for lost in self._stack[number + 1 :]:
                        if isinstance(lost, OpenConstruct):
                            lost.obstacle = NO_END
                del self._stack[number:]
                item.end = directive
                return
        if directive.reading.directive is None or directive.words.startswith(("declare", "begin")):
            return
        self._fault(directive.line.start, f"'end {directive.words}' ends no construct")

    # Statements

    def _statement(self, statement: Statement) -> None:
        self._ended = []
        kind = classify(statement.compact, statement.text, self._form.fixed)
        if kind.kind is StatementKind.UNIT and not self._in_code(kind):
            self._open_unit(statement, kind)
        elif kind.kind is StatementKind.END_UNIT:
            self._end_unit(statement, kind)
        elif kind.kind is StatementKind.CONTAINS:
            self._contains(statement)
        else:
            self._inside_unit(statement, kind)
        self._previous = None

    def _in_code(self, kind: Classified) -> bool:
        """Return True if a statement that looks like a unit's first one is none.

        `module procedure` names procedures in an interface, and opens one behind CONTAINS.
        """
        top = self._stack[-1] if self._stack else None
        return (
            kind.keyword == "procedure" and isinstance(top, OpenBlock) and top.word == "interface"
        )

    def _open_unit(self, statement: Statement, kind: Classified) -> None:
        outer = self._innermost()
        interface = isinstance(self._stack[-1], OpenBlock) if self._stack else False
        pure = ("pure" in kind.prefix and "impure" not in kind.prefix) or (
            "elemental" in kind.prefix and "impure" not in kind.prefix
        )
        unit = OpenUnit(
            len(self.units),
            kind.keyword,
            _name_in(statement, kind.name),
            statement.line.start,
            outer.index if outer else None,
        )
        unit.pure = pure
        unit.head = Extent(statement.start, statement.end)
        unit.interface = interface
        inherited = outer is not None and outer.external and not interface
        # A submodule has what its ancestors say, whose text may be in another file.
        unit.external = inherited or kind.keyword == "submodule"
        unit.previous = statement
        self.units.append(unit)
        self._stack.append(unit)

    def _innermost(self) -> OpenUnit | None:
        return next((i for i in reversed(self._stack) if isinstance(i, OpenUnit)), None)

    def _unit(self, start: int) -> OpenUnit:
        """Return the innermost unit; a main program needs no statement to begin."""
        unit = self._innermost()
        if unit is None:
            unit = OpenUnit(len(self.units), "program", "", start, None)
            self.units.append(unit)
            self._stack.append(unit)
        return unit

    def _end_unit(self, statement: Statement, kind: Classified) -> None:
        unit = self._unit(statement.line.start)
        at = self._stack.index(unit)
        above = self._stack[at + 1 :]
        if above:
            self._fault(statement.start, "a block or construct has no end in this program unit")
        for item in above:
            if isinstance(item, OpenConstruct):
                item.obstacle = NO_END
        self._lose_waiting()
        del self._stack[at:]
        unit.end, unit.tail = statement.line.end, statement.end
        self._parts.end(unit, statement)

    def _contains(self, statement: Statement) -> None:
        if self._stack and isinstance(self._stack[-1], OpenBlock):
            return  # of a type's definition
        unit = self._unit(statement.line.start)
        if self._stack[-1] is not unit:
            self._fault(statement.start, "a block or construct has no end before CONTAINS")
        self._parts.end(unit, statement)

    def _inside_unit(self, statement: Statement, kind: Classified) -> None:
        unit = self._unit(statement.line.start)
        if statement.compact.startswith("use"):
            self.uses.append(statement)
        if _EXTERNAL.match(statement.compact):
            unit.external = True
        self._parts.statement(unit, statement, kind, self._stack[-1] is unit)
        if kind.kind is not StatementKind.SPECIFICATION:
            self.actions.append((statement, unit.index))
        if self._waiting and kind.kind is not StatementKind.DO:
            self._lose_waiting()
        if kind.kind is StatementKind.DO:
            block = OpenBlock("do", kind.label, self._waiting)
            self._begin_constructs(statement)
            self._stack.append(block)
            self._count_loop(statement)
        elif kind.kind in (StatementKind.BLOCK, StatementKind.DEFINITION):
            self._open_block(statement, kind)
        elif kind.kind is StatementKind.END_BLOCK:
            self._end_block(statement, kind)
        else:
            self._plain(statement, kind)

    def _begin_constructs(self, statement: Statement) -> None:
        for construct in self._waiting:
            construct.first = statement.start
        self._waiting = []

    def _count_loop(self, statement: Statement) -> None:
        """Add the variable of a loop to the constructs that are associated with the loop."""
        match = _LOOP_VARIABLE.match(statement.compact)
        for item in self._stack if match else ():
            for construct in item.constructs if isinstance(item, OpenBlock) else ():
                if match and len(construct.variables) < construct.loops:
                    construct.variables.append(match[1])
                    construct.bounds += loop_bounds(statement, match[1])

    def _open_block(self, statement: Statement, kind: Classified) -> None:
        block = OpenBlock(kind.keyword, "", [])
        top = self._stack[-1]
        if kind.keyword == "block" and isinstance(top, OpenConstruct):
            begins = self._previous is top.directive
            if begins and top.form in (DirectiveForm.BLOCK, DirectiveForm.SECTIONS):
                self._stack.pop()
                top.strict = True
                if top.form is DirectiveForm.SECTIONS:
                    top.obstacle = STRICT_SECTIONS
                block.constructs = [top]
        self._stack.append(block)

    def _plain(self, statement: Statement, kind: Classified) -> None:
        top = self._stack[-1]
        if kind.kind is StatementKind.MIDDLE:
            if isinstance(top, OpenBlock) and kind.keyword == "else":
                top.has_else = True
            return
        if not self._end_labelled(statement):
            self._completed(statement, False)

    def _end_labelled(self, statement: Statement) -> bool:
        """Close the loops that a labelled statement ends; return False if it ends none."""
        ended: list[OpenBlock] = []
        while statement.label and self._stack:
            top = self._stack[-1]
            if not isinstance(top, OpenBlock) or top.label != statement.label:
                break
            self._stack.pop()
            ended.append(top)
        for block in ended[:-1]:
            for construct in block.constructs:
                construct.obstacle = SHARED_END
        for block in ended:
            self._finish(block, statement)
        if ended:
            unit = self._unit(statement.start)
            if any(exit.statement.start == statement.start for exit in unit.exits[-1:]):
                unit.obstacle = RETURN_IN_LOOP
            self._completed(statement, False)
        return bool(ended)

    def _end_block(self, statement: Statement, kind: Classified) -> None:
        top = self._stack[-1]
        if not isinstance(top, OpenBlock) or top.word != kind.keyword:
            self._fault(statement.start, f"'end {kind.keyword}' ends no open block")
            self._drop_to(kind.keyword)
            top = self._stack[-1]
            if not isinstance(top, OpenBlock) or top.word != kind.keyword:
                return
        if top.label and top.label == statement.label and kind.keyword == "do":
            self._end_labelled(statement)
            return
        self._stack.pop()
        self._finish(top, statement)
        self._completed(statement, top.has_else)

    def _drop_to(self, keyword: str) -> None:
        """Drop all that is open above the innermost block of a kind in this unit."""
        for number in range(len(self._stack) - 1, -1, -1):
            item = self._stack[number]
            if isinstance(item, OpenUnit):
                return
            if isinstance(item, OpenBlock) and item.word == keyword:
                for lost in self._stack[number + 1 :]:
                    if isinstance(lost, OpenConstruct):
                        lost.obstacle = NO_END
                del self._stack[number + 1 :]
                return

    def _finish(self, block: OpenBlock, statement: Statement) -> None:
        for construct in reversed(block.constructs):
            construct.last = statement
            self._ended.append(construct)

    def _completed(self, statement: Statement, has_else: bool) -> None:
        """Count a statement, or a whole block, for the construct that takes single ones."""
        top = self._stack[-1] if self._stack else None
        if not isinstance(top, OpenConstruct) or top.form is not DirectiveForm.STATEMENT:
            return
        top.remaining -= 1
        if top.remaining and not (has_else and top.directive.reading.clause("compare")):
            return
        self._stack.pop()
        top.last = statement
        self._ended.append(top)

    def _lose_waiting(self) -> None:
        for construct in self._waiting:
            construct.obstacle = NO_LOOP
        self._waiting = []

    def _fault(self, offset: int, message: str) -> None:
        self.faults.append((offset, message))


def _form(directive: FortranDirective, row: Directive) -> DirectiveForm | None:
    """Return the form of a directive as written; None if it may be of several."""
    if row.words == "ordered":
        names = {clause.name for clause in directive.reading.clauses}
        return DirectiveForm.STANDALONE if names & {"depend", "doacross"} else row.form
    if row.words == "metadirective" and not directive.delimited:
        forms = {
            alternative.form if alternative else None
            for alternative in alternatives(directive.reading)
        }
        return forms.pop() if len(forms) == 1 else None
    return row.form


def _name_in(statement: Statement, name: str) -> str:
    """Return a name as written in a statement, if its blanks and case are the only difference."""
    match = (
        re.search(rf"(?<![^\W\d]){re.escape(name)}(?!\w)", statement.text, re.I) if name else None
    )
    return match.group() if match else name
