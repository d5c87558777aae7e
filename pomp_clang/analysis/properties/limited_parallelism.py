"""Limited parallelism: one thread has work, or a small team, and the others have none."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from pomp_clang.analysis import property_texts
from pomp_clang.analysis.columns import Others, Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    PropertyFinding,
    lasting,
)
from pomp_clang.analysis.property_row import PropertyText
from pomp_clang.analysis.run import Breakdown

_body = attrgetter("bodyT")
_exit_barrier = attrgetter("exitBarT")


_EXPLAINED = 0.5
"""Share of the wait that the block has to account for to be the reason."""


def _is_block(evidence: PropertyEvidence) -> bool:
    """Return whether the time of the block, for which others wait, explains the wait."""
    others = len(evidence.profile.reached) - 1
    return others * evidence.sum(_body) >= _EXPLAINED * evidence.severity


def _are_tasks(evidence: PropertyEvidence) -> bool:
    """Return whether threads run tasks at the end of the block."""
    return evidence.sum(attrgetter("taskT")) > 0


def _is_late(evidence: PropertyEvidence) -> bool:
    return not (_are_tasks(evidence) or _is_block(evidence))


def _single_sentence(evidence: PropertyEvidence) -> str:
    return f"{_wait_at_single(evidence)}, which one thread runs in {_block(evidence)}."


def _late(evidence: PropertyEvidence) -> str:
    return (
        f"{_wait_at_single(evidence)}, although it takes only {_block(evidence)}: they wait for "
        "threads that arrive late."
    )


def _without_task(evidence: PropertyEvidence) -> str:
    tasks = lasting(evidence.sum(attrgetter("taskT")))
    return f"{_wait_at_single(evidence)} without a task to run; they run tasks there for {tasks}."


def _wait_at_single(evidence: PropertyEvidence) -> str:
    wait = lasting(evidence.each_time)
    return f"Each time, threads wait {wait} on average at the end of this block"


def _block(evidence: PropertyEvidence) -> str:
    return lasting(share(evidence.sum(_body), evidence.profile.bodyC))


def _master(evidence: PropertyEvidence) -> str:
    body = lasting(evidence.each_time)
    return f"One thread alone runs this block, for {body} each time; the waits of other threads come on top."


ROWS = (
    ProfileProperty(
        property_texts.SERIAL_SINGLE,
        Overhead.LIMPAR,
        _exit_barrier,
        _single_sentence,
        lambda evidence: _is_block(evidence) and not _are_tasks(evidence),
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.LATE_AT_SINGLE,
        Overhead.LIMPAR,
        _exit_barrier,
        _late,
        _is_late,
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.TASKS_AT_SINGLE,
        Overhead.LIMPAR,
        _exit_barrier,
        _without_task,
        _are_tasks,
        others=Others.TEAM,
    ),
    ProfileProperty(
        property_texts.SERIAL_MASTER, None, attrgetter("execT"), _master, others=Others.TEAM
    ),
)

OF_PROGRAM = tuple(
    text.name
    for text in (
        property_texts.IDLE_THREADS,
        property_texts.LIMITED_PARALLELISM,
        property_texts.IDLE_DURING_TARGET,
        property_texts.IDLE_DURING_MPI,
        property_texts.PAGE_FAULTS,
    )
)
"""Names of the properties of the program as a whole, which ompP does not have."""


_MOSTLY = 0.9
"""The share of the time outside parallel regions that is serial work, from which its parts are those
of this time."""


def of_program(breakdown: Breakdown, analysis: OverheadAnalysis) -> list[PropertyFinding]:
    """Evaluate the properties of the program as a whole: the time of threads without a team.

    How long MPI takes to begin and to end is no choice of the program.
    """
    unthreaded = analysis.duration - analysis.coverage
    on_device = breakdown.target_alone + breakdown.kernels_awaited
    serial = unthreaded - on_device - breakdown.mpi_alone
    in_target = share(on_device, unthreaded)
    waits = " or waits for kernels" if breakdown.kernels_awaited else ""
    in_calls = max(0.0, breakdown.mpi_alone - analysis.mpi_begins_and_ends)
    in_mpi = share(in_calls, unthreaded)
    idle = _finding(
        property_texts.IDLE_THREADS,
        tuple(share(serial, unthreaded) * seconds for seconds in breakdown.unused),
        breakdown.totalT,
        idle_sentence(serial, analysis.duration),
    )
    if share(serial, unthreaded) >= _MOSTLY:
        idle = replace(idle, serial=analysis.serial)
    small_teams = _finding(
        property_texts.LIMITED_PARALLELISM,
        breakdown.spared,
        breakdown.totalT,
        f"Teams are smaller than the {analysis.threads} threads that the program has.",
        analysis.processor_use,
    )
    findings = [
        # Threads that ran regions outside parallel regions had work of which the times are unknown.
        *([] if analysis.outside else [idle]),
        replace(small_teams, beside=analysis.spared),
        _finding(
            property_texts.IDLE_DURING_MPI,
            tuple(in_mpi * seconds for seconds in breakdown.unused),
            breakdown.totalT,
            "While one thread is in MPI calls outside parallel regions the others have nothing to "
            f"do: {lasting(in_calls)} of {lasting(analysis.duration)}.",
        ),
    ]
    if analysis.runs_kernels_on_host:
        return findings  # The kernels use the processors that idle threads would.
    return [
        *findings,
        _finding(
            property_texts.IDLE_DURING_TARGET,
            tuple(in_target * seconds for seconds in breakdown.unused),
            breakdown.totalT,
            f"While one thread is in target constructs{waits} the others have nothing to do: "
            f"{lasting(on_device)} of {lasting(analysis.duration)}.",
        ),
    ]


def idle_sentence(serial: float, duration: float) -> str:
    """Describe threads that are idle for these seconds of a run."""
    return (
        f"Outside parallel regions one thread works alone: "
        f"{lasting(serial)} of {lasting(duration)}."
    )


def _finding(
    text: PropertyText,
    locations: tuple[float, ...],
    total: float,
    sentence: str,
    processors: ProcessorUse = ProcessorUse.FREE,
) -> PropertyFinding:
    severity = sum(locations)
    portion = share(severity, total)
    advice = text.advice_for(None, processors=processors)
    return PropertyFinding(
        text.name, None, None, severity, portion, locations, sentence, advice, text.title
    )
