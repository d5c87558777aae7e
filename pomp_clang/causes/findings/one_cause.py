"""Findings of one cause: the same rules as in a profile (`analysis.properties.one_cause`).

The start and the end of a team are one price, and so are leaving a barrier and coming to it at
slightly different times. Threads at the end of a `single` wait for the tasks for which the thread in
it waits. Tasks that are too small cost their creation and the waits for them. Many small regions are
one finding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from pomp_clang.analysis import management_property_texts, property_texts
from pomp_clang.analysis.overheads.flush_loops import is_waiting_loop
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.properties.chunks import SMALL_CHUNKS
from pomp_clang.analysis.properties.combined import (
    barriers_sentence,
    flush_loops_sentence,
    teams_sentence,
)
from pomp_clang.analysis.properties.profile_property import lasting
from pomp_clang.analysis.properties.waiting import flush_loop_sentence
from pomp_clang.analysis.property_row import TEAMS, PropertyText
from pomp_clang.analysis.property_titles import of_trace
from pomp_clang.analysis.task_size import TaskEvidence, TaskSize
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.finding import Finding, is_wait_for_kernels, team_text, visits_of
from pomp_clang.causes.timeline.location_timeline import Ticks
from pomp_clang.openmp.kinds import TASKLOOPS

_SEVERAL = 3
"""Statements from which on their price is one finding."""

_BARRIER_PRICE = 1e-4
"""Seconds for each visit, above which a wait has a reason of its own."""

_EXPLAINED = 0.5
"""Share of a wait that a block's own work has to account for to be its reason."""

_OF_TEAMS = ("Fork", "Join")
_TASK_WAITS = frozenset(("taskwait", "taskgroup", *TASKLOOPS))


def of_one_cause(
    cube: Cube,
    findings: list[Finding],
    tasks: TaskEvidence | None,
    use: ProcessorUse = ProcessorUse.FREE,
) -> list[Finding]:
    """Return the findings of a cube, those of one cause as one, by falling severity."""
    known = _Known(cube)
    merged = [finding for finding in findings if known.name(finding) != "Overhead"]
    merged = [
        _as_flush_loop(known, finding)
        for finding in merged
        if not _are_large_chunks(known, finding)
    ]
    merged = _team_costs(known, merged)
    merged = _barrier_costs(known, merged)
    merged = _with_leaving_cost(known, merged)
    merged = _waits_of_a_single(known, merged, tasks)
    if tasks is not None and tasks.size is TaskSize.SMALL:
        merged = _small_tasks(known, merged, tasks)
    merged = _small_regions(known, merged, use)
    merged = _calls_from_many_places(known, merged)
    return sorted(merged, key=lambda finding: (-finding.severity, finding.metric, finding.path))


class _Known:
    """A cube as the rules read it: names, visits, and the time of computing."""

    def __init__(self, cube: Cube) -> None:
        self.cube = cube
        self._rows = {metric.name: row for row, metric in enumerate(cube.metrics)}

    def name(self, finding: Finding) -> str:
        """Return the property's name; "" of MPI's, which have none of these causes."""
        names = self.cube.metric_path(finding.metric)
        return "" if "MPI" in names else names[-1]

    def kind(self, finding: Finding) -> str:
        return self.cube.paths[finding.path].kind

    def visits(self, finding: Finding) -> float:
        """Return how often threads came to the finding's call paths."""
        return float(self.visits_by_thread(finding).sum())

    def visits_by_thread(self, finding: Finding) -> Ticks:
        return visits_of(self.cube, [path for path, _ in finding.paths])

    def price(self, finding: Finding) -> float:
        return finding.severity / max(1.0, self.visits(finding))

    def total(self, name: str, path: int) -> float:
        row = self._rows.get(name)
        return 0.0 if row is None else float(self.cube.dense(row)[path].sum())

    def row(self, name: str) -> int | None:
        return self._rows.get(name)

    def within(self, path: int) -> list[int]:
        """Return the call paths below a path, itself first, without those of tasks."""
        inside = [path]
        for row, place in enumerate(self.cube.paths):
            if place.above in inside and row not in inside and not place.task:
                inside.append(row)
        return inside

    def makes_tasks(self, path: int) -> bool:
        inside = set(self.within(path))
        return any(place.task and place.above in inside for place in self.cube.paths)


