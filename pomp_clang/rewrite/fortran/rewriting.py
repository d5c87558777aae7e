"""The new text of a Fortran unit, and its companion."""

from __future__ import annotations

from collections.abc import Iterable

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.fortran.places import RestOfLine
from pomp_clang.frontend.source import Extent
from pomp_clang.frontend.unit import SourceForm, Unit
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.openmp.pomp_api import Routine
from pomp_clang.record import replace
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames, name_descriptor
from pomp_clang.rewrite.edits import EditSet
from pomp_clang.rewrite.fortran.companion import Stubs, companion_text, name_ending
from pomp_clang.rewrite.fortran.lines import (
    LineWriter,
    ProcedureCalls,
    continued,
    marker,
    procedure_edits,
)
from pomp_clang.rewrite.fortran.rules import (
    ConstructSteps,
    DirectiveStep,
    EventCallStep,
    StatementStep,
    Step,
    TeamOfOneStep,
    left_out,
    measured,
    section,
)
from pomp_clang.rewrite.fortran.unit_variables import (
    OutsideValue,
    Tokens,
    bound_edits,
    outside_values,
    reading_inside,
)
from pomp_clang.rewrite.pomp2 import handle_initializer
from pomp_clang.selection.plan import Decision, InstrumentationPlan, PlanEntry

_CLOSINGS = -10_000
"""Insertions at one offset: what closes constructs comes before what opens others."""
_DECLARATIONS = 2 * _CLOSINGS
_IMPLICIT = ("-Wimplicit-interface", "-Wimplicit-procedure")


def rewrite_file(decided: InstrumentationPlan, unit: Unit) -> tuple[list[str | None], str, bool]:
    """Return the texts of a unit with the edits made (None if there are none) and its companion.

    The third value is True if the compiler refuses the text without the edits.
    """
    texts, companion = _FortranRewriter(decided, unit).rewritten()
    return texts, companion, any(map(_is_foreign, decided.entries))


def may_hide(decided: InstrumentationPlan, unit: Unit) -> bool:
    """Return whether the compiler may say something of the plan's file that it does not say of the
    new text.

    It is kept from warnings about calls, the user's among them. Commas before the first clause,
    which it may refuse, are gone.
    """
    measured = [e.construct for e in decided.entries if e.decision is Decision.INSTRUMENTED]
    if any(construct.reading and construct.reading.follows_comma for construct in measured):
        return True
    return bool(measured) and not set(_IMPLICIT).isdisjoint(unit.arguments)


