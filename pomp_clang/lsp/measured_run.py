"""Runs for the editor: the experiments in a workspace, and of one each region's share, calls and
costliest property."""

from __future__ import annotations

import os
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pomp_clang.analysis.job import job_of
from pomp_clang.analysis.overheads import Lost, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import RANK, processes
from pomp_clang.experiment.layout import FILE_NAME, HEADER, MAGIC, STATE_ENDED
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.reader import read
from pomp_clang.report.phrases import percent

_NOT_ENTERED = frozenset(("node_modules", "__pycache__", "CMakeFiles"))
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Stamp:
    """An experiment whose run is over, with time and size, which tell of changes."""

    directory: str
    changed: int
    size: int


def by_age(folders: Iterable[str]) -> Iterator[Stamp]:
    """Yield the experiments whose run is over, the one that was written last first."""
    stamps = [stamp for folder in folders for stamp in _experiments(folder, 0)]
    ordered = sorted(stamps, key=lambda stamp: (stamp.changed, stamp.directory), reverse=True)
    return (stamp for stamp in ordered if is_over(stamp.directory))


def _stamp(directory: str, ranks: Sequence[str]) -> Stamp | None:
    """Return the stamp of an experiment, or of a job with these processes; None for any other
    directory.
    """
    try:
        states = [os.stat(os.path.join(rank, FILE_NAME)) for rank in ranks]
    except OSError:
        return None
    size = sum(state.st_size for state in states)
    return Stamp(directory, max(state.st_mtime_ns for state in states), size) if states else None


def is_over(directory: str) -> bool:
    """Return whether all processes of the program have ended, or left their profile behind.

    A running process has the profile mapped in memory, and the file's date does not tell when it
    writes.
    """
    return all(map(_has_ended, processes(directory) or [directory]))


def _has_ended(directory: str) -> bool:
    path = os.path.realpath(os.path.join(directory, FILE_NAME))
    try:
        with open(path, "rb") as file:
            values = struct.unpack(f"={HEADER}", file.read(struct.calcsize(f"={HEADER}")))
    except (OSError, struct.error):
        return False
    magic, _, _, _, state, *rest = values
    return magic == MAGIC and (state == STATE_ENDED or not _holds(rest[5], path))


def _holds(pid: int, path: str) -> bool:
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as file:
            return any(path in line for line in file)
    except OSError:
        return False


def _experiments(folder: str, depth: int) -> Iterator[Stamp]:
    stamp = _stamp(folder, [folder])
    if stamp is not None:
        yield stamp
        return
    if depth == _DEEPEST:
        return
    try:
        inner = [entry.path for entry in os.scandir(folder) if _is_entered(entry)]
    except OSError:
        return
    if any(os.path.basename(path).startswith(RANK) for path in inner):
        stamp = _stamp(folder, processes(folder))
        if stamp is not None:
            yield stamp
            return
    for path in inner:
        yield from _experiments(path, depth + 1)


def _is_entered(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name.startswith(".") or entry.name in _NOT_ENTERED
    return not hidden and entry.is_dir(follow_symlinks=False)


@dataclass(frozen=True, slots=True)
class MeasuredRegion:
    """A measured region.

    `share` is its time in all threads over duration x threads; `worst` is the property that costs
    most there.
    """

    profile: RegionProfile
    share: float
    lost: float
    worst: PropertyFinding | None

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
        return f"{self.worst.title} {percent(self.worst.share)} %" if self.worst else ""


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """An experiment; `files` has its regions by the real path of their file, in its order.
    `processes` is how many of a job have left one, 0 where the program is no such."""

    directory: str
    complete: bool
    processes: int = 0
    files: Mapping[str, tuple[MeasuredRegion, ...]] = field(default_factory=dict)


def run_at(directory: str) -> MeasuredRun:
    """Read the run of an experiment. Raises `ExperimentError` or `OSError`."""
    ranks = processes(directory)
    if not ranks:
        alone = analyze_run(read(directory))
        files = _by_file(directory, _measured([alone], alone.profiles, alone.analysis.exclusive))
        return MeasuredRun(directory, alone.experiment.complete, files=files)
    job = job_of(ranks)
    if not job.processes:
        raise ExperimentError(job.missing[0])
    runs = [process.run for process in job.processes]
    complete = not job.missing and all(run.experiment.complete for run in runs)
    files = _by_file(ranks[0], _measured(runs, job.regions, job.exclusive))
    return MeasuredRun(directory, complete, len(runs), files)


def _by_file(
    directory: str, rows: Iterable[MeasuredRegion]
) -> dict[str, tuple[MeasuredRegion, ...]]:
    files: dict[str, list[MeasuredRegion]] = {}
    for measured in rows:
        path = os.path.realpath(os.path.join(directory, os.pardir, measured.region.file))
        files.setdefault(path, []).append(measured)
    return {path: tuple(regions) for path, regions in files.items()}


def _measured(
    runs: Sequence[AnalyzedRun], profiles: Iterable[RegionProfile], losses: Mapping[str, Lost]
) -> Iterator[MeasuredRegion]:
    total = sum(run.analysis.totalT for run in runs)
    worst = _worst_properties(runs, total)
    for profile in profiles:
        lost = share(losses[profile.region.id].total, total)
        finding = worst.get(replace(profile.region, id=""))
        yield MeasuredRegion(profile, share(profile.execT, total), lost, finding)


def _worst_properties(runs: Sequence[AnalyzedRun], total: float) -> dict[Region, PropertyFinding]:
    """Return the costliest property of each region, summed over processes.

    Regions are compared without their id. The sentence is that of the process where the property
    costs most.
    """
    costs: dict[tuple[Region, str], list[PropertyFinding]] = defaultdict(list)
    for run in runs:
        for finding in find_properties(run.profiles, run.analysis):
            if finding.profile is not None:
                costs[replace(finding.profile.region, id=""), finding.name].append(finding)
    worst: dict[Region, PropertyFinding] = {}
    for (region, _), findings in costs.items():
        severity = sum(finding.severity for finding in findings)
        dearest = max(findings, key=lambda finding: finding.severity)
        if region not in worst or severity > worst[region].severity:
            worst[region] = replace(dearest, severity=severity, share=share(severity, total))
    return worst
