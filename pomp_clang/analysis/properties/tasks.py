"""The tasks of a run in a profile: how many, and how much work each has."""

from __future__ import annotations

from pomp_clang.analysis.columns import without_tasks
from pomp_clang.analysis.profile import RegionProfile, contains
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel


def tasks_of(
    profiles: tuple[RegionProfile, ...], threads: int, queued: float = 0.0
) -> TaskEvidence | None:
    """Return the number of tasks and seconds for each, None if the run has none.

    A task's time contains its waits and the creation of its own tasks. Waits for tasks and
    creations are taken off unless they are known to be outside tasks: the work is a lower bound.
    Threads waited for a processor for `queued` seconds. A creator may lose its processor while it
    creates, and an untied one is suspended there, so this may be a part of the creation.
    """
    tasks, run_time, lost, creation = 0, 0.0, 0.0, 0.0
    outside = _outside_tasks(profiles)
    for profile in profiles:
        for row in profile.rows:
            count, time = _executed(profile.region.kind, row.measured)
            tasks, run_time = tasks + count, run_time + time
            if profile.region.id not in outside:
                lost += _wait_time(profile.region.kind, row.measured)
            creation += row.measured.createT
    if not tasks:
        return None
    return TaskEvidence(
        tasks,
        max(0.0, run_time - lost - creation) / tasks,
        max(0.0, creation - queued) / tasks,
        threads,
    )


def _outside_tasks(profiles: tuple[RegionProfile, ...]) -> set[str]:
    """Return the ids of regions that stand in the text of a region or single, and in no task of it."""
    tasks = [profile.region for profile in profiles if profile.region.kind == "task"]
    around = [
        profile.region
        for profile in profiles
        if profile.region.kind in ("single", "master", "masked") or is_parallel(profile.region.kind)
    ]
    regions = set()
    for region in (profile.region for profile in profiles):
        if region.kind == "task" or not any(contains(outer, region) for outer in around):
            continue
        if not any(contains(task, region) for task in tasks):
            regions.add(region.id)
    return regions


def _executed(kind: str, measured: Measured) -> tuple[int, float]:
    """Return the tasks that a thread ran of a construct, and the seconds in them."""
    if kind == "task":
        return measured.execC, measured.execT
    if kind in TASKLOOPS:
        return measured.bodyC, measured.exitT
    return 0, 0.0


def _wait_time(kind: str, measured: Measured) -> float:
    if kind == "taskwait":
        return without_tasks(measured)
    return measured.exitBarT if kind == "taskgroup" or kind in TASKLOOPS else 0.0
