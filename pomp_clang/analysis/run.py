"""One run with its analysis, as comparisons of several runs use it."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown, Times, break_down
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment


@dataclass(frozen=True, slots=True)
class AnalyzedRun:
    experiment: Experiment
    profiles: tuple[RegionProfile, ...]
    analysis: OverheadAnalysis
    breakdown: Breakdown

    @property
    def threads(self) -> int:
        return self.experiment.max_threads

    @property
    def duration(self) -> float:
        return self.experiment.duration

    def lost(self, profile: RegionProfile) -> float:
        """Return the seconds that a region itself loses."""
        return self.analysis.exclusive[profile.region.id].total

    def parts(self) -> Times:
        """Return the seconds of all threads by the name of the part of their time."""
        return self.breakdown.parts()


def analyze_run(experiment: Experiment) -> AnalyzedRun:
    profiles = flat_profile(experiment)
    analysis = analyze_overheads(experiment, profiles)
    return AnalyzedRun(experiment, profiles, analysis, break_down(analysis))
