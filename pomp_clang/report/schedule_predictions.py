"""The verb `schedules`: from the request to predictions as text or JSON, or to a filter.

The filter records the iterations of the loops in which a first run's threads wait most."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.loop_costs import ChunkCost, measure_chunk_cost
from pomp_clang.analysis.schedules.predict import (
    LoopPrediction,
    SchedulePrediction,
    predict_loops,
    result,
)
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.source_folder import common_folder, named_from
from pomp_clang.progress import Bar
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.phrases import number, percent, signed, where, with_ascii_units
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.selection.patterns import of_file


def as_json(
    experiment: Experiment, loops: Sequence[LoopPrediction], cost: ChunkCost
) -> dict[str, Any]:
    """Return the object that docs/reference/verbs/schedules.md describes; times are seconds."""
    return {
        "format": "pomp-clang schedules 1",
        "program": experiment.program,
        "openmp_runtime": experiment.openmp_runtime,
        "chunk_cost": {"own": cost.own, "serial": cost.serial, "measured": cost.measured},
        "loops": [_loop_object(loop) for loop in loops],
    }


def _loop_object(loop: LoopPrediction) -> dict[str, Any]:
    region = loop.region
    return {
        "region": region.id,
        "kind": region.kind,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "threads": loop.threads,
        "executions": loop.executions,
        "recorded": loop.recorded,
        "iterations": loop.iterations,
        "current": loop.current.words() if loop.current is not None else None,
        "seconds": loop.measured,
        "gain": loop.gain,
        "sentence": with_ascii_units(result(loop)),
        "schedules": [schedule_row(prediction) for prediction in loop.by_schedule],
        "by_threads": [{"threads": by.threads, **schedule_row(by.best)} for by in loop.by_threads],
        "costs": [
            {
                "value": cost_bin.value,
                "iterations": cost_bin.iterations,
                "seconds": cost_bin.seconds,
                "thread": cost_bin.thread,
            }
            for cost_bin in loop.bins
        ],
    }


def schedule_row(prediction: SchedulePrediction) -> dict[str, Any]:
    """Return a schedule, as OMP_SCHEDULE has it, with its predicted time."""
    return {"schedule": prediction.schedule.words(), "predicted": prediction.seconds}


_ROWS = 8
_COLUMNS = [Field("schedule", right=False), Field("time"), Field("change"), Field("", right=False)]
_BAR = 20


def as_text(
    experiment: Experiment,
    loops: Sequence[LoopPrediction],
    cost: ChunkCost,
    terminal: Terminal,
    everything: bool = False,
) -> list[str]:
    """Return the lines of a report; with `everything` all schedules that were tried."""
    source = "measured here" if cost.measured else "assumed: no compiler for this runtime is here"
    lines = [
        terminal.paint(
            f"Schedules of {number(len(loops), 'loop')} of {experiment.program}", "title"
        ),
        f"A chunk costs its thread {lasting(cost.own)}, and the others {lasting(cost.serial)} "
        f"({experiment.openmp_runtime}, {source}).",
    ]
    for loop in loops:
        lines += ["", *_loop_lines(loop, terminal, everything)]
    return lines


def _loop_lines(loop: LoopPrediction, terminal: Terminal, everything: bool) -> Iterator[str]:
    yield terminal.paint(where(loop.region), "strong")
    yield f"  {result(loop)}"
    yield (
        f"  {number(loop.threads, 'thread')}, {number(loop.executions, 'execution')} "
        f"({loop.recorded} recorded) of {loop.iterations:.0f} iterations"
    )
    predictions = loop.by_schedule if everything else loop.by_schedule[:_ROWS]
    current = loop.of(loop.current) if loop.current is not None else None
    if current is not None and current not in predictions:
        predictions = (*predictions, current)
    longest = max(loop.measured, *(prediction.seconds for prediction in predictions))
    rows = [_row("as recorded", loop.measured, loop.measured, longest, terminal)]
    for prediction in predictions:
        mark = " *" if prediction is current else ""
        rows.append(
            _row(
                prediction.schedule.words() + mark,
                prediction.seconds,
                loop.measured,
                longest,
                terminal,
            )
        )
    yield from (f"  {line}" for line in table(terminal, _COLUMNS, rows))
    if current is not None:
        yield "  * the schedule of the source"
    for alternative in loop.by_threads:
        if alternative.threads != loop.threads:
            best = alternative.best
            yield (
                f"  with {number(alternative.threads, 'thread')}: {best.schedule.words()} "
                f"{lasting(best.seconds)}"
            )


def _row(
    name: str, seconds: float, run_time: float, longest: float, terminal: Terminal
) -> list[Cell]:
    change = 100 * (seconds / run_time - 1) if run_time else 0.0
    share = seconds / longest if longest else 0.0
    return [
        Cell(name),
        Cell(lasting(seconds)),
        Cell(f"{signed(change, 0)} %" if seconds != run_time else ""),
        Cell(terminal.bar(share, _BAR)),
    ]


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
    lines, files = ["POMP_RULES_BEGIN"], {loop.region.file for loop in loops}
    for loop in loops:
        lines += _rules(loop, files, sets_schedule)
    return "\n".join([*lines, "POMP_RULES_END", ""])


def _rules(loop: WaitingLoop, files: Collection[str], sets_schedule: bool) -> Iterator[str]:
    region = loop.region
    kind = region.kind.replace(" ", "_")
    place = f"construct={kind} file={of_file(region.file, files)} lines={region.begin_line1}"
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
