"""Advice and sentences that contradict their own numbers, or each other, in constructed records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, combined, find_properties, separate
from pomp_clang.experiment.model import (
    Experiment,
    Location,
    Measured,
    MpiCalls,
    MpiProfile,
    Region,
)
from pomp_clang.report.text.properties import worst_places
from tests.handmade import experiment, region


def _find(experiment: Experiment) -> tuple[PropertyFinding, ...]:
    profiles = flat_profile(experiment)
    return find_properties(profiles, analyze_overheads(experiment, profiles))


def _findings(
    rows: Mapping[Region, tuple[Measured, ...]], threads: int = 2
) -> list[PropertyFinding]:
    profile = {(at.id, tid): own for at, row in rows.items() for tid, own in enumerate(row)}
    return [
        finding
        for finding in _find(experiment(list(rows), profile, threads=threads))
        if finding.profile
    ]


def _of_tasks(tasks: int, work: float, creation: float, wait: float) -> list[PropertyFinding]:
    """Return the findings of a run with these tasks; times are seconds of all threads."""
    half = tasks // 2
    task = Measured(half, (work + creation + wait) / 2, createC=half, createT=creation / 2)
    waits = Measured(half, wait / 2)
    return _findings(
        {region("R1", "task", 1, 2): (task, task), region("R2", "taskwait", 3): (waits,) * 2}
    )


def test_health_has_no_advice_for_smaller_and_larger_tasks() -> None:
    """BOTS health: 17 million tasks, whose creation costs as much as their work."""
    advice = _of_tasks(17_000_000, 1.0, 1.5, 1.4)
    assert {finding.title for finding in advice} == {"Wait for tasks", "Cost of creating tasks"}
    assert {finding.advice for finding in advice} == {
        "Make fewer and larger tasks: stop at a depth or size, or use taskloop with grainsize."
    }


def test_tasks_are_not_small_because_their_creator_lost_its_processor() -> None:
    """BOTS sparselu beside other programs: 5340 tasks of 65 us, whose creation took 12.7 us each."""
    task = Measured(2670, 0.174, createC=2670, createT=0.034)
    run = experiment([region("R1", "task", 1, 2)], {("R1", tid): task for tid in (0, 1)}, threads=2)
    advice = {}
    for queued in (0.0, 0.07):
        locations = tuple(replace(location, queuedT=queued) for location in run.locations)
        (creation,) = (it for it in _find(replace(run, locations=locations)) if it.profile)
        advice[queued] = creation.advice
    assert advice[0.0].startswith("Make fewer and larger tasks")
    assert advice[0.07].startswith("Let several threads create the tasks")


def test_few_large_tasks_are_to_be_divided() -> None:
    (wait,) = [
        of_task for of_task in _of_tasks(4, 4.0, 1e-6, 1.0) if of_task.name == "WaitForTasks"
    ]
    assert wait.advice.startswith("Make more and smaller tasks")
    for of_task in _of_tasks(4, 4.0, 1e-6, 1.0):
        assert "larger" not in of_task.advice


def test_many_tasks_of_a_fitting_size_keep_it() -> None:
    for of_task in _of_tasks(1000, 4.0, 1e-3, 1.0):
        assert "larger tasks" not in of_task.advice and "smaller tasks" not in of_task.advice


def test_a_region_that_runs_once_is_not_to_be_merged() -> None:
    """BOTS sparselu has one region, whose first team starts the threads."""
    once = Measured(1, 1.0, 1, 0.9, startupT=0.1)
    (finding,) = _findings({region("R1", "parallel", 3): (once, once)})
    assert finding.title == "Cost of starting and ending teams" and "Merge" not in finding.advice
    often = Measured(200, 1.0, 200, 0.9, startupT=0.1)
    (finding,) = _findings({region("R1", "parallel", 3): (often, often)})
    assert finding.advice.startswith("Merge parallel regions")
    for kind in ("parallel", "parallel for"):
        slow = Measured(2, 1.0, 2, 0.01, startupT=0.1)
        (finding,) = _findings({region("R1", kind, 3): (slow, slow)})
        assert finding.advice.startswith("Check that no other program uses the processors")


def test_waits_for_a_processor_that_explain_a_slow_construct_have_the_advice() -> None:
    """ImageMagick: three regions run once each while threads wait for processors for half of the time,
    and a lock costs a single thread 15 us."""
    once = Measured(1, 1.0, 1, 0.9, startupT=0.1)
    run = experiment(
        (region("R1", "parallel", 3),), {("R1", tid): once for tid in (0, 1)}, threads=2
    )
    assert _advice(run, 0.0).startswith(
        "If this is the program's first region, it starts the threads"
    )
    assert _advice(run, 1.0).startswith("Run again while no other program")
    assert "OMP_WAIT_POLICY" not in _advice(replace(run, wait_policy="passive"), 1.0)
    assert "with OMP_WAIT_POLICY=passive" in _advice(replace(run, wait_policy=""), 1.0)
    lock = Measured(100, 1.0, 100, 0.5, enterT=0.1)
    run = experiment((region("R1", "critical", 3),), {("R1", 0): lock}, threads=1)
    assert _advice(run, 0.0).startswith("Leave the construct out")
    assert _advice(run, 1.0).startswith("Run again while no other program")


def _advice(run: Experiment, queued: float) -> str:
    """Return the advice at the region of a run whose threads wait for a processor for these seconds each."""
    locations = tuple(replace(location, queuedT=queued) for location in run.locations)
    problems = _find(replace(run, processors=2, locations=locations))
    return max((it for it in problems if it.profile), key=lambda it: it.severity).advice


def test_a_short_block_is_not_the_reason_of_a_long_wait() -> None:
    """A wait of 1.6 s at a block of 41 us is a wait for late threads."""
    measured, other = Measured(1, 1.6, 1, 41e-6), Measured(1, 1.6, exitBarT=1.6)
    (finding,) = _findings({region("R1", "single", 3): (measured, other)})
    assert finding.title == "Wait at the end of a single"
    assert "takes only 41.0 µs" in finding.text and "arrive late" in finding.text
    assert "Share out" not in finding.advice


def test_a_block_that_creates_tasks_is_not_to_be_shared_out() -> None:
    measured, other = Measured(1, 2.0, 1, 2.0), Measured(1, 2.0, exitBarT=0.5, taskT=1.5)
    (finding,) = _findings({region("R1", "single", 3): (measured, other)})
    assert "without a task to run" in finding.text and "Share out" not in finding.advice


def test_waits_at_the_end_of_a_region_that_tasks_explain_are_waits_for_tasks() -> None:
    measured, other = Measured(1, 2.0, 1, 2.0), Measured(1, 2.0, exitBarT=0.5, taskT=1.5)
    (finding,) = _findings({region("R1", "parallel", 3): (measured, other)})
    assert finding.title == "Wait for tasks at a barrier"
    assert "without a task to run" in finding.text and "largest tasks first" in finding.advice
    short = replace(other, exitBarT=1.9, taskT=0.1)
    (finding,) = _findings({region("R1", "parallel", 3): (measured, short)})
    assert finding.title == "Wait at the end of a region"


def test_idle_threads_during_mpi_calls_are_not_those_of_serial_work() -> None:
    """TeaLeaf: of 0.63 s outside parallel regions, 0.61 s are MPI_Init and MPI_Finalize."""
    work = Measured(1, 1.0, 1, 1.0)
    run = experiment(
        (region("R1", "parallel", 3),), {("R1", tid): work for tid in (0, 1)}, threads=2
    )
    calls = {("", 0): MpiCalls(2.9, 0, 0, 0, 0, 0)}
    problem = _find(replace(run, mpi=MpiProfile(0, 1, "an MPI", "single", "naive", calls)))
    mpi, serial = (it for it in problem if not it.profile and it.severity)
    assert (mpi.name, round(mpi.severity, 9)) == ("IdleDuringMPI", 2.9)
    assert "2.90 s of 4.00 s" in mpi.text and "Parallelize" not in mpi.advice
    assert (serial.name, round(serial.severity, 9)) == ("IdleThreads", 0.1)
    assert "100 ms of 4.00 s" in serial.text and serial.advice.startswith("Parallelize the serial")


def test_threads_that_idle_while_mpi_begins_and_ends_are_no_finding() -> None:
    """AMG: MPI_Init and MPI_Finalize take 37 % of the run, and other calls next to nothing."""
    work = Measured(1, 1.0, 1, 1.0)
    run = experiment(
        (region("R1", "parallel", 3),), {("R1", tid): work for tid in (0, 1)}, threads=2
    )
    for in_calls, severity in ((0.0, []), (0.5, [0.5])):
        calls = {("", 0): MpiCalls(mpiT=2.4 + in_calls, initT=2.4)}
        problem = _find(replace(run, mpi=MpiProfile(0, 1, "an MPI", "single", "naive", calls)))
        in_mpi = [it for it in problem if it.name == "IdleDuringMPI"]
        assert [round(it.severity, 9) for it in in_mpi] == severity
        assert all("500 ms of 4.00 s" in it.text for it in in_mpi)
        (serial,) = (it for it in problem if it.name == "IdleThreads")
        assert round(serial.severity, 9) == round(0.6 - in_calls, 9)


def test_late_threads_are_to_be_fewer_where_processors_are_too_few() -> None:
    late = (Measured(100, 2.0, 100, 1.0, exitBarT=1.0),) * 2
    run = experiment((region("R1", "for", 3),), {("R1", tid): row for tid, row in enumerate(late)})
    advised = {
        processors: next(
            problem.advice
            for problem in _find(replace(run, processors=processors))
            if problem.profile
        )
        for processors in (2, 4)
    }
    assert advised[2].startswith("Run with at most as many threads as processors")
    assert advised[4].startswith("Check that no other program uses the processors")


def test_waits_at_a_barrier_that_are_alike_are_not_uneven_work() -> None:
    """GAP sssp: each of two threads waits 0.15 s in 1414 visits while others have the processors."""

    def advised(*waits: float, visits: int = 1000, processors: int = 4) -> str:
        rows = {("R1", tid): Measured(visits, wait) for tid, wait in enumerate(waits)}
        run = experiment((region("R1", "barrier", 3),), rows)
        problem = _find(replace(run, processors=processors))
        (wait,) = (it for it in problem if it.name == "WaitAtBarrier")
        assert ("all wait alike" in wait.text) != wait.advice.startswith("Distribute the work")
        return wait.advice

    assert advised(0.3, 0.2).startswith("Check that no other program uses the processors")
    assert advised(0.3, 0.2, processors=1).startswith("Run with at most as many threads")
    assert advised(0.4, 0.1).startswith("Distribute the work before the barrier")
    assert advised(0.3, 0.2, visits=2).startswith("Distribute the work before the barrier")


def test_synchronization_without_a_processor_asks_for_fewer_threads() -> None:
    """A barrier's cost and a team's start are then waits for a processor."""
    rows = {
        "barrier": Measured(10_000, 0.2),
        "for": Measured(10_000, 0.22, 10_000, 0.02, exitBarT=0.2),
        "parallel": Measured(10_000, 1.0, 10_000, 0.9, startupT=0.1),
    }
    for kind, row in rows.items():
        run = experiment((region("R1", kind, 3),), {("R1", tid): row for tid in (0, 1, 2)})
        problem = next(it for it in _find(replace(run, processors=2)) if it.profile)
        assert problem.title.startswith("Cost of "), kind
        assert problem.advice.startswith("Run with at most as many threads as processors"), kind


def test_a_loop_whose_threads_got_no_chunk_has_no_small_ones() -> None:
    """The last question, which has no answer, takes time as well."""
    chunk_time = Measured(1, 1e-6, chunkT=1e-6)
    assert all(
        "chunk" not in it.title for it in _findings({region("R1", "for", 3): (chunk_time,) * 2})
    )


def test_on_busy_processors_the_run_is_to_be_repeated() -> None:
    """Uneven work stays what it is, and late threads and teams may be those of other programs."""
    late = (Measured(100, 2.0, 100, 1.0, exitBarT=1.0),) * 2
    uneven = tuple(Measured(100, 2.0, 100, 2.0 - wait, exitBarT=wait) for wait in (0.0, 1.0))
    experiment_ = experiment(
        (region("R1", "for", 3), region("R2", "for", 8)),
        {(f"R{n}", tid): rows[tid] for n, rows in ((1, late), (2, uneven)) for tid in (0, 1)},
        threads=2,
    )
    busy = tuple(Location(tid, 0, queuedT=0.1 * experiment_.duration) for tid in (0, 1))
    advised = {
        problem.profile.region.id: problem.advice
        for problem in _find(replace(experiment_, processors=2, locations=busy))
        if problem.profile
    }
    assert advised["R1"].startswith("Run again while no other program uses the processors")
    assert advised["R2"].startswith("Try schedule(dynamic)")


def test_waits_for_a_processor_that_explain_uneven_work_have_the_advice() -> None:
    """SNAP: a barrier's waits are 7 % of a run in which other programs had the processors for 71 %."""
    uneven: dict[str, tuple[Measured, ...]] = {"barrier": (Measured(18, 0.0), Measured(18, 0.4))}
    for kind in ("parallel", "for", "workshare", "sections"):
        uneven[kind] = tuple(Measured(4, 1.0, 4, 1.0 - wait, exitBarT=wait) for wait in (0.0, 0.4))
    for kind, rows in uneven.items():
        run = experiment(
            (region("R1", kind, 3),), {("R1", tid): row for tid, row in enumerate(rows)}, threads=2
        )
        for queued in (1.2, 2.0):
            busy = tuple(Location(tid, 0, queuedT=queued / 2) for tid in (0, 1))
            problem = _find(replace(run, processors=2, locations=busy))
            advice = next(it.advice for it in problem if it.profile and "Wait at" in it.title)
            repeats = advice.startswith("Run again while no other program uses the processors")
            assert repeats == (queued > 4 * 0.4), kind


