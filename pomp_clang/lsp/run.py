"""A run, as an editor shows it: of each region its share, its calls and what is worst there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pomp_clang.analysis.overheads import Analysis, analyse, share
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.analysis.properties import Found, find
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.reader import read
from pomp_clang.report.wording import percent


@dataclass(frozen=True, slots=True)
class Measured:
    """A region that was measured.  `share` is its time, all threads', of duration x threads;
    `worst` the property that costs most there."""

    profile: RegionProfile
    share: float
    lost: float
    worst: Found | None

    @property
    def region(self) -> Region:
        return self.profile.region

    @property
    def calls(self) -> int:
        return self.profile.execC

    @property
    def brief(self) -> str:
        """Share and calls: "43.9 %, 4000 calls"."""
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{percent(self.share)} %, {calls}" if self.calls else "never called"

    @property
    def worst_brief(self) -> str:
        """The worst property and its share of the program; "" if there is none."""
        return f"{self.worst.name} {percent(self.worst.share)} %" if self.worst else ""


@dataclass(frozen=True, slots=True)
class Run:
    """An experiment; `files` has its regions by the real path of their file, in its order."""

    directory: str
    program: str
    started: float
    complete: bool
    files: Mapping[str, tuple[Measured, ...]] = field(default_factory=dict)


def run_at(directory: str) -> Run:
    """The run that left an experiment.  Raises `ExperimentError`, or `OSError`."""
    experiment = read(directory)
    profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    worst: dict[str, Found] = {}
    for found in find(profiles, analysis):
        if found.profile is not None:
            worst.setdefault(found.profile.region.id, found)
    files: dict[str, list[Measured]] = {}
    for profile in profiles:
        path = os.path.realpath(os.path.join(directory, os.pardir, profile.region.file))
        measured = _measured(profile, analysis, worst.get(profile.region.id))
        files.setdefault(path, []).append(measured)
    by_file = {path: tuple(rows) for path, rows in files.items()}
    started = _seconds(experiment.start)
    return Run(directory, experiment.program, started, experiment.complete, by_file)


def _measured(profile: RegionProfile, analysis: Analysis, worst: Found | None) -> Measured:
    lost = analysis.own[profile.region.id].total
    total = analysis.totalT
    return Measured(profile, share(profile.execT, total), share(lost, total), worst)


def _seconds(start: str) -> float:
    return datetime.fromisoformat(start).timestamp() if start else 0.0
