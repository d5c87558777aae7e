"""Management: the OpenMP runtime starts teams, hands out work, releases locks, makes tasks."""

from __future__ import annotations

from operator import attrgetter

from pomp_clang.analysis import management_property_texts
from pomp_clang.analysis.columns import Others, Overhead, columns_of
from pomp_clang.analysis.properties.chunks import has_small_chunks
from pomp_clang.analysis.properties.profile_property import (
    ProfileProperty,
    PropertyEvidence,
    lasting,
)
from pomp_clang.analysis.property_row import PARALLEL_LOOPS
from pomp_clang.experiment.model import Measured

_body = attrgetter("bodyT")


def _team(measured: Measured) -> float:
    return measured.startupT + measured.shutdwnT


def _sections(measured: Measured) -> float:
    return sum(c.lost(measured) for c in columns_of("sections") if c.overhead is Overhead.MGMT)


def _little_work(evidence: PropertyEvidence) -> bool:
    return evidence.sum(_body) <= evidence.severity


def _enough_work(evidence: PropertyEvidence) -> bool:
    return evidence.profile.region.kind not in PARALLEL_LOOPS or not _little_work(evidence)


def _is_insufficient(evidence: PropertyEvidence) -> bool:
    return _times(evidence) > 1 and not _is_slow(evidence) and _little_work(evidence)


def _is_slow(evidence: PropertyEvidence) -> bool:
    return _times(evidence) > 1 and evidence.each_time > management_property_texts.SLOW_TEAM_PRICE


def _is_repeated(evidence: PropertyEvidence) -> bool:
    return _enough_work(evidence) and _times(evidence) > 1 and not _is_slow(evidence)


def _is_once(evidence: PropertyEvidence) -> bool:
    return _times(evidence) == 1


def _times(evidence: PropertyEvidence) -> int:
    return max(row.measured.execC for row in evidence.profile.rows)


def _insufficient(evidence: PropertyEvidence) -> str:
    work = lasting(evidence.sum(_body) / max(1, evidence.profile.execC))
    cost = lasting(evidence.each_time)
    return f"A thread's part of the loop takes {work}, starting and ending the team {cost}."


def _start(evidence: PropertyEvidence) -> str:
    times = _times(evidence)
    cost = lasting(evidence.each_time)
    if times == 1:
        return f"Starting and ending the team takes {cost} of each thread."
    return f"Starting and ending a team takes {cost} of each thread, {times:,} times."


def _release(evidence: PropertyEvidence) -> str:
    if evidence.profile.missing is Others.PROGRAM:
        return f"Leaving it takes {lasting(evidence.each_time)} each time on average."
    return f"Letting the next one in takes {lasting(evidence.each_time)} each time on average."


def _hand_out(evidence: PropertyEvidence) -> str:
    return f"Handing out sections takes {lasting(evidence.each_time)} of each thread each time."


def _chunks(evidence: PropertyEvidence) -> str:
    chunks = evidence.sum(attrgetter("chunkC"))
    work = evidence.sum(_body) - evidence.severity
    return (
        f"Getting one of these {chunks:,.0f} chunks takes {lasting(evidence.severity / chunks)}, "
        f"its work {lasting(max(0.0, work) / chunks)}."
    )


def _chunk_time(measured: Measured) -> float:
    """Return the time in calls for chunks, whose sampling may exceed that of the loop."""
    return min(measured.chunkT, measured.bodyT)


def _create(evidence: PropertyEvidence) -> str:
    created = evidence.sum(attrgetter("createC"))
    cost = lasting(evidence.severity / max(1, created))
    work = lasting(evidence.sum(attrgetter("execT")) / max(1, evidence.profile.execC))
    return f"Creating one of these {created:,.0f} tasks takes {cost}, running it {work}."


def _tiny(evidence: PropertyEvidence) -> bool:
    return evidence.sum(attrgetter("execT")) <= evidence.severity


def _worth_it(evidence: PropertyEvidence) -> bool:
    return not _tiny(evidence)


ROWS = (
    ProfileProperty(
        management_property_texts.INSUFFICIENT_WORK_IN_LOOP,
        Overhead.MGMT,
        _team,
        _insufficient,
        _is_insufficient,
    ),
    ProfileProperty(management_property_texts.SLOW_TEAM, Overhead.MGMT, _team, _start, _is_slow),
    ProfileProperty(
        management_property_texts.TEAM_MANAGEMENT, Overhead.MGMT, _team, _start, _is_repeated
    ),
    ProfileProperty(
        management_property_texts.TEAM_STARTED_ONCE, Overhead.MGMT, _team, _start, _is_once
    ),
    ProfileProperty(
        management_property_texts.RELEASE, Overhead.MGMT, attrgetter("exitT"), _release
    ),
    ProfileProperty(
        management_property_texts.SECTION_MANAGEMENT, Overhead.MGMT, _sections, _hand_out
    ),
    ProfileProperty(
        management_property_texts.SMALL_CHUNKS,
        Overhead.MGMT,
        _chunk_time,
        _chunks,
        has_small_chunks,
    ),
    ProfileProperty(
        management_property_texts.INSUFFICIENT_WORK_IN_TASKS,
        None,
        attrgetter("createT"),
        _create,
        _tiny,
    ),
    ProfileProperty(
        management_property_texts.TASK_CREATION, None, attrgetter("createT"), _create, _worth_it
    ),
)
