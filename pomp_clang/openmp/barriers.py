"""How the barrier that a construct implies gets its times: by a barrier with events of its own
in its place, or from the OpenMP runtime, which tells of it by OMPT."""

from __future__ import annotations

from enum import Enum

from pomp_clang.openmp.directives import Barrier
from pomp_clang.record import record


class Barriers(Enum):
    """The values of the first three are those of --pomp-barriers."""

    ARRIVAL = "arrival"
    """made explicit, but for the barrier at a parallel region's end: that is left as it is, and
    the runtime derives the waiting from the times at which the members arrive"""
    EXPLICIT = "explicit"
    """made explicit (POMP paper, section 3.1)"""
    OMPT = "ompt"
    """left as they are; the runtime tells when they begin and end"""
    LIBOMP = "libomp"
    """made explicit, a region's own only in a team of more than one: in one thread's, libomp 19
    takes a task team that detached tasks left to other regions for its own, and aborts"""


@record
class End:
    """What the end of a construct becomes: whether it gets a nowait, and whether a barrier
    with events is put there, which a thread that is `alone` in its team has, too."""

    nowait: bool
    barrier: bool
    alone: bool = True


AS_IT_IS = End(nowait=False, barrier=False)

ENDS: dict[tuple[Barriers, Barrier, bool], End] = {
    (Barriers.ARRIVAL, Barrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.ARRIVAL, Barrier.NOWAIT, True): End(nowait=True, barrier=False),
    (Barriers.ARRIVAL, Barrier.ADDED, False): AS_IT_IS,
    (Barriers.EXPLICIT, Barrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.EXPLICIT, Barrier.NOWAIT, True): End(nowait=True, barrier=True),
    (Barriers.EXPLICIT, Barrier.ADDED, False): End(nowait=False, barrier=True),
    (Barriers.LIBOMP, Barrier.NOWAIT, False): End(nowait=True, barrier=True),
    (Barriers.LIBOMP, Barrier.NOWAIT, True): End(nowait=True, barrier=True, alone=False),
    (Barriers.LIBOMP, Barrier.ADDED, False): End(nowait=False, barrier=True, alone=False),
    (Barriers.OMPT, Barrier.NOWAIT, False): AS_IT_IS,
    (Barriers.OMPT, Barrier.NOWAIT, True): End(nowait=True, barrier=False),
    (Barriers.OMPT, Barrier.ADDED, False): AS_IT_IS,
}
"""By the directive's row, and whether it is the inner part of a combined construct: that has
one barrier, which is the parallel region's."""