def test_waits_for_a_processor_by_too_many_threads_have_the_advice_for_fewer() -> None:
    """LightGBM's tests: ten threads start teams of two on two processors, for loops of equal work."""
    run = experiment(
        (region("R1", "parallel for", 3),),
        {("R1", tid): Measured(10, 4.0, 10, 4.0 - wait, exitBarT=wait) for tid, wait in _WAITS},
        threads=4,
    )
    for queued, start in (
        (8.0, "Run with at most as many threads"),
        (0.1, "Try schedule(dynamic)"),
    ):
        locations = tuple(Location(tid, 0, queuedT=queued / 4) for tid, _ in _WAITS)
        problems = _find(replace(run, processors=2, locations=locations))
        advice = next(it.advice for it in problems if it.title == "Wait at the end of a loop")
        assert advice.startswith(start)


_WAITS = ((0, 0.0), (1, 1.5), (2, 0.5), (3, 1.0))
"""Threads, and the seconds that each of them waits at the end of a loop."""


def _tiny(count: int) -> dict[Region, tuple[Measured, ...]]:
    """Return parallel loops, each of which starts 1000 teams; starting one takes 100 us."""
    row = Measured(1000, 0.2, 1000, 0.1, startupT=0.1)
    return {region(f"R{n:05}", "parallel for", 10 * n): (row, row) for n in range(1, count + 1)}


