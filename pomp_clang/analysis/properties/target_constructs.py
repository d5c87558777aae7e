"""Target constructs: data that moves again and again, kernels that are small, or run on the host.

The cost of a finding is time that the host's threads spend in the construct, of which the OpenMP
runtime reports the parts. No class of overhead has it. Sentences name the variables, where the
experiment has their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pomp_clang.analysis import target_property_texts
from pomp_clang.analysis.device_use import ConstructOnDevices, MovedData
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties.profile_property import PropertyFinding, lasting
from pomp_clang.analysis.property_row import PropertyText

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
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
        clauses = _clauses(self.repeated(construct)) if self.repeated else ""
        if not clauses:
            return self.text.advice
        return self.text.advice.replace("target data, or", f"target data {clauses}, or", 1)


_MOST_CLAUSES = 4
"""Variables beyond which advice does not list them."""

_SMALL_PART = 0.01
"""Share of the largest variable's size below which advice leaves a variable out."""


def _clauses(repeated: list[MovedData]) -> str:
    """Return map clauses for data, "" if there are large variables without a known name, or many."""
    kinds: dict[str, set[str]] = {}
    largest = max((moved.bytes for moved in repeated), default=0)
    for moved in repeated:
        if moved.bytes < _SMALL_PART * largest:
            continue
        ways = kinds.setdefault(_readable(moved.name), set())
        ways |= {"to"} if moved.activity.toC else set()
        ways |= {"from"} if moved.activity.fromC else set()
    if "" in kinds or len(kinds) > _MOST_CLAUSES:
        return ""
    words = (
        (name, "to" * ("to" in ways) + "from" * ("from" in ways)) for name, ways in kinds.items()
    )
    return " ".join(f"map({way or 'alloc'}: {name})" for name, way in sorted(words))


