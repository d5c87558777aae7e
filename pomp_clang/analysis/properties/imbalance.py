"""Load imbalance: threads have unequal amounts of work and wait for the last one."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis import property_texts
from pomp_clang.analysis.columns import Others, Overhead, after_cancellation
from pomp_clang.analysis.properties.chunks import has_small_chunks, is_dynamic, mean_chunk
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    lasting,
)
from pomp_clang.analysis.property_row import PropertyText

_UNEVEN = 1.05
"""Work of the busiest thread over the mean work, from which on the work is called uneven."""

_EXPLAINED = 0.5
"""Share of the wait that uneven work has to account for to be the reason."""


def _missing_work(evidence: PropertyEvidence) -> float:
    """Return the work that threads have less than the busiest one, summed over them."""
    work = [row.measured.bodyT for row in evidence.profile.reached]
    return sum(max(work) - seconds for seconds in work) if work else 0.0


def _unexplained(evidence: PropertyEvidence) -> bool:
    """Return whether the sums of work over the run explain less than half of the wait."""
    work = [row.measured.bodyT for row in evidence.profile.reached]
    return (
        len(work) > 1 and sum(work) > 0 and _missing_work(evidence) < _EXPLAINED * evidence.severity
    )


def _explained(evidence: PropertyEvidence) -> bool:
    return not _unexplained(evidence)


def _static(holds: Callable[[PropertyEvidence], bool]) -> Callable[[PropertyEvidence], bool]:
    return lambda evidence: holds(evidence) and not is_dynamic(evidence)


def _is_last_chunk(evidence: PropertyEvidence) -> bool:
    """Return whether a smaller chunk would shorten a dynamic loop's wait."""
    return (
        is_dynamic(evidence)
        and evidence.each_time <= mean_chunk(evidence)
        and not has_small_chunks(evidence)
    )


def _is_beyond_chunk(evidence: PropertyEvidence) -> bool:
    return is_dynamic(evidence) and not _is_last_chunk(evidence)


def _beside_chunk(evidence: PropertyEvidence) -> str:
    """Return a sentence with the wait and the time of a chunk."""
    waits, chunk = _waits(evidence, "the loop"), mean_chunk(evidence)
    return f"{waits}." if math.isinf(chunk) else f"{waits}; a chunk takes {lasting(chunk)}."


def _are_tasks(evidence: PropertyEvidence) -> bool:
    """Return whether tasks that run at the region's end explain the wait of threads without one."""
    others = len(evidence.profile.reached) - 1
    return others * evidence.sum(attrgetter("taskT")) >= _EXPLAINED * evidence.severity


def _work(holds: Callable[[PropertyEvidence], bool]) -> Callable[[PropertyEvidence], bool]:
    return lambda evidence: holds(evidence) and not _are_tasks(evidence)


def _without_task(evidence: PropertyEvidence) -> str:
    tasks = lasting(evidence.sum(attrgetter("taskT")))
    waits = _waits(evidence, "the region")
    return f"{waits} without a task to run; they run tasks there for {tasks}."


def _waits(evidence: PropertyEvidence, place: str) -> str:
    wait = lasting(evidence.each_time)
    return f"Each time, threads wait {wait} on average at the end of {place}"


def _uneven_work_sentence(place: str) -> Callable[[PropertyEvidence], str]:
    def sentence(evidence: PropertyEvidence) -> str:
        waits = _waits(evidence, place)
        work = [row.measured.bodyT for row in evidence.profile.reached]
        mean = sum(work) / len(work) if work else 0.0
        if mean <= 0 or len(work) == 1:
            return f"{waits}."
        return f"{waits}: the busiest has {max(work) / mean:.2f} times the average work."

    return sentence


