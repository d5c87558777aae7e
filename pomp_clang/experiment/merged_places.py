"""Regions by their places in the source, in the order of listing them, and call paths by the places of their
regions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pomp_clang.experiment.model import CallPath, InclusionPlaces, Region
from pomp_clang.experiment.records import RawPath, RawRegion
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MergedPlaces:
    """The regions of an experiment; `numbers` maps a region's number in the file to its id."""

    regions: tuple[Region, ...]
    numbers: dict[int, str]


_Key = tuple[str, int, int, str, str, InclusionPlaces]

_NOT_MEASURED, _OMPT, _ARRIVAL, _NOWAIT, _FUNCTION, _RELEASE = (
    int(flag)
    for flag in (
        DescriptorFlag.BARRIER_NOT_MEASURED, DescriptorFlag.OMPT, DescriptorFlag.ARRIVAL,
        DescriptorFlag.NOWAIT, DescriptorFlag.FUNCTION, DescriptorFlag.RELEASE,
    )
)  # fmt: skip
"""As plain numbers: a job has as many regions as each of its processes."""


def merge_places(raw: Iterable[RawRegion], reached: set[int], by_ompt: bool) -> MergedPlaces:
    """Merge the regions of one place, whichever units and libraries they were compiled into.

    `reached` are the regions with measurements: the place of a lock's release is listed only with
    some. `by_ompt` is True if the OpenMP runtime reported its barriers.
    """
    places: dict[_Key, list[RawRegion]] = {}
    for region in raw:
        if region.id in reached or not region.flags & _RELEASE:
            places.setdefault(_key(region), []).append(region)
    regions = []
    numbers: dict[int, str] = {}
    for number, key in enumerate(sorted(places), 1):
        ident = f"R{number:05d}"
        regions.append(_region(ident, places[key][0], by_ompt))
        numbers.update((region.id, ident) for region in places[key])
    return MergedPlaces(tuple(regions), numbers)


def _kind(region: RawRegion) -> str:
    return "function" if region.flags & _FUNCTION else region.strings[0]


def _key(region: RawRegion) -> _Key:
    _, sub_name, file, _, _ = region.strings
    line, column = region.lines[0], region.begin_column
    return file, line, column, _kind(region), sub_name, _inclusions(region)


def _region(ident: str, raw: RawRegion, by_ompt: bool) -> Region:
    unmeasured = _NOT_MEASURED if by_ompt else _NOT_MEASURED | _OMPT
    name, sub_name, file, clauses, function = raw.strings
    return Region(
        id=ident,
        kind=_kind(raw),
        name=name,
        sub_name=sub_name,
        num_sections=raw.num_sections,
        file=file,
        begin_line1=raw.lines[0],
        begin_lineN=raw.lines[1],
        end_line1=raw.lines[2],
        end_lineN=raw.lines[3],
        begin_column=raw.begin_column,
        clauses=clauses,
        function=function,
        nowait=bool(raw.flags & _NOWAIT),
        barrier_measured=not raw.flags & unmeasured,
        by_ompt=bool(raw.flags & _OMPT),
        by_arrival=bool(raw.flags & _ARRIVAL),
        included_from=_inclusions(raw),
    )


def _inclusions(raw: RawRegion) -> InclusionPlaces:
    places = (place.rpartition(":") for place in raw.included_from.splitlines())
    return tuple((file, int(line)) for file, _, line in places if line.isdecimal())


@dataclass(frozen=True, slots=True)
class MergedCallPaths:
    """The call paths of an experiment; `numbers` maps a path's number in the file to its id."""

    paths: tuple[CallPath, ...]
    numbers: Mapping[int, str]


class _CallPathTree:
    """The paths as nodes, numbered from 1 in the order of creation; 0 is the root."""

    def __init__(self, raw: Mapping[int, RawPath], regions: Mapping[int, str]) -> None:
        self.nodes = {0: 0}
        self.below: list[dict[tuple[str, bool], int]] = [{}]
        self.above = [0]
        for path in sorted(raw):
            record = raw[path]
            if record.above in self.nodes and record.region in regions:
                region = regions[record.region], record.task
                self.nodes[path] = self._node(self.nodes[record.above], region)

    def _node(self, above: int, region: tuple[str, bool]) -> int:
        node = self.below[above].setdefault(region, len(self.below))
        if node == len(self.below):
            self.below.append({})
            self.above.append(above)
        return node

    def leading_to(self, paths: Collection[int]) -> set[int]:
        leading: set[int] = set()
        for path in paths:
            node = self.nodes.get(path, 0)
            while node and node not in leading:
                leading.add(node)
                node = self.above[node]
        return leading


def merge_callpaths(
    raw: Mapping[int, RawPath], regions: Mapping[int, str], reached: Collection[int]
) -> MergedCallPaths:
    """Merge the paths of a file whose regions are one place.

    Paths through a region that is not listed are dropped, and those that lead to no
    `reached` path. Callers come before callees, and callees in the order of the regions.
    """
    tree = _CallPathTree(raw, regions)
    used = tree.leading_to(reached)
    listed: dict[int, str] = {}
    paths = []
    pending = [(0, ("", False))]
    while pending:
        node, (region, task) = pending.pop()
        if node:
            listed[node] = f"C{len(listed) + 1:05d}"
            paths.append(CallPath(listed[node], listed.get(tree.above[node]), region, task))
        called = [(r, n) for r, n in tree.below[node].items() if n in used]
        pending += [(n, r) for r, n in sorted(called, reverse=True)]
    numbers = {path: listed[node] for path, node in tree.nodes.items() if node in listed}
    return MergedCallPaths(tuple(paths), numbers)
