"""Findings of one cause: what waits at several places for the same reason is one finding.

Threads that wait at the end of a `single` wait for the tasks for which the thread in it waits.
Threads that wait at a barrier wait for the block that the master runs. Tasks that are too small cost
their creation, and waits of threads that find none. The finding stands where the program has to
change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pomp_clang.analysis import management_property_texts, property_texts
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.profile import RegionProfile, contains, enclosing
from pomp_clang.analysis.properties.profile_property import PropertyFinding, lasting
from pomp_clang.analysis.properties.tasks import tasks_of
from pomp_clang.analysis.property_row import LARGER_TASKS, PropertyText
from pomp_clang.experiment.model import Region
from pomp_clang.openmp.kinds import is_parallel

_EXPLAINED = 0.5
"""Share of a time that something has to account for to be its reason."""

_SERIAL_BLOCK = property_texts.SERIAL_MASTER.name
_KERNELS = property_texts.WAIT_FOR_KERNELS.name
_CREATION = (
    management_property_texts.TASK_CREATION.name,
    management_property_texts.INSUFFICIENT_WORK_IN_TASKS.name,
)
_CONTENTION = frozenset(
    text.name
    for text in (
        property_texts.CRITICAL_CONTENTION,
        property_texts.LOCK_CONTENTION,
        property_texts.WAIT_FOR_TURN,
    )
)
_BARRIER_WAITS = frozenset(
    text.name
    for text in (
        property_texts.WAIT_AT_BARRIER,
        property_texts.IMBALANCE_IN_LOOP,
        property_texts.IMBALANCE_IN_REGION,
        property_texts.IMBALANCE_IN_SECTIONS,
        property_texts.SERIAL_SINGLE,
    )
)
_WAITS_FOR_TASKS: dict[str, PropertyText] = {
    kind: text
    for text in (
        property_texts.WAIT_FOR_TASKS,
        property_texts.WAIT_FOR_TASKGROUP,
        property_texts.WAIT_FOR_TASKLOOP,
    )
    for kind in text.kinds - {"taskyield"}
}


def of_one_cause(
    findings: Sequence[PropertyFinding],
    profiles: tuple[RegionProfile, ...],
    analysis: OverheadAnalysis,
) -> tuple[PropertyFinding, ...]:
    """Return the findings, those of one cause as one, the costliest first."""
    merged = _waits_of_a_single(list(findings), profiles, analysis)
    merged = _small_tasks(merged)
    merged = _waits_for_a_master(merged, profiles)
    merged = _with_leaving_cost(merged)
    merged = [_at_small_team(finding, profiles) for finding in merged]
    return tuple(sorted(merged, key=lambda finding: -finding.severity))


def _combined(
    first: PropertyFinding, parts: Iterable[PropertyFinding], text: str
) -> PropertyFinding:
    """Build the finding of several parts, with the name, place and advice of `first`."""
    findings = sorted(parts, key=lambda part: -part.severity)
    return replace(
        first,
        severity=sum(part.severity for part in findings),
        share=sum(part.share for part in findings),
        locations=tuple(map(sum, zip(*(part.locations for part in findings), strict=True))),
        text=text,
        parts=tuple(findings),
    )


def _waits_of_a_single(
    findings: list[PropertyFinding],
    profiles: tuple[RegionProfile, ...],
    analysis: OverheadAnalysis,
) -> list[PropertyFinding]:
    """Put waits at the end of a single to the wait for tasks that its block consists of."""
    tasks = tasks_of(profiles, analysis.threads, analysis.queued or 0.0)
    size = tasks.size if tasks else None
    for single in [finding for finding in findings if _is_at_single(finding)]:
        wait = _task_wait_in(single, profiles)
        if wait is None or (wait.is_for_kernels and single.name != _KERNELS):
            continue
        waits = [
            finding
            for finding in findings
            if finding.profile is wait and finding.name == "WaitForTasks"
        ]
        text = _WAITS_FOR_TASKS[wait.region.kind]
        advice = text.advice_for(size)
        if wait.is_for_kernels:
            advice = property_texts.advice_on_kernels(text, analysis.runs_kernels_on_host)
        first = replace(single, name=text.name, title=text.title, profile=wait, advice=advice)
        parts = [single, *waits]
        total = lasting(sum(part.severity for part in parts))
        awaited, meanwhile = "tasks", ", with none to run meanwhile"
        if wait.is_for_kernels:
            awaited, meanwhile = "target constructs with nowait", ""
        reason = (
            f"A thread waits here for {awaited}, and its team at the end of the single around"
            f"{meanwhile}: {total} in all."
        )
        findings = [finding for finding in findings if all(finding is not part for part in parts)]
        findings.append(_combined(first, parts, reason))
    return findings


def _is_at_single(finding: PropertyFinding) -> bool:
    if finding.profile is None or finding.profile.region.kind != "single":
        return False
    return finding.name in (property_texts.SERIAL_SINGLE.name, _KERNELS)


def _task_wait_in(
    single: PropertyFinding, profiles: tuple[RegionProfile, ...]
) -> RegionProfile | None:
    """Return the costliest wait for tasks in the text of a single's block, outside of tasks; None if
    such waits do not take half of the block's time."""
    if single.profile is None:
        return None
    outer = single.profile.region
    inside = [
        profile
        for profile in profiles
        if profile.region is not outer and contains(outer, profile.region)
    ]
    tasks = [finding.region for finding in inside if finding.region.kind == "task"]
    waits = [
        finding
        for finding in inside
        if finding.region.kind in _WAITS_FOR_TASKS
        and not any(contains(task, finding.region) for task in tasks)
    ]
    block = sum(row.measured.bodyT for row in single.profile.rows)
    if not waits or sum(map(_time, waits)) < _EXPLAINED * block:
        return None
    return max(waits, key=_time)


