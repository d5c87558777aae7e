"""The measurement's own cost in a trace: the profile's estimate, in what threads do at each call path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pomp_clang.analysis.perturbation import PlaceCost, costs_by_place
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import IN_MPI, Activity
from pomp_clang.causes.timeline.places import Place
from pomp_clang.causes.waits.thread_waits import wait_times_in
from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.reader import experiment_of
from pomp_clang.openmp.kinds import atomic_access

if TYPE_CHECKING:
    from pomp_clang.experiment.model import Experiment
    from pomp_clang.experiment.records import Records

_NOTHING = 1e-12
"""Seconds: less than a tick of any clock; what rounding leaves of equal sums."""

_WITHOUT_EVENTS = frozenset((Activity.OUTSIDE, Activity.FORK, Activity.MAP, *IN_MPI))
"""In these a thread meets none of its own events, or few."""


def net_seconds(run: Run, *activities: Activity) -> Cells:
    """Return what threads took for some activities, without what the measurement takes."""
    cost = own_cost(run)
    seconds = run.seconds(*activities)
    for activity in activities:
        if activity in cost:
            seconds = seconds - cost[activity]
    return seconds


def net_part(run: Run, *activities: Activity) -> Cells:
    """Return the part of the time for some activities that is not the measurement's."""
    gross = run.seconds(*activities)
    return np.divide(net_seconds(run, *activities), gross, out=run.cells() + 1, where=gross > 0)


@once
def own_cost(run: Run) -> dict[Activity, Cells]:
    """Return seconds by what they are taken from, which is not more than there is; waits for
    other threads are let be."""
    within, around, barrier = _estimate(run)
    if not (within.any() or around.any()):
        return {}
    activities = [
        activity
        for activity in Activity
        if activity not in _WITHOUT_EVENTS and _is_done(run, activity)
    ]
    left = {
        activity: np.maximum(0, run.seconds(activity) - wait_times_in(run, activity))
        for activity in activities
    }
    kinds = sum((seconds > _NOTHING for seconds in left.values()), np.zeros(within.shape, np.int64))
    share = within / np.maximum(1, kinds)
    costs = {}
    for activity, room in left.items():
        event_cost = share.copy()
        if activity is Activity.COMPUTE:
            event_cost += around
        if activity is Activity.JOIN:
            event_cost += barrier
        costs[activity] = np.minimum(event_cost, room)
    return {activity: cells for activity, cells in costs.items() if cells.any()}


def _is_done(run: Run, activity: Activity) -> bool:
    return bool(run.spent[:, :, activity].any())


def _estimate(run: Run) -> tuple[Cells, Cells, Cells]:
    """Return the estimate's parts by call path and thread: those of `PlaceCost`."""
    parts = run.cells(), run.cells(), run.cells()
    if not run.records.costs:
        return parts
    experiment = experiment_of(_counted(run), "", run.places.numbers)
    rows = _rows(run, experiment)
    for (path, tid), cost in costs_by_place(experiment).items():
        if path in rows and tid < len(run.threads):
            _book(parts, rows[path], tid, cost)
    return parts


def _book(parts: tuple[Cells, Cells, Cells], row: int, tid: int, cost: PlaceCost) -> None:
    for cells, seconds in zip(parts, (cost.within, cost.around, cost.barrier), strict=True):
        cells[row, tid] += seconds


def _counted(run: Run) -> Records:
    """Return the records with their profile or, where the run has none, with the visits as the
    trace counts them.  The profile's rows are copies: they change as an experiment is made."""
    sums = {key: list(row) for key, row in run.records.sums.items()}
    if not sums:
        for timeline in run.timelines:
            for path in np.flatnonzero(timeline.visits).tolist():
                row = sums.setdefault((path, timeline.location), [0] * COLUMNS)
                row[Column.EXEC_C] = int(timeline.visits[path])
    return replace(run.records, sums=sums, snapshots=[])


def _rows(run: Run, experiment: Experiment) -> dict[str, int]:
    """Return the run's rows of the experiment's call paths, which stand behind what leads to them."""
    regions = {region.id: region for region in experiment.regions}
    known = {place: row for row, place in enumerate(run.paths)}
    rows = {"": 0}
    for path in experiment.callpaths:
        region = regions[path.region]
        above = rows.get(path.above or "", 0)
        name = region.sub_name or atomic_access(region.kind, region.clauses)
        place = Place(above, region.kind, name, region.file, region.begin_line1, path.task)
        if place in known:
            rows[path.id] = known[place]
    return rows
