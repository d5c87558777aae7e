"""The cost of barriers themselves: the time in a barrier after all threads have arrived.

Below it are the waits of threads that have canceled a construct, or have seen that it was canceled.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.analysis import property_texts
from pomp_clang.causes.properties.instance_sources import Pieces, barrier_waits, scaled
from pomp_clang.causes.properties.measurement_cost import own_cost
from pomp_clang.causes.properties.openmp import Explicit, Implicit, ImplicitWait
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.run.instance import in_pieces, piece_of
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.barriers import completed
from pomp_clang.causes.timeline.location_timeline import sums
from pomp_clang.causes.waits.kernel_waits import beside_kernels, left_for_kernels
from pomp_clang.causes.waits.thread_waits import is_met_by_all
from pomp_clang.trace.model import Ints


def _completion_ticks(run: Run) -> Iterator[Ints]:
    """Yield, for each location, the ticks of each arrival in its barrier after that of all members."""
    for row, ticks in enumerate(completed(run.timelines, run.instances, is_met_by_all(run))):
        ticks -= left_for_kernels(run, row)
        yield ticks


@once
def _completion_seconds(run: Run) -> Cells:
    """Return seconds, first those of implied barriers and then those of explicit ones."""
    severity = np.zeros((2, len(run.paths), len(run.threads)))
    for row, ticks in enumerate(_completion_ticks(run)):
        arrivals = run.timelines[row].arrivals
        path = run.places.rows[arrivals.path] + arrivals.is_explicit * len(run.paths)
        severity[:, :, run.thread[row]] += sums(path, ticks, 2 * len(run.paths)).reshape(2, -1)
    return np.asarray(severity / run.second)


@once
def _net(run: Run) -> Cells:
    """Return the same without what the measurement takes."""
    cost, severity = own_cost(run), _completion_seconds(run).copy()
    for cells, activity in zip(severity, (Activity.IMPLICIT, Activity.EXPLICIT), strict=True):
        np.maximum(0, cells - cost.get(activity, 0.0), out=cells)
    return severity


def net_parts(run: Run) -> Cells:
    """Return the part of the time that is not the measurement's, by call path and thread."""
    gross = _completion_seconds(run)
    return np.divide(_net(run), gross, out=np.ones(gross.shape), where=gross > 0)


def _completions(run: Run, is_explicit: bool) -> Pieces:
    """Return what threads take out of barriers to which all have come, up to when they leave."""
    return scaled(_gross_completions(run, is_explicit), net_parts(run)[int(is_explicit)])


def _gross_completions(run: Run, is_explicit: bool) -> Pieces:
    for row, ticks in enumerate(_completion_ticks(run)):
        arrivals = run.timelines[row].arrivals
        for piece in in_pieces(np.flatnonzero((arrivals.is_explicit == is_explicit) & (ticks > 0))):
            end, path = arrivals.leave[piece], run.places.rows[arrivals.path[piece]]
            yield piece_of(
                run.second, int(run.thread[row]), path, end - ticks[piece], end, ticks[piece]
            )


class ExplicitCompletion(Property):
    """Leaving the barrier - last of the team to enter it, or to end a task in it."""

    name = "Barrier Completion"
    parent = Explicit
    description = property_texts.BARRIER_OVERHEAD.description
    advice = property_texts.BARRIER_OVERHEAD.advice
    remedy = Remedy.COMPLETE

    def severity(self, run: Run) -> Cells:
        return np.asarray(_net(run)[1])

    def instances(self, run: Run) -> Pieces:
        return _completions(run, is_explicit=True)


class ImplicitCompletion(Property):
    """Leaving the barrier - last of the team to enter it, or to end a task in it."""

    name = "Barrier Completion"
    parent = Implicit
    description = property_texts.BARRIER_OVERHEAD.description
    advice = property_texts.IMPLIED_BARRIER_OVERHEAD.advice
    remedy = Remedy.COMPLETE

    def severity(self, run: Run) -> Cells:
        return np.asarray(_net(run)[0])

    def instances(self, run: Run) -> Pieces:
        return _completions(run, is_explicit=False)


class CancelWait(Property):
    """Last of the team to come to the construct's end - own cancel or cancellation point."""

    name = "Wait after Cancellation"
    parent = ImplicitWait
    description = property_texts.WAIT_AFTER_CANCELLATION.description
    advice = property_texts.WAIT_AFTER_CANCELLATION.advice
    remedy = Remedy.STOP

    def severity(self, run: Run) -> Cells:
        severity = run.cells()
        for row, timeline in enumerate(run.timelines):
            arrivals = timeline.arrivals
            if arrivals.is_cancelled.any():
                ticks = beside_kernels(run, row, for_tasks=False) * arrivals.is_cancelled
                run.add(severity, row, arrivals.path, ticks / run.second)
        return severity

    def instances(self, run: Run) -> Pieces:
        return barrier_waits(run, is_explicit=False, for_tasks=False, after_cancel=True)