def _are_large_chunks(known: _Known, finding: Finding) -> bool:
    """Return whether a finding is the time to get chunks whose work takes far longer."""
    if known.name(finding) != "Chunks":
        return False
    loop = sum(
        known.total("Execution", path) - known.total("OpenMP", path) for path, _ in finding.paths
    )
    return finding.severity < SMALL_CHUNKS * (loop + finding.severity)


def _as_flush_loop(known: _Known, finding: Finding) -> Finding:
    """Return the finding; that of flushes in a loop that waits says so."""
    if known.name(finding) != "Flush":
        return finding
    flushes = known.visits_by_thread(finding)
    if not is_waiting_loop(flushes.tolist(), known.cube.duration):
        return finding
    reason = flush_loop_sentence(int(flushes.sum()), finding.severity)
    return replace(finding, text=property_texts.WAIT_IN_FLUSH_LOOP, reason=reason)


def _combined(
    first: Finding,
    parts: Iterable[Finding],
    text: PropertyText | None,
    reason: str,
    adds: bool = False,
) -> Finding:
    """Build the finding of several parts at the place of `first`. Without texts of its own, it has those
    of its property."""
    single_parts = (part for finding in parts for part in finding.parts or (finding,))
    findings = sorted(single_parts, key=lambda part: -part.severity)
    threads = np.sum([part.threads for part in findings], axis=0)
    return replace(
        first, threads=threads, parts=tuple(findings), text=text, reason=reason, adds=adds
    )


def _barrier_costs(known: _Known, findings: list[Finding]) -> list[Finding]:
    """Combine leaving a barrier with a wait in it that is short each time and no longer."""
    text = property_texts.IMPLIED_BARRIER_OVERHEAD
    costs = {
        (finding.path, known.cube.metrics[finding.metric].above): finding
        for finding in findings
        if known.name(finding) == "Barrier Completion"
    }
    remaining = list(findings)
    for wait in findings:
        cost = costs.get((wait.path, known.cube.metrics[wait.metric].above))
        if cost is None or known.name(wait) != "Wait at Barrier":
            continue
        both = (cost.severity + wait.severity) / max(1.0, known.visits(cost))
        if wait.severity <= cost.severity and both < _BARRIER_PRICE:
            remaining = [
                finding for finding in remaining if finding is not cost and finding is not wait
            ]
            remaining.append(_combined(cost, (cost, wait), text, text.description, adds=True))
    return remaining


def _team_costs(known: _Known, findings: list[Finding]) -> list[Finding]:
    """Combine the start and the end of a region's teams, with waits at the end that are short."""
    remaining: list[Finding] = []
    by_path: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        is_region = known.kind(finding) in TEAMS
        (by_path[finding.path] if is_region else remaining).append(finding)
    for candidates in by_path.values():
        parts = [finding_ for finding_ in candidates if known.name(finding_) in _OF_TEAMS]
        cost = sum(part.severity for part in parts)
        at_end = [
            finding_
            for finding_ in candidates
            if known.name(finding_) in ("Barrier Completion", "Wait at Barrier")
            and finding_.severity <= cost
            and known.price(finding_) < _BARRIER_PRICE
        ]
        parts += at_end if parts else []
        remaining += [
            finding_ for finding_ in candidates if all(finding_ is not part for part in parts)
        ]
        if len(parts) > 1:
            text = team_text(known.cube, [path for path, _ in parts[0].paths], cost)
            parts = [_combined(parts[0], parts, text, text.description, adds=True)]
        remaining += parts
    return remaining


