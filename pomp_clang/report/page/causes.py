"""The causes of an experiment, with what the program would gain without the worst, and the
conditions of its run: those of its profile, and what the trace tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from pomp_clang.analysis.job import job_of
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.off_processor import ProcessorWaits, processor_waits
from pomp_clang.analysis.run import analyze_run
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.analyze_experiments import Analysed, analysed
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.findings.predictions import (
    Gains,
    main_threads_of,
    predicting,
    remedies_of,
)
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import Run
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.reader import read
from pomp_clang.progress import Bar
from pomp_clang.report.job_facts import job_conditions
from pomp_clang.report.run_conditions import (
    ConditionKind,
    RunCondition,
    heavy_measurement,
    run_conditions,
)
from pomp_clang.shared_dataclass import dataclass

if TYPE_CHECKING:
    from pomp_clang.trace.mpi.columns import Job

_OF_PROFILES = (ConditionKind.NO_PROCESSOR, ConditionKind.ONE_THREAD)

_OF_PROFILES_ALONE = (ConditionKind.UNMEASURED_TEAM, ConditionKind.LONG_MPI_INIT)
"""Conditions of which a trace's own sentences tell nothing."""


def conditions_of_profiles(places: Iterable[str], *, is_told: bool) -> Iterator[RunCondition]:
    """Yield the conditions that profiles tell; traces have their own sentences on missing data.
    `is_told` if the trace tells of too few processors."""
    for place in places:
        for condition in _profile_conditions(place):
            is_general = condition.condition in _OF_PROFILES and not is_told
            if is_general or condition.condition in _OF_PROFILES_ALONE:
                yield condition


def _profile_conditions(place: str) -> list[RunCondition]:
    """Return all conditions of an experiment or a job; none if it has no profile that can be read."""
    directories = processes(place)
    try:
        if directories:
            return job_conditions(job_of(directories))
        return run_conditions(analyze_run(read(place)))
    except ExperimentError:
        return []


def processor_waits_in(places: Iterable[str]) -> ProcessorWaits:
    """Return the waits for a processor in the runs of several places; none where there is no profile."""
    experiments = []
    for place in places:
        for directory in processes(place) or [place]:
            with suppress(ExperimentError):
                experiments.append(read(directory))
    return processor_waits(experiments)


def measurement_in(cube: Cube) -> list[RunCondition]:
    """Return the condition that measuring distorts the times of a trace, which are without it."""
    rows = [row for row, metric in enumerate(cube.metrics) if metric.name == "Overhead"]
    part = share(float(cube.totals()[rows[0]]), cube.reserved) if rows else 0.0
    rest = ", which no finding contains; pomp-clang score finds what to leave out."
    return heavy_measurement(part, rest)


PREDICTED = 20
"""The number of worst causes whose gain is predicted."""


@dataclass(frozen=True, slots=True)
class JobRuns:
    """A job of several processes, and their runs in the same order."""

    job: Job
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Causes:
    """`run` is what they were computed from, of the properties `kinds`; None where they were
    saved and the trace is gone, and of several processes, which are `of_job`."""

    cube: Cube
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    run: Run | None = None
    kinds: tuple[type[Property], ...] = ()
    of_job: JobRuns | None = None


def of_all(part: Analysed) -> JobRuns | None:
    """Return the job and its runs if there are several processes and the runs of all of them are
    here."""
    if part.job is None or part.run is not None or len(part.runs) < len(part.job.processes):
        return None
    return JobRuns(part.job, part.runs)


def causes_of(directory: str, own_properties: str | None = None) -> Causes:
    """Compute the causes of a directory and predict the gain of the worst; `own` is a file with the user's
    properties.

    Raises ExperimentError and PropertyError, each with a message of one line.
    """
    bar = Bar("causes")
    try:
        kinds = properties(own_properties)
        part = analysed(directory, kinds, bar)
        predicts = predicting([part])
        processors = processor_waits_in((directory,))
        if predicts is None:
            note = (
                "The trace is gone: these are the causes as they were saved, without predictions."
            )
            return Causes(
                part.cube, tuple(findings(part.cube, PREDICTED, processors=processors)), (note,)
            )
        gains = Gains(predicts, kinds)
        remedies = remedies_of(part.run, kinds)
        findings_ = findings(
            part.cube,
            PREDICTED,
            partial(gains.of, progress=bar),
            remedies,
            processors,
            main_threads_of(dict(enumerate(part.runs))) if part.runs else None,
        )
        # Free the predictions' memory for the timeline.
        for run in part.runs:
            run.memo.clear()
    finally:
        bar.end()
    return Causes(
        part.cube, tuple(findings_), part.notes or (), part.run, tuple(kinds), of_all(part)
    )
