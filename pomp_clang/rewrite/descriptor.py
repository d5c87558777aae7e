"""The values of a construct's descriptor, whichever language they are written in: flags, name,
clauses, and the barrier at the construct's end.
"""

from __future__ import annotations

from bisect import bisect_left

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.openmp.barriers import AS_IT_IS, ENDS, Barriers, End
from pomp_clang.openmp.directives import Directive, DirectiveForm, ImpliedBarrier
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.record import record
from pomp_clang.rewrite.combined import is_task_reduction


def has_nowait(construct: Construct) -> bool:
    """Return True if the programmer wrote nowait.

    An argument (OpenMP 6.0) leaves it open.
    """
    return construct.reading is not None and construct.reading.clause("nowait") is not None


def keeps_barrier(construct: Construct) -> bool:
    """Return True if the implied barrier has to stay as it is.

    Cancellation, copyprivate and task reductions exclude nowait (OpenMP 5.2, 11.1, 11.2, 5.5.8).
    """
    reading, directive = construct.reading, construct.directive
    if reading is None or directive is None:
        return False
    task = not directive.leaves and any(map(is_task_reduction, reading.clauses))
    return construct.cancelled or task or reading.clause("copyprivate") is not None


def may_be_left_early(construct: Construct) -> bool:
    """Return True if a barrier directive at the end would be a cancellation point.

    The end of a parallel region is none: libgomp 12 hangs in such a directive when a nested team
    has run tasks.
    """
    leaf = construct.leaf
    return construct.cancelled and leaf is not None and leaf.barrier is ImpliedBarrier.ADDED


def flags(
    construct: Construct, barriers: Barriers = Barriers.EXPLICIT, from_outside: bool = False
) -> DescriptorFlag:
    """Return the flags of a construct; `from_outside` if it is measured from outside."""
    if from_outside:
        return DescriptorFlag.BARRIER_NOT_MEASURED
    value = _unmeasured(construct)
    if barriers is Barriers.OMPT and DescriptorFlag.NOWAIT not in value and _waits(construct):
        value = DescriptorFlag.OMPT
    if barriers is Barriers.ARRIVAL and not value and ends_region(construct):
        value = DescriptorFlag.ARRIVAL
    if is_release(construct):
        value |= DescriptorFlag.RELEASE
    if construct.untied:
        value |= DescriptorFlag.UNTIED
    if construct.function is not None:
        value |= DescriptorFlag.FUNCTION
    return value


def _unmeasured(construct: Construct) -> DescriptorFlag:
    """Return why no barrier at the construct's end is measured, if none is."""
    value = DescriptorFlag(0)
    leaf = construct.leaf
    if leaf is not None and leaf.barrier is ImpliedBarrier.NOWAIT:
        nowait = construct.reading.clause("nowait") if construct.reading else None
        if nowait is not None and nowait.argument is None:
            value |= DescriptorFlag.NOWAIT
        elif nowait is not None or keeps_barrier(construct):
            value |= DescriptorFlag.BARRIER_NOT_MEASURED
    if may_be_left_early(construct):
        value |= DescriptorFlag.BARRIER_NOT_MEASURED
    return value


def ends_region(construct: Construct) -> bool:
    """Return whether the barrier implied at the construct's end is a parallel region's."""
    directive = construct.directive
    return directive is not None and (
        bool(directive.leaves) or directive.barrier is ImpliedBarrier.ADDED
    )


def _waits(construct: Construct) -> bool:
    """Return True if a barrier is implied at the construct's end."""
    directive = construct.directive
    return directive is not None and (
        bool(directive.leaves) or directive.barrier is not ImpliedBarrier.NONE
    )


def is_release(construct: Construct) -> bool:
    """Return whether the construct is a call that lets a lock go."""
    return construct.routine is not None and construct.routine.releases


def barrier_at_end(directive: Directive, construct: Construct, barriers: Barriers) -> End:
    """Return the treatment of the barrier at the end of one directive of a construct."""
    if directive.barrier is ImpliedBarrier.NONE or may_be_left_early(construct):
        return AS_IT_IS
    is_part = directive.barrier is ImpliedBarrier.NOWAIT
    if is_part and (has_nowait(construct) or keeps_barrier(construct)):
        return AS_IT_IS
    assert construct.directive is not None
    combined = is_part and bool(construct.directive.leaves)
    return ENDS[barriers, directive.barrier, combined]


_LONGEST_TEXT = 400
"""ISO C90 promises string literals of 509 characters; -Woverlength-strings says so."""


@record
class DescriptorValues:
    """The members of `struct ompregdescr` that a construct determines; `file` is named as the
    compiler names it, and "" stands for no `sub_name`."""

    name: str
    sub_name: str
    num_sections: int
    file: str
    begin_line1: int
    begin_line_n: int
    end_line1: int
    end_line_n: int
    flags: DescriptorFlag
    begin_column: int
    clauses: str
    function: str
    included_from: tuple[tuple[str, int], ...] = ()


def descriptor_values(
    constructs: Constructs,
    construct: Construct,
    barriers: Barriers,
    from_outside: bool,
    reading: int | None = None,
) -> DescriptorValues:
    """Return the values for a construct; `from_outside` if it is measured from outside.

    `reading` is the number of the reading of its file, if that is included inside declarations and
    each reading has a descriptor.
    """
    source = constructs.source
    first = source.origin(construct.begin.start)
    if construct.control is not None and construct.pair is not None:
        closing = constructs.items[construct.pair].begin
        ends = closing.start, closing.end - 1
    elif construct.end_directive is not None:
        ends = construct.end_directive.start, construct.end_directive.end - 1
    else:
        last = construct.block.end if construct.block else construct.begin.end
        ends = (max(last, construct.extent.end) - 1,) * 2
    end1, end_n = (source.origin_line(end, first) for end in ends)
    return DescriptorValues(
        descriptor_name(construct),
        _sub_name(construct),
        _num_sections(construct),
        *first,
        source.origin_line(construct.begin.end - 1, first),
        end1,
        end_n,
        flags(construct, barriers, from_outside),
        source.column(construct.begin.start),
        clauses_text(construct),
        _function(construct, reading),
        constructs.enclosures[reading].places if reading is not None else (),
    )


def _function(construct: Construct, reading: int | None) -> str:
    """Return the function around a construct, which differs at each inclusion of its file."""
    if reading is None:
        return construct.declaration_site.function
    return construct.reading_functions[bisect_left(construct.readings, reading)]


def descriptor_name(construct: Construct) -> str:
    """Return the descriptor's `name`: the directive's words, "lock", or "region"."""
    return "region" if construct.function is not None else construct.kind


def _sub_name(construct: Construct) -> str:
    return construct.sub_name[:_LONGEST_TEXT] if construct.function else construct.sub_name


def clauses_text(construct: Construct) -> str:
    """Return the clauses as one text, cut where a string literal may no longer be portable."""
    if construct.reading is None:
        return ""
    return " ".join(map(str, construct.reading.clauses))[:_LONGEST_TEXT]


def _num_sections(construct: Construct) -> int:
    if construct.leaf is None or construct.leaf.form is not DirectiveForm.SECTIONS:
        return 0
    return len(construct.separators) + construct.implicit_first_section