def test_many_tiny_regions_are_one_finding_with_number_and_total() -> None:
    findings_of_regions = tuple(_findings(_tiny(30)))
    (finding_,) = combined(findings_of_regions)
    assert (len(findings_of_regions), len(finding_.parts)) == (30, 30)
    assert finding_.severity == sum(finding.severity for finding in findings_of_regions)
    assert finding_.text == (
        "Starting and ending 30,000 teams takes each thread 100 µs on average. The 30 parallel "
        "regions lose 6.00 s in total."
    )
    assert separate((finding_,)) == findings_of_regions


def test_a_region_with_two_prices_is_named_once_with_both() -> None:
    """TeaLeaf: starting the team and the barrier at its end are the two prices of its solver."""
    both = Measured(1000, 0.3, 1000, 0.1, startupT=0.1, exitBarT=0.08)
    one = Measured(1000, 0.3, 1000, 0.1, startupT=0.15)
    rows = {region(f"R{n}", "parallel", 10 * n): (one, one) for n in (1, 2)}
    rows[region("R3", "parallel", 30)] = (both, both)
    (finding,) = combined(tuple(_findings(rows)))
    assert len(finding.parts) == 4 and finding.regions == 3
    assert finding.profile and finding.profile.region.id == "R3"
    (worst,) = worst_places(finding, {})
    assert re.findall(r":(\d+)\S* \((.*?)\)", worst) == [
        ("30", "360 ms"), ("10", "300 ms"), ("20", "300 ms"),
    ]  # fmt: skip


