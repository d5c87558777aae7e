"""Metrics in addition to time, with events that every machine has: page faults, which a program can
cause in any number, and the thread's own clock.
"""

from __future__ import annotations

import glob
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.analysis.counters import CounterProfile, counter_profile
from pomp_clang.experiment.model import Counters, Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import PROGRAMS, Build, ProgramResult, counts, run

MORE = 60
"""Page faults of our own and of the program's code, at the most."""


@pytest.fixture(autouse=True)
def _countable() -> None:
    try:
        paranoid = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    except FileNotFoundError:
        pytest.skip("the system has no perf_event")
    if paranoid > 2 and os.geteuid():
        pytest.skip("the system allows no counters (kernel.perf_event_paranoid)")


def _run(program: Path, what: str, tmp_path: Path, metrics: str = "page-faults") -> ProgramResult:
    result = run(program, what, folder=tmp_path, POMP_METRICS=metrics)
    assert (result.status, result.stderr) == (0, "")
    return result


def _counted(experiment: Experiment) -> CounterProfile:
    result = counter_profile(experiment)
    assert result is not None
    return result


def _counters(experiment: Experiment) -> Counters:
    assert experiment.counters is not None
    return experiment.counters


def _faults(experiment: Experiment) -> dict[int, tuple[float, float]]:
    """Return (inclusive, exclusive) by the region's line."""
    lines = {region.id: region.begin_line1 for region in experiment.regions}
    return {
        lines[place.id]: (place.total.inclusive[0] or 0, place.total.exclusive[0] or 0)
        for place in _counted(experiment).regions
    }


def _about(faults: float) -> object:
    return pytest.approx(faults + MORE / 2, abs=MORE / 2)


def test_inclusive_and_exclusive(program: Program, tmp_path: Path) -> None:
    measured = _run(program("counters"), "nested", tmp_path).experiment()
    assert _faults(measured) == {30: (_about(10000), _about(2000)), 40: (_about(8000),) * 2}
    counted = _counted(measured)
    assert counted.outside[0] == pytest.approx(1000 + 2 * MORE, abs=MORE * 2)
    assert counted.total[0] == pytest.approx(11000 + 2 * MORE, abs=MORE * 3)
    assert counts(measured, 40) == {0: 2}


def test_each_thread_counts_for_itself(program: Program, tmp_path: Path) -> None:
    measured = _run(program("counters"), "threads", tmp_path).experiment()
    lines = {region.id: region.begin_line1 for region in measured.regions}
    by_thread = {
        (lines[place.id], tid): thread.exclusive[0]
        for place in _counted(measured).regions
        for tid, thread in place.threads.items()
    }
    assert by_thread == {
        (10, 0): _about(1000),
        (10, 1): _about(2000),
        (20, 0): _about(4000),
        (20, 1): _about(4000),
    }


def test_tasks_have_their_own(program: Program, tmp_path: Path) -> None:
    """Charge tasks below their creation, whichever thread runs them."""
    measured = _run(program("counters"), "tasks", tmp_path).experiment()
    inclusive, exclusive = _faults(measured)[60]
    assert inclusive == exclusive == pytest.approx(3000 + MORE, abs=2 * MORE)
    inclusive, exclusive = _faults(measured)[30]
    assert exclusive == _about(500)
    assert inclusive == pytest.approx(3500 + MORE, abs=2 * MORE)


def test_threads_that_come_and_go(program: Program, tmp_path: Path) -> None:
    """Run one thread after the other at the same location."""
    measured = _run(program("counters"), "foreign", tmp_path).experiment()
    assert len(measured.locations) <= 2
    assert _faults(measured) == {40: (pytest.approx(20000, abs=20 * MORE),) * 2}


def test_a_forked_child_counts_its_own(program: Program, tmp_path: Path) -> None:
    result = _run(program("counters"), "child", tmp_path)
    assert _faults(result.experiment()) == {40: (_about(1000),) * 2}
    (path,) = tmp_path.glob("exp.*")
    child = result.experiment(path.name)
    assert _faults(child) == {30: (pytest.approx(3000, abs=3 * MORE),) * 2}


def test_what_is_switched_off_is_no_regions(program: Program, tmp_path: Path) -> None:
    """Charge neither to the region around."""
    measured = _run(program("counters"), "muted", tmp_path).experiment()
    assert _faults(measured) == {30: (_about(1000),) * 2}


def test_results(program: Program, tmp_path: Path) -> None:
    """Count the names in expressions once, with `_` for `-`."""
    metrics = "page-faults,rate=page_faults/task_clock*1e9,half=rate/2"
    measured = _run(program("counters"), "nested", tmp_path, metrics).experiment()
    assert measured.counters is not None
    assert measured.counters.metrics == ("page-faults", "task-clock")
    counted = _counted(measured)
    assert [metric.name for metric in counted.metrics] == [
        "page-faults",
        "task-clock",
        "rate",
        "half",
    ]
    for place in counted.regions:
        faults, clock, rate, half = place.total.inclusive
        assert faults
        assert clock
        assert rate == pytest.approx(faults / clock * 1e9)
        assert half == pytest.approx(faults / clock * 5e8)


