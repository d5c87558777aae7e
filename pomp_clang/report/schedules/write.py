"""The verb `schedules`: from the request to predictions, or to a filter.

The filter records the iterations of the loops in which a first run's threads wait most.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pomp_clang.analysis.schedules.chunk_cost import measure_chunk_cost
from pomp_clang.analysis.schedules.predict import LoopPrediction, predict_loops
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.progress import Bar
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.phrases import percent
from pomp_clang.report.schedules.json import as_json
from pomp_clang.report.schedules.text import as_text
from pomp_clang.report.source_folder import common_folder, named_from
from pomp_clang.selection.patterns import escaped

_LOOPS = ("for", "parallel for")
_LEAST = 0.005
"""The share of all threads' time below which a wait selects no loop."""


@dataclass(frozen=True, slots=True)
class WaitingLoop:
    """A loop at whose end threads wait: `seconds` over all threads, `share` of all their time."""

    region: Region
    seconds: float
    share: float


def waiting_loops(experiment: Experiment, limit: int) -> list[WaitingLoop]:
    """Return the loops with the longest waits at their ends, at most `limit`."""
    total = experiment.duration * max(1, len(experiment.locations))
    loops = []
    for region in experiment.regions:
        if region.kind not in _LOOPS:
            continue
        rows = [sums for (ident, _), sums in experiment.profile.items() if ident == region.id]
        waits = sum(sums.exitBarT for sums in rows)
        missed = sum(max(row.bodyT for row in rows) - row.bodyT for row in rows) if rows else 0.0
        seconds = max(waits, missed)
        if total and seconds > _LEAST * total:
            loops.append(WaitingLoop(region, seconds, seconds / total))
    return sorted(loops, key=lambda loop: -loop.seconds)[:limit]


def as_filter(loops: Sequence[WaitingLoop], sets_schedule: bool) -> str:
    """Return the text of a filter that records the loops; `sets_schedule` if OMP_SCHEDULE is to
    choose their schedule."""
    lines = ["POMP_RULES_BEGIN"]
    for loop in loops:
        lines += _rules(loop, sets_schedule)
    return "\n".join([*lines, "POMP_RULES_END", ""])


def _rules(loop: WaitingLoop, sets_schedule: bool) -> Iterator[str]:
    region = loop.region
    kind = region.kind.replace(" ", "_")
    place = f"construct={kind} file={escaped(region.file)} lines={region.begin_line1}"
    yield f"  ITERATIONS {place}  # threads wait {percent(loop.share)} % of all their time"
    if sets_schedule:
        yield f"  RUNTIME_SCHEDULE {place}"


@dataclass(frozen=True, slots=True)
class SchedulesRequest:
    """The options of the command line; `filter` is the file to write, None for predictions."""

    directory: str | None
    filter: str | None
    runtime_schedule: bool
    threads: tuple[int, ...]
    format: str
    output: str | None
    top: int
    everything: bool
    color: str


def write_schedules(request: SchedulesRequest) -> None:
    """Write the predictions, or the filter.  Raises `ReportError`."""
    experiment = experiment_at(request.directory)
    if request.filter is not None:
        deliver(_filter(experiment, request), request.filter)
        return
    cost = measure_chunk_cost(experiment.openmp_runtime)
    with Bar("schedules"):
        loops = predict_loops(experiment, cost, request.threads)
    if not loops:
        raise ReportError(nothing_recorded(experiment))
    loops = loops[: request.top]
    if request.format == "json":
        text = json.dumps(as_json(experiment, loops, cost), indent=2) + "\n"
    else:
        terminal = terminal_for(request.output, request.color)
        shown_loops = _named(experiment, loops)
        text = (
            "\n".join(as_text(experiment, shown_loops, cost, terminal, request.everything)) + "\n"
        )
    deliver(text, request.output)


def _named(experiment: Experiment, loops: tuple[LoopPrediction, ...]) -> tuple[LoopPrediction, ...]:
    """Return the loops with the files named from the folder of the sources."""
    from dataclasses import replace

    regions = {
        region.id: region for region in named_from(experiment, common_folder(experiment)).regions
    }
    return tuple(replace(loop, region=regions[loop.region.id]) for loop in loops)


def nothing_recorded(experiment: Experiment) -> str:
    """Return the reason why a run has no iterations, and what to do."""
    return (
        f"{experiment.directory}: no iterations were recorded: write a filter with "
        "`pomp-clang schedules --filter loops.filter`, build with --pomp-filter=loops.filter, and "
        "run again"
    )


def _filter(experiment: Experiment, request: SchedulesRequest) -> str:
    loops = waiting_loops(experiment, request.top)
    if not loops:
        raise ReportError(
            f"{experiment.directory}: threads wait at the end of no loop for 0.5 % of their time "
            "or more: other schedules would save nothing"
        )
    return as_filter(loops, request.runtime_schedule)
