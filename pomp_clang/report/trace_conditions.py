"""The conditions of a run that was recorded: those of its profile, and what the trace tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.off_processor import ProcessorWaits, processor_waits
from pomp_clang.analysis.run import analyze_run
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.reader import read
from pomp_clang.report.run_conditions import (
    ConditionKind,
    RunCondition,
    heavy_measurement,
    run_conditions,
)

_OF_PROFILES = (ConditionKind.NO_PROCESSOR, ConditionKind.ONE_THREAD)


def conditions_of_profiles(places: Iterable[str], *, is_told: bool) -> Iterator[RunCondition]:
    """Yield the conditions that the profiles of single processes tell; traces have their own
    sentences on missing data. `is_told` if the trace tells of too few processors."""
    for place in places:
        if processes(place):
            continue
        try:
            run = analyze_run(read(place))
        except ExperimentError:
            continue
        for condition in run_conditions(run):
            if condition.condition in _OF_PROFILES and not is_told:
                yield condition


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
