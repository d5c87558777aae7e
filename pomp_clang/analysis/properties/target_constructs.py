"""Target constructs: data that moves again and again, kernels that are small, or run on the host.

The cost of a finding is time that the host's threads spend in the construct, of which the OpenMP
runtime reports the parts. No class of overhead has it. `moved_data` has the costs of data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pomp_clang.analysis import target_property_texts
from pomp_clang.analysis.device_use import ConstructOnDevices, MovedData
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import moved_data
from pomp_clang.analysis.properties.profile_property import PropertyFinding, lasting
from pomp_clang.analysis.property_row import PropertyText
from pomp_clang.shared_dataclass import dataclass

_IF_CLAUSE = re.compile(r"\bif\s*\(")
_DEVICE_CLAUSE = re.compile(r"\bdevice\s*\(")


def _all(_: RegionProfile, __: ConstructOnDevices) -> float:
    return 1.0


@dataclass(frozen=True, slots=True)
class _TargetProperty:
    """A property of target constructs: `cost` is in seconds of the host's threads, 0 where it does
    not hold. `saved` is the part of the cost that the change saves; None if that is not known."""

    text: PropertyText
    cost: Callable[[RegionProfile, ConstructOnDevices], float]
    sentence: Callable[[RegionProfile, ConstructOnDevices], str]
    repeated: Callable[[ConstructOnDevices], list[MovedData]] | None = None
    """the data that the advice is to map once"""
    saved: Callable[[RegionProfile, ConstructOnDevices], float | None] = _all

    def advice_for(self, construct: ConstructOnDevices) -> str:
        """Return the advice, with the clauses to write where the variables' names are known."""
        clauses = moved_data.map_clauses(self.repeated(construct)) if self.repeated else ""
        if not clauses:
            return self.text.advice
        return self.text.advice.replace("target data, or", f"target data {clauses}, or", 1)


