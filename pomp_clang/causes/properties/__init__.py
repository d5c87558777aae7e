"""The properties that come with pomp-clang, in the order of their tree."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.causes.properties import (
    completion,
    critical_path,
    delay,
    imbalance,
    mpi,
    mpi_counts,
    openmp,
    threads,
    time,
)
from pomp_clang.causes.properties.property import Property, defined_in


def _with_further_parts(
    kinds: tuple[type[Property], ...], parts: tuple[type[Property], ...]
) -> Iterator[type[Property]]:
    """Yield the properties, each with those of the further parts that are its own behind it."""
    for kind in kinds:
        yield kind
        yield from (part for part in parts if part.parent is kind)


PROPERTIES: tuple[type[Property], ...] = (
    *defined_in(time),
    *defined_in(mpi),
    *_with_further_parts(defined_in(openmp), defined_in(completion)),
    *defined_in(threads),
    *defined_in(imbalance),
    *defined_in(mpi_counts),
    *defined_in(critical_path),
    *defined_in(delay),
)