def test_two_regions_and_one_slow_start_stay_findings_of_their_own() -> None:
    assert len(combined(tuple(_findings(_tiny(2))))) == 2
    slow = Measured(1, 0.2, 1, 0.1, startupT=0.1)
    rows = {region(f"R{n}", "parallel", 10 * n): (slow, slow) for n in range(1, 5)}
    assert len(combined(tuple(_findings(rows)))) == 4


def test_slow_starts_of_all_teams_are_one_finding_where_processors_lack() -> None:
    """HPCG beside other programs: its 14 regions take 4 ms each to start."""
    slow = Measured(100, 1.2, 100, 0.1, startupT=1.0)
    rows = {region(f"R{n}", "parallel", 10 * n): (slow, slow) for n in range(1, 5)}
    (finding,) = combined(tuple(_findings(rows)), ProcessorUse.BUSY_AND_SPINNING)
    assert finding.regions == 4 and finding.severity == pytest.approx(8.0)
    assert finding.text.startswith("Starting and ending 400 teams takes each thread 10.0 ms")
    assert finding.advice.startswith("Run again while no other program uses the processors")


def test_the_price_of_synchronization_is_count_times_price() -> None:
    rows = Measured(1_000_000, 0.02), Measured(1_000_000, 0.02)
    (finding,) = _findings({region("R1", "atomic", 3): rows})
    assert finding.text == "2,000,000 atomic updates take 20 ns each on average, 40.0 ms in all."
    (read,) = _findings({region("R1", "atomic", 3, clauses="seq_cst read"): rows})
    assert read.text.startswith("2,000,000 atomic reads take") and "reduction" not in read.advice
    (barrier,) = _findings(
        {region("R1", "barrier", 3): (Measured(20_000, 0.1), Measured(20_000, 0.1))}
    )
    assert barrier.title == "Cost of barriers"
    assert barrier.text.endswith(
        "takes 5.00 µs of each thread on average, 20,000 times, alike for all threads."
    )
