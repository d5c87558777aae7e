"""Computational imbalance: threads that have more or less to do than others, at one place."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.course import Flags
from pomp_clang.causes.places import within_team
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Cells, Run, once
from pomp_clang.trace.model import Ints


@once
def deviation(run: Run) -> tuple[Cells, Ints, Flags]:
    """What threads computed within teams beyond the mean of those that came there (less is below
    0); for each path how many came; and which did.  Of a path that one thread alone
    came to the mean is that of all."""
    time = run.seconds(Activity.COMPUTE)
    in_team = within_team(run.paths)
    time[~in_team] = 0
    came = ((run.visits > 0) | (time > 0)) & in_team[:, None]
    count: Ints = came.sum(axis=1, keepdims=True)
    of = np.where(count == 1, len(run.threads), count)
    mean = time.sum(axis=1, keepdims=True) / np.maximum(1, of)
    beyond: Cells = np.where(count > 0, time - mean, 0.0)
    return beyond, count, came


def _over(run: Run) -> tuple[Cells, Ints]:
    beyond, count, _ = deviation(run)
    return np.maximum(0, beyond), count


def _under(run: Run) -> tuple[Cells, Ints, Flags]:
    beyond, count, came = deviation(run)
    return np.maximum(0, -beyond), count, came


class Imbalance(Property):
    name = "Computational imbalance"
    description = "How far threads are from the mean of what those compute that come to a place."


class Overload(Property):
    name = "Overload"
    parent = Imbalance
    description = "What threads compute beyond the mean."
    advice = "Give these threads less to do at this place."

    def severity(self, run: Run) -> Cells:
        return _over(run)[0]


class SingleParticipant(Property):
    name = "Single participant"
    parent = Overload
    description = "One thread alone computes, of a team: the mean is that of all threads."
    advice = "Share out what this thread does."

    def severity(self, run: Run) -> Cells:
        beyond, count = _over(run)
        return np.where(count == 1, beyond, 0.0)


class Underload(Property):
    name = "Underload"
    parent = Imbalance
    description = "What threads compute less than the mean."
    advice = "Give these threads more to do at this place."

    def severity(self, run: Run) -> Cells:
        return _under(run)[0]


class NonParticipation(Property):
    name = "Non-participation"
    parent = Underload
    description = "What threads might compute that never come to the place."
    advice = "Let these threads take part."

    def severity(self, run: Run) -> Cells:
        below, _, came = _under(run)
        return np.where(came, 0.0, below)


class Singularity(Property):
    name = "Singularity"
    parent = NonParticipation
    description = "The same where one thread alone comes to the place."
    advice = "Share out what the one thread does."

    def severity(self, run: Run) -> Cells:
        below, count, came = _under(run)
        return np.where(came | (count != 1), 0.0, below)


PROPERTIES = (Imbalance, Overload, SingleParticipant, Underload, NonParticipation, Singularity)
