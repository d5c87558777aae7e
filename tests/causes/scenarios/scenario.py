"""What a trace that is written by hand is made of, and what its severities are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pomp_clang.causes.run import Run
from tests.causes.scripts import Stream, run_of

Cells = dict[tuple[int, int], float]
"""Seconds by line (0: no region) and thread."""

BOTH: Cells = {(10, 0): 1, (10, 1): 1}


@dataclass(frozen=True)
class Scenario:
    """`sizes` are by the last names of the property; `cost` is what each visit takes of itself."""

    streams: tuple[Stream, ...]
    sizes: dict[tuple[str, ...], Cells]
    levels: tuple[int, ...] | None = None
    cost: float = 0.0


def analysed(scenario: Scenario, folder: Path) -> Run:
    run = run_of(folder, *scenario.streams, levels=scenario.levels)
    costs = (scenario.cost * run.second, *(0.0 for _ in range(16)))
    return replace(run, records=replace(run.records, costs=costs))
