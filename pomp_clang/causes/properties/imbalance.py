"""Computational imbalance: threads that have more or less to do than others, at one place."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.properties.instance_sources import COMPUTED, Pieces, shared
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import NOT_WAITING
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.causes.timeline.places import within_team
from pomp_clang.trace.model import Ints


@once
def _computed(run: Run) -> Cells:
    """Return the seconds of computing within teams."""
    time = run.seconds(*NOT_WAITING)
    time[~within_team(run.paths)] = 0
    return time


@once
def _took_part(run: Run) -> Cells:
    """Return 1 for each (call path, thread) within teams that the thread reached, else 0."""
    took_part = (run.visits > 0) | (_computed(run) > 0)
    return np.asarray(took_part & within_team(run.paths)[:, None], np.float64)


@once
def deviation(run: Run) -> tuple[Cells, Ints, Flags]:
    """Return the seconds that threads computed within teams beyond the mean (negative if less), the
    number of threads that reached each call path, and which did. The mean is over the threads that
    reached the path, or over all threads if a single one did."""
    count: Ints = run.over_all(_took_part).astype(np.int64)
    thread_count = np.where(count == 1, run.everyone, count)
    mean = run.over_all(_computed) / np.maximum(1, thread_count)
    beyond: Cells = np.where(count > 0, _computed(run) - mean, 0.0)
    return beyond, count, _took_part(run) > 0


def _work_above_mean(run: Run) -> tuple[Cells, Ints]:
    beyond, count, _ = deviation(run)
    return np.maximum(0, beyond), count


def _work_below_mean(run: Run) -> tuple[Cells, Ints, Flags]:
    beyond, count, took_part = deviation(run)
    return np.maximum(0, -beyond), count, took_part


class Imbalance(Property):
    """|computing - mean over those that come there|, by call path (Scalasca)."""

    name = "Computational imbalance"
    description = "Deviation of threads from the mean computing time of those that reach a place."


class Overload(Property):
    """max(0, computing - mean over those that come there) (Scalasca)."""

    name = "Overload"
    parent = Imbalance
    description = "Computing time beyond the mean of the threads that reach the place."
    advice = "Give these threads less to do at this place."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return _work_above_mean(run)[0]

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), COMPUTED, run)


class SingleParticipant(Property):
    """Overload where one comes; the mean is then over all threads (Scalasca)."""

    name = "Single participant"
    parent = Overload
    description = "A single thread of a team computes: the mean is that of all threads."
    advice = "Distribute this thread's work over the team."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        beyond, count = _work_above_mean(run)
        return np.where(count == 1, beyond, 0.0)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), COMPUTED, run)


class Underload(Property):
    """max(0, mean over those that come there - computing) (Scalasca)."""

    name = "Underload"
    parent = Imbalance
    description = "Computing time below the mean of the threads that reach the place."
    advice = "Give these threads more to do at this place."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        return _work_below_mean(run)[0]

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), COMPUTED, run)


class NonParticipation(Property):
    """Underload of threads that never reach the place (Scalasca)."""

    name = "Non-participation"
    parent = Underload
    description = "Computing time that threads could contribute which never reach the place."
    advice = "Let these threads take part."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        below, _, took_part = _work_below_mean(run)
        return np.where(took_part, 0.0, below)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), COMPUTED, run)


class Singularity(Property):
    """Non-participation where one comes (Scalasca)."""

    name = "Singularity"
    parent = NonParticipation
    description = "The same for places that a single thread reaches."
    advice = "Distribute the single thread's work over the team."
    instances_are_counted = False

    def severity(self, run: Run) -> Cells:
        below, count, took_part = _work_below_mean(run)
        return np.where(took_part | (count != 1), 0.0, below)

    def instances(self, run: Run) -> Pieces:
        return shared(self.severity(run), COMPUTED, run)
