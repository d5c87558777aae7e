"""Findings at the constructs of a library, in kernels that have labels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties, label_findings
from pomp_clang.experiment.model import Measured, Region
from tests.handmade import call_paths, experiment, region

LABEL = region("R1", "region", 0, file="", sub_name="axpby")
LOOP = region("R2", "parallel for", 94, file="Kokkos_OpenMP_Parallel_For.hpp")
LOOP_OF_RAJA = region("R2", "parallel for", 94, file="include/RAJA/policy/openmp/forall.hpp")


def _finding(
    rows: tuple[Measured, ...], in_kernel: float = 1.0, processors: int = 2, loop: Region = LOOP
) -> PropertyFinding:
    """Return the costliest finding of a loop that runs in the kernel, and outside for the rest."""
    paths = call_paths("R1\n  R2\nR2")
    profile = {
        (path, tid): Measured(
            row.execC, row.execT * part, row.bodyC, row.bodyT * part, exitBarT=row.exitBarT * part
        )
        for path, part in (("C00002", in_kernel), ("C00003", 1 - in_kernel))
        for tid, row in enumerate(rows)
    }
    run = experiment(
        (LABEL, loop),
        {("R2", tid): row for tid, row in enumerate(rows)},
        threads=len(rows),
        callpaths=paths,
        callpath_profile=profile,
        processors=processors,
    )
    profiles = flat_profile(run)
    findings = find_properties(profiles, analyze_overheads(run, profiles))
    return next(it for it in label_findings(findings, run) if it.profile)


UNEVEN = tuple(Measured(100, 2.0, 100, 2.0 - wait, exitBarT=wait) for wait in (0.0, 1.0))
SHORT = (Measured(10_000, 0.22, 10_000, 0.02, exitBarT=0.2),) * 2


@pytest.mark.parametrize(
    ("rows", "advice"),
    [(UNEVEN, "Give the kernel's policy"), (SHORT, "Give each kernel more work")],
)
def test_advice_on_a_kernel_is_what_its_author_can_change(
    rows: tuple[Measured, ...], advice: str
) -> None:
    finding = _finding(rows)
    assert [label for label, _ in finding.labels] == ["axpby"]
    assert finding.advice.startswith(advice)


@pytest.mark.parametrize(
    ("rows", "advice"), [(UNEVEN, "omp_parallel_for_dynamic_exec"), (SHORT, "collapse loops")]
)
def test_advice_on_a_kernel_of_raja_names_its_policies(
    rows: tuple[Measured, ...], advice: str
) -> None:
    assert advice in _finding(rows, loop=LOOP_OF_RAJA).advice


def test_advice_on_a_loop_that_is_mostly_outside_of_kernels_is_on_the_directive() -> None:
    finding = _finding(UNEVEN, in_kernel=0.2)
    assert [label for label, _ in finding.labels] == ["axpby"]
    assert "schedule(dynamic)" in finding.advice


def test_too_few_processors_come_first() -> None:
    assert _finding(SHORT, processors=1).advice.startswith("Run with at most as many threads")


def test_findings_without_labels_stay() -> None:
    run = replace(
        experiment((LOOP,), {("R2", tid): row for tid, row in enumerate(UNEVEN)}, threads=2),
        processors=2,
    )
    profiles = flat_profile(run)
    findings = find_properties(profiles, analyze_overheads(run, profiles))
    assert label_findings(findings, run) == findings
