"""The rules: from a construct's row to the events and directives that open and close it.

POMP paper, Tables 1 and 2. `nowait` and `copyprivate` stand on end directives: gfortran 12 and
flang 19 refuse them elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.directive_text import ClauseText
from pomp_clang.openmp.barriers import AS_IT_IS, End
from pomp_clang.openmp.directive_lookup import directive_named
from pomp_clang.openmp.directives import DIRECTIVES, Directive, DirectiveForm, ImpliedBarrier
from pomp_clang.record import record
from pomp_clang.rewrite.c.c_text import TEAM_SIZE
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames
from pomp_clang.rewrite.combined import hands_back, split
from pomp_clang.rewrite.descriptor import barrier_at_end, has_nowait
from pomp_clang.rewrite.fortran.companion import RESUME, SUSPEND, TOKEN

_ON_THE_END = ("nowait", "copyprivate")
_FRAME = "(char *)__builtin_frame_address(0)"


@record
class EventCallStep:
    """A statement of C that the next call makes."""

    statement: str


@record
class StatementStep:
    """A statement of Fortran."""

    text: str


@record
class DirectiveStep:
    """A directive; `is_kept` is True for the user's own, which stays as it is written.

    If the user has left an end directive out, the line is written unless it has no words.
    """

    name: str
    clauses: tuple[str, ...] = ()
    is_kept: bool = False


@record
class TeamOfOneStep:
    """The beginning or the end of what a thread alone in its team leaves out."""

    begins: bool


Step = EventCallStep | StatementStep | DirectiveStep | TeamOfOneStep


@record
class ConstructSteps:
    """The lines that open a construct and that close it, in order. `sections` are the events of one
    section, its first and its last."""

    opening: tuple[Step, ...]
    closing: tuple[Step, ...]


def measured(
    construct: Construct, names: DescriptorNames, token: str, private: str
) -> ConstructSteps:
    """Return the steps for a construct that is measured.

    `token` is the variable that hands a token over, and `private` a clause for those of constructs
    within, or "".
    """
    directive, reading = construct.directive, construct.reading
    assert directive is not None and reading is not None
    if names.from_outside:
        return _measured_from_outside(construct, names)
    if not directive.leaves:
        clauses = _written(construct)
        if directive.barrier is ImpliedBarrier.ADDED:
            end = barrier_at_end(directive, construct, names.barriers)
            return _parallel(directive, (*clauses, private), construct, names, end, token)
        return _plain(directive, (*clauses, private), construct, names, token, bool(private))
    places = construct.places
    handed_back = places.variables if places and hands_back(reading) else ()
    parts = split(reading, handed_back, copies_bounds=True)
    outer, inner = (directive_named(words) for words in directive.leaves)
    inner_private = private if inner.generates_tasks else ""
    if inner.barrier is ImpliedBarrier.NOWAIT:
        # Its barrier is the last thing in the region: parallel needs none.
        around = _parallel(outer, (parts.parallel, private), construct, names, AS_IT_IS, token)
        within = _plain(inner, (_without_nowait(parts.inner),), construct, names, "", True)
    else:
        end = barrier_at_end(outer, construct, names.barriers)
        around = _parallel(outer, (parts.parallel, private), construct, names, end, token)
        closing = (
            (DirectiveStep(f"end {inner.words}"),) if inner.form is not DirectiveForm.LOOP else ()
        )
        within = ConstructSteps(
            (DirectiveStep(inner.words, (parts.inner, inner_private)),), closing
        )
    return ConstructSteps((*around.opening, *within.opening), (*within.closing, *around.closing))


def left_out(construct: Construct, private: str) -> ConstructSteps:
    """Return the steps for a construct without events, of which tokens have to be private."""
    directive = construct.directive
    assert directive is not None
    return ConstructSteps((DirectiveStep(directive.words, (*_written(construct), private)),), ())


def section(names: DescriptorNames) -> tuple[str, str]:
    """Return the events at the beginning and at the end of a section."""
    row = DIRECTIVES["section"]
    begin, end = (call(row.event, kind, names) for kind in row.inside)
    return begin, end


def call(event: str, kind: str, names: DescriptorNames) -> str:
    """Return one call of the POMP API, as a statement of C."""
    return f"POMP_{event}_{kind}({names.reach});"


def _without_nowait(clauses: str) -> str:
    names = clauses.split()
    return " ".join(word for word in names if word.lower() != "nowait")


def _written(construct: Construct) -> tuple[str, ...]:
    """Return the argument and the clauses of a directive as the user wrote them."""
    assert construct.reading is not None
    argument = construct.reading.argument
    clauses: Sequence[ClauseText] = construct.reading.clauses
    texts = tuple(str(clause) for clause in clauses if clause.name not in _ON_THE_END)
    return texts if argument is None else (f"({argument})", *texts)


def _measured_from_outside(construct: Construct, names: DescriptorNames) -> ConstructSteps:
    """Return the steps round a combined construct that stays one directive."""
    assert construct.directive is not None and construct.directive.leaves
    outer = directive_named(construct.directive.leaves[0])
    fork, join = (EventCallStep(call(outer.event, kind, names)) for kind in outer.around)
    begin, end = (EventCallStep(call(outer.event, kind, names)) for kind in outer.inside)
    step = DirectiveStep(construct.directive.words, (), is_kept=True)
    return ConstructSteps((fork, begin, step), (DirectiveStep("", (), is_kept=True), end, join))


def _parallel(
    directive: Directive,
    clauses: tuple[str, ...],
    construct: Construct,
    names: DescriptorNames,
    end: End,
    token: str,
) -> ConstructSteps:
    fork, join = (EventCallStep(call(directive.event, kind, names)) for kind in directive.around)
    first, last = (EventCallStep(call(directive.event, kind, names)) for kind in directive.inside)
    combined = construct.directive is not None and bool(construct.directive.leaves)
    opening: list[Step] = [fork, EventCallStep(f"{TOKEN} = POMP_Get_team();")]
    opening.append(DirectiveStep(directive.words, (*clauses, f"firstprivate({token})")))
    opening += [EventCallStep(f"POMP_Set_team({TOKEN});"), first]
    inner = (
        barrier_at_end(construct.leaf, construct, names.barriers)
        if combined and construct.leaf
        else end
    )
    if not (end.alone and inner.alone):
        opening.append(EventCallStep(f"{TOKEN} = (void *)(unsigned long){TEAM_SIZE}();"))
    waiting = _barrier(names, end) if end.barrier else ()
    end_step = DirectiveStep(f"end {directive.words}", (), is_kept=not combined)
    return ConstructSteps(tuple(opening), (*waiting, last, end_step, join))


def _plain(
    directive: Directive,
    clauses: tuple[str, ...],
    construct: Construct,
    names: DescriptorNames,
    token: str,
    rewritten: bool,
) -> ConstructSteps:
    end = barrier_at_end(directive, construct, names.barriers)
    opening: list[Step] = []
    closing: list[Step] = []
    if directive.scheduling:
        opening.append(EventCallStep(f"{SUSPEND}({names.reach}, {_FRAME});"))
    if directive.around:
        opening.append(EventCallStep(call(directive.event, directive.around[0], names)))
    deferred = directive.is_deferred and bool(token)
    if deferred:
        opening.append(EventCallStep(f"{TOKEN} = POMP_Get_creation();"))
        clauses = (*clauses, f"firstprivate({token})")
    is_kept = not rewritten and not deferred
    opening.append(DirectiveStep(directive.words, clauses, is_kept))
    if directive.inside and construct.block is not None:
        if deferred:
            opening.append(EventCallStep(f"POMP_Set_creation({TOKEN});"))
        opening.append(EventCallStep(call(directive.event, directive.inside[0], names)))
        closing.append(EventCallStep(call(directive.event, directive.inside[1], names)))
    closing += _end_directive(directive, construct, end, rewritten)
    if directive.scheduling:
        closing.append(EventCallStep(f"{RESUME}({names.reach}, {_FRAME});"))
    if end.barrier:
        closing += _barrier(names, end)
    if directive.around:
        closing.append(EventCallStep(call(directive.event, directive.around[1], names)))
    return ConstructSteps(tuple(opening), tuple(closing))


def _end_directive(
    directive: Directive, construct: Construct, end: End, rewritten: bool
) -> tuple[DirectiveStep, ...]:
    """Return the end directive that a construct gets, or none if it has none."""
    if construct.block is None:
        return ()
    combined = construct.directive is not None and bool(construct.directive.leaves)
    if end.nowait or (combined and has_nowait(construct)):
        return (DirectiveStep(f"end {directive.words}", ("nowait",)),)
    if construct.end_directive is not None and not combined:
        return (DirectiveStep("", (), is_kept=True),)
    optional = directive.form in (DirectiveForm.LOOP, DirectiveForm.STATEMENT)
    if optional:
        return ()
    reading = construct.reading
    argument = reading.argument if reading is not None else None
    named = argument is not None and directive.words == "critical"
    return (DirectiveStep(f"end {directive.words}", (f"({argument})",) if named else ()),)


def _barrier(names: DescriptorNames, end: End) -> tuple[Step, ...]:
    """Return an explicit barrier, whose calls get the descriptor of the construct that implies it."""
    row = DIRECTIVES["barrier"]
    enter, leave = (EventCallStep(call(row.event, kind, names)) for kind in row.around)
    waits: tuple[Step, ...] = (DirectiveStep(row.words),)
    if not end.alone:
        waits = (TeamOfOneStep(begins=True), *waits, TeamOfOneStep(begins=False))
    return (enter, *waits, leave)