def _readable(name: str) -> str:
    """Return a name from the experiment without characters that control a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _size_and_names(items: list[MovedData]) -> str:
    """Return the size of data and the names of variables, if they are known."""
    size, names = amount(sum(moved.bytes for moved in items)), _names(items)
    return f"{size} of {names}" if names else size


def _names(items: list[MovedData]) -> str:
    names = sorted({_readable(moved.name) for moved in items if moved.name})
    if len(names) > _MOST_CLAUSES:
        names = [*names[:_MOST_CLAUSES], "others"]
    return ", ".join(names)


def amount(size: float) -> str:
    """Format a number of bytes with three digits and a unit.

    >>> amount(160), amount(800_000), amount(2_530_000_000)
    ('160 B', '800 kB', '2.53 GB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            value = size / factor
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    return f"{size:.0f} B"


def _transfers(moved: MovedData) -> int:
    """Return the number of times that data was transferred in one direction."""
    return max(moved.activity.toC, moved.activity.fromC)


def _repeated(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.is_one and _transfers(moved) > 1]


def _allocated_again(construct: ConstructOnDevices) -> list[MovedData]:
    """Return data that is allocated repeatedly, without being transferred repeatedly."""
    return [
        moved
        for moved in construct.data
        if moved.is_one and moved.activity.allocC > 1 >= _transfers(moved)
    ]


def _allocation_time(construct: ConstructOnDevices, moved: MovedData) -> float:
    """Return the seconds of allocations and deletions, except the first ones."""
    count, total = moved.activity.allocC, construct.total
    deletion = total.deleteT * share(count, total.allocC)
    return (moved.activity.allocT + deletion) * share(count - 1, count) if count else 0.0


_LEAST_MEMORY = 0.05
"""Share of the time of transfers from which on a sentence has that of allocations as well."""


def _repeated_transfer(_: RegionProfile, construct: ConstructOnDevices) -> float:
    cost = 0.0
    for moved in _repeated(construct):
        activity, count = moved.activity, _transfers(moved)
        cost += (activity.toT + activity.fromT) * share(count - 1, count)
        cost += _allocation_time(construct, moved)
    return cost


def _transfer_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    repeated = _repeated(construct)
    activities = [moved.activity for moved in repeated]
    count = sum(activity.toC + activity.fromC for activity in activities)
    volume = sum(activity.toV + activity.fromV for activity in activities)
    time = sum(activity.toT + activity.fromT for activity in activities)
    memory = sum(_allocation_time(construct, moved) for moved in repeated)
    besides = ""
    if memory >= _LEAST_MEMORY * time:
        besides = f", and their allocations and deletions {lasting(memory)}"
    return (
        f"The same data, {_size_and_names(repeated)}, is transferred again and again: {count} transfers of "
        f"{amount(volume)} in all take {lasting(time)}{besides}."
    )


def _redundant(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.activity.againC or moved.activity.sameC]


def _redundant_transfer(_: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of the transfers, and of allocations that end with them."""
    memory = 0.0
    for moved in _redundant(construct):
        activity = moved.activity
        part = share(activity.againC + activity.sameC, activity.toC + activity.fromC)
        memory += _allocation_time(construct, moved) * part if moved.is_one else 0.0
    return construct.total.againT + construct.total.sameT + memory


def _redundant_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.total
    volume, names = amount(total.againV + total.sameV), _names(_redundant(construct))
    return (
        f"{total.againC + total.sameC} of {total.toC + total.fromC} transfers carry the content "
        f"of the transfer before, {volume}{f' of {names}' if names else ''}, for "
        f"{lasting(_redundant_transfer(profile, construct))}."
    )


def _returned(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.activity.roundC]


def _round_trip(_: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of transfers to the device of what came from it, and of as many back."""
    cost = 0.0
    for moved in _returned(construct):
        activity = moved.activity
        back = min(activity.roundC, activity.fromC)
        cost += activity.roundT + activity.fromT * share(back, activity.fromC)
    return cost


def _round_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    total, names = construct.total, _names(_returned(construct))
    return (
        f"{total.roundC} of {total.toC} transfers to the device carry what came from it before, "
        f"{amount(total.roundV)}{f' of {names}' if names else ''}. Both ways take "
        f"{lasting(_round_trip(profile, construct))}."
    )


def _repeated_allocation(_: RegionProfile, construct: ConstructOnDevices) -> float:
    return sum(_allocation_time(construct, moved) for moved in _allocated_again(construct))


def _allocation_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    again = _allocated_again(construct)
    count = sum(moved.activity.allocC for moved in again)
    time = lasting(sum(_allocation_time(construct, moved) for moved in again))
    return (
        f"Memory for the same data, {_size_and_names(again)}, is allocated on the device again and again: "
        f"{count} allocations and their deletions take {time}."
    )


_LARGE = 1 << 16
"""Bytes from which on a transfer that no clause asks for is large."""

_CUT = 400
"""The length at which descriptors cut clauses off."""


def _implicit(profile: RegionProfile, construct: ConstructOnDevices) -> list[MovedData]:
    """Return large variables that move both ways, and that no clause names."""
    clauses = profile.region.clauses
    if len(clauses) >= _CUT:
        return []
    named = set(_IDENTIFIER.findall(clauses))
    return [
        moved
        for moved in construct.data
        if moved.bytes >= _LARGE
        and moved.activity.toC
        and moved.activity.fromC
        and (own := _IDENTIFIER.findall(moved.name))
        and not named & set(own)
    ]


def _implicit_transfer(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    return sum(_implicit_ways(profile, construct))


def _implicit_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    data = _implicit(profile, construct)
    to_device, back = _implicit_ways(profile, construct)
    return (
        f"No clause names {_names(data)}, so that {amount(sum(moved.bytes for moved in data))} move to "
        f"the device and back at each visit: in all {lasting(to_device)} there and {lasting(back)} "
        "back."
    )


def _implicit_ways(profile: RegionProfile, construct: ConstructOnDevices) -> tuple[float, float]:
    """Return the seconds to the device and back."""
    activities = [moved.activity for moved in _implicit(profile, construct)]
    return sum(part.toT for part in activities), sum(part.fromT for part in activities)


def _shorter_way(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the part of the shorter way: data that the kernel uses moves one way at least."""
    ways = _implicit_ways(profile, construct)
    return share(min(ways), sum(ways))


def _unused_mapping(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    total = construct.total
    is_unused = profile.region.kind == "target data" and not construct.innerC and total.allocC
    return total.targetT if is_unused else 0.0


def _mapping_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.total
    return (
        f"No kernel is launched within the construct, which maps {amount(total.allocV)} and takes "
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
    return f"{construct.hostC} of {construct.execC} visits launched no kernel: they ran on the host, for {time}."


_ROWS = (
    _TargetProperty(
        target_property_texts.FALLBACK_TO_HOST, _on_host, _host_sentence, saved=_on_device
    ),
    _TargetProperty(
        target_property_texts.REPEATED_TRANSFER, _repeated_transfer, _transfer_sentence, _repeated
    ),
    _TargetProperty(
        target_property_texts.REPEATED_ALLOCATION,
        _repeated_allocation,
        _allocation_sentence,
        _allocated_again,
    ),
    _TargetProperty(
        target_property_texts.REDUNDANT_TRANSFER,
        _redundant_transfer,
        _redundant_sentence,
        _redundant,
    ),
    _TargetProperty(
        target_property_texts.REDUNDANT_UPDATE, _redundant_transfer, _redundant_sentence
    ),
    _TargetProperty(target_property_texts.ROUND_TRIP, _round_trip, _round_sentence, _returned),
    _TargetProperty(target_property_texts.ROUND_TRIP_OF_UPDATE, _round_trip, _round_sentence),
    _TargetProperty(
        target_property_texts.IMPLICIT_TRANSFER,
        _implicit_transfer,
        _implicit_sentence,
        saved=_shorter_way,
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
