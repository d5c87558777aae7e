"""Parts of a trace that is written by hand, and its severities."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from pomp_clang.causes.run.run import Run
from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.model import EventCosts
from tests.causes.scripts import Stream, run_of

Cells = dict[tuple[int, int], float]
"""Seconds by line (0: no region) and thread."""

BOTH: Cells = {(10, 0): 1, (10, 1): 1}


@dataclass(frozen=True)
class Scenario:
    """A trace written by hand, with its severities.

    `sizes` are by the last names of the property; `cost` is the time of a visit's events, all in
    the visit's own time. `chunks` are the profile's seconds in calls for chunks, by the number of a
    call path and the location's. `threads_at_once` have work at a time, all if None.
    """

    streams: tuple[Stream, ...]
    sizes: dict[tuple[str, ...], Cells]
    levels: tuple[int, ...] | None = None
    cost: float = 0.0
    chunks: dict[tuple[int, int], float] = field(default_factory=dict)
    threads_at_once: int | None = None


def analysed(scenario: Scenario, folder: Path) -> Run:
    run = run_of(folder, *scenario.streams, levels=scenario.levels)
    run = costing(run, pair=scenario.cost, pair_within=scenario.cost)
    return _with_chunks(run, scenario.chunks)


def _with_chunks(run: Run, chunks: dict[tuple[int, int], float]) -> Run:
    sums = dict(run.records.sums)
    for key, seconds in chunks.items():
        sums[key] = [0] * COLUMNS
        sums[key][Column.CHUNK_T] = round(seconds * run.second)
    return replace(run, records=replace(run.records, sums=sums), memo={})


def costing(run: Run, **seconds: float) -> Run:
    """Return the run with what events take, by the names of `EventCosts`."""
    costs = tuple(seconds.get(field.name, 0.0) * run.second for field in fields(EventCosts))
    return replace(run, records=replace(run.records, costs=costs), memo={})
