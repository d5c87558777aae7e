"""Data that target constructs move again and again, or that no clause names: costs and sentences.

Times are seconds of the host's threads. Sentences name the variables, where the experiment has their
names.
"""

from __future__ import annotations

import re

from pomp_clang.analysis.device_use import ConstructOnDevices, MovedData
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties.profile_property import lasting

_IDENTIFIER = re.compile(r"[^\W\d]\w*")

_MOST_CLAUSES = 4
"""Variables beyond which advice does not list them."""

_SMALL_PART = 0.01
"""Share of the largest variable's size below which advice leaves a variable out."""


def map_clauses(repeated: list[MovedData]) -> str:
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


def repeatedly_moved(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.is_one and _transfers(moved) > 1]


def allocated_again(construct: ConstructOnDevices) -> list[MovedData]:
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


def repeated_transfer(_: RegionProfile, construct: ConstructOnDevices) -> float:
    cost = 0.0
    for moved in repeatedly_moved(construct):
        activity, count = moved.activity, _transfers(moved)
        cost += (activity.toT + activity.fromT) * share(count - 1, count)
        cost += _allocation_time(construct, moved)
    return cost


def transfer_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    repeated = repeatedly_moved(construct)
    activities = [moved.activity for moved in repeated]
    count = sum(activity.toC + activity.fromC for activity in activities)
    volume = sum(activity.toV + activity.fromV for activity in activities)
    time = sum(activity.toT + activity.fromT for activity in activities)
    memory = sum(_allocation_time(construct, moved) for moved in repeated)
    besides = ""
    if memory >= _LEAST_MEMORY * time:
        besides = f", and their allocations and deletions {lasting(memory)}"
    return (
        f"The same data, {_size_and_names(repeated)}, is transferred again and again: {count:,} transfers of "
        f"{amount(volume)} in all take {lasting(time)}{besides}."
    )


def redundantly_moved(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.activity.againC or moved.activity.sameC]


def redundant_transfer(_: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of the transfers, and of allocations that end with them."""
    memory = 0.0
    for moved in redundantly_moved(construct):
        activity = moved.activity
        part = share(activity.againC + activity.sameC, activity.toC + activity.fromC)
        memory += _allocation_time(construct, moved) * part if moved.is_one else 0.0
    return construct.total.againT + construct.total.sameT + memory


def redundant_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    total = construct.total
    volume, names = amount(total.againV + total.sameV), _names(redundantly_moved(construct))
    return (
        f"{total.againC + total.sameC:,} of {total.toC + total.fromC:,} transfers carry the content "
        f"of the transfer before, {volume}{f' of {names}' if names else ''}, for "
        f"{lasting(redundant_transfer(profile, construct))}."
    )


def moved_there_and_back(construct: ConstructOnDevices) -> list[MovedData]:
    return [moved for moved in construct.data if moved.activity.roundC]


def round_trip(_: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the time of transfers to the device of what came from it, and of as many back."""
    cost = 0.0
    for moved in moved_there_and_back(construct):
        activity = moved.activity
        back = min(activity.roundC, activity.fromC)
        cost += activity.roundT + activity.fromT * share(back, activity.fromC)
    return cost


def round_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
    total, names = construct.total, _names(moved_there_and_back(construct))
    return (
        f"{total.roundC:,} of {total.toC:,} transfers to the device carry what came from it before, "
        f"{amount(total.roundV)}{f' of {names}' if names else ''}. Both ways take "
        f"{lasting(round_trip(profile, construct))}."
    )


def repeated_allocation(_: RegionProfile, construct: ConstructOnDevices) -> float:
    return sum(_allocation_time(construct, moved) for moved in allocated_again(construct))


def allocation_sentence(_: RegionProfile, construct: ConstructOnDevices) -> str:
    again = allocated_again(construct)
    count = sum(moved.activity.allocC for moved in again)
    time = lasting(sum(_allocation_time(construct, moved) for moved in again))
    return (
        f"Memory for the same data, {_size_and_names(again)}, is allocated on the device again and again: "
        f"{count:,} allocations and their deletions take {time}."
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


def implicit_transfer(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    return sum(_implicit_ways(profile, construct))


def implicit_sentence(profile: RegionProfile, construct: ConstructOnDevices) -> str:
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


def shorter_way(profile: RegionProfile, construct: ConstructOnDevices) -> float:
    """Return the part of the shorter way: data that the kernel uses moves one way at least."""
    ways = _implicit_ways(profile, construct)
    return share(min(ways), sum(ways))
