"""Idle threads: of those without work at a moment, as many as are missing from the threads at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tests.causes.reference.joins import roots
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import StateInterval


def gaps_of(reference: ReferenceRun, stretches: list[StateInterval]) -> list[tuple[int, int]]:
    """Return begin and end of each interval in which a thread has no work."""
    gaps, moment = [], reference.program.begin
    for stretch in stretches:
        if stretch.begin > moment:
            gaps.append((moment, stretch.begin))
        moment = max(moment, stretch.end)
    if reference.program.end > moment:
        gaps.append((moment, reference.program.end))
    return gaps


def threads_at_once(reference: ReferenceRun) -> int:
    """Return the most threads with work at a time; all if the program made threads itself."""
    if roots(reference):
        return len(reference.program.threads)
    if not reference.threads_at_once:
        reference.working += _counted(reference)
        reference.threads_at_once = max(working for _, _, working in reference.working)
    return reference.threads_at_once


def idle_ticks(reference: ReferenceRun, begin: int, end: int) -> float:
    """Return the ticks for which a thread without work counts as idle."""
    threads, at_once = len(reference.program.threads), threads_at_once(reference)
    if begin >= end or threads == at_once:
        return max(0.0, end - begin)
    return sum(
        max(0, min(end, until) - max(begin, since)) * (at_once - working) / (threads - working)
        for since, until, working in reference.working
        if working < threads
    )


def _counted(reference: ReferenceRun) -> Iterator[tuple[int, int, int]]:
    program = reference.program
    gaps = [
        gap for tid, own in reference.intervals.items() if tid for gap in gaps_of(reference, own)
    ]
    moments = sorted({program.begin, program.end, *(moment for gap in gaps for moment in gap)})
    for since, until in pairwise(moments):
        idle = sum(begin <= since and until <= end for begin, end in gaps)
        yield since, until, len(program.threads) - idle
