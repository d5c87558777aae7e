"""The conditions that the profiles of a trace's run tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.job import ProcessProfile, over_processes
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.page import causes
from pomp_clang.report.run_conditions import ConditionKind
from tests.jobs import process


def test_a_job_has_the_conditions_of_its_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in its report: threads of both processes waited for a processor for half of the time."""
    runs = []
    for rank in range(2):
        run = process(rank, 2)
        locations = tuple(replace(location, queuedT=5.0) for location in run.locations)
        runs.append(ProcessProfile(rank, analyze_run(replace(run, locations=locations))))
    monkeypatch.setattr(causes, "processes", lambda _: ["rank-0", "rank-1"])
    monkeypatch.setattr(causes, "job_of", lambda _: over_processes(runs, ()))
    (condition,) = causes.conditions_of_profiles(["job"], is_told=False)
    assert condition.condition is ConditionKind.NO_PROCESSOR
    assert condition.text.startswith("Threads waited for a processor for 50.0 % of their time")
    assert not [*causes.conditions_of_profiles(["job"], is_told=True)]
