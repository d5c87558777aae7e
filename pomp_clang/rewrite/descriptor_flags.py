"""The barrier at a construct's end, in any language; and the flags of a descriptor: that barrier,
tasks, lock calls."""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct
from pomp_clang.openmp.barriers import AS_IT_IS, ENDS, Barriers, End
from pomp_clang.openmp.descriptor import DescriptorFlag
from pomp_clang.openmp.directives import Directive, ImpliedBarrier
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
