"""Limited parallelism: one thread has work, or a small team, and the others have none."""

from __future__ import annotations

from operator import attrgetter

from pomp_clang.analysis.breakdown import Breakdown
from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.properties.model import Found, Property, Seen, lasting
from pomp_clang.openmp.columns import Others, Overhead


def _single(seen: Seen) -> str:
    body = lasting(share(seen.sum(attrgetter("bodyT")), seen.profile.bodyC))
    wait = lasting(seen.each_time)
    return f"Threads wait {wait} each time at the end of this block, which one runs in {body}."


def _master(seen: Seen) -> str:
    each = lasting(seen.each_time)
    return f"One thread alone runs this block, {each} each time; what others wait comes on top."


ROWS = (
    Property(
        "UnparallelizedInSingleRegion",
        frozenset({"single"}),
        Overhead.LIMPAR,
        attrgetter("exitBarT"),
        _single,
        "Share out the work of the block, or add nowait so that the others go on.",
        others=Others.TEAM,
    ),
    Property(
        "UnparallelizedInMasterRegion",
        frozenset({"master", "masked"}),
        None,
        attrgetter("execT"),
        _master,
        "Share out the work of the block, or let it be a task beside other work.",
        others=Others.TEAM,
    ),
)


OF_PROGRAM = ("IdleThreads", "LimitedParallelism", "IdleDuringTarget")


def of_program(breakdown: Breakdown, analysis: Analysis) -> list[Found]:
    """What threads have no team for: ompP has no property of the program as a whole."""
    unthreaded = analysis.duration - analysis.coverage
    serial = lasting(unthreaded - breakdown.target_alone)
    in_target = share(breakdown.target_alone, unthreaded)
    return [
        _found(
            OF_PROGRAM[0],
            tuple((1.0 - in_target) * each for each in breakdown.unused),
            breakdown.totalT,
            f"Outside parallel regions one thread works and the others have nothing to do: "
            f"{serial} of {lasting(analysis.duration)}.",
            "Parallelize what is left, the longest first; no number of threads makes it faster.",
        ),
        _found(
            OF_PROGRAM[1],
            breakdown.spared,
            breakdown.totalT,
            f"Teams are smaller than the {analysis.threads} threads that the program has.",
            "Look at num_threads and if clauses, and at OMP_NUM_THREADS and thread limits.",
        ),
        _found(
            OF_PROGRAM[2],
            tuple(in_target * each for each in breakdown.unused),
            breakdown.totalT,
            "While one thread is in target constructs the others have nothing to do: "
            f"{lasting(breakdown.target_alone)} of {lasting(analysis.duration)}.",
            "Add nowait to the target constructs and give the host's threads a part of the work.",
        ),
    ]


def _found(name: str, locations: tuple[float, ...], whole: float, text: str, advice: str) -> Found:
    severity = sum(locations)
    return Found(name, None, None, severity, share(severity, whole), locations, text, advice)
