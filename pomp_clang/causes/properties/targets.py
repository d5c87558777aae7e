"""Target constructs: what the host's threads are in them, and what the others miss meanwhile."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.idle import idle_of
from pomp_clang.causes.own_cost import net_seconds
from pomp_clang.causes.places import in_target
from pomp_clang.causes.properties.threads import IdleThreads
from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.property import Property, Remedy
from pomp_clang.causes.run import Cells, Run


def _at_targets(run: Run, cells: Cells) -> Cells:
    return np.asarray(np.where(in_target(run.paths)[:, None], cells, 0.0))


class Target(Property):
    """The time of threads in target constructs but for what OpenMP takes there on the host."""

    name = "Target"
    parent = Execution
    description = (
        "Time of the host's threads in target constructs: a device works, or data is moved."
    )

    def severity(self, run: Run) -> Cells:
        return _at_targets(run, net_seconds(run, Activity.COMPUTE))


class IdleDuringTarget(Property):
    """Idle Threads where the main thread is in a target construct."""

    name = "Idle During Target"
    parent = IdleThreads
    description = "Threads have nothing to do while the first one is in a target construct."
    advice = "Add nowait to the target constructs and give the host's threads a part of the work."
    remedy = Remedy.OVERLAP

    def severity(self, run: Run) -> Cells:
        return _at_targets(run, idle_of(run)[0])