def _unused_mapping(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    total = construct.total
    is_unused = profile.region.kind == "target data" and not construct.innerC and total.allocC
    return total.targetT if is_unused else 0.0


def _mapping_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.total
    return (
        f"No kernel is launched within the construct, which maps {moved_data.amount(total.allocV)} and takes "
        f"{lasting(total.targetT)} for it."
    )


_LEAST_BETWEEN = 0.1
"""Share of the block of a `target data` from which on the host's work in it is a finding."""


def _host_work(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of the host's serial work between two kernels or more."""
    body = sum(row.measured.bodyT for row in profile.rows)
    is_large = construct.betweenT >= _LEAST_BETWEEN * body
    return construct.betweenT if construct.innerC > 1 and is_large else 0.0


def _work_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    body = lasting(sum(row.measured.bodyT for row in profile.rows))
    return (
        f"The host works for {lasting(construct.betweenT)} of {body} in the block, outside "
        f"its {construct.innerC} kernels and parallel regions."
    )


def _small_kernels(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of launches but for one, where that is longer than the kernels' own.

    A program's first launches start the device's threads, and transfers have findings of their own.
    """
    total = construct.total
    if total.launchC < 2 or total.kernelT >= total.mapT:
        return 0.0
    return _launch_time(profile, construct) * share(total.launchC - 1, total.launchC)


def _launch_time(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of launches in the runtime, with the way there and back."""
    total = construct.total
    way = profile.execT - total.targetT - total.deviceT
    is_known = not construct.hostC and not total.deferC
    return total.mapT + (max(0.0, way) if is_known else 0.0)


def _small_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.total
    kernel = lasting(share(total.kernelT, total.launchC))
    launch = lasting(share(_launch_time(profile, construct), total.launchC))
    return f"{total.launchC} kernels run for {kernel} each on average, and take {launch} to launch."


def _one_team(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of the kernels that one team ran where the directive says nothing of teams.

    Where the host is the device, one team has all of its processors.
    """
    total = construct.off_host
    if "teams" in profile.region.kind.split() or _small_kernels(profile, construct):
        return 0.0
    return total.kernelT * share(total.oneTeamC, total.launchC)


def _not_known(_: RegionProfile, __: ConstructOnDevices) -> None:
    return None


def _team_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.off_host
    kernel = lasting(share(total.kernelT, total.launchC))
    if total.launchC == 1:
        return f"One team runs the kernel, for {kernel}."
    return f"One team runs each of {total.launchC} kernels, for {kernel} on average."


def _on_host(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of visits on the host, unless a clause may have chosen it: an if clause, or a
    device clause beside which other visits launched kernels."""
    clauses = profile.region.clauses
    if not construct.hostC or _IF_CLAUSE.search(clauses):
        return 0.0
    if construct.total.launchC and _DEVICE_CLAUSE.search(clauses):
        return 0.0
    total = construct.total
    if total.deferC:
        return profile.execT * share(construct.hostC, construct.execC)
    return max(0.0, profile.execT - total.targetT - total.deviceT)


def _on_device(profile: RegionProfile, construct: ConstructOnDevices) -> float | None:
    """Return the part that visits save if they take as long as those that launched a kernel; None
    without such."""
    total, on_host = construct.total, _on_host(profile, construct)
    if not total.launchC or total.deferC:
        return None
    there = share(total.targetT, total.launchC) * (construct.hostC or 0)
    return max(0.0, 1 - share(there, on_host))


def _host_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    time = lasting(_on_host(profile, construct))
    return f"{construct.hostC:,} of {construct.execC:,} visits launched no kernel: they ran on the host, for {time}."


_ROWS = (
    _TargetProperty(
        target_property_texts.FALLBACK_TO_HOST, _on_host, _host_sentence, saved=_on_device
    ),
    _TargetProperty(
        target_property_texts.REPEATED_TRANSFER,
        moved_data.repeated_transfer,
        moved_data.transfer_sentence,
        moved_data.repeatedly_moved,
    ),
    _TargetProperty(
        target_property_texts.REPEATED_ALLOCATION,
        moved_data.repeated_allocation,
        moved_data.allocation_sentence,
        moved_data.allocated_again,
    ),
    _TargetProperty(
        target_property_texts.REDUNDANT_TRANSFER,
        moved_data.redundant_transfer,
        moved_data.redundant_sentence,
        moved_data.redundantly_moved,
    ),
    _TargetProperty(
        target_property_texts.REDUNDANT_UPDATE,
        moved_data.redundant_transfer,
        moved_data.redundant_sentence,
    ),
    _TargetProperty(
        target_property_texts.ROUND_TRIP,
        moved_data.round_trip,
        moved_data.round_sentence,
        moved_data.moved_there_and_back,
    ),
    _TargetProperty(
        target_property_texts.ROUND_TRIP_OF_UPDATE, moved_data.round_trip, moved_data.round_sentence
    ),
    _TargetProperty(
        target_property_texts.IMPLICIT_TRANSFER,
        moved_data.implicit_transfer,
        moved_data.implicit_sentence,
        saved=moved_data.shorter_way,
    ),
    _TargetProperty(target_property_texts.UNUSED_MAPPING, _unused_mapping, _mapping_sentence),
    _TargetProperty(target_property_texts.HOST_WORK, _host_work, _work_sentence),
    _TargetProperty(target_property_texts.SMALL_KERNELS, _small_kernels, _small_sentence),
    _TargetProperty(target_property_texts.ONE_TEAM, _one_team, _team_sentence, saved=_not_known),
)

OF_TARGETS = tuple(dict.fromkeys(row.text.name for row in _ROWS))
"""Names of the properties of target constructs, which ompP does not have."""


def of_targets(
    profiles: tuple[RegionProfile, ...], analysis: OverheadAnalysis
) -> list[PropertyFinding]:
    """Evaluate the properties of target constructs; there are none in a program that does not
    offload, or whose use of devices is unknown."""
    if analysis.devices is None or not analysis.devices.is_reported:
        return []
    profile_of = {profile.region.id: profile for profile in profiles}
    findings = []
    for construct in analysis.devices.constructs:
        profile = profile_of.get(construct.region.id) if construct.region else None
        for row in _ROWS if profile else ():
            if row.text is target_property_texts.REPEATED_TRANSFER and analysis.devices.compares:
                continue  # Their contents say more.
            if profile and profile.region.kind in row.text.kinds:
                findings += _findings(row, profile, construct, analysis)
    return findings


def _findings(
    row: _TargetProperty,
    profile: RegionProfile,
    construct: ConstructOnDevices,
    analysis: OverheadAnalysis,
) -> list[PropertyFinding]:
    cost = row.cost(profile, construct)
    if construct.total.deferC:
        # Threads of the runtime run it, and the host loses what it waits for them.
        cost = min(cost, profile.execT + analysis.lost.total)
    if cost <= 0:
        return []
    finding = PropertyFinding(
        name=row.text.name,
        overhead=None,
        profile=profile,
        severity=cost,
        share=share(cost, analysis.totalT),
        locations=tuple(
            cost * share(thread.measured.execT, profile.execT) for thread in profile.rows
        ),
        text=row.sentence(profile, construct),
        advice=row.advice_for(construct),
        title=row.text.title,
        saved=row.saved(profile, construct),
    )
    return [finding]
