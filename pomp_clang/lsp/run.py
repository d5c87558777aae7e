"""A run, as an editor shows it: of each region its share, its calls and what is worst there."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pomp_clang.analysis import run as analysed
from pomp_clang.analysis.job import job_of
from pomp_clang.analysis.overheads import Lost, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import Found, find
from pomp_clang.analysis.run import run_of
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import processes
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
    """An experiment; `files` has its regions by the real path of their file, in its order.
    `processes` is how many of a job have left one, 0 where the program is no such."""

    directory: str
    complete: bool
    processes: int = 0
    files: Mapping[str, tuple[Measured, ...]] = field(default_factory=dict)


def run_at(directory: str) -> Run:
    """The run that left an experiment.  Raises `ExperimentError`, or `OSError`."""
    ranks = processes(directory)
    if not ranks:
        alone = run_of(read(directory))
        files = _by_file(directory, _measured([alone], alone.profiles, alone.analysis.own))
        return Run(directory, alone.experiment.complete, files=files)
    job = job_of(ranks)
    if not job.processes:
        raise ExperimentError(job.missing[0])
    runs = [each.run for each in job.processes]
    complete = not job.missing and all(each.experiment.complete for each in runs)
    files = _by_file(ranks[0], _measured(runs, job.regions, job.own))
    return Run(directory, complete, len(runs), files)


def _by_file(directory: str, rows: Iterable[Measured]) -> dict[str, tuple[Measured, ...]]:
    files: dict[str, list[Measured]] = {}
    for each in rows:
        path = os.path.realpath(os.path.join(directory, os.pardir, each.region.file))
        files.setdefault(path, []).append(each)
    return {path: tuple(found) for path, found in files.items()}


def _measured(
    runs: Sequence[analysed.Run], profiles: Iterable[RegionProfile], own: Mapping[str, Lost]
) -> Iterator[Measured]:
    total = sum(each.analysis.totalT for each in runs)
    worst = _worst(runs, total)
    for profile in profiles:
        lost = share(own[profile.region.id].total, total)
        found = worst.get(replace(profile.region, id=""))
        yield Measured(profile, share(profile.execT, total), lost, found)


def _worst(runs: Sequence[analysed.Run], total: float) -> dict[Region, Found]:
    """By region, whatever its number, the property that costs most in all processes, in the
    words for the one where it does."""
    costs: dict[tuple[Region, str], list[Found]] = defaultdict(list)
    for run in runs:
        for found in find(run.profiles, run.analysis):
            if found.profile is not None:
                costs[replace(found.profile.region, id=""), found.name].append(found)
    worst: dict[Region, Found] = {}
    for (region, _), each in costs.items():
        severity = sum(found.severity for found in each)
        dearest = max(each, key=lambda found: found.severity)
        if region not in worst or severity > worst[region].severity:
            worst[region] = replace(dearest, severity=severity, share=share(severity, total))
    return worst
