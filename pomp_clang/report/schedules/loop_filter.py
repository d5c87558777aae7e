"""The filter that records the iterations of the loops in which a first run's threads wait most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.phrases import percent
from pomp_clang.selection.patterns import escaped

_LOOPS = ("for", "parallel for")
_LEAST = 0.005
"""The share of all threads' time below which a wait selects no loop."""


@dataclass(frozen=True, slots=True)
class WaitingLoop:
    """A loop at whose end threads wait: `seconds` over all threads, `share` of all their time."""

    region: Region
    seconds: float
    share: float


def waiting_loops(experiment: Experiment, limit: int) -> list[WaitingLoop]:
    """Return the loops with the longest waits at their ends, at most `limit`."""
    total = experiment.duration * max(1, len(experiment.locations))
    loops = []
    for region in experiment.regions:
        if region.kind not in _LOOPS:
            continue
        rows = [sums for (ident, _), sums in experiment.profile.items() if ident == region.id]
        waits = sum(sums.exitBarT for sums in rows)
        missed = sum(max(row.bodyT for row in rows) - row.bodyT for row in rows) if rows else 0.0
        seconds = max(waits, missed)
        if total and seconds > _LEAST * total:
            loops.append(WaitingLoop(region, seconds, seconds / total))
    return sorted(loops, key=lambda loop: -loop.seconds)[:limit]


def as_filter(loops: Sequence[WaitingLoop], sets_schedule: bool) -> str:
    """Return the text of a filter that records the loops; `sets_schedule` if OMP_SCHEDULE is to
    choose their schedule."""
    lines = ["POMP_RULES_BEGIN"]
    for loop in loops:
        lines += _rules(loop, sets_schedule)
    return "\n".join([*lines, "POMP_RULES_END", ""])


def _rules(loop: WaitingLoop, sets_schedule: bool) -> Iterator[str]:
    region = loop.region
    kind = region.kind.replace(" ", "_")
    place = f"construct={kind} file={escaped(region.file)} lines={region.begin_line1}"
    yield f"  ITERATIONS {place}  # threads wait {percent(loop.share)} % of all their time"
    if sets_schedule:
        yield f"  RUNTIME_SCHEDULE {place}"
