"""The rules: a construct's row and block -> what opens it, what closes it.

POMP paper, Tables 1 and 2.  The opening takes the place of the directive, the closing
stands right behind the block; the two make one compound statement, so that a construct
may stand wherever a statement may.
"""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.pragmas import ClauseText
from pomp_clang.openmp.barriers import AS_IT_IS, ENDS, End
from pomp_clang.openmp.control import VALUE_TYPES, ControlReading
from pomp_clang.openmp.directives import DIRECTIVES, Barrier, Directive
from pomp_clang.record import record
from pomp_clang.rewrite import guards
from pomp_clang.rewrite.combined import split
from pomp_clang.rewrite.descriptor_flags import has_nowait, keeps_barrier, may_be_left_early
from pomp_clang.rewrite.descriptors import Named
from pomp_clang.rewrite.signatures import TEAM_SIZE


@record
class Wrapped:
    """Text before and after a statement."""

    opening: str
    closing: str

    def within(self, outer: Wrapped) -> Wrapped:
        """This one inside another."""
        return Wrapped(f"{outer.opening} {self.opening}", f"{self.closing} {outer.closing}")


@record
class _Creation:
    """How a task is handed the token of its creation: `entered` is the event before the task and
    the variable that keeps the token, `clause` hands the variable over, `token` names it."""

    entered: str
    clause: str
    token: str


def call(event: str, kind: str, named: Named) -> str:
    """One call of the POMP API."""
    made = f"{named.called(f'{event}_{kind}')}({named.reach});"
    return guards.guarded(made, named.flag) if named.guarded else made


def pragma(words: str, *clauses: str) -> str:
    """An OpenMP directive that may stand inside a line.

    _Pragma takes back the escapes of quotes and backslashes, and no others (C11, 6.10.9).
    """
    text = " ".join(filter(None, ("omp", words, *clauses)))
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("{escaped}")'


def measured(
    construct: Construct, named: Named, block: str = "", cplusplus: bool = False
) -> Wrapped:
    """What stands round a construct's block (or is the whole of a standalone one); `block`
    is the block's text."""
    directive, reading = construct.directive, construct.reading
    assert directive is not None and reading is not None
    if named.whole:
        return _whole(directive, reading.clauses, named)
    if directive.leaves:
        parts = split(reading, block)
        outer, inner = (DIRECTIVES[words] for words in directive.leaves)
        if inner.barrier is Barrier.NOWAIT:
            # Its barrier is the last thing in the region: parallel needs none.
            around = _parallel(outer, parts.parallel, named, AS_IT_IS)
            end = _end(inner, construct, named)
            return _plain(inner, parts.inner, construct, named, end, cplusplus).within(around)
        around = _parallel(outer, parts.parallel, named, _end(outer, construct, named))
        return Wrapped(pragma(inner.words, parts.inner), "").within(around)
    clauses = _with_argument(reading.argument, reading.clauses)
    if directive.barrier is Barrier.ADDED:
        return _parallel(directive, clauses, named, _end(directive, construct, named))
    end = _end(directive, construct, named)
    return _plain(directive, clauses, construct, named, end, cplusplus)


def _end(directive: Directive, construct: Construct, named: Named) -> End:
    """What becomes of the barrier at the end of one directive of a construct."""
    if directive.barrier is Barrier.NONE or may_be_left_early(construct):
        return AS_IT_IS
    is_part = directive.barrier is Barrier.NOWAIT
    if is_part and (has_nowait(construct) or keeps_barrier(construct)):
        return AS_IT_IS
    assert construct.directive is not None
    combined = is_part and bool(construct.directive.leaves)
    return ENDS[named.barriers, directive.barrier, combined]


def entered(named: Named) -> str:
    """The declaration at the top of a measured function: its clean-up is the event at the
    end, and runs behind the value that is returned."""
    attributes = f"__cleanup__({named.leave}), __unused__"
    begun = f"({named.called('Begin')}({named.reach}), {named.reach})"
    return f"void *const __pomp_f{named.suffix} __attribute__(({attributes})) = {begun};"


def valued(control: ControlReading, named: Named, cplusplus: bool) -> str:
    """The call that tells a variable's value."""
    to = VALUE_TYPES[control.type]
    value = f"static_cast<{to}>({control.value})" if cplusplus else f"({to})({control.value})"
    return f"POMP_Value_{control.type}({named.reach}, {value});"


