"""Time in target constructs is neither serial time nor work of the host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find_properties
from pomp_clang.analysis.run import Breakdown, break_down
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import call_paths, experiment, region

REGIONS = (
    region("R1", "target teams distribute parallel for", 1, 4),
    region("R2", "target data", 5, 20),
    region("R3", "target", 6, 9),
    region("R4", "target update", 10),
    region("R5", "parallel", 11, 19),
    region("R6", "target enter data", 21),
    region("R7", "function", 30, 40),
)


def _analysed(experiment: Experiment) -> tuple[OverheadAnalysis, Breakdown]:
    analysis = analyze_overheads(experiment, flat_profile(experiment))
    return analysis, break_down(analysis)


def _ran(tree: str, *rows: tuple[str, int, Measured], threads: int = 1) -> Experiment:
    paths = call_paths(tree)
    by_path = {(path, tid): measured for path, tid, measured in rows}
    regions = {path.id: path.region for path in paths}
    profile: dict[tuple[str, int], Measured] = {}
    for (path, tid), measured in by_path.items():
        profile[regions[path], tid] = measured
    return experiment(
        REGIONS, profile, threads=threads, duration=10.0, callpaths=paths, callpath_profile=by_path
    )


def test_a_host_that_waits_for_a_device_does_not_work_serially() -> None:
    experiment = _ran(
        "R1\nR6",
        ("C00001", 0, Measured(execC=5, execT=8.0)),
        ("C00002", 0, Measured(execC=1, execT=1.0)),
    )
    analysis, parts = _analysed(experiment)
    assert (parts.serial, parts.target, parts.work, parts.idle) == (1.0, 9.0, 0.0, 0.0)
    assert parts.parts() == {"Work": 0.0, "Serial": 1.0, "Target": 9.0, **_no_losses()}
    assert analysis.lost.total == 0.0


def test_the_block_of_target_data_is_the_hosts() -> None:
    """5 s of host code, 2 s in target and update, half a second to map."""
    experiment = _ran(
        "R2\n  R3\n  R4",
        ("C00001", 0, Measured(execC=1, execT=7.5, bodyT=7.0)),
        ("C00002", 0, Measured(execC=3, execT=1.5)),
        ("C00003", 0, Measured(execC=3, execT=0.5)),
    )
    parts = _analysed(experiment)[1]
    assert (parts.serial, parts.target) == (7.5, 2.5)


def test_target_data_of_an_older_experiment_is_the_hosts() -> None:
    experiment = _ran(
        "R2\n  R3",
        ("C00001", 0, Measured(execC=1, execT=7.5)),
        ("C00002", 0, Measured(execC=3, execT=1.5)),
    )
    parts = _analysed(experiment)[1]
    assert (parts.serial, parts.target) == (8.5, 1.5)


def test_what_a_kernel_calls_on_the_host_counts_once() -> None:
    experiment = _ran(
        "R3\n  R7\n    R3",
        ("C00001", 0, Measured(execC=1, execT=4.0)),
        ("C00002", 0, Measured(execC=1, execT=3.0)),
        ("C00003", 0, Measured(execC=1, execT=2.0)),
    )
    assert _analysed(experiment)[1].target == 4.0


def test_threads_of_a_team_that_wait_for_a_device_do_not_work() -> None:
    experiment = _ran(
        "R5\n  R3",
        *(("C00001", tid, Measured(execC=1, execT=6.0, bodyT=6.0)) for tid in (0, 1)),
        ("C00002", 0, Measured(execC=1, execT=2.0)),
        ("C00002", 1, Measured(execC=1, execT=1.0)),
        threads=2,
    )
    analysis, parts = _analysed(experiment)
    assert (parts.work, parts.target, parts.serial, parts.idle) == (9.0, 3.0, 4.0, 4.0)
    assert analysis.lost.total == 0.0


def test_a_region_around_it_in_the_text_serves_where_there_are_no_call_paths() -> None:
    profile = {
        ("R2", 0): Measured(execC=1, execT=8.0, bodyT=7.0),
        ("R3", 0): Measured(execC=1, execT=2.0),
        ("R5", 0): Measured(execC=1, execT=3.0, bodyT=3.0),
    }
    parts = _analysed(experiment(REGIONS, profile, threads=1, duration=10.0))[1]
    assert (parts.work, parts.target, parts.serial) == (3.0, 3.0, 4.0)


def test_a_program_without_target_constructs_has_no_such_part() -> None:
    run = experiment([region("R5", "parallel", 1, 2)], {}, threads=1)
    assert "Target" not in _analysed(run)[1].parts()


def test_idle_threads_are_told_from_those_that_wait_for_a_device() -> None:
    experiment = _ran(
        "R1\nR5",
        ("C00001", 0, Measured(execC=1, execT=3.0)),
        *(("C00002", tid, Measured(execC=1, execT=6.0, bodyT=6.0)) for tid in (0, 1)),
        threads=2,
    )
    analysis, parts = _analysed(experiment)
    assert parts.unused == (0.0, 4.0)
    actual = {prop.name: prop for prop in find_properties(flat_profile(experiment), analysis)}
    assert actual["IdleThreads"].severity == pytest.approx(1.0)
    assert "1.00 s of 10.0 s" in actual["IdleThreads"].text
    assert actual["IdleDuringTarget"].severity == pytest.approx(3.0)
    assert "3.00 s of 10.0 s" in actual["IdleDuringTarget"].text
    on_host = replace(experiment, device_count=0)
    findings = find_properties(flat_profile(on_host), _analysed(on_host)[0])
    assert "IdleDuringTarget" not in [prop.name for prop in findings]


def _no_losses() -> dict[str, float]:
    return dict.fromkeys(("Sync", "Imbal", "Limpar", "Mgmt", "Idle"), 0.0)
