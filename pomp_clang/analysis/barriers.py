"""Where the times of implied barriers come from in a run."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.columns import Overhead, columns_of


@dataclass(frozen=True, slots=True)
class BarrierSource:
    """How many regions' implied barriers were left as they are and told of by the OpenMP
    runtime (`told`), or were to be and were not (`missed`), how many were left as they are and
    derived from the threads' arrivals (`arrival`), and how many were made explicit."""

    told: int
    missed: int
    arrival: int
    explicit: int


def barrier_source(experiment: Experiment) -> BarrierSource:
    left = sum(region.by_ompt for region in experiment.regions)
    told = left if experiment.ompt else 0
    arrival = sum(region.by_arrival for region in experiment.regions)
    explicit = sum(map(_made_explicit, experiment.regions))
    return BarrierSource(told, left - told, arrival, explicit)


def _made_explicit(region: Region) -> bool:
    if region.by_ompt or region.by_arrival or region.nowait or not region.barrier_measured:
        return False
    return any(
        column.name == "exitBarT" and column.overhead is not Overhead.SYNC
        for column in columns_of(region.kind)
    )
