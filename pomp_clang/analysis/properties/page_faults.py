"""Page faults of a program that gives memory back and takes it again.

The system counts them for the process as a whole. A program that touches all of its memory once has
as many faults as pages, and nothing to gain: each page comes once in any case.
"""

from __future__ import annotations

from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.properties.profile_property import PropertyFinding, lasting
from pomp_clang.analysis.property_texts import PAGE_FAULTS

_REPEATED = 2
"""Page faults for each page that the process had at a time, from which on memory comes anew."""

_LONGEST = 5e-6
"""Seconds of the operating system for each page fault, beyond which it did something else."""


def of_memory(analysis: OverheadAnalysis) -> list[PropertyFinding]:
    """Evaluate the page faults of the program: their cost is the time of the operating system."""
    memory = analysis.memory
    if memory is None or memory.page_faults < _REPEATED * memory.peak_pages:
        return []
    if memory.systemT > _LONGEST * memory.page_faults:
        return []
    times = memory.page_faults / memory.peak_pages
    sentence = (
        f"{memory.page_faults} page faults take the operating system {lasting(memory.systemT)}: each "
        f"page of memory comes {times:.1f} times on average."
    )
    return [
        PropertyFinding(
            PAGE_FAULTS.name,
            None,
            None,
            memory.systemT,
            share(memory.systemT, analysis.totalT),
            (0.0,) * analysis.threads,
            sentence,
            PAGE_FAULTS.advice,
            PAGE_FAULTS.title,
            saved=1 - memory.peak_pages / memory.page_faults,
        )
    ]
