"""Call paths by the places of their regions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pomp_clang.experiment.model import CallPath
from pomp_clang.experiment.records import RawPath


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


def merge(
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