def section(named: Named) -> Wrapped:
    """What stands round the block of one section: events of its sections construct."""
    row = DIRECTIVES["section"]
    begin, end = (call(row.event, kind, named) for kind in row.inside)
    return Wrapped(f"{pragma('section')} {{ {begin}", f"{end} }}")


def _whole(directive: Directive, clauses: tuple[ClauseText, ...], named: Named) -> Wrapped:
    """Return what stands round a combined construct that is measured from outside.

    The events are those of a team of which one thread is seen, that which meets the construct.
    """
    assert directive.leaves
    outer = DIRECTIVES[directive.leaves[0]]
    fork, join = (call(outer.event, kind, named) for kind in outer.around)
    begin, end = (call(outer.event, kind, named) for kind in outer.inside)
    unchanged = pragma(directive.words, _with_argument(None, clauses))
    return Wrapped(f"{{ {fork} {begin} {unchanged}", f"{end} {join} }}")


def _parallel(directive: Directive, clauses: str, named: Named, end: End) -> Wrapped:
    team = f"__pomp_team{named.number}"
    fork, join = (f"POMP_{directive.event}_{kind}({named.reach})" for kind in directive.around)
    first, last = (call(directive.event, kind, named) for kind in directive.inside)
    opening = (
        f"{{ void *{team} = ({fork}, POMP_Get_team()); "
        f"{pragma(directive.words, clauses, f'firstprivate({team})')} "
        f"{{ POMP_Set_team({team}); {first}"
    )
    waiting = f"{_barrier(named, end)} " if end.barrier else ""
    return Wrapped(opening, f"{waiting}{last} }} {join}; }}")


def _plain(
    directive: Directive,
    clauses: str,
    construct: Construct,
    named: Named,
    end: End,
    cplusplus: bool,
) -> Wrapped:
    token = named.keeper.own_token if named.keeper else f"__pomp_task{named.number}"
    made = _made(directive, named) if directive.is_deferred else None
    opening, closing = ["{"], []
    if directive.scheduling and not named.keeper:
        opening.append(f"void *{token} = POMP_Get_task();")
    if directive.around:
        opening.append(_entered(directive, named, made))
    added = made.clause if made else "nowait" if end.nowait else ""
    opening.append(pragma(directive.words, clauses, added))
    if directive.inside and construct.block is not None:
        opening.append(f"{{ {_begun(directive, named, made)}")
        closing.append(f"{call(directive.event, directive.inside[1], named)} }}")
    if directive.scheduling:
        closing.append(f"POMP_Set_task({token});")
    if end.barrier:
        closing.append(_barrier(named, end))
    if directive.around:
        closing.append(call(directive.event, directive.around[1], named))
    closing.append("}")
    return Wrapped(" ".join(opening), " ".join(closing))


def _made(directive: Directive, named: Named) -> _Creation:
    first = call(directive.event, directive.around[0] if directive.around else "", named)
    token = f"__pomp_made{named.number}"
    entered = f"void *{token} = ({first.rstrip(';')}, POMP_Get_creation());"
    return _Creation(entered, f"firstprivate({token})", token)


def _entered(directive: Directive, named: Named, made: _Creation | None) -> str:
    """The first event around a construct."""
    if made:
        return made.entered
    first = call(directive.event, directive.around[0] if directive.around else "", named)
    return f"{guards.asked(named.flag)} {first}" if named.guarded else first


def _begun(directive: Directive, named: Named, made: _Creation | None) -> str:
    """The first event within a construct."""
    first = call(directive.event, directive.inside[0] if directive.inside else "", named)
    if made:
        first = f"POMP_Set_creation({made.token}), {first}"
    if named.keeps:
        return f"void *{named.own_token} = ({first.rstrip(';')}, POMP_Get_task());"
    asked = named.guarded and not directive.around
    return f"{guards.asked(named.flag)} {first}" if asked else first


def _barrier(named: Named, end: End) -> str:
    """A barrier made explicit: it is passed the descriptor of what implied it."""
    row = DIRECTIVES["barrier"]
    enter, leave = (call(row.event, kind, named) for kind in row.around)
    waits = pragma(row.words)
    if not end.alone:
        waits = f"if ({TEAM_SIZE}() > 1) {{ {waits} }}"
    return f"{enter} {waits} {leave}"


def _with_argument(argument: str | None, clauses: tuple[ClauseText, ...]) -> str:
    written = [str(clause) for clause in clauses]
    return " ".join(written if argument is None else [f"({argument})", *written])
