"""Callers: the functions from which a finding's construct is reached.

A construct of a function that others call, such as a template around a loop, is one region however
many functions call it. If functions are measured, call paths tell the callers apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pomp_clang.analysis.properties.profile_property import ProfileProperty, PropertyFinding
from pomp_clang.experiment.model import CallPath, Experiment, Measured

ELSEWHERE = "elsewhere"
"""The caller if no measured function is around the others' common part."""

_DEEPEST = 64
"""The number of functions around a construct that are compared, the innermost ones."""


@dataclass(frozen=True, slots=True)
class _CallPaths:
    """The call paths by id, those of each region, the measurements of each, and the names of the
    functions and user regions by region."""

    by_id: dict[str, CallPath]
    of_region: dict[str, list[str]]
    measured: dict[str, list[Measured]]
    function_names: dict[str, str]

    def functions_around(self, path_id: str) -> tuple[str, ...]:
        """Return the names of the functions around a call path, the innermost first; one that calls
        itself is there once."""
        names: list[str] = []
        above = self.by_id[path_id].above
        while above is not None and len(names) < _DEEPEST:
            name = self.function_names.get(self.by_id[above].region)
            if name and name not in names[-1:]:
                names.append(name)
            above = self.by_id[above].above
        return tuple(names)


def with_callers(
    findings: Iterable[PropertyFinding],
    experiment: Experiment,
    properties: Mapping[str, ProfileProperty],
) -> tuple[PropertyFinding, ...]:
    """Return the findings with the seconds of all threads by caller, the costliest first.

    A construct that is reached from one function alone has no callers, nor has one in kernels with
    labels.
    """
    function_names = {
        region.id: region.sub_name
        for region in experiment.regions
        if region.kind in ("function", "region") and region.file and region.sub_name
    }
    if not function_names:
        return tuple(findings)
    paths = _CallPaths(
        {path.id: path for path in experiment.callpaths},
        defaultdict(list),
        defaultdict(list),
        function_names,
    )
    for path in experiment.callpaths:
        paths.of_region[path.region].append(path.id)
    for (path_id, _), measured in experiment.callpath_profile.items():
        paths.measured[path_id].append(measured)
    return tuple(_with_callers(finding, paths, properties) for finding in findings)


def _with_callers(
    finding: PropertyFinding, paths: _CallPaths, properties: Mapping[str, ProfileProperty]
) -> PropertyFinding:
    """Return the finding with callers; one of several parts has those of all parts."""
    parts = tuple(_with_callers(part, paths, properties) for part in finding.parts)
    costs: dict[str, float] = defaultdict(float)
    for part in parts:
        for caller, cost in part.callers:
            costs[caller] += cost
    if not parts and finding.profile and not finding.labels and finding.name in properties:
        costs = _costs(finding.profile.region.id, paths, properties[finding.name])
    ordered = sorted(costs.items(), key=lambda item: (-item[1], item[0]))
    return replace(finding, parts=parts, callers=tuple(ordered))


def _costs(region: str, paths: _CallPaths, row: ProfileProperty) -> dict[str, float]:
    """Return the seconds of all threads at a region by caller; none if there is one caller."""
    by_functions: dict[tuple[str, ...], float] = defaultdict(float)
    for path_id in paths.of_region[region]:
        cost = sum(max(0.0, row.cost(measured)) for measured in paths.measured[path_id])
        if cost:
            by_functions[paths.functions_around(path_id)] += cost
    return by_caller(by_functions)


def by_caller(by_functions: Mapping[tuple[str, ...], float]) -> dict[str, float]:
    """Return the seconds by caller, from those by the functions around, the innermost first; none
    if there is one caller."""
    costs: dict[str, float] = defaultdict(float)
    if len(by_functions) > 1:
        common = _common(by_functions)
        for names, cost in by_functions.items():
            costs[names[common] if len(names) > common else ELSEWHERE] += cost
    return costs


def _common(all_names: Iterable[tuple[str, ...]]) -> int:
    """Return the number of names that all begin with."""
    count = 0
    for names in zip(*all_names, strict=False):
        if len(set(names)) > 1:
            break
        count += 1
    return count
