"""Where the times of implied barriers come from in a run."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.experiment.model import Experiment


@dataclass(frozen=True, slots=True)
class BarrierSource:
    """How many regions' implied barriers were left as they are and told of by the OpenMP
    runtime (`told`), or were to be and were not (`missed`), and how many there are besides."""

    told: int
    missed: int
    others: int


def barrier_source(experiment: Experiment) -> BarrierSource:
    left = sum(region.by_ompt for region in experiment.regions)
    told = left if experiment.ompt else 0
    return BarrierSource(told, left - told, len(experiment.regions) - left)
