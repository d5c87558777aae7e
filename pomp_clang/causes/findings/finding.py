"""A finding of a trace: a property at a statement, or several properties of one cause."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.property_row import PropertyText
from pomp_clang.causes.cube.instance_statistics import Instance, Statistics
from pomp_clang.causes.remedies.remedy_prediction import RemedyPrediction


@dataclass(frozen=True, slots=True)
class Finding:
    """A property at a statement: seconds by thread, without those of its parts that have a remedy
    themselves. `path` is the costliest call path that leads to the statement, and `paths` are all of
    them with their seconds, the costliest first. `gain` is the predicted saving of wall time in seconds, None if it was not
    predicted. `instances` are the worst, and `statistics` those of all instances, including the
    parts'; both are empty if the instances are not known. `remedies` are the remedies that were
    simulated on the trace and help, the best one first. A finding of several others has these as
    its `parts`, its own texts and a `reason`. The gains of the parts add up or one is a part of the other. The parts
    differ in place only if `is_combined`."""

    metric: int
    path: int
    threads: npt.NDArray[np.float64]
    paths: tuple[tuple[int, float], ...] = ()
    gain: float | None = None
    instances: tuple[Instance, ...] = ()
    statistics: Statistics | None = None
    remedies: tuple[RemedyPrediction, ...] = ()
    parts: tuple[Finding, ...] = ()
    text: PropertyText | None = None
    reason: str = ""
    adds: bool = False
    is_combined: bool = False

    @property
    def severity(self) -> float:
        return float(self.threads.sum())
