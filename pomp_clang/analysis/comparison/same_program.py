"""Tests whether runs are of one program, by their names and regions."""

from __future__ import annotations

import os
from dataclasses import dataclass

from pomp_clang.analysis.run import AnalyzedRun


@dataclass(frozen=True, slots=True)
class ProgramMatch:
    """How far two runs are of one program: `common` of `regions` are in both.

    A region is the same if kind, function, and the file's name agree; lines may move.
    """

    is_same_name: bool
    common: int
    regions: int

    @property
    def is_different(self) -> bool:
        """True if the two have regions, and none in common."""
        return self.regions > 0 and not self.common


def match_programs(a: AnalyzedRun, b: AnalyzedRun) -> ProgramMatch:
    """Compare the programs of two runs; `regions` is the number of the program with fewer."""
    regions_a, regions_b = _regions(a), _regions(b)
    names = {os.path.basename(run.experiment.program) for run in (a, b)}
    return ProgramMatch(
        len(names) == 1, len(regions_a & regions_b), min(len(regions_a), len(regions_b))
    )


def _regions(run: AnalyzedRun) -> set[tuple[str, str, str]]:
    regions = (profile.region for profile in run.profiles)
    return {(r.kind, r.function, os.path.basename(r.file)) for r in regions}
