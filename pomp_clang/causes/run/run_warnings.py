"""Warnings about a run that its trace gives reason for.

Oversubscription: more threads that work at a time than processors. Taskloops whose tasks were not
recorded, as the code that contains them was linked without pomp-clang.
"""

from __future__ import annotations

from collections import Counter

from pomp_clang.analysis.overheads.off_processor import BOUND
from pomp_clang.causes.run.idle import busy_at_once
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.trace.mpi.workers import ALONE, Workers


def oversubscribed(runs: dict[int, Run], workers: Workers = ALONE) -> list[str]:
    """Return a sentence for each oversubscribed node, for the processes of all workers."""
    nodes: dict[str, int] = {}
    threads: Counter[str] = Counter()
    for node, about, count in workers.allgather(
        {number: _about(run) for number, run in runs.items()}
    ):
        nodes.setdefault(node, int(about) if about.isascii() and about.isdigit() else 0)
        threads[node] += count
    oversubscribed_nodes = [
        node for node, processors in nodes.items() if 0 < processors < threads[node]
    ]
    working: Counter[str] = Counter()
    for node, count in workers.allgather(
        {number: _working(run, oversubscribed_nodes) for number, run in runs.items()}
    ):
        working[node] += count
    return [
        _sentence(working[node], nodes[node], f" of {node}" if len(nodes) > 1 else "")
        for node in oversubscribed_nodes
        if working[node] > nodes[node]
    ]


def bound_too_narrowly(runs: dict[int, Run], workers: Workers = ALONE) -> list[str]:
    """Return a sentence for the first process that is bound to fewer processors than it has threads
    at work; none if there is no such process."""
    bound = [
        (number, threads, usable)
        for number, threads, usable in workers.allgather(
            {number: (number, *_bound(run)) for number, run in runs.items()}
        )
        if 0 < usable < threads
    ]
    if not bound:
        return []
    number, threads, usable = min(bound)
    where = f" of process {number}" if number or len(bound) > 1 else ""
    return [_sentence(threads, usable, where + BOUND)]


def _bound(run: Run) -> tuple[int, int]:
    """Return a process's threads at work at a time, and the processors to which it is bound; 0 and 0
    if it may use all."""
    usable = run.records.texts.get("usable_processors", "")
    return (busy_at_once(run), int(usable)) if usable.isascii() and usable.isdigit() else (0, 0)


def _about(run: Run) -> tuple[str, str, int]:
    """Return the node's name, its number of processors as text, and the process's number of
    threads."""
    texts = run.records.texts
    return texts.get("host", ""), texts.get("processors", ""), len(run.threads)


def _working(run: Run, nodes: list[str]) -> tuple[str, int]:
    node = run.records.texts.get("host", "")
    return node, busy_at_once(run) if node in nodes else 0


def _sentence(threads: int, processors: int, subject: str) -> str:
    number = "1 processor" if processors == 1 else f"{processors} processors"
    return (
        f"Oversubscription: {threads} threads on {number}{subject}. A thread without a processor "
        "keeps others waiting at forks, barriers and locks; set OMP_NUM_THREADS."
    )


_MOST = 3
"""The number of taskloops that are named."""

_Spot = tuple[str, int]


def unrecorded_taskloops(runs: dict[int, Run], workers: Workers = ALONE) -> list[str]:
    """Return a sentence that names the taskloops whose tasks were not recorded, for the processes
    of all workers; none if there is no such taskloop."""
    by_node = workers.allgather({number: _spots(run) for number, run in runs.items()})
    spots = sorted({spot for found_in_run in by_node for spot in found_in_run})
    if not spots:
        return []
    named = [f"{file}:{line}" for file, line in spots[:_MOST]]
    if len(spots) > _MOST:
        named.append(f"{len(spots) - _MOST} more")
    return [
        f"The tasks of the taskloop at {' and at '.join(named)} were not recorded: threads that run "
        "them seem to compute, or to wait. Link the code around the taskloop with pomp-clang, "
        "unless it makes no tasks."
    ]


def _spots(run: Run) -> list[_Spot]:
    """Return file and line of taskloops that ran but neither created a task nor waited for one."""
    tells = run.seconds(Activity.CREATE, Activity.TASKWAIT).sum(axis=1)
    visits = run.visits.sum(axis=1)
    seen: set[_Spot] = set()
    spots: set[_Spot] = set()
    for row, place in enumerate(run.paths):
        if "taskloop" in place.kind and visits[row]:
            spot = place.file, place.line
            seen.add(spot)
            if place.task or tells[row]:
                spots.add(spot)
    return sorted(seen - spots)
