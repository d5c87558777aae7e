"""The ways in which the barrier that a construct implies gets its times.

A barrier with events takes its place, or the OpenMP runtime reports it by OMPT.
"""

from __future__ import annotations

from enum import Enum

from pomp_clang.openmp.directives import ImpliedBarrier
from pomp_clang.record import record


class Barriers(Enum):
    """The values of the first three are those of --pomp-barriers."""

    ARRIVAL = "arrival"
    """made explicit, except at a parallel region's end, where the runtime derives the wait from
    the arrival times of the members"""
    EXPLICIT = "explicit"
    """made explicit (POMP paper, section 3.1)"""
    OMPT = "ompt"
    """left as they are; the runtime tells when they begin and end"""
    LIBOMP = "libomp"
    """made explicit, a region's own only in a team of more than one thread: in a team of one,
    libomp 19 mistakes a task team that detached tasks left behind for its own, and aborts"""


@record
class End:
    """The treatment of a construct's end: a nowait, and a barrier with events.

    `alone` is True if a thread that is alone in its team meets the barrier, too.
    """

    nowait: bool
    barrier: bool
    alone: bool = True


AS_IT_IS = End(nowait=False, barrier=False)

ENDS: dict[tuple[Barriers, ImpliedBarrier, bool], End] = {
    (Barriers.ARRIVAL, ImpliedBarrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.ARRIVAL, ImpliedBarrier.NOWAIT, True): End(nowait=True, barrier=False),
    (Barriers.ARRIVAL, ImpliedBarrier.ADDED, False): AS_IT_IS,
    (Barriers.EXPLICIT, ImpliedBarrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.EXPLICIT, ImpliedBarrier.NOWAIT, True): End(nowait=True, barrier=True),
    (Barriers.EXPLICIT, ImpliedBarrier.ADDED, False): End(nowait=False, barrier=True),
    (Barriers.LIBOMP, ImpliedBarrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.LIBOMP, ImpliedBarrier.NOWAIT, True): End(nowait=True, barrier=True, alone=False),
    (Barriers.LIBOMP, ImpliedBarrier.ADDED, False): End(nowait=False, barrier=True, alone=False),
    (Barriers.OMPT, ImpliedBarrier.NOWAIT, False): AS_IT_IS,
    (Barriers.OMPT, ImpliedBarrier.NOWAIT, True): End(nowait=True, barrier=False),
    (Barriers.OMPT, ImpliedBarrier.ADDED, False): AS_IT_IS,
}
"""By the directive's row, and whether it is the inner part of a combined construct: that has
one barrier, which is the parallel region's."""
