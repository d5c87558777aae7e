"""The procedures of a Fortran text, main programs among them, as functions that may be measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct, DeclarationSite, SourceFunction
from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.open_items import OpenUnit
from pomp_clang.frontend.fortran.places import ConstructPlaces
from pomp_clang.frontend.source_bytes import decoded

_SCOPES = "::"


def procedures(units: Sequence[OpenUnit], sites: Sequence[DeclarationSite]) -> list[Construct]:
    """Return the units that have an executable part; `sites` has the place of each unit."""
    return list(_procedures(units, sites))


def _procedures(units: Sequence[OpenUnit], sites: Sequence[DeclarationSite]) -> Iterator[Construct]:
    for unit, site in zip(units, sites, strict=True):
        if unit.enter is None or not unit.ended:
            continue
        head = unit.head or Extent(unit.start, unit.start + 1)
        tail = unit.tail if unit.tail is not None else unit.end
        name = _SCOPES.join(_scopes(units, sites, unit))
        yield Construct(
            index=-1,
            kind="function",
            begin=head,
            block=Extent(head.end, max(head.end, tail)),
            declaration_site=site,
            listed=False,
            sub_name=name,
            obstacle=(unit.obstacle, "function") if unit.obstacle else ("", ""),
            function=SourceFunction(unit.enter, name, "", program=unit.kind == "program"),
            places=ConstructPlaces(head.start, unit.enter, tail, tail, unit.index),
        )


def _scopes(
    units: Sequence[OpenUnit], sites: Sequence[DeclarationSite], unit: OpenUnit
) -> list[str]:
    """Return the names of a unit's hosts, the outermost first, and its own."""
    outer = [] if unit.outer is None else _scopes(units, sites, units[unit.outer])
    return [*outer, decoded(unit.name) or sites[unit.index].function]
