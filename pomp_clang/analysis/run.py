"""One run, analysed: what comparisons of several are made of."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.breakdown import Breakdown, Times, break_down
from pomp_clang.analysis.overheads import Analysis, analyse
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment


@dataclass(frozen=True, slots=True)
class Run:
    experiment: Experiment
    profiles: tuple[RegionProfile, ...]
    analysis: Analysis
    breakdown: Breakdown

    @property
    def threads(self) -> int:
        return self.experiment.max_threads

    @property
    def duration(self) -> float:
        return self.experiment.duration

    def lost(self, profile: RegionProfile) -> float:
        """What a region of this run loses itself."""
        return self.analysis.own[profile.region.id].total

    def parts(self) -> Times:
        """Where all of the threads' time went, in seconds, by the name of the part."""
        return self.breakdown.parts()


def run_of(experiment: Experiment) -> Run:
    profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    return Run(experiment, profiles, analysis, break_down(analysis))
