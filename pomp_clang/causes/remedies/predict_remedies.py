"""The remedies of each property, tried on the trace of one process.

A property's gain tells what its end would save. A remedy is one way to that end, with its own price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pomp_clang.causes.properties import openmp
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.remedies.change_tasks import fewer_tasks, without_taskwaits
from pomp_clang.causes.remedies.merge_regions import merged_regions
from pomp_clang.causes.remedies.remedy_prediction import RemedyPrediction
from pomp_clang.causes.remedies.replace_critical import without_critical
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.places import waits_for_kernels
from pomp_clang.causes.what_if.beside_kernels import part_beside_kernels

Remedies = Callable[[Run, Sequence[int]], Iterator[RemedyPrediction]]
"""Predicts the remedies of a property at some call paths (rows of `Run.paths`) of one statement."""

WORTH = 0.01
"""The share of the run time that a remedy has to save."""

REMEDIES: dict[type[Property], tuple[Remedies, ...]] = {
    openmp.Fork: (merged_regions,),
    openmp.Join: (merged_regions,),
    openmp.Critical: (without_critical,),
    openmp.CriticalContention: (without_critical,),
    openmp.TaskCreation: (fewer_tasks,),
    openmp.Taskwait: (without_taskwaits, fewer_tasks),
    openmp.ExplicitUnfinished: (fewer_tasks,),
    openmp.ImplicitUnfinished: (fewer_tasks,),
}
"""The remedies that are tried for a property."""


def remedies_at(
    run: Run, kind: type[Property], paths: Sequence[int]
) -> tuple[RemedyPrediction, ...]:
    """Return the remedies of a property at call paths that save a notable part of the run time, the
    one with the least run time first."""
    if not run.timelines or _is_for_kernels(run, kind, paths):
        return ()
    predictions = [
        prediction for remedy in REMEDIES.get(kind, ()) for prediction in remedy(run, paths)
    ]
    worthy = [
        prediction for prediction in predictions if prediction.gain >= WORTH * prediction.before
    ]
    return tuple(sorted(worthy, key=lambda prediction: prediction.seconds))


def _is_for_kernels(run: Run, kind: type[Property], paths: Sequence[int]) -> bool:
    """Return whether the property is a wait for kernels, or teams end late because kernels do: other
    tasks and other teams would wait for these as well."""
    if kind is openmp.Taskwait:
        return bool(waits_for_kernels(run.paths)[list(paths)].all())
    is_team = kind in (openmp.Fork, openmp.Join)
    return is_team and part_beside_kernels(run, openmp.Join, paths) < _OWN


_OWN = 0.5
"""The part of the time to end teams that has to be the runtime's own."""
