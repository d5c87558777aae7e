"""Experiments, traces of other tools and saved cubes -> cubes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress, Run, gather
from pomp_clang.causes.store import is_cube, load
from pomp_clang.trace.reader import has_trace, read


@dataclass(frozen=True, slots=True)
class Analysed:
    """`run` is None where the cube was saved and its trace is gone."""

    cube: Cube
    run: Run | None


def has_causes(place: str) -> bool:
    """Whether there is what they can be told from."""
    return has_trace(place) or is_cube(place)


def analysed(place: str, kinds: list[type[Property]], progress: Progress) -> Analysed:
    """Of the trace; of what was saved where that is gone, or is what is named.

    Raises ExperimentError where neither can be read, PropertyError where a property goes wrong.
    """
    if is_cube(place) and (Path(place).is_file() or not has_trace(place)):
        return Analysed(load(place), None)
    run = gather(read(place), progress)
    return Analysed(compute(run, kinds, progress), run)
