"""The causes of an experiment, with what the program would gain without the worst."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.analyze_experiments import Analysed, analysed
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.findings.predictions import Gains, predicting, remedies_of
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import Run
from pomp_clang.progress import Bar
from pomp_clang.report.trace_conditions import processor_waits_in

if TYPE_CHECKING:
    from pomp_clang.trace.mpi.columns import Job

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
            part.cube, PREDICTED, partial(gains.of, progress=bar), remedies, processors
        )
        # Free the predictions' memory for the timeline.
        for run in part.runs:
            run.memo.clear()
    finally:
        bar.end()
    return Causes(
        part.cube, tuple(findings_), part.notes or (), part.run, tuple(kinds), of_all(part)
    )
