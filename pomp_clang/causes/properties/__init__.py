"""The properties that come with pomp-clang, in the order of their tree."""

from __future__ import annotations

from pomp_clang.causes.properties import (
    critical_path,
    delay,
    imbalance,
    mpi,
    mpi_counts,
    openmp,
    targets,
    threads,
    time,
)
from pomp_clang.causes.property import Property

PROPERTIES: tuple[type[Property], ...] = (
    *time.PROPERTIES,
    *mpi.PROPERTIES,
    *openmp.PROPERTIES,
    targets.Target,
    *threads.PROPERTIES,
    targets.IdleDuringTarget,
    *imbalance.PROPERTIES,
    *mpi_counts.PROPERTIES,
    *critical_path.PROPERTIES,
    *delay.PROPERTIES,
)
