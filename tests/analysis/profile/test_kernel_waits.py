"""The part of waits at barriers that is for kernels, of values made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.profile.kernel_waits import kernel_parts
from pomp_clang.analysis.properties import find_properties
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.experiment.target_profile import TargetActivity, TargetProfile
from tests.handmade import call_paths, experiment, region

KINDS = {"R1": "parallel", "R2": "single", "R3": "target", "R4": "barrier", "R5": "master"}


def _run(
    tree: str,
    measured: Mapping[tuple[str, int], Measured],
    deferred: Mapping[str, float] | None = None,
    clauses: str = "",
) -> Experiment:
    """Return a run of call paths; values are by path and thread. `deferred` are seconds of constructs
    with `nowait` by path."""
    regions = [
        region(ident, kind, line, line + 1, clauses=clauses if kind == "target" else "")
        for line, (ident, kind) in enumerate(KINDS.items(), 3)
    ]
    paths = call_paths(tree)
    region_of = {path.id: path.region for path in paths}
    by_region = {(region_of[path], tid): values for (path, tid), values in measured.items()}
    activities = {
        (path, 0): TargetActivity(targetC=1, deferC=1, targetT=seconds)
        for path, seconds in (deferred or {}).items()
    }
    return replace(
        experiment(regions, by_region, threads=2, duration=10.0),
        target=TargetProfile("LLVM OMP", 1, {0: "gpu"}, activities, ()),
        callpaths=paths,
        callpath_profile=dict(measured),
    )


def _target_in_single(kernel: float, block: float, waited: float) -> Experiment:
    return _run(
        "R1\n  R2\n    R3",
        {
            ("C00001", 0): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00001", 1): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00002", 0): Measured(execC=1, execT=block, bodyT=block, bodyC=1),
            ("C00002", 1): Measured(execC=1, execT=waited, exitBarT=waited),
            ("C00003", 0): Measured(execC=1, execT=kernel),
        },
    )


@pytest.mark.parametrize(
    ("kernel", "block", "waited", "part"),
    [(2.0, 2.0, 2.0, 1.0), (1.0, 2.0, 2.0, 0.5), (2.0, 2.0, 1.0, 1.0), (0.01, 2.0, 2.0, 0.0)],
)
def test_a_single_waits_for_the_kernels_in_its_block(
    kernel: float, block: float, waited: float, part: float
) -> None:
    parts = kernel_parts(_target_in_single(kernel, block, waited))
    assert parts == ({"R2": {"exitBarT": pytest.approx(part)}} if part else {})


def test_each_second_is_in_one_class_and_one_property() -> None:
    run = _target_in_single(1.0, 2.0, 2.0)
    profiles = flat_profile(run)
    analysis = analyze_overheads(run, profiles)
    assert analysis.lost.of(Overhead.SYNC) == pytest.approx(1.0)
    assert analysis.lost.of(Overhead.LIMPAR) == pytest.approx(1.0)
    by_name = {finding.name: finding for finding in find_properties(profiles, analysis)}
    assert by_name["WaitForKernels"].severity == pytest.approx(1.0)
    assert by_name["WaitForKernels"].locations == pytest.approx((0.0, 1.0))
    assert by_name["UnparallelizedInSingleRegion"].severity == pytest.approx(1.0)
    assert "processors run the kernels" not in by_name["WaitForKernels"].advice


def test_a_barrier_waits_for_the_kernel_of_a_master() -> None:
    run = _run(
        "R1\n  R5\n    R3\n  R4",
        {
            ("C00001", 0): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00001", 1): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00002", 0): Measured(execC=1, execT=2.0),
            ("C00003", 0): Measured(execC=1, execT=2.0),
            ("C00004", 0): Measured(execC=1),
            ("C00004", 1): Measured(execC=1, execT=2.0),
        },
    )
    assert kernel_parts(run) == {"R4": {"execT": 1.0}, "R5": {"execT": 1.0}}


def test_even_kernels_of_all_threads_are_not_waited_for() -> None:
    run = _run(
        "R1\n  R3\n  R4",
        {
            ("C00001", 0): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00001", 1): Measured(execC=1, execT=8.0, bodyT=8.0),
            ("C00002", 0): Measured(execC=1, execT=2.0),
            ("C00002", 1): Measured(execC=1, execT=2.0),
            ("C00003", 0): Measured(execC=1),
            ("C00003", 1): Measured(execC=1, execT=2.0),
        },
    )
    assert kernel_parts(run) == {}


@pytest.mark.parametrize(
    ("seconds", "parts"),
    [(2.0, {"R1": {"shutdwnT": 1.0}}), (1.0, {"R1": {"shutdwnT": 0.5}})],
)
def test_the_end_of_a_region_waits_for_kernels_with_nowait(
    seconds: float, parts: dict[str, dict[str, float]]
) -> None:
    values = Measured(execC=1, execT=8.0, bodyT=6.0, shutdwnT=2.0)
    run = _run(
        "R1\n  R3",
        {
            ("C00001", 0): values,
            ("C00001", 1): values,
            ("C00002", 0): Measured(execC=1),
        },
        deferred={"C00002": seconds},
        clauses="nowait",
    )
    assert kernel_parts(run) == parts
    profiles = flat_profile(run)
    by_name = {
        finding.name: finding.severity
        for finding in find_properties(profiles, analyze_overheads(run, profiles))
    }
    assert by_name["WaitForKernels"] == pytest.approx(2 * seconds)
    assert by_name.get("ManagementOverhead", 0.0) == pytest.approx(4.0 - 2 * seconds)


def test_without_target_constructs_there_is_nothing_to_find() -> None:
    run = experiment([region("R1", "parallel", 3)], {("R1", 0): Measured(execC=1)})
    assert kernel_parts(run) == {}
