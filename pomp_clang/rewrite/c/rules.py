"""The rules: from a construct's row and block to the text that opens and closes it.

POMP paper, Tables 1 and 2. The opening takes the place of the directive, and the closing stands
right behind the block. The two make one compound statement, so a construct may stand wherever a
statement may.
"""

from __future__ import annotations

import re
from itertools import islice

from pomp_clang.frontend.c.source import without_comments
from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.directive_text import ClauseText, DirectiveReading
from pomp_clang.frontend.source import IDENTIFIER
from pomp_clang.openmp.barriers import AS_IT_IS, End
from pomp_clang.openmp.directives import DIRECTIVES, Directive, ImpliedBarrier
from pomp_clang.openmp.pomp_api import VALUE_TYPES, ControlReading
from pomp_clang.record import record
from pomp_clang.rewrite.c import call_guards as guards
from pomp_clang.rewrite.c.c_text import TEAM_SIZE
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames
from pomp_clang.rewrite.combined import hands_back, split
from pomp_clang.rewrite.descriptor import barrier_at_end

_FOR = re.compile(rf"\bfor\s*\(\s*(?:({IDENTIFIER})\s*=)?")


def declared_before(reading: DirectiveReading, block: str) -> list[str]:
    """Return the variables of the associated loops of `block` that are declared before the loops.

    They keep their values behind a simd construct (OpenMP 5.2, section 5.1.1).
    """
    collapse = reading.clause("collapse")
    count = collapse.argument if collapse is not None else None
    loops = int(count) if count is not None and count.isdecimal() else 1
    heads = islice(_FOR.finditer(without_comments(block)), loops)
    return [head.group(1) for head in heads if head.group(1)]


@record
class Wrapped:
    """Text before and after a statement."""

    opening: str
    closing: str

    def within(self, outer: Wrapped) -> Wrapped:
        """Return this pair of texts inside another."""
        return Wrapped(f"{outer.opening} {self.opening}", f"{self.closing} {outer.closing}")


@record
class _Creation:
    """How a task is handed the token of its creation: `entered` is the event before the task and
    the variable that keeps the token, `clause` hands the variable over, `token` names it."""

    entered: str
    clause: str
    token: str


def call(event: str, kind: str, names: DescriptorNames) -> str:
    """Return one call of the POMP API."""
    statement = f"{names.called(f'{event}_{kind}')}({names.reach});"
    return guards.guarded_call(statement, names.flag) if names.guarded else statement


def pragma(name: str, *clauses: str) -> str:
    """Return an OpenMP directive that may stand inside a line.

    _Pragma takes back the escapes of quotes and backslashes, and no others (C11, 6.10.9).
    """
    text = " ".join(filter(None, ("omp", name, *clauses)))
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("{escaped}")'


def measured(
    construct: Construct, names: DescriptorNames, block: str = "", cplusplus: bool = False
) -> Wrapped:
    """Return the text around a construct's block, or the text of a standalone construct.

    `block` is the block's text.
    """
    directive, reading = construct.directive, construct.reading
    assert directive is not None and reading is not None
    if names.from_outside:
        return _measured_from_outside(directive, reading.clauses, names)
    if directive.leaves:
        parts = split(reading, handed_back(reading, block))
        outer, inner = (DIRECTIVES[words] for words in directive.leaves)
        if inner.barrier is ImpliedBarrier.NOWAIT:
            # Its barrier is the last thing in the region: parallel needs none.
            around = _parallel(outer, parts.parallel, names, AS_IT_IS)
            end = barrier_at_end(inner, construct, names.barriers)
            return _plain(inner, parts.inner, construct, names, end, cplusplus).within(around)
        around = _parallel(
            outer, parts.parallel, names, barrier_at_end(outer, construct, names.barriers)
        )
        return Wrapped(pragma(inner.words, parts.inner), "").within(around)
    clauses = _with_argument(reading.argument, reading.clauses)
    if directive.barrier is ImpliedBarrier.ADDED:
        return _parallel(
            directive, clauses, names, barrier_at_end(directive, construct, names.barriers)
        )
    end = barrier_at_end(directive, construct, names.barriers)
    return _plain(directive, clauses, construct, names, end, cplusplus)


def handed_back(reading: DirectiveReading, block: str) -> list[str]:
    """Return the loop variables of `block` that keep their values behind the construct."""
    if not hands_back(reading):
        return []

    return declared_before(reading, block)


def function_entry(names: DescriptorNames) -> str:
    """Return the declaration at the top of a measured function.

    Its clean-up is the event at the end, which runs after the return value is computed.
    """
    attributes = f"__cleanup__({names.leave}), __unused__"
    begin_call = f"({names.called('Begin')}({names.reach}), {names.reach})"
    return f"void *const __pomp_f{names.suffix} __attribute__(({attributes})) = {begin_call};"


def valued(control: ControlReading, names: DescriptorNames, cplusplus: bool) -> str:
    """Return the call that passes a variable's value."""
    type_ = VALUE_TYPES[control.type]
    value = f"static_cast<{type_}>({control.value})" if cplusplus else f"({type_})({control.value})"
    return f"POMP_Value_{control.type}({names.reach}, {value});"


