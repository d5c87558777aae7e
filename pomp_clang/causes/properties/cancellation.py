"""Waits of threads that have cancelled a construct, or have seen that it was canceled."""

from __future__ import annotations

from pomp_clang.analysis import property_texts
from pomp_clang.causes.properties.instance_sources import Pieces, barrier_waits
from pomp_clang.causes.properties.openmp import ImplicitWait
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.barriers import waited


class CancelWait(Property):
    """Last of the team to come to the construct's end - own cancel or cancellation point."""

    name = "Wait after Cancellation"
    parent = ImplicitWait
    description = property_texts.WAIT_AFTER_CANCELLATION.description
    advice = property_texts.WAIT_AFTER_CANCELLATION.advice
    remedy = Remedy.STOP

    def severity(self, run: Run) -> Cells:
        severity, last = run.cells(), run.instances.last
        for row, (timeline, instance) in enumerate(
            zip(run.timelines, run.instances.of, strict=True)
        ):
            arrivals = timeline.arrivals
            if arrivals.is_cancelled.any():
                ticks = waited(timeline, instance, last) * arrivals.is_cancelled
                run.add(severity, row, arrivals.path, ticks / run.second)
        return severity

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=False, after_cancel=True)