class _FortranRewriter:
    def __init__(self, decided: InstrumentationPlan, unit: Unit) -> None:
        self._plan = decided
        self._unit = unit
        self._form = unit.form or SourceForm(fixed=False, columns=132)
        self._constructs = decided.constructs
        self._source = decided.constructs.source
        self._text = self._source.text
        self._edits = EditSet()
        self._stubs = Stubs(unit.path, self._text)
        self._named: dict[int, DescriptorNames] = {}
        self._called: dict[int, list[str]] = {}
        self._typed: dict[int, list[str]] = {}
        self._outside = _values_from_outside(decided) if unit.bounds_outside else {}
        numbers = {index: len(values) for index, values in self._outside.items()}
        self._tokens = Tokens(decided, not unit.tasks_copy_late, numbers)

    def rewritten(self) -> tuple[list[str | None], str]:
        for entry in self._plan.entries:
            if entry.has_descriptor:
                self._name(entry)
        for entry in self._plan.entries:
            self._rewrite(entry)
        if not self._stubs.names:
            return [None], ""
        self._declare()
        ending = name_ending(self._unit.arguments)
        members = list(self._named.values())
        early = self._unit.barriers is Barriers.OMPT or self._unit.offloads
        companion = companion_text(self._constructs, members, self._stubs, ending, early)
        if self._unit.pomp2 and members:
            initializer = handle_initializer(
                self._unit, [self._plan], len(members), cplusplus=False
            )
            companion += f"{initializer}\n"
        return [self._edits.apply(self._text)], companion

    def _name(self, entry: PlanEntry) -> None:
        construct = entry.construct
        number = len(self._named) + 1
        self._named[construct.index] = name_descriptor(
            self._constructs, number, construct, self._unit.barriers
        )

    def _rewrite(self, entry: PlanEntry) -> None:
        construct = entry.construct
        if construct.control is not None:
            if entry.decision in (Decision.CONTROL, Decision.INSTRUMENTED):
                self._control(construct)
        elif construct.routine is not None:
            if entry.decision is Decision.INSTRUMENTED:
                self._routine(construct, construct.routine)
        elif construct.function is not None:
            if entry.decision is Decision.INSTRUMENTED:
                self._procedure(construct)
        elif construct.kind == "section" or construct.directive is None:
            return
        elif entry.decision is Decision.INSTRUMENTED:
            self._directive(construct)
        elif private := self._tokens.private(construct):
            self._apply(construct, left_out(construct, private))

    def _procedure(self, construct: Construct) -> None:
        """Write the events at a procedure's begin and at all its exits."""
        assert construct.places is not None
        number = construct.places.unit
        reach = self._named[construct.index].reach
        calls = ProcedureCalls(
            *(self._stubs.add([f"POMP_{e}({reach});"]) for e in ("Begin", "End"))
        )
        self._called.setdefault(number, []).extend((calls.begin, calls.end))
        body = self._constructs.units[number].body
        assert body is not None
        edits = procedure_edits(self._source, self._form, body, calls)
        self._edits.insert(body.enter, edits.begin, _DECLARATIONS + 1)
        for at, text in edits.inserted:
            self._edits.insert(at, text, _CLOSINGS + 1)
        for extent, text in edits.replaced:
            self._edits.replace(extent.start, extent.end, text)

    def _directive(self, construct: Construct) -> None:
        names = self._named[construct.index]
        token = self._tokens.of(construct)
        private = self._tokens.private(construct)
        construct, evaluations = self._evaluated(construct)
        steps = measured(construct, names, token, private)
        self._apply(construct, replace(steps, opening=(*evaluations, *steps.opening)))
        if construct.separators:
            self._separators(construct, names)

    def _evaluated(self, construct: Construct) -> tuple[Construct, tuple[Step, ...]]:
        """Return a construct that takes values from outside, and the statements that set these."""
        values = self._outside.get(construct.index, ())
        names = self._tokens.values(construct)
        reading = construct.reading
        if not values or reading is None:
            return construct, ()
        bounds = [(v.bound, n) for v, n in zip(values, names, strict=True) if v.bound is not None]
        moved: set[int] = set()
        for extent, text, suffix in bound_edits(self._text, bounds, self._form):
            self._edits.replace(extent.start, extent.end, text)
            moved |= {suffix} if suffix else set()
        for at in moved:
            self._edits.insert(at, self._marker_at(at), _DECLARATIONS)
        steps = (StatementStep(f"{n} = {v.text}") for n, v in zip(names, values, strict=True))
        return replace(construct, reading=reading_inside(reading, values, names)), tuple(steps)

    def _apply(self, construct: Construct, steps: ConstructSteps) -> None:
        """Write what opens a construct and what closes it."""
        places = construct.places
        assert places is not None
        depth = len(self._constructs.around(construct))
        opening, closing = list(steps.opening), list(steps.closing)
        names = self._named.get(construct.index)
        if names is not None and construct.implicit_first_section:
            opening.append(EventCallStep(section(names)[0]))
        if names is not None and (construct.implicit_first_section or construct.separators):
            closing.insert(0, EventCallStep(section(names)[1]))
        lines = Extent(places.before, places.inside)
        self._write(construct, lines, opening, (2 * depth - 1, 2 * depth))
        rank = _CLOSINGS - depth
        if construct.end_directive is not None:
            steps_there = closing or [DirectiveStep("", is_kept=True)]
            self._write(construct, Extent(places.end, places.after), steps_there, (rank, rank))
        elif closing:
            required = [step for step in closing if not _is_kept(step) or _is_required(step)]
            self._insert(construct, required, places.after, places.rest, rank)

    def _write(
        self, construct: Construct, lines: Extent, steps: list[Step], ranks: tuple[int, int]
    ) -> None:
        """Write steps in the place of a directive, or round it if it is kept."""
        at = next((number for number, step in enumerate(steps) if _is_kept(step)), None)
        if at is None:
            text = self._texts(construct, steps, lines.start, self._marker_at(lines.end))
            self._edits.replace(lines.start, lines.end, text)
            return
        before = self._texts(construct, steps[:at], lines.start, self._marker_at(lines.start))
        after = self._texts(construct, steps[at + 1 :], lines.start, self._marker_at(lines.end))
        self._edits.insert(lines.start, before, ranks[0])
        self._edits.insert(lines.end, after, ranks[1])

    def _insert(
        self, construct: Construct, steps: list[Step], at: int, rest: RestOfLine | None, rank: int
    ) -> None:
        """Write steps as lines of their own behind the last statement of a construct."""
        if rest is None:
            self._edits.insert(at, self._texts(construct, steps, at - 1, self._marker_at(at)), rank)
            return
        suffix = self._marker_at(rest.resume) + rest.prefix
        text = self._texts(construct, steps, rest.start, suffix)
        self._edits.replace(rest.start, rest.resume, f"\n{text}")

    def _separators(self, construct: Construct, names: DescriptorNames) -> None:
        """Write the events of sections round the directives between them."""
        depth = len(self._constructs.around(construct))
        begin, end = section(names)
        opened = construct.implicit_first_section
        for separator in construct.separators:
            start = self._source.line_start(separator.start)
            next_line = self._source.next_line(separator.end - 1)
            if opened:
                text = self._texts(construct, [EventCallStep(end)], start, self._marker_at(start))
                self._edits.insert(start, text, _CLOSINGS - depth)
            text = self._texts(construct, [EventCallStep(begin)], start, self._marker_at(next_line))
            self._edits.insert(next_line, text, 2 * depth)
            opened = True

    def _routine(self, construct: Construct, routine: Routine) -> None:
        """Put a subroutine in the place of a lock routine; it passes the user's lock on."""
        assert construct.places is not None
        by_address = self._unit.nest_locks_by_address and "nest" in routine.name
        lock = "*(void **)lock" if by_address else "lock"
        statement = f"{routine.replacement}({lock}, {self._named[construct.index].reach});"
        unit = construct.places.unit
        if "test" not in routine.name:
            name = self._stubs.add([statement], "void {}(void *lock)")
            self._called.setdefault(unit, []).append(name)
        elif routine.name == "omp_test_nest_lock":
            name = self._stubs.add([f"return {statement}"], "int {}(void *lock)")
            self._typed.setdefault(unit, []).append(f"integer(4), external :: {name}")
        else:
            name = self._stubs.add([f"return {statement}"], "int {}(void *lock)")
            self._typed.setdefault(unit, []).append(f"logical(4), external :: {name}")
        begin = construct.begin
        added = len(name) - (begin.end - begin.start)
        glue = continued(self._text, begin.start, self._form, added)
        self._edits.replace(begin.start, begin.end, glue + name)
        if glue or "\n" in self._text[begin.start : begin.end]:
            at = construct.places.after
            self._edits.insert(at, self._marker_at(at), _DECLARATIONS)

    def _control(self, construct: Construct) -> None:
        """Write the call of a directive of POMP's own."""
        assert construct.control is not None
        control = construct.control.control
        steps: list[Step] = []
        if control.named:
            begins = construct.index in self._named
            owner = construct.index if begins else construct.pair
            if owner is None or owner not in self._named:
                return
            steps.append(EventCallStep(f"{control.call}({self._named[owner].reach});"))
        elif control.call:
            steps.append(EventCallStep(f"{control.call}();"))
        places = construct.places
        assert places is not None
        text = self._texts(construct, steps, places.before, self._marker_at(places.inside))
        self._edits.replace(places.before, places.inside, text)

    def _texts(self, construct: Construct, steps: Iterable[Step], place: int, after: str) -> str:
        """Return the lines of steps, which have the place of an offset."""
        writer = LineWriter(self._source, self._form, place)
        token = self._tokens.of(construct)
        assert construct.places is not None
        unit = construct.places.unit
        statements: list[str] = []

        def call() -> None:
            if statements:
                name = self._stubs.add(statements)
                handed = f"({token})" if token and "__pomp_token" in " ".join(statements) else ""
                writer.statement(f"call {name}{handed or '()'}")
                self._called.setdefault(unit, []).append(name)
                statements.clear()

        for step in steps:
            if isinstance(step, EventCallStep):
                statements.append(step.statement)
                continue
            call()
            if isinstance(step, StatementStep):
                writer.long_statement(step.text)
            elif isinstance(step, DirectiveStep):
                writer.directive(step.name, step.clauses)
            elif isinstance(step, TeamOfOneStep):
                writer.statement(f"if ({token} .gt. 1) then" if step.begins else "end if")
        call()
        return writer.text(after)

    def _declare(self) -> None:
        """Write the declarations of tokens, and of the calls where a unit asks for these."""
        for number, unit in enumerate(self._constructs.units):
            tokens = self._tokens.declared.get(number, ())
            called = self._called.get(number, ()) if unit.external else ()
            at, rest = unit.declarations, unit.rest
            typed = self._typed.get(number, ())
            if at is None or not (tokens or called or typed):
                continue
            writer = LineWriter(self._source, self._form, at if rest is None else rest.start)
            for token in tokens:
                writer.statement(f"integer(8) :: {token}")
            for declaration in typed:
                writer.statement(declaration)
            for name in called:
                writer.statement(f"external :: {name}")
            if rest is None:
                self._edits.insert(at, writer.text(self._marker_at(at)), _DECLARATIONS)
            else:
                text = writer.text(self._marker_at(rest.resume) + rest.prefix)
                self._edits.replace(rest.start, rest.resume, f"\n{text}")

    def _marker_at(self, offset: int) -> str:
        return marker(*self._source.place(offset)) if offset < len(self._text) else ""


def _values_from_outside(decided: InstrumentationPlan) -> dict[int, tuple[OutsideValue, ...]]:
    """Return the values that constructs which are split take from outside, by their index."""
    plan_constructs = decided.constructs
    constructs = (e.construct for e in decided.entries if e.decision is Decision.INSTRUMENTED)
    split = (c for c in constructs if not plan_constructs.is_measured_from_outside(c))
    return {c.index: values for c in split if (values := outside_values(c))}


def _is_foreign(entry: PlanEntry) -> bool:
    """Return True for `!$omp inst`, which is an error where a C compiler ignores its like."""
    construct = entry.construct
    directive = construct.pragma
    return construct.control is not None and directive is not None and directive.sentinel == "omp"


def _is_kept(step: Step) -> bool:
    return isinstance(step, DirectiveStep) and step.is_kept


def _is_required(step: Step) -> bool:
    return isinstance(step, DirectiveStep) and bool(step.name)
