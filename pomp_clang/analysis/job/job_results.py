"""The devices and the findings of a job: those of its processes, joined by region, or by property and place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pomp_clang.analysis.device_use import (
    NOTHING,
    OTHER_ADDRESSES,
    ConstructOnDevices,
    DeviceUse,
    MovedData,
)
from pomp_clang.analysis.job import JobProfile, ProcessProfile, region_key
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import PropertyFinding, findings_of_run
from pomp_clang.experiment.model import InclusionPlaces, Region
from pomp_clang.experiment.target_profile import TargetActivity


def devices_of_job(job: JobProfile) -> DeviceUse | None:
    """Return the use of devices by all processes; None if none of them offloads.

    A device is that of one number in every process. Addresses differ between processes: data with
    a name is one variable's, and other data is not told apart.
    """
    uses = [use for process in job.processes if (use := process.run.analysis.devices)]
    if not uses:
        return None
    by_key: dict[object, list[ConstructOnDevices]] = {}
    for use in uses:
        for construct in use.constructs:
            by_key.setdefault(_construct_key(construct), []).append(construct)
    regions = {region_key(profile.region): profile.region for profile in job.regions}
    order = [*(key for key in regions if key in by_key), *([None] if None in by_key else [])]
    numbers = [use.number for use in uses if use.number is not None]
    return DeviceUse(
        runtime=uses[0].runtime,
        number=max(numbers, default=None),
        is_reported=all(use.is_reported for use in uses),
        devices={number: kind for use in uses for number, kind in use.devices.items()},
        constructs=tuple(
            _merged(None if key is None else regions[key], by_key[key]) for key in order
        ),
        compares=any(use.compares for use in uses),
    )


def _construct_key(construct: ConstructOnDevices) -> object:
    return None if construct.region is None else region_key(construct.region)


def _merged(region: Region | None, parts: list[ConstructOnDevices]) -> ConstructOnDevices:
    devices: dict[int, TargetActivity] = {}
    for part in parts:
        for number, activity in part.devices.items():
            devices[number] = devices.get(number, NOTHING) + activity
    on_host = [part.hostC for part in parts]
    known = [count for count in on_host if count is not None]
    return ConstructOnDevices(
        region,
        sum(part.execC for part in parts),
        sum(known) if len(known) == len(on_host) else None,
        sum(part.innerC for part in parts),
        dict(sorted(devices.items())),
        sum((part.off_host for part in parts), start=NOTHING),
        tuple(_data(parts)),
        sum(part.betweenT for part in parts),
    )


def _data(parts: list[ConstructOnDevices]) -> Iterator[MovedData]:
    """Yield the data by device and name, the data without a name last."""
    merged: dict[tuple[int, str], MovedData] = {}
    for part in parts:
        for moved in part.data:
            is_named = moved.is_one and moved.name
            key = moved.device, moved.name if is_named else ""
            address = moved.address if is_named else OTHER_ADDRESSES
            before = merged.get(key) or replace(moved, address=address, activity=NOTHING)
            merged[key] = replace(
                before,
                bytes=max(before.bytes, moved.bytes),
                activity=before.activity + moved.activity,
            )
    yield from sorted(merged.values(), key=lambda moved: not moved.is_one)


_Key = tuple[str, str, int, int, str, str, InclusionPlaces]


@dataclass(frozen=True, slots=True)
class JobFinding:
    """A property at a place in several processes of a job.

    `worst` is the finding of the process that loses most there, `rank` its rank. `severity` is in
    seconds over all threads of the job, `share` its share of their time. `processes` is the number
    of processes that have it. `gain` is the mean of the gains of all processes in seconds, None if it is
    not predicted.
    """

    worst: PropertyFinding
    rank: int
    severity: float
    share: float
    processes: int
    gain: float | None


def job_findings(job: JobProfile) -> tuple[JobFinding, ...]:
    """Return the findings of all processes, joined, the costliest first."""
    by_property: dict[_Key, list[tuple[PropertyFinding, ProcessProfile]]] = {}
    for process in job.processes:
        run = process.run
        for finding in findings_of_run(run.experiment, run.profiles, run.analysis):
            by_property.setdefault(_finding_key(finding), []).append((finding, process))
    joined = [_joined(places, job) for places in by_property.values()]
    return tuple(
        sorted(
            joined,
            key=lambda job_finding: (
                -job_finding.severity,
                job_finding.worst.name,
                job_finding.rank,
            ),
        )
    )


def _joined(places: list[tuple[PropertyFinding, ProcessProfile]], job: JobProfile) -> JobFinding:
    severity = sum(finding.severity for finding, _ in places)
    worst, process = max(places, key=lambda place: (place[0].severity, -place[1].rank))
    gains = [finding.gain(process.run.threads) for finding, process in places]
    known = [gain for gain in gains if gain is not None]
    return JobFinding(
        worst,
        process.rank,
        severity,
        share(severity, job.totalT),
        len(places),
        sum(known) / len(job.processes) if len(known) == len(gains) else None,
    )


def _finding_key(finding: PropertyFinding) -> _Key:
    """Return a key that is equal for the same property and place in each process."""
    if finding.profile is None or finding.is_combined:
        return finding.name, "", 0, 0, "", "several" if finding.is_combined else "", ()
    region = finding.profile.region
    return (
        finding.name,
        region.file,
        region.begin_line1,
        region.begin_column,
        region.kind,
        region.sub_name,
        region.included_from,
    )