def test_profiles_in_between_hold_them(program: Program, tmp_path: Path) -> None:
    """Count up to the moment of the snapshot in all threads, however old their newest event is."""
    measured = _run(program("counters"), "snapshots", tmp_path).experiment()
    first, second = (
        _faults(replace(measured, counters=replace(_counters(measured), values=snapshot.counted)))
        for snapshot in measured.snapshots
    )
    assert first == {30: (_about(1000),) * 2}
    assert second == {30: (_about(1000),) * 2, 10: (_about(3000),) * 2}
    assert _faults(measured) == {30: (_about(1000),) * 2, 10: (_about(3000),) * 2}


def test_other_names_are_counted_once(program: Program, tmp_path: Path) -> None:
    metrics = "faults,page-faults,half=page_faults/2"
    measured = _run(program("counters"), "nested", tmp_path, metrics).experiment()
    assert _counters(measured).metrics == ("faults",)
    counted = _counted(measured)
    assert [(metric.name, metric.expression) for metric in counted.metrics] == [
        ("faults", ""),
        ("page-faults", "faults"),
        ("half", "page_faults/2"),
    ]
    faults, same, half = counted.total
    assert faults == same == 2 * (half or 0)


def test_cpu_time_is_no_longer_than_time(program: Program, tmp_path: Path) -> None:
    measured = _run(program("counters"), "nested", tmp_path, "task-clock").experiment()
    (clock,) = _counted(measured).total
    assert 0 < (clock or 0) * 1e-9 < measured.duration * 1.01


def test_descriptors_are_out_of_the_programs_way(program: Program, tmp_path: Path) -> None:
    assert _run(program("counters"), "descriptors", tmp_path).stdout == "3\n"


def test_threads_that_have_no_descriptor_left(program: Program, tmp_path: Path) -> None:
    """Report threads without counters in one line, and measure them all the same."""
    script = tmp_path / "limited"
    script.write_text('#!/bin/sh\nulimit -n 10\nexec "$@"\n')
    script.chmod(0o755)
    metrics = "page-faults,minor-faults,cpu-clock,task-clock,cs,faults"
    arguments = (str(program("counters")), "threads")
    result = run(script, *arguments, folder=tmp_path, POMP_METRICS=metrics)
    assert result.status == 0
    assert result.stderr == (
        "pomp: POMP_METRICS: not everything is counted in all threads: Too many open files\n"
    )
    assert counts(result.experiment(), 20) == {0: 1, 1: 1}


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ("no-such-thing", "no-such-thing is not counted: this machine does not offer it"),
        ("x" * 80, "no counter has such a name"),
        ("rffffffffffff", "rffffffffffff is not counted: "),
    ],
)
def test_what_there_is_not(program: Program, tmp_path: Path, metrics: str, expected: str) -> None:
    """Report in one line each that it cannot be counted and that nothing is; the profile is complete."""
    result = run(program("counters"), "nested", folder=tmp_path, POMP_METRICS=metrics)
    assert result.status == 0
    first, second = result.stderr.splitlines()
    assert expected in first
    assert second == "pomp: POMP_METRICS: none of these can be counted, the profile is without"
    assert result.experiment().counters is None
    assert counts(result.experiment(), 40) == {0: 2}


def test_the_rest_is_counted(program: Program, tmp_path: Path) -> None:
    metrics = "no-such-thing,page-faults,,"
    result = run(program("counters"), "nested", folder=tmp_path, POMP_METRICS=metrics)
    assert result.stderr.count("\n") == 1
    assert _faults(result.experiment())[40] == (_about(8000),) * 2


def test_more_than_the_processor_counts_at_once(gcc_or_clang: Build, tmp_path: Path) -> None:
    """Counters take turns, and their counts are scaled. Few of our machines have counters, so a
    preloaded library plays the processor."""
    program = gcc_or_clang.compile("counters.c", tmp_path / "counters")
    processor = tmp_path / "processor.so"
    source = PROGRAMS / "processor.c"
    command = [gcc_or_clang.compiler, "-O1", "-shared", "-fPIC", str(source), "-o", str(processor)]
    subprocess.run(command, check=True)
    names = ("cycles", "instructions", "branches", "PAPI_BR_MSP", "LLC-loads", "page-faults")
    metrics = ",".join((*names, "IPC=instructions/cycles", "missed=PAPI_BR_MSP/branches*100"))
    result = run(
        program, "threads", folder=tmp_path, POMP_METRICS=metrics, LD_PRELOAD=str(processor)
    )
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert _counters(measured).metrics == names
    lines = {region.id: region.begin_line1 for region in measured.regions}
    places = {lines[region.id]: region.total.exclusive for region in _counted(measured).regions}
    *counted, ipc, missed = places[20]
    assert counted == [pytest.approx(8000, abs=2 * MORE)] * 6
    assert (ipc, missed) == (pytest.approx(1, abs=0.02), pytest.approx(100, abs=2))


def test_papi(program: Program, tmp_path: Path) -> None:
    """Count by PAPI's names; the library is loaded if it is there, and not linked."""
    if not glob.glob("/usr/lib/*/libpapi.so*"):
        pytest.skip("libpapi is not here")
    metrics = "perf::PAGE-FAULTS,page-faults"
    result = run(program("counters"), "threads", folder=tmp_path, POMP_METRICS=metrics)
    if "perf::PAGE-FAULTS is not counted" in result.stderr:
        pytest.skip("libpapi counts nothing here")
    for place in _counted(result.experiment()).regions:
        by_papi, by_perf = place.total.exclusive
        assert by_papi == pytest.approx(by_perf, abs=MORE)