def _late_arrival_sentence(place: str) -> Callable[[PropertyEvidence], str]:
    def sentence(evidence: PropertyEvidence) -> str:
        waits = _waits(evidence, place)
        work = [row.measured.bodyT for row in evidence.profile.reached]
        if max(work) * len(work) < _UNEVEN * sum(work):
            return f"{waits}, although all have equal work over the whole run."
        less = lasting(_missing_work(evidence) / evidence.profile.execC)
        return (
            f"{waits}. Uneven work explains {less} of that; the rest comes from late arrivals, "
            "interruptions, or a different thread being slow each time."
        )

    return sentence


def _cancelled(evidence: PropertyEvidence) -> str:
    return (
        f"Threads that know of the cancellation wait {lasting(evidence.severity)} in all for those "
        "that do not."
    )


def is_wait_known(evidence: PropertyEvidence) -> bool:
    """Return whether the directive's time is a wait; unknown for a canceled task group."""
    return not evidence.profile.region.clauses.startswith("taskgroup")


def _not_enough(evidence: PropertyEvidence) -> bool:
    return evidence.profile.bodyC < evidence.profile.execC


def _dealt_unevenly(evidence: PropertyEvidence) -> bool:
    iterations = [row.measured.bodyC for row in evidence.profile.reached]
    return not _not_enough(evidence) and max(iterations) > min(iterations)


def _dealt_evenly(evidence: PropertyEvidence) -> bool:
    return not _not_enough(evidence) and not _dealt_unevenly(evidence)


def _too_few(evidence: PropertyEvidence) -> str:
    sections = evidence.profile.bodyC / evidence.profile.execC
    return f"Threads without a section wait at the end: there are {sections:.2f} for each thread."


def _hand_out(evidence: PropertyEvidence) -> str:
    iterations = [row.measured.bodyC for row in evidence.profile.reached]
    return f"Threads wait at the end: some run {min(iterations)} sections, some {max(iterations)}."


def _exit_wait(
    text: PropertyText,
    sentence: Callable[[PropertyEvidence], str],
    holds: Callable[[PropertyEvidence], bool],
    overhead: Overhead = Overhead.IMBAL,
) -> ProfileProperty:
    """Build a property whose cost is the wait in the barrier at the construct's end."""
    return ProfileProperty(
        text, overhead, attrgetter("exitBarT"), sentence, holds, others=Others.TEAM
    )


ROWS = (
    _exit_wait(
        property_texts.IMBALANCE_IN_REGION, _uneven_work_sentence("the region"), _work(_explained)
    ),
    _exit_wait(
        property_texts.LATE_IN_REGION, _late_arrival_sentence("the region"), _work(_unexplained)
    ),
    _exit_wait(property_texts.TASKS_AT_REGION, _without_task, _are_tasks),
    _exit_wait(
        property_texts.IMBALANCE_IN_LOOP, _uneven_work_sentence("the loop"), _static(_explained)
    ),
    _exit_wait(
        property_texts.LATE_IN_LOOP, _late_arrival_sentence("the loop"), _static(_unexplained)
    ),
    _exit_wait(property_texts.LAST_CHUNK_IN_LOOP, _beside_chunk, _is_last_chunk),
    _exit_wait(property_texts.LATE_IN_DYNAMIC_LOOP, _beside_chunk, _is_beyond_chunk),
    ProfileProperty(
        property_texts.WAIT_AFTER_CANCELLATION,
        Overhead.IMBAL,
        after_cancellation,
        _cancelled,
        is_wait_known,
        others=Others.TEAM,
    ),
    _exit_wait(
        property_texts.IMBALANCE_IN_WORKSHARE,
        _uneven_work_sentence("the shared work"),
        lambda _: True,
    ),
    _exit_wait(property_texts.TOO_FEW_SECTIONS, _too_few, _not_enough, Overhead.LIMPAR),
    _exit_wait(property_texts.UNEVEN_SECTIONS, _hand_out, _dealt_unevenly),
    _exit_wait(
        property_texts.IMBALANCE_IN_SECTIONS, _uneven_work_sentence("the sections"), _dealt_evenly
    ),
)
