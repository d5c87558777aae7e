"""The properties that come with pomp-clang, in the order of their tree."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.causes.properties import (
    cancellation,
    completion,
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


def _with(
    kinds: tuple[type[Property], ...], parts: tuple[type[Property], ...]
) -> Iterator[type[Property]]:
    """Yield the properties, each with those of the further parts that are its own behind it."""
    for kind in kinds:
        yield kind
        yield from (part for part in parts if part.parent is kind)


PROPERTIES: tuple[type[Property], ...] = (
    *time.PROPERTIES,
    *mpi.PROPERTIES,
    *_with(openmp.PROPERTIES, (*completion.PROPERTIES, *cancellation.PROPERTIES)),
    targets.Target,
    *threads.PROPERTIES,
    targets.IdleDuringTarget,
    *imbalance.PROPERTIES,
    *mpi_counts.PROPERTIES,
    *critical_path.PROPERTIES,
    *delay.PROPERTIES,
)
