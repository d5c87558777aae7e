"""Labels: which of a library's kernels have a finding's cost.

A library such as Kokkos or RAJA runs all kernels in a few constructs of its headers, and reports each kernel
by the label that the program gave it. The label is a user region without a file around the construct.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pomp_clang.analysis.properties.profile_property import ProfileProperty, PropertyFinding
from pomp_clang.experiment.model import CallPath, Experiment, Region


def _advice(uneven: str, short: str) -> dict[str, str]:
    """Return the advice on properties of kernels: of uneven work, and of too little work."""
    return {
        "ImbalanceInParallelLoop": uneven,
        "ImbalanceInParallelRegion": uneven,
        "BarrierOverhead": short,
        "InsufficientWorkInParallelLoop": short,
        "ManagementOverhead": short,
    }


_ADVICE = {
    "Kokkos_OpenMP_": _advice(
        "Give the kernel's policy a Kokkos::Schedule<Kokkos::Dynamic>, or a smaller ChunkSize, or share "
        "out its work more evenly.",
        "Give each kernel more work: fuse kernels that follow one another, or use an MDRangePolicy or a "
        "TeamPolicy over an outer loop, too.",
    ),
    "/RAJA/policy/openmp/": _advice(
        "Give the kernel another policy, such as RAJA::omp_parallel_for_dynamic_exec<CHUNK>, or share "
        "out its work more evenly.",
        "Give each kernel more work: fuse kernels that follow one another, or collapse loops, or make "
        "the outer loop the parallel one.",
    ),
}
"""The advice by a part of the path of a library's headers: the directive is the library's, and cannot
be changed."""

_MOSTLY = 0.5
"""The part of a finding's cost in kernels, from which on its advice is on kernels."""


def with_labels(
    findings: Iterable[PropertyFinding],
    experiment: Experiment,
    properties: Mapping[str, ProfileProperty],
) -> tuple[PropertyFinding, ...]:
    """Return the findings with the seconds of all threads by label, the costliest first."""
    labels = _labels(experiment)
    if not labels:
        return tuple(findings)
    return tuple(_labeled(finding, experiment, labels, properties) for finding in findings)


def _labeled(
    finding: PropertyFinding,
    experiment: Experiment,
    labels: Mapping[str, str],
    properties: Mapping[str, ProfileProperty],
) -> PropertyFinding:
    """Return the finding with labels; one of several parts has those of all parts."""
    parts = tuple(_labeled(part, experiment, labels, properties) for part in finding.parts)
    costs: dict[str, float] = defaultdict(float)
    for part in parts:
        for label, cost in part.labels:
            costs[label] += cost
    if not parts and finding.name in properties:
        costs = _costs(finding, experiment, labels, properties[finding.name])
    ordered = sorted(costs.items(), key=lambda item: (-item[1], item[0]))
    advice = finding.advice
    if sum(costs.values()) >= _MOSTLY * finding.severity and not _is_of_processors(
        advice, properties
    ):
        advice = _of_library(finding).get(finding.name, advice)
    return replace(finding, parts=parts, labels=tuple(ordered), advice=advice)


def _of_library(finding: PropertyFinding) -> dict[str, str]:
    """Return the advice for the library in whose headers the finding is."""
    profiles = (part.profile for part in (finding, *finding.parts))
    file = next((profile.region.file for profile in profiles if profile), "")
    return next((advice for part, advice in _ADVICE.items() if part in file), {})


def _is_of_processors(advice: str, properties: Mapping[str, ProfileProperty]) -> bool:
    """Return whether the advice is on processors that are busy, or too few."""
    return any(advice in row.text.advice_by_processors.values() for row in properties.values())


def _labels(experiment: Experiment) -> dict[str, str]:
    """Return the label of each call path below a kernel, that of the innermost one."""
    regions = {region.id: region for region in experiment.regions}
    paths: dict[str, CallPath] = {}
    labels: dict[str, str] = {}
    for path in experiment.callpaths:
        paths[path.id] = path
        region = regions[path.region]
        if _is_label(region):
            labels[path.id] = region.sub_name
        elif path.above in labels:
            labels[path.id] = labels[path.above]
    return labels


def _is_label(region: Region) -> bool:
    return region.kind == "region" and not region.file and bool(region.sub_name)


def _costs(
    finding: PropertyFinding,
    experiment: Experiment,
    labels: Mapping[str, str],
    row: ProfileProperty,
) -> dict[str, float]:
    """Return the seconds of all threads at the finding's region by label."""
    by_path = {path.id: path.region for path in experiment.callpaths}
    costs: dict[str, float] = defaultdict(float)
    for (path, _), measured in experiment.callpath_profile.items():
        if finding.profile and path in labels and by_path[path] == finding.profile.region.id:
            costs[labels[path]] += max(0.0, row.cost(measured))
    return costs
