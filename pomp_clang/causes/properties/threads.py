"""Threads that are reserved and idle, and target constructs: what the host's threads are in them,
and what the others miss meanwhile.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis import property_texts
from pomp_clang.causes.properties.instance_sources import (
    Pieces,
    idle,
    intervals,
    limited,
    not_busy,
    scaled,
    shares,
)
from pomp_clang.causes.properties.measurement_cost import net_part, net_seconds
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.properties.time import Execution, Time
from pomp_clang.causes.run.idle import (
    idle_beside_main,
    idle_beside_maps,
    idle_of,
    joins_of,
    maps_of,
    serial_of,
)
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.places import in_target, waits_for_kernels


def _at_targets(run: Run, cells: Cells) -> Cells:
    return np.asarray(np.where(in_target(run.paths)[:, None], cells, 0.0))


def _awaits_device(run: Run) -> npt.NDArray[np.bool_]:
    """Return, for each path, whether it is in a target construct or waits for kernels."""
    return in_target(run.paths) | waits_for_kernels(run.paths)


class Target(Property):
    """The time of threads in target constructs, without the time of OpenMP on the host."""

    name = "Target"
    parent = Execution
    description = (
        "Time of the host's threads in target constructs: a device or the host runs them, or data is "
        "moved."
    )

    def severity(self, run: Run) -> Cells:
        return _at_targets(run, net_seconds(run, Activity.COMPUTE)) + run.seconds(Activity.MAP)

    def instances(self, run: Run) -> Pieces:
        part = net_part(run, Activity.COMPUTE) * in_target(run.paths)[:, None]
        mapping = shares(run, (Activity.MAP,), run.cells() + 1)
        return chain(scaled(intervals(run, (Activity.COMPUTE,)), part), mapping)


class IdleThreads(Property):
    """The main thread's time outside teams, on the others, with Limited Parallelism (EXPERT)."""

    name = "Idle Threads"
    parent = Time
    description = property_texts.IDLE_THREADS.description
    advice = property_texts.IDLE_THREADS.advice
    remedy = Remedy.SHARE_OUT

    def severity(self, run: Run) -> Cells:
        idle, limited = idle_of(run)
        return idle + limited

    def instances(self, run: Run) -> Pieces:
        return idle(run)


class LimitedParallelism(Property):
    """A team's time, on the threads that are not in it (Scalasca)."""

    name = "Limited Parallelism"
    parent = IdleThreads
    description = property_texts.LIMITED_PARALLELISM.description
    advice = property_texts.LIMITED_PARALLELISM.advice
    remedy = Remedy.WIDEN

    def severity(self, run: Run) -> Cells:
        return idle_of(run)[1]

    def instances(self, run: Run) -> Pieces:
        return limited(run)


class IdleBesideOthers(Property):
    """The main thread's waits for threads that the program made, on those that are in no team."""

    name = "Idle Beside Other Teams"
    parent = Time
    description = "Threads are idle while the main thread waits for threads that the program made."

    def severity(self, run: Run) -> Cells:
        return idle_beside_main(run)

    def instances(self, run: Run) -> Pieces:
        joins = joins_of(run)
        yield from not_busy(run, joins.begin, joins.end, joins.path)


class IdleDuringTarget(Property):
    """Idle Threads where the main thread is in a target construct, or waits for kernels."""

    name = "Idle During Target"
    parent = IdleThreads
    description = property_texts.IDLE_DURING_TARGET.description
    advice = property_texts.IDLE_DURING_TARGET.advice
    remedy = Remedy.OVERLAP

    def severity(self, run: Run) -> Cells:
        idle_there = np.where(_awaits_device(run)[:, None], idle_of(run)[0], 0.0)
        return np.asarray(idle_there + idle_beside_maps(run))

    def instances(self, run: Run) -> Pieces:
        since, until, path = serial_of(run)
        is_target = _awaits_device(run)[path]
        yield from not_busy(run, since[is_target], until[is_target], path[is_target])
        yield from not_busy(run, *maps_of(run))
