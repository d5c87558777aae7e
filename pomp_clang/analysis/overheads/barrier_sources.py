"""Sources of the times of implied barriers in a run."""

from __future__ import annotations

from pomp_clang.analysis.columns import Overhead, columns_of
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BarrierSource:
    """Numbers of regions by the source of their implied barrier's time.

    `by_ompt`: reported by the OpenMP runtime. `missed`: should have been reported. `arrival`: derived
    from the threads' arrivals. `explicit`: made explicit when the program was compiled.
    """

    by_ompt: int
    missed: int
    arrival: int
    explicit: int


def barrier_source(experiment: Experiment) -> BarrierSource:
    left = sum(region.by_ompt for region in experiment.regions)
    by_ompt = left if experiment.ompt else 0
    arrival = sum(region.by_arrival for region in experiment.regions)
    explicit = sum(map(_made_explicit, experiment.regions))
    return BarrierSource(by_ompt, left - by_ompt, arrival, explicit)


def _made_explicit(region: Region) -> bool:
    if region.by_ompt or region.by_arrival or region.nowait or not region.barrier_measured:
        return False
    return any(
        column.name == "exitBarT" and column.overhead is not Overhead.SYNC
        for column in columns_of(region.kind)
    )
