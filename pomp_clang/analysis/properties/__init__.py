"""Properties of a profile: inefficiencies known by name, ranked by what they cost.

Names, kinds and severities are those of ompP where ompP has them: lost time / (duration x threads).
The classes of overhead are those of the ompP paper, section II-B3. Waiting to enter is
synchronization. Waiting at the end is imbalance or limited parallelism. Starting, ending and
releasing are management. ompP does not have ManagementOverhead, WaitForTurn, FrequentFlush, and the
properties of tasks. IdleThreads and LimitedParallelism are EXPERT's and belong to the program as a
whole. The texts are in `pomp_clang.analysis.property_texts`.
"""

from __future__ import annotations

from pomp_clang.analysis.columns import Others
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.overheads.barrier_cost import is_barrier_cost
from pomp_clang.analysis.overheads.event_cost import measured_within, within_implied_barrier
from pomp_clang.analysis.overheads.flush_loops import between_events
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import (
    imbalance,
    limited_parallelism,
    management,
    single_thread,
    waiting,
)
from pomp_clang.analysis.properties.callers import with_callers
from pomp_clang.analysis.properties.combined import combined, separate
from pomp_clang.analysis.properties.labeled_regions import with_labels
from pomp_clang.analysis.properties.one_cause import of_one_cause
from pomp_clang.analysis.properties.page_faults import of_memory
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    PropertyFinding,
    lasting,
)
from pomp_clang.analysis.properties.target_constructs import of_targets
from pomp_clang.analysis.properties.tasks import tasks_of
from pomp_clang.analysis.property_texts import IMPLIED_BARRIER_OVERHEAD, WAIT_IN_FLUSH_LOOP
from pomp_clang.analysis.run import break_down
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.experiment.model import Experiment, Measured

__all__ = [
    "ROWS",
    "ProfileProperty",
    "PropertyFinding",
    "combined",
    "find_properties",
    "findings_of_run",
    "label_findings",
    "lasting",
    "of_one_cause",
    "separate",
]

_TICK = 1e-9
"""Seconds below which a severity is rounding."""

ROWS = (
    *waiting.ROWS,
    *imbalance.ROWS,
    *limited_parallelism.ROWS,
    *management.ROWS,
    *single_thread.ROWS,
)


_FOR_WORK = frozenset(row.name for row in imbalance.ROWS) | {
    "UnparallelizedInSingleRegion",
    "WaitAtBarrier",
}
"""Properties of threads that wait in a barrier for threads with more work.

BarrierOverhead replaces them where uneven work is not the reason.
"""


def findings_of_run(
    experiment: Experiment, profiles: tuple[RegionProfile, ...], analysis: OverheadAnalysis
) -> tuple[PropertyFinding, ...]:
    """Return the findings of a run as reports have them: those of one cause as one, with kernels or
    callers."""
    findings = of_one_cause(find_properties(profiles, analysis), profiles, analysis)
    return label_findings(combined(findings, analysis.processor_use), experiment)


def label_findings(
    findings: tuple[PropertyFinding, ...], experiment: Experiment
) -> tuple[PropertyFinding, ...]:
    """Return the findings with the labels of the kernels that have their costs, or with the
    functions from which their regions are reached."""
    rows = {row.name: row for row in ROWS if row is not waiting.FOR_KERNELS}
    return with_callers(with_labels(findings, experiment, rows), experiment, rows)


def find_properties(
    profiles: tuple[RegionProfile, ...], analysis: OverheadAnalysis
) -> tuple[PropertyFinding, ...]:
    """Return all findings of a run, the costliest first."""
    findings = limited_parallelism.of_program(break_down(analysis), analysis)
    findings += of_memory(analysis)
    findings += of_targets(profiles, analysis)
    tasks = tasks_of(profiles, analysis.threads, analysis.queued or 0.0)
    for profile in profiles:
        for row in ROWS:
            if profile.region.kind in row.kinds:
                findings += _findings(row, profile, analysis, tasks)
    return tuple(sorted((f for f in findings if f.severity >= _TICK), key=_rank))


def _findings(
    row: ProfileProperty,
    profile: RegionProfile,
    analysis: OverheadAnalysis,
    tasks: TaskEvidence | None,
) -> list[PropertyFinding]:
    if Others.NONE < row.others <= profile.missing:
        return []
    if row.name in _FOR_WORK and is_barrier_cost(profile):
        return []
    kind = profile.region.kind
    evidence = PropertyEvidence(
        profile,
        analysis,
        tuple(
            max(
                0.0,
                _cost(row, profile, thread.measured)
                - _events_within(row, kind, thread.measured, analysis),
            )
            for thread in profile.rows
        ),
        tasks,
    )
    if evidence.severity < _TICK or not row.holds(evidence):
        return []
    finding = PropertyFinding(
        name=row.name,
        overhead=row.overhead,
        profile=profile,
        severity=evidence.severity,
        share=share(evidence.severity, analysis.totalT),
        locations=evidence.locations,
        text=row.sentence(evidence),
        advice=row.advice_for(evidence),
        title=row.text.title,
    )
    return [finding]


def _events_within(
    row: ProfileProperty, kind: str, measured: Measured, analysis: OverheadAnalysis
) -> float:
    """Return the part of a thread's cost that is the measurement's; it is negative if the cost passes in
    events as well."""
    if row.text is WAIT_IN_FLUSH_LOOP:
        return -between_events(measured, analysis.costs)
    if row.text is IMPLIED_BARRIER_OVERHEAD:
        return within_implied_barrier(measured, analysis.costs)
    return measured_within(kind, measured, analysis.costs, analysis.threads)


def _cost(row: ProfileProperty, profile: RegionProfile, measured: Measured) -> float:
    """Return a thread's cost: its waits for kernels are those of one property, and of no other."""
    beside = row.cost(profile.beside_kernels(measured))
    return row.cost(measured) - beside if row is waiting.FOR_KERNELS else beside


def _rank(finding: PropertyFinding) -> tuple[float, str, str]:
    return -finding.severity, finding.name, finding.profile.region.id if finding.profile else ""
