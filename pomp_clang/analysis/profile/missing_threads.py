"""Missing threads: regions where a thread is alone in its team and waits for no other thread."""

from __future__ import annotations

from collections import defaultdict

from pomp_clang.analysis.columns import Others
from pomp_clang.analysis.profile.nesting import payers
from pomp_clang.experiment.model import Experiment
from pomp_clang.openmp.kinds import is_target


def _has_helpers(experiment: Experiment) -> bool:
    """Return whether a thread may wait for tasks that run on hidden threads.

    The runtime's hidden threads run deferred target tasks, and detached tasks end elsewhere.
    """
    return any(
        (is_target(region.kind) and "nowait" in region.clauses)
        or (region.kind == "task" and "detach" in region.clauses)
        for region in experiment.regions
    )


def missing_at(experiment: Experiment) -> dict[str, Others]:
    """Return which other threads are missing at each call path.

    A team of one is known from its visitors: there is one, or all of them are threads of the team
    around it, as where nested regions are serialized. The other members of a larger inner team are
    threads of their own.
    """
    if _has_helpers(experiment):
        return {}
    if experiment.max_threads == 1:
        return {path.id: Others.PROGRAM for path in experiment.callpaths}
    visitors: dict[str, set[int]] = defaultdict(set)
    for (path_id, tid), measured in experiment.callpath_profile.items():
        if measured.execC:
            visitors[path_id].add(tid)
    payer_of = payers(experiment)
    nearest: dict[str | None, str | None] = {None: None}
    alone: dict[str | None, bool] = {None: False}
    for path in experiment.callpaths:
        outer = nearest[path.above]
        nearest[path.id] = outer
        if payer_of[path.id] == path.region:
            team = visitors[path.id]
            nearest[path.id] = path.id
            alone[path.id] = len(team) == 1 or (outer is not None and team <= visitors[outer])
    return {
        path.id: Others.TEAM if alone[nearest[path.id]] else Others.NONE
        for path in experiment.callpaths
    }


def missing_in(experiment: Experiment) -> dict[str, Others]:
    """Return which other threads are missing in each region, on all of its call paths."""
    if _has_helpers(experiment):
        return {}
    if experiment.max_threads == 1:
        return {region.id: Others.PROGRAM for region in experiment.regions}
    at = missing_at(experiment)
    regions = {path.id: path.region for path in experiment.callpaths}
    missing_at_region: dict[str, Others] = {}
    for path_id, missing in at.items():
        region = regions[path_id]
        missing_at_region[region] = min(missing, missing_at_region.get(region, Others.PROGRAM))
    return missing_at_region
