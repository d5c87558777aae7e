"""The causes of an experiment, with what the program would gain without the worst."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.experiments import analysed
from pomp_clang.causes.findings import Finding, findings
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import properties
from pomp_clang.causes.run import Run
from pomp_clang.progress import Bar

PREDICTED = 20
"""So many of the worst causes are shown with what the program would gain without them."""


@dataclass(frozen=True, slots=True)
class Causes:
    """`run` is what they were computed from, of the properties `kinds`; None where they were
    saved and the trace is gone."""

    cube: Cube
    found: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    run: Run | None = None
    kinds: tuple[type[Property], ...] = ()


def causes_of(directory: str, own: str | None = None) -> Causes:
    """`own` is a file with the user's properties.

    Raises ExperimentError and PropertyError, of one line.
    """
    bar = Bar()
    try:
        kinds = properties(own)
        part = analysed(directory, kinds, bar)
        run = part.run
        if run is None:
            note = (
                "The trace is gone: these are the causes as they were saved, without predictions."
            )
            return Causes(part.cube, tuple(findings(part.cube, PREDICTED)), (note,))

        def gain(found: Finding) -> float | None:
            bar(f"predicting {kinds[found.metric].name}", 0)
            return gain_of(run, kinds[found.metric], found.path)

        found = findings(part.cube, PREDICTED, gain)
    finally:
        bar.end()
    lost = sum(each.unrecorded for each in run.records.locations.values())
    note = f"{lost} events were not recorded: times after them are those of what was open then."
    notes = (note,) if lost else ()
    return Causes(part.cube, tuple(found), notes, run, tuple(kinds))
