"""Waits of threads that have cancelled a construct, or have seen that it was canceled."""

from __future__ import annotations

from pomp_clang.causes.barriers import waited
from pomp_clang.causes.instance_sources import Pieces, barrier_waits
from pomp_clang.causes.properties.openmp import ImplicitWait
from pomp_clang.causes.property import Property, Remedy
from pomp_clang.causes.run import Cells, Run


class CancelWait(Property):
    """Last of the team to come to the construct's end - own cancel or cancellation point."""

    name = "Wait after Cancellation"
    parent = ImplicitWait
    description = "A construct was canceled; threads that know of it wait for those that do not."
    advice = (
        "Let all threads see the cancellation sooner: add a cancellation point where one works "
        "for long, or make the iterations or sections smaller."
    )
    remedy = Remedy.STOP

    def severity(self, run: Run) -> Cells:
        found, last = run.cells(), run.instances.last
        for row, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
            met = course.arrivals
            if met.is_cancelled.any():
                ticks = waited(course, of, last) * met.is_cancelled
                run.add(found, row, met.path, ticks / run.second)
        return found

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=False, after_cancel=True)
