"""Load imbalance: threads have unequal amounts of work and wait for the last one."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from pomp_clang.analysis.properties.model import Property, Seen, lasting
from pomp_clang.openmp.columns import Others, Overhead, after_cancellation

_UNEVEN = 1.05
"""Times the average work that the thread with the most has, from which on it is worth a word."""

_EXPLAINED = 0.5
"""The share of the wait that the busiest thread's work has to account for to be the reason."""

_exit_bar = attrgetter("exitBarT")


def _missed(seen: Seen) -> float:
    """What the threads have less work than the one with most, together."""
    work = [row.measured.bodyT for row in seen.profile.reached]
    return sum(max(work) - each for each in work) if work else 0.0


def _unexplained(seen: Seen) -> bool:
    """The same threads having more work in sum is not why the others wait."""
    work = [row.measured.bodyT for row in seen.profile.reached]
    return len(work) > 1 and sum(work) > 0 and _missed(seen) < _EXPLAINED * seen.severity


def _explained(seen: Seen) -> bool:
    return not _unexplained(seen)


def _uneven(what: str) -> Callable[[Seen], str]:
    def say(seen: Seen) -> str:
        waits = f"Threads wait {lasting(seen.each_time)} each time at the end of {what}"
        work = [row.measured.bodyT for row in seen.profile.reached]
        mean = sum(work) / len(work) if work else 0.0
        if mean <= 0 or len(work) == 1:
            return f"{waits}."
        return f"{waits}: the busiest has {max(work) / mean:.2f} times the average work."

    return say


def _untimely(what: str) -> Callable[[Seen], str]:
    def say(seen: Seen) -> str:
        waits = f"Threads wait {lasting(seen.each_time)} each time at the end of {what}"
        work = [row.measured.bodyT for row in seen.profile.reached]
        if max(work) * len(work) < _UNEVEN * sum(work):
            return f"{waits}, though over the whole run all have equal work."
        less = lasting(_missed(seen) / seen.profile.execC)
        return (
            f"{waits}, of it {less} for the thread with most work; else threads come late, are "
            "interrupted, or have more to do in turn."
        )

    return say


def _cancelled(seen: Seen) -> str:
    return (
        f"Threads that know of the cancellation wait {lasting(seen.severity)} in all for those "
        "that do not."
    )


def is_told(seen: Seen) -> bool:
    """Return whether the time of the directive is that wait: not of a cancelled task."""
    return not seen.profile.region.clauses.startswith("taskgroup")


def _not_enough(seen: Seen) -> bool:
    return seen.profile.bodyC < seen.profile.execC


def _dealt_unevenly(seen: Seen) -> bool:
    dealt = [row.measured.bodyC for row in seen.profile.reached]
    return not _not_enough(seen) and max(dealt) > min(dealt)


def _dealt_evenly(seen: Seen) -> bool:
    return not _not_enough(seen) and not _dealt_unevenly(seen)


def _too_few(seen: Seen) -> str:
    each = seen.profile.bodyC / seen.profile.execC
    return f"Threads without a section wait at the end: there are {each:.2f} for each thread."


def _hand_out(seen: Seen) -> str:
    dealt = [row.measured.bodyC for row in seen.profile.reached]
    return f"Threads wait at the end: some run {min(dealt)} sections, some {max(dealt)}."


_REGION = frozenset(
    {
        "parallel", "parallel master", "parallel masked", "scope",
        "parallel master taskloop", "parallel masked taskloop",
        "parallel master taskloop simd", "parallel masked taskloop simd",
    }
)  # fmt: skip
_LOOP = frozenset({"for", "for simd", "parallel for", "parallel for simd", "parallel loop"})
_WORKSHARE = frozenset({"workshare", "parallel workshare"})
_SECTIONS = frozenset({"sections", "parallel sections"})

_TURNS = (
    "See first that there are no more threads than processors, and that nothing else runs on "
    "them; then whether each time another thread has more to do."
)

ROWS = (
    Property(
        "ImbalanceInParallelRegion",
        _REGION,
        Overhead.IMBAL,
        _exit_bar,
        _uneven("the region"),
        "Share out the work more evenly, or let threads that are done take up tasks.",
        _explained,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceInParallelRegion",
        _REGION,
        Overhead.IMBAL,
        _exit_bar,
        _untimely("the region"),
        _TURNS,
        _unexplained,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceInParallelLoop",
        _LOOP,
        Overhead.IMBAL,
        _exit_bar,
        _uneven("the loop"),
        "Try schedule(dynamic) or schedule(guided), a smaller chunk, or collapse of nested "
        "loops; nowait where what follows does not need all of the loop.",
        _explained,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceInParallelLoop",
        _LOOP,
        Overhead.IMBAL,
        _exit_bar,
        _untimely("the loop"),
        _TURNS,
        _unexplained,
        others=Others.TEAM,
    ),
    Property(
        "WaitAfterCancellation",
        frozenset({"cancel", "cancellation point"}),
        Overhead.IMBAL,
        after_cancellation,
        _cancelled,
        "Let all threads see the cancellation sooner: add a cancellation point where one works "
        "for long, or make the iterations or sections smaller.",
        is_told,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceInParallelWorkshare",
        _WORKSHARE,
        Overhead.IMBAL,
        _exit_bar,
        _uneven("the shared work"),
        "Cut the work into more and smaller parts.",
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceDueToNotEnoughSections",
        _SECTIONS,
        Overhead.LIMPAR,
        _exit_bar,
        _too_few,
        "Cut the work into as many sections as there are threads, or use tasks or a loop.",
        _not_enough,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceDueToUnevenSectionDistribution",
        _SECTIONS,
        Overhead.IMBAL,
        _exit_bar,
        _hand_out,
        "Make the sections smaller, or their number a multiple of the threads'.",
        _dealt_unevenly,
        others=Others.TEAM,
    ),
    Property(
        "ImbalanceInParallelSections",
        _SECTIONS,
        Overhead.IMBAL,
        _exit_bar,
        _uneven("the sections"),
        "Cut the longest section into smaller ones.",
        _dealt_evenly,
        others=Others.TEAM,
    ),
)