def _time(profile: RegionProfile) -> float:
    return sum(row.measured.execT for row in profile.rows)


def _small_tasks(findings: list[PropertyFinding]) -> list[PropertyFinding]:
    """Combine what small tasks cost: their creation, and the waits for them."""
    small = [finding for finding in findings if finding.profile and finding.advice == LARGER_TASKS]
    creations = [finding for finding in small if finding.name in _CREATION]
    if not creations or len(small) < 2:
        return findings
    worst = max(creations, key=lambda finding: finding.severity)
    first = replace(
        worst,
        name=management_property_texts.SMALL_TASKS.name,
        title=management_property_texts.SMALL_TASKS.title,
    )
    count = sum(
        row.measured.createC
        for finding in creations
        if finding.profile
        for row in finding.profile.rows
    )
    creation = sum(finding.severity for finding in creations)
    waits = sum(finding.severity for finding in small) - creation
    reason = (
        f"Creating {count:,} tasks takes {lasting(creation)} in all. Threads wait {lasting(waits)} "
        "for tasks, with none to run."
    )
    rest = [finding for finding in findings if all(finding is not part for part in small)]
    return [*rest, _combined(first, small, reason)]


def _waits_for_a_master(
    findings: list[PropertyFinding], profiles: tuple[RegionProfile, ...]
) -> list[PropertyFinding]:
    """Put the block of a master to the wait at the barrier behind it."""
    parallels = [profile.region for profile in profiles if is_parallel(profile.region.kind)]
    for master in [finding for finding in findings if finding.name == _SERIAL_BLOCK]:
        wait = _wait_behind(master, findings, parallels)
        if wait is None or master.profile is None:
            continue
        block = lasting(master.severity / max(1, master.profile.execC))
        both = replace(
            wait,
            text=f"{wait.text} One thread alone runs a {master.profile.region.kind} block before, "
            f"for {block} each time.",
            advice=master.advice,
            parts=(wait, master),
        )
        findings = [
            both if finding is wait else finding for finding in findings if finding is not master
        ]
    return findings


def _wait_behind(
    master: PropertyFinding, findings: list[PropertyFinding], parallels: list[Region]
) -> PropertyFinding | None:
    """Return the first wait at a barrier behind a master's block in its region that the block
    explains, and that explains the block."""
    if master.profile is None:
        return None
    around = enclosing(master.profile.region, parallels)
    waits = []
    for finding in findings:
        if finding.profile is None or finding.name not in _BARRIER_WAITS or finding.parts:
            continue
        region = finding.profile.region
        is_end = region is around
        if (is_end or region.begin_line1 > master.profile.region.begin_line1) and (
            enclosing(region, parallels) is around
        ):
            waits.append((is_end, region.begin_line1, finding))
    if not waits:
        return None
    first = min(waits, key=lambda row: row[:2])[2]
    team = len(first.profile.reached) if first.profile else 1
    expected = (team - 1) * master.severity
    is_alike = _EXPLAINED * expected <= first.severity <= expected / _EXPLAINED
    return first if is_alike else None


def _with_leaving_cost(findings: list[PropertyFinding]) -> list[PropertyFinding]:
    """Put the cost of leaving a critical section, lock or turn to the wait for it."""
    waits = {id(finding.profile) for finding in findings if finding.name in _CONTENTION}
    leaving = {
        id(finding.profile): finding
        for finding in findings
        if finding.title == management_property_texts.RELEASE.title
    }
    merged = []
    for finding in findings:
        left = leaving.get(id(finding.profile))
        if finding.name in _CONTENTION and left is not None:
            merged.append(_combined(finding, (finding, left), f"{finding.text} {left.text}"))
        elif finding is not left or id(finding.profile) not in waits:
            merged.append(finding)
    return merged


def _at_small_team(
    finding: PropertyFinding, profiles: tuple[RegionProfile, ...]
) -> PropertyFinding:
    """Put idle time beside small teams to the region with the largest share."""
    if finding.name != property_texts.LIMITED_PARALLELISM.name or not finding.beside:
        return finding
    worst = finding.beside[0]
    part = share(worst.seconds, sum(team.seconds for team in finding.beside))
    place = next((profile for profile in profiles if profile.region is worst.region), None)
    text = f"{finding.text} {100 * part:.0f} % of the time passes beside this region's team."
    return replace(finding, profile=place, text=text, parts=(finding,))