def iteration(names: DescriptorNames, variable: str, cplusplus: bool) -> str:
    """Return the call at the beginning of an iteration."""
    value = f"static_cast<long>({variable})" if cplusplus else f"(long)({variable})"
    return f"POMP_Iteration({names.reach}, {value});"


def section(names: DescriptorNames) -> Wrapped:
    """Return the text around the block of one section: events of its sections construct."""
    row = DIRECTIVES["section"]
    begin, end = (call(row.event, kind, names) for kind in row.inside)
    return Wrapped(f"{pragma('section')} {{ {begin}", f"{end} }}")


def _measured_from_outside(
    directive: Directive, clauses: tuple[ClauseText, ...], names: DescriptorNames
) -> Wrapped:
    """Return what stands round a combined construct that is measured from outside.

    The events are those of a team of which one thread is seen, that which meets the construct.
    """
    assert directive.leaves
    outer = DIRECTIVES[directive.leaves[0]]
    fork, join = (call(outer.event, kind, names) for kind in outer.around)
    begin, end = (call(outer.event, kind, names) for kind in outer.inside)
    unchanged = pragma(directive.words, _with_argument(None, clauses))
    return Wrapped(f"{{ {fork} {begin} {unchanged}", f"{end} {join} }}")


def _parallel(directive: Directive, clauses: str, names: DescriptorNames, end: End) -> Wrapped:
    team = f"__pomp_team{names.number}"
    fork, join = (f"POMP_{directive.event}_{kind}({names.reach})" for kind in directive.around)
    first, last = (call(directive.event, kind, names) for kind in directive.inside)
    opening = (
        f"{{ void *{team} = ({fork}, POMP_Get_team()); "
        f"{pragma(directive.words, clauses, f'firstprivate({team})')} "
        f"{{ POMP_Set_team({team}); {first}"
    )
    waiting = f"{_barrier(names, end)} " if end.barrier else ""
    return Wrapped(opening, f"{waiting}{last} }} {join}; }}")


def _plain(
    directive: Directive,
    clauses: str,
    construct: Construct,
    names: DescriptorNames,
    end: End,
    cplusplus: bool,
) -> Wrapped:
    token = names.keeper.own_token if names.keeper else f"__pomp_task{names.number}"
    creation = _creation_event(directive, names) if directive.is_deferred else None
    opening, closing = ["{"], []
    if directive.scheduling and not names.keeper:
        opening.append(f"void *{token} = POMP_Get_task();")
    if directive.around:
        opening.append(_enter_event(directive, names, creation))
    if names.iterations:
        opening.append(f"POMP_Iterations_begin({names.reach});")
        closing.append(f"POMP_Iterations_end({names.reach});")
    added = creation.clause if creation else "nowait" if end.nowait else ""
    opening.append(pragma(directive.words, clauses, added))
    if directive.inside and construct.block is not None:
        opening.append(f"{{ {_begin_event(directive, names, creation)}")
        closing.append(f"{call(directive.event, directive.inside[1], names)} }}")
    if directive.scheduling:
        closing.append(f"POMP_Set_task({token});")
    if end.barrier:
        closing.append(_barrier(names, end))
    if directive.around:
        closing.append(call(directive.event, directive.around[1], names))
    closing.append("}")
    return Wrapped(" ".join(opening), " ".join(closing))


def _creation_event(directive: Directive, names: DescriptorNames) -> _Creation:
    first = call(directive.event, directive.around[0] if directive.around else "", names)
    token = f"__pomp_made{names.number}"
    entered = f"void *{token} = ({first.rstrip(';')}, POMP_Get_creation());"
    return _Creation(entered, f"firstprivate({token})", token)


def _enter_event(directive: Directive, names: DescriptorNames, creation: _Creation | None) -> str:
    """Return the first event around a construct."""
    if creation:
        return creation.entered
    first = call(directive.event, directive.around[0] if directive.around else "", names)
    return f"{guards.first_statement(names.flag)} {first}" if names.guarded else first


def _begin_event(directive: Directive, names: DescriptorNames, creation: _Creation | None) -> str:
    """Return the first event within a construct."""
    first = call(directive.event, directive.inside[0] if directive.inside else "", names)
    if creation:
        first = f"POMP_Set_creation({creation.token}), {first}"
    if names.keeps:
        return f"void *{names.own_token} = ({first.rstrip(';')}, POMP_Get_task());"
    is_guarded = names.guarded and not directive.around
    return f"{guards.first_statement(names.flag)} {first}" if is_guarded else first


def _barrier(names: DescriptorNames, end: End) -> str:
    """Return an explicit barrier, whose calls get the descriptor of the construct that implies it."""
    row = DIRECTIVES["barrier"]
    enter, leave = (call(row.event, kind, names) for kind in row.around)
    waits = pragma(row.words)
    if not end.alone:
        waits = f"if ({TEAM_SIZE}() > 1) {{ {waits} }}"
    return f"{enter} {waits} {leave}"


def _with_argument(argument: str | None, clauses: tuple[ClauseText, ...]) -> str:
    written = [str(clause) for clause in clauses]
    return " ".join(written if argument is None else [f"({argument})", *written])
