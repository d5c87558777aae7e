"""Predictions of gains for one process, for several, or for a job, and the remedies of each
property, tried on the trace of one process.

A property's gain tells what its end would save. A remedy is one way to that end, with its own
price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.findings.analyze_experiments import Analysed
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import Try
from pomp_clang.causes.properties import openmp
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.remedies.change_tasks import fewer_tasks, without_taskwaits
from pomp_clang.causes.remedies.merge_regions import merged_regions
from pomp_clang.causes.remedies.replace_critical import without_critical
from pomp_clang.causes.run.run import Progress, Run
from pomp_clang.causes.run.serial_parts import MainThreads, main_thread_of
from pomp_clang.causes.timeline.places import waits_for_kernels
from pomp_clang.causes.what_if.predict_gain import ProgramPrediction, part_beside_kernels
from pomp_clang.trace.mpi.workers import ALONE, Workers

_PATHS = 16
"""Call paths of a finding that are repaired together; what others add is not predicted."""


class Predicting(Protocol):
    """Predicts gains at the call paths of a cube."""

    def gain_of(self, kind: type[Property], path: int, *others: int) -> float | None: ...


Predicts = Callable[[], Predicting]


def predicting(parts: Sequence[Analysed], workers: Workers = ALONE) -> Predicts | None:
    """Return how to predict the gain, for one process, several or a job; None if a part has no
    trace."""
    if not all(part.runs for part in parts):
        return None
    if len(parts) == 1 and parts[0].job is not None:
        from pomp_clang.causes.job.job_simulation import JobPrediction

        numbers = workers.own_numbers(len(parts[0].job.processes))
        runs = dict(zip(numbers, parts[0].runs, strict=True))
        return partial(JobPrediction, parts[0].job, runs, workers)
    return partial(ProgramPrediction, [run for part in parts for run in part.runs])


def main_threads_of(runs: Mapping[int, Run], workers: Workers = ALONE) -> MainThreads:
    """Return the main threads of all processes, from the runs of this worker's by number.

    At the other workers than the first, return those of their own.
    """
    threads = tuple(workers.gather({n: main_thread_of(run) for n, run in runs.items()}))
    return MainThreads(threads, tuple(of_all([thread.paths for thread in threads])[1]))


def remedies_of(run: Run | None, kinds: Sequence[type[Property]]) -> Try | None:
    """Return how to try the remedies of a finding; None without the run of a single process."""
    if run is None:
        return None

    def predicted_remedies(finding: Finding) -> tuple[RemedyPrediction, ...]:
        return remedies_at(run, kinds[finding.metric], [path for path, _ in finding.paths[:_PATHS]])

    return predicted_remedies


class Gains:
    """The first worker asks, and each computes what it has a share in."""

    def __init__(
        self, predicts: Predicts, kinds: Sequence[type[Property]], workers: Workers = ALONE
    ) -> None:
        self._predicts, self._kinds, self._workers = predicts, kinds, workers
        self._processes: Predicting | None = None

    def of(self, finding: Finding, part: float, progress: Progress) -> float | None:
        progress(f"predicting {self._kinds[finding.metric].name}", part)
        others = [path for path, _ in finding.paths[1:_PATHS]]
        return self._compute(*self._workers.broadcast((finding.metric, finding.path, *others)))

    def end(self) -> None:
        """Tell the other workers that the first worker has no more questions."""
        self._workers.broadcast(None)

    def answer(self) -> None:
        """Compute the share of another worker in each prediction, until the first worker has no
        more questions."""
        while (question := self._workers.broadcast(None)) is not None:
            self._compute(*question)

    def _compute(self, metric: int, path: int, *others: int) -> float | None:
        if self._processes is None:
            self._processes = self._predicts()
        return self._processes.gain_of(self._kinds[metric], path, *others)


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
