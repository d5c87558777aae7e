"""Where a run's constructs stand, in the words of a filter's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.experiment.model import Region


@dataclass(frozen=True, slots=True)
class Spot:
    """A construct: the functions that it stands in, the innermost first, and which of its kind
    and name, from 1, it is there."""

    functions: tuple[str, ...]
    nth: int


def spots_of(regions: Sequence[Region]) -> dict[str, Spot]:
    """Those of all constructs, by the region's id.  Functions and constructs that were left out
    when the program was compiled are not known."""
    functions = [each for each in regions if each.kind == "function"]
    around = {
        each.id: sorted(
            (one for one in functions if _holds(one, each)),
            key=lambda one: (one.begin_line1, one.begin_column),
            reverse=True,
        )
        for each in regions
        if each.kind != "function"
    }
    alike: dict[tuple[str, ...], list[Region]] = {}
    for each in regions:
        if each.kind != "function":
            alike.setdefault(_among(each, around[each.id]), []).append(each)
    found = {}
    for members in alike.values():
        members.sort(key=lambda each: (each.begin_line1, each.begin_column))
        for nth, each in enumerate(members, 1):
            names = [one.sub_name for one in around[each.id]] or [each.function]
            found[each.id] = Spot(tuple(names), nth)
    return found


def _holds(function: Region, region: Region) -> bool:
    return (
        function.file == region.file
        and function.begin_line1 <= region.begin_line1
        and region.end_lineN <= function.end_lineN
    )


def _among(region: Region, around: Sequence[Region]) -> tuple[str, ...]:
    innermost = around[0].id if around else region.function
    return region.file, innermost, region.kind, region.sub_name
