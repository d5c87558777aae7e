"""The barrier at the end of a construct, whichever language it is written in."""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct
from pomp_clang.openmp.barriers import AS_IT_IS, ENDS, Barriers, End
from pomp_clang.openmp.directives import Directive, ImpliedBarrier
from pomp_clang.rewrite.descriptor_flags import has_nowait, keeps_barrier, may_be_left_early


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