def _with_leaving_cost(known: _Known, findings: list[Finding]) -> list[Finding]:
    """Combine the wait for a critical section with the time to enter and leave it, whose gain
    contains that of the wait."""
    text = property_texts.CRITICAL_CONTENTION
    remaining = list(findings)
    for price in (finding for finding in findings if known.name(finding) == "Critical"):
        paths = {path for path, _ in price.paths}
        waits = [
            finding
            for finding in remaining
            if known.cube.metrics[finding.metric].above == price.metric
            and paths & {path for path, _ in finding.paths}
        ]
        if not waits:
            continue
        entering = lasting(price.severity / max(1.0, known.visits(price)))
        reason = (
            f"Threads wait {lasting(sum(wait.severity for wait in waits))} for others in it; entering and "
            f"leaving takes {lasting(price.severity)}. That is {entering} each time."
        )
        parts = (*waits, price)
        remaining = [finding for finding in remaining if all(finding is not part for part in parts)]
        remaining.append(_combined(waits[0], parts, text, reason))
    return remaining


def _waits_of_a_single(
    known: _Known, findings: list[Finding], tasks: TaskEvidence | None
) -> list[Finding]:
    """Put waits at the end of a single to the wait for tasks that its block consists of."""
    remaining = list(findings)
    waits = ("Wait at Barrier", "Wait for Tasks", "Wait for Kernels")
    for path in {finding.path for finding in findings if known.kind(finding) == "single"}:
        at_end = [
            finding
            for finding in remaining
            if finding.path == path and known.name(finding) in waits
        ]
        wait = _task_wait_in(known, path, at_end)
        metric = known.row("Taskwait")
        if wait is None or metric is None:
            continue
        taskwaits = [
            finding
            for finding in remaining
            if known.name(finding) == "Taskwait" and finding.path == wait
        ]
        first = (
            taskwaits[0]
            if taskwaits
            else replace(at_end[0], metric=metric, path=wait, paths=((wait, 0.0),))
        )
        row = of_trace(known.cube.metric_path(metric), known.cube.paths[wait].kind)
        if row is None:
            continue
        parts = [*taskwaits, *at_end]
        text, awaited = _awaited(row, is_wait_for_kernels(known.cube, metric, wait), tasks)
        reason = (
            f"A thread waits here for {awaited[0]}, and its team at the end of the single around"
            f"{awaited[1]}."
        )
        remaining = [finding for finding in remaining if all(finding is not part for part in parts)]
        remaining.append(_combined(first, parts, text, reason))
    return remaining


def _awaited(
    row: PropertyText, is_for_kernels: bool, tasks: TaskEvidence | None
) -> tuple[PropertyText, tuple[str, str]]:
    """Return the text of a wait for tasks, with the name of the tasks and what else is to say."""
    if is_for_kernels:
        advice = row.advice_for_kernels
        text = replace(row, advice=advice, advice_by_size={}, advice_by_processors={})
        return text, ("target constructs with nowait", "")
    advice = row.advice_for(tasks.size if tasks else None)
    return replace(row, advice=advice), ("tasks", ", with none to run meanwhile")


def _task_wait_in(known: _Known, path: int, at_end: list[Finding]) -> int | None:
    """Return the call path of the wait for tasks within a single's block that is met most often;
    None if there is none, or if the block's own work explains the waits at its end."""
    paths = known.cube.paths
    inside = known.within(path)
    waits = [row for row in inside if paths[row].kind in _TASK_WAITS and known.total("Visits", row)]
    if not waits or not at_end:
        return None
    enclosed = {row for wait in waits for row in known.within(wait)}
    computing = sum(
        known.total("Execution", row) - known.total("OpenMP", row)
        for row in inside
        if row not in enclosed
    )
    others = max(1, int(np.count_nonzero(sum(finding.threads for finding in at_end))) - 1)
    wait = sum(finding.severity for finding in at_end)
    if others * computing >= _EXPLAINED * wait:
        return None
    return max(waits, key=lambda row: known.total("Visits", row))


