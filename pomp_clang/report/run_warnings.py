"""Warnings that a run's times cannot be trusted, the most severe first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.phrases import percent
from pomp_clang.report.run_facts import hints, warnings

HEAVY = 0.1
"""The share of the threads' time from which on the measurement itself distorts the run."""


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning in one or two sentences; `role` is its color."""

    text: str
    role: str


OFF_PROCESSOR = 0.1
"""The share of the threads' time without a processor from which on waits say little."""


def run_warnings(report: ProfileReport) -> list[RunWarning]:
    """Return the warnings of a run: missing data first, then what distorts its times."""
    experiment = report.experiment
    missing = [*_nothing(report), *warnings(experiment)]
    distorted = [
        *hints(experiment),
        *_off_processor(report.breakdown),
        *_heavy(report.cost),
        *_alone(experiment),
    ]
    return [RunWarning(text, "hot") for text in missing] + [
        RunWarning(text, "warm") for text in distorted
    ]


def _nothing(report: ProfileReport) -> Iterator[str]:
    """Yield a warning if no construct was measured."""
    if not report.profiles:
        yield (
            "Nothing was measured: no construct was instrumented; compile the files that contain "
            "OpenMP constructs with pomp-clang and -fopenmp."
        )
    elif not any(profile.ran for profile in report.profiles):
        yield (
            "Nothing was measured: no instrumented construct ran; --section overview lists them."
        )


def _off_processor(breakdown: Breakdown) -> Iterator[str]:
    part = share(breakdown.not_running or 0.0, breakdown.totalT)
    if part >= OFF_PROCESSOR:
        yield (
            f"Threads had no processor for {percent(part)} % of their time: they slept, or other "
            "programs used the processors, and waits for these threads are longer for that."
        )


def _heavy(cost: Perturbation | None) -> Iterator[str]:
    if cost is not None and cost.share >= HEAVY:
        yield (
            f"Measuring took {percent(cost.share)} % of the threads' time; --subtract-overhead "
            "subtracts it, pomp-clang score finds what to leave out."
        )


def heavy_measurement(cube: Cube) -> list[str]:
    """Return a sentence if measuring distorts the times of a trace, which are without it."""
    rows = [row for row, metric in enumerate(cube.metrics) if metric.name == "Overhead"]
    part = share(float(cube.totals()[rows[0]]), cube.reserved) if rows else 0.0
    if part < HEAVY:
        return []
    return [
        f"Measuring took {percent(part)} % of the threads' time, which no finding contains; "
        "pomp-clang score finds what to leave out."
    ]


def _alone(experiment: Experiment) -> Iterator[str]:
    if experiment.max_threads == 1:
        yield "One thread: the run has no waits for other threads; run it with more threads."
