"""Positions of a run's constructs, as a filter's rules name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.experiment.model import Region


@dataclass(frozen=True, slots=True)
class ConstructPosition:
    """The functions around a construct, the innermost first, and its number among its kind and name
    there.
    """

    functions: tuple[str, ...]
    nth: int


def construct_positions(regions: Sequence[Region]) -> dict[str, ConstructPosition]:
    """Return the positions of all constructs by the region's id.

    Functions and constructs that were left out when the program was compiled are not known.
    """
    functions = [region for region in regions if region.kind == "function"]
    around = {
        region.id: sorted(
            (function for function in functions if _holds(function, region)),
            key=lambda region_: (region_.begin_line1, region_.begin_column),
            reverse=True,
        )
        for region in regions
        if region.kind != "function"
    }
    same_key: dict[tuple[str, ...], list[Region]] = {}
    for region in regions:
        if region.kind != "function":
            same_key.setdefault(_among(region, around[region.id]), []).append(region)
    positions = {}
    for members in same_key.values():
        members.sort(key=lambda region: (region.begin_line1, region.begin_column))
        for nth, region in enumerate(members, 1):
            names = [region_.sub_name for region_ in around[region.id]] or [region.function]
            positions[region.id] = ConstructPosition(tuple(names), nth)
    return positions


def _holds(function: Region, region: Region) -> bool:
    return (
        function.file == region.file
        and function.begin_line1 <= region.begin_line1
        and region.end_lineN <= function.end_lineN
    )


def _among(region: Region, around: Sequence[Region]) -> tuple[str, ...]:
    innermost = around[0].id if around else region.function
    return region.file, innermost, region.kind, region.sub_name