def _small_tasks(known: _Known, findings: list[Finding], tasks: TaskEvidence) -> list[Finding]:
    """Combine what small tasks cost: their creation, and the waits for them."""

    def is_part(finding: Finding) -> bool:
        name = known.name(finding)
        if is_wait_for_kernels(known.cube, finding.metric, finding.path):
            return False
        if name in ("Task Creation", "Taskwait", "Wait for Tasks"):
            return True
        return name == "Wait at Barrier" and known.makes_tasks(finding.path)

    small = [finding for finding in findings if is_part(finding)]
    creations = [finding for finding in small if known.name(finding) == "Task Creation"]
    if not creations or len(small) < 2:
        return findings
    creation = sum(finding.severity for finding in creations)
    waits = sum(finding.severity for finding in small) - creation
    reason = (
        f"Creating {tasks.tasks} tasks takes {lasting(creation)} in all. Threads wait "
        f"{lasting(waits)} for tasks, with none to run."
    )
    first = max(creations, key=lambda finding: finding.severity)
    rest = [finding for finding in findings if all(finding is not part for part in small)]
    return [*rest, _combined(first, small, management_property_texts.SMALL_TASKS, reason)]


def _calls_from_many_places(known: _Known, findings: list[Finding]) -> list[Finding]:
    """Combine the same wait in calls of one MPI function at several lines, none of which has half of
    it."""
    by_function: defaultdict[tuple[int, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        place = known.cube.paths[finding.path]
        if place.kind == "function" and "MPI" in known.cube.metric_path(finding.metric):
            by_function[finding.metric, place.name].append(finding)
    remaining = list(findings)
    for parts in by_function.values():
        first = max(parts, key=lambda finding: finding.severity)
        if len(parts) < _SEVERAL or 2 * first.severity >= sum(part.severity for part in parts):
            continue
        remaining = [finding for finding in remaining if all(finding is not part for part in parts)]
        remaining.append(replace(_combined(first, parts, None, "", adds=True), is_combined=True))
    return remaining


def _small_regions(known: _Known, findings: list[Finding], use: ProcessorUse) -> list[Finding]:
    """Combine the price of many small regions: their teams, their barriers, and loops with a flush.

    A high price has a cause of its own, unless all threads lack processors.
    """
    highest = (
        management_property_texts.SLOW_TEAM_PRICE if use is ProcessorUse.FREE else float("inf")
    )
    flush_loop = property_texts.WAIT_IN_FLUSH_LOOP
    remaining = list(findings)
    for names, text, sentence in (
        (_OF_TEAMS, management_property_texts.TEAM_MANAGEMENT, teams_sentence),
        (("Barrier Completion",), property_texts.IMPLIED_BARRIER_OVERHEAD, barriers_sentence),
        (("Flush",), flush_loop, flush_loops_sentence),
    ):
        parts = [
            finding
            for finding in remaining
            if known.name(finding) in names
            and known.price(finding) <= highest
            and (finding.text is flush_loop) is (text is flush_loop)
        ]
        statements = {part.path for part in parts}
        if len(statements) < _SEVERAL:
            continue
        first = max(parts, key=lambda finding: finding.severity)
        total = sum(part.severity for part in parts)
        by_thread = [
            max((known.visits_by_thread(part) for part in parts if part.path == path), key=np.sum)
            for path in statements
        ]
        times, visits = (round(sum(map(of, by_thread))) for of in (np.max, np.sum))
        reason = sentence(len(statements), times, visits, total)
        remaining = [finding for finding in remaining if all(finding is not part for part in parts)]
        remaining.append(
            replace(_combined(first, parts, text, reason, adds=True), is_combined=True)
        )
    return remaining
