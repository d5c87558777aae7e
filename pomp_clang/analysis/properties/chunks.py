"""The chunks of a loop that the OpenMP runtime hands out while the loop runs."""

from __future__ import annotations

import math
from operator import attrgetter

from pomp_clang.analysis.properties.profile_property import PropertyEvidence
from pomp_clang.analysis.schedules.schedule import of_clauses

SMALL_CHUNKS = 0.05
"""Share of a loop's time in getting chunks, from which on they are called small."""


def is_dynamic(evidence: PropertyEvidence) -> bool:
    """Return whether a thread that is done takes a part of what is left of the loop."""
    schedule = of_clauses(evidence.profile.region.clauses)
    return _number(evidence) > 0 or (schedule is not None and schedule.kind != "static")


def mean_chunk(evidence: PropertyEvidence) -> float:
    """Return the mean time of a chunk in seconds; infinite if chunks were not counted."""
    number = _number(evidence)
    return evidence.sum(attrgetter("bodyT")) / number if number else math.inf


def has_small_chunks(evidence: PropertyEvidence) -> bool:
    """Return whether getting chunks has a share of the loop's time that a larger chunk saves."""
    chunk_time, body = evidence.sum(attrgetter("chunkT")), evidence.sum(attrgetter("bodyT"))
    # A thread asks once more than it gets chunks, so the time can stand without any chunk.
    has_chunks = evidence.sum(attrgetter("chunkC")) > 0
    return has_chunks and chunk_time > 0 and chunk_time >= SMALL_CHUNKS * body


def _number(evidence: PropertyEvidence) -> float:
    """Return the number of chunks; 0 if a thread got at most one each time, as with a static
    schedule that is chosen at run time."""
    chunks = evidence.sum(attrgetter("chunkC"))
    return chunks if chunks > evidence.profile.execC else 0.0
