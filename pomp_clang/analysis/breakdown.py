"""Where all of the threads' time went: work, losses by class, and threads without a team.

Duration x threads is split into parts that add up to it.  Of the work, the time in which a
thread was on no processor is a part of its own.  A thread is busy for as long as
it is in a parallel region, of which the losses are no work; the initial thread works as
well outside of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.openmp.columns import Overhead


class Times(dict[str, float]):
    """By a part's name; a part that a program cannot have takes no time."""

    def __missing__(self, name: str) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Seconds over all threads.

    `lost` is by class, of `classes`; `idle` is for each thread, in the order of the profile's rows, what it had no team for:
    outside parallel regions (`unused`) or while a smaller team ran (`spared`).  `not_running` is
    neither in `work` nor in `serial`; None where it is not known.
    """

    totalT: float
    work: float
    serial: float
    lost: tuple[float, ...]
    classes: tuple[Overhead, ...]
    unused: tuple[float, ...]
    spared: tuple[float, ...]
    not_running: float | None = None

    @property
    def idle(self) -> float:
        return sum(self.unused) + sum(self.spared)

    def parts(self) -> Times:
        """Seconds over all threads, by the name of the part."""
        lost = zip(self.classes, self.lost, strict=True)
        stood = {} if self.not_running is None else {"NotRun": self.not_running}
        return Times(
            {
                "Work": self.work,
                "Serial": self.serial,
                **stood,
                **{overhead.value: value for overhead, value in lost},
                "Idle": self.idle,
            }
        )


def break_down(analysis: Analysis) -> Breakdown:
    """Losses that are more than the time in parallel regions are of a team that nobody
    measured: so much less were threads idle.
    """
    busy = analysis.busy
    unthreaded = analysis.duration - analysis.coverage
    lost = tuple(analysis.lost.of(overhead) for overhead in analysis.classes)
    # In no parallel region MPI is called by the initial thread.
    alone = min(unthreaded, analysis.orphaned.of(Overhead.MPI))
    lost_there = sum(lost) - alone
    unused = [0.0 if tid == 0 else unthreaded for tid in range(len(busy))]
    spared = [analysis.coverage - each for each in busy]
    unknown = max(0.0, lost_there - sum(busy))
    kept = max(0.0, 1.0 - share(unknown, sum(unused) + sum(spared)))
    work, serial = max(0.0, sum(busy) - lost_there), unthreaded - alone
    stood, stood_alone = 0.0, 0.0
    if analysis.not_running is not None:
        stood = min(work, analysis.not_running.work)
        stood_alone = min(serial, analysis.not_running.serial)
    return Breakdown(
        totalT=analysis.totalT,
        work=work - stood,
        serial=serial - stood_alone,
        lost=lost,
        classes=analysis.classes,
        unused=tuple(kept * each for each in unused),
        spared=tuple(kept * each for each in spared),
        not_running=None if analysis.not_running is None else stood + stood_alone,
    )
