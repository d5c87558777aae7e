"""Predicted schedules as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.chunk_cost import ChunkCost
from pomp_clang.analysis.schedules.predict import LoopPrediction
from pomp_clang.analysis.schedules.sentence import result
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.phrases import number, signed, where
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.table import Cell, Field, table

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
        lines += ["", *_loop(loop, terminal, everything)]
    return lines


def _loop(loop: LoopPrediction, terminal: Terminal, everything: bool) -> Iterator[str]:
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
