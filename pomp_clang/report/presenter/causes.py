"""The causes of an experiment: of its trace, or as they were saved where that is gone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pomp_clang.causes import store
from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.findings import Finding, findings
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.registry import properties
from pomp_clang.causes.run import gather
from pomp_clang.progress import Bar
from pomp_clang.trace.layout import FILE_GLOB
from pomp_clang.trace.reader import read

_PREDICTED = 20
"""So many of the worst causes are shown with what the program would gain without them."""


@dataclass(frozen=True, slots=True)
class Causes:
    cube: Cube
    found: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def is_traced(directory: str) -> bool:
    return next(Path(directory).glob(FILE_GLOB), None) is not None


def has_causes(directory: str) -> bool:
    return is_traced(directory) or (Path(directory) / store.FILE_NAME).is_file()


def causes_of(directory: str, own: str | None = None) -> Causes:
    """`own` is a file with the user's properties.

    Raises ExperimentError and PropertyError, of one line.
    """
    if not is_traced(directory):
        cube = store.load(directory)
        note = "The trace is gone: these are the causes as they were saved, without predictions."
        return Causes(cube, tuple(findings(cube, _PREDICTED)), (note,))
    bar = Bar()
    try:
        kinds = properties(own)
        run = gather(read(directory), bar)
        cube = compute(run, kinds, bar)

        def gain(found: Finding) -> float | None:
            bar(f"predicting {kinds[found.metric].name}", 0)
            return gain_of(run, kinds[found.metric], found.path)

        found = findings(cube, _PREDICTED, gain)
    finally:
        bar.end()
    lost = sum(each.unrecorded for each in run.records.locations.values())
    note = f"{lost} events were not recorded: times after them are those of what was open then."
    return Causes(cube, tuple(found), (note,) if lost else ())
