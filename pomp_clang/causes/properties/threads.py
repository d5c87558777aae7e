"""Threads that are reserved and idle."""

from __future__ import annotations

from pomp_clang.analysis import property_texts
from pomp_clang.causes.properties.instance_sources import Pieces, idle, limited, not_busy, others
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.properties.time import Time
from pomp_clang.causes.run.idle import idle_beside_main, idle_of
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.run.thread_joins import joins_of


class IdleThreads(Property):
    """The main thread's time outside teams, on the others, with Limited Parallelism (EXPERT)."""

    name = "Idle Threads"
    parent = Time
    description = property_texts.IDLE_THREADS.description
    advice = property_texts.IDLE_THREADS.advice
    remedy = Remedy.SHARE_OUT

    def severity(self, run: Run) -> Cells:
        idle, limited = idle_of(run)
        return idle + limited

    def instances(self, run: Run) -> Pieces:
        return idle(run)


class LimitedParallelism(Property):
    """A team's time, on the threads that are not in it (Scalasca)."""

    name = "Limited Parallelism"
    parent = IdleThreads
    description = property_texts.LIMITED_PARALLELISM.description
    advice = property_texts.LIMITED_PARALLELISM.advice
    remedy = Remedy.WIDEN

    def severity(self, run: Run) -> Cells:
        return idle_of(run)[1]

    def instances(self, run: Run) -> Pieces:
        return limited(run)


class IdleBesideOthers(Property):
    """The main thread's waits for threads that the program made, on those that are in no team."""

    name = "Idle Beside Other Teams"
    parent = Time
    description = "Threads are idle while the main thread waits for threads that the program made."

    def severity(self, run: Run) -> Cells:
        return idle_beside_main(run)

    def instances(self, run: Run) -> Pieces:
        joins = joins_of(run)
        for thread in others(run):
            yield from not_busy(run, thread, joins.begin, joins.end, joins.path)
