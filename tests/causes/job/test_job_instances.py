"""The instances of what processes wait for each other: when, and for which call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.job.analyze_job import cube_of, runs_of
from pomp_clang.causes.mpi_waits.call_waits import NOBODY
from pomp_clang.causes.properties import delay, mpi, mpi_counts
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import occurrences_of, properties
from pomp_clang.causes.run.run import Run
from pomp_clang.mpi.variants import NAMES
from pomp_clang.report.json import causes as show_json
from pomp_clang.report.output import terminal_for
from pomp_clang.report.text import causes as show_text
from pomp_clang.trace.mpi.columns import Job
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import alone, each_kind, swept
from tests.causes.properties.test_property_instances import check_sums
from tests.causes.scripts import MAIN

Row = tuple[str, int, float, float, float, str | None]


class JobInstances:
    def __init__(self, script: Script) -> None:
        self.job: Job = script.job()
        self.runs: dict[int, Run] = runs_of(self.job)
        self.cube = cube_of(self.job, self.runs, properties())

    def __call__(self, kind: type[Property]) -> list[Row]:
        """Return a property's instances, the worst first.

        Each has the call path's last name, the process, begin, end and severity in seconds, and the
        partner as "FUNCTION RANK".
        """
        rows: list[Row] = []
        for number, run in self.runs.items():
            occurrences = occurrences_of(kind, run, properties())
            for at, partner in enumerate(occurrences.partners):
                begin, end = (
                    round((int(moment[at]) - run.start) / run.second, 6)
                    for moment in (occurrences.begin, occurrences.end)
                )
                severity = round(float(occurrences.severity[at]), 6)
                place = run.paths[occurrences.path[at]]
                word = place.name or place.kind
                rows.append((word, number, begin, end, severity, self.named(int(partner))))
        return sorted(rows, key=lambda row: (-row[4], row[1], row[2]))

    def named(self, call: int) -> str | None:
        if call == NOBODY:
            return None
        function = NAMES[self.job.calls.function[call]].removeprefix("MPI_")
        return f"{function} {self.job.rank_of(np.array([call]))[0]}"


@pytest.fixture
def job_instances(tmp_path: Path) -> JobInstances:
    return JobInstances(each_kind(tmp_path))


def test_instances_sum_up_to_the_severity_and_every_wait_has_some(
    job_instances: JobInstances,
) -> None:
    """The sums are right for each process, at each call path and thread."""
    for run in job_instances.runs.values():
        check_sums(run, 1e-6)
    waits = mpi.Waiting.__subclasses__()
    assert [kind.path() for kind in waits if not job_instances(kind)] == []


def test_each_wait_is_up_to_when_another_has_come(job_instances: JobInstances) -> None:
    assert job_instances(mpi.LateSender) == [("MPI_Recv", 0, 0.1, 0.5, 0.4, "Send 1")]
    assert job_instances(mpi.LateReceiver) == [
        ("MPI_Ssend", 1, 0.9, 1.5, 0.6, "Recv 0"), ("MPI_Ssend", 2, 1, 1.4, 0.4, "Recv 0"),
    ]  # fmt: skip
    assert job_instances(mpi.EarlyReduce) == [("MPI_Reduce", 0, 2, 2.5, 0.5, "Reduce 1")]
    assert job_instances(mpi.EarlyScan) == [("MPI_Scan", 1, 3, 3.5, 0.5, "Scan 0")]
    assert job_instances(mpi.LateBroadcast) == [
        ("MPI_Bcast", 1, 4, 4.4, 0.4, "Bcast 0"), ("MPI_Bcast", 2, 4.1, 4.4, 0.3, "Bcast 0"),
    ]  # fmt: skip
    assert [row[:5] for row in job_instances(mpi.WaitAtNxN)] == [("MPI_Allreduce", 0, 5, 5.4, 0.4)]
    assert job_instances(mpi.WaitAtFence)[0][:5] == ("MPI_Win_fence", 0, 6.6, 6.9, 0.3)
    assert job_instances(mpi.LatePost) == [("MPI_Win_start", 1, 7, 7.2, 0.2, "Win_post 0")]
    assert job_instances(mpi.EarlyWait) == [("MPI_Win_wait", 0, 7.3, 7.6, 0.3, "Win_complete 1")]
    assert job_instances(mpi.WindowLock) == [("MPI_Win_lock", 2, 7.9, 8.21, 0.31, "Win_unlock 1")]


def test_for_the_data_nobody_in_particular_is_waited_for(job_instances: JobInstances) -> None:
    assert job_instances(mpi.NxNCompletion) == [("MPI_Allreduce", 0, 5.45, 5.5, 0.05, None)]
    assert job_instances(mpi.BarrierCompletion) == [("MPI_Barrier", 0, 6.4, 6.5, 0.1, None)]


def test_each_call_that_counts_is_one(job_instances: JobInstances) -> None:
    received = job_instances(mpi_counts.BytesReceived)
    assert received[0] == ("MPI_Recv", 0, 0.1, 0.6, 100, None)
    assert [row[4] for row in received] == [100, 50, 8, 8]


def test_a_delay_is_when_there_was_more_work(tmp_path: Path) -> None:
    """Rank 0's region is from 1 to 5, and rank 1 waits from 2 to 6."""
    job_instances = JobInstances(swept(tmp_path))
    wait = ("MPI_Recv", 1, 2, 6, 4, "Send 0")
    assert job_instances(mpi.LateSender) == [wait]
    assert job_instances(delay.Direct) == [wait] and job_instances(delay.TerminalWaits) == [wait]
    assert job_instances(delay.MpiShortTerm) == [("parallel", 0, 1, 5, 4, "Recv 1")]
    assert job_instances(delay.MpiDelay) == job_instances(delay.MpiShortTerm)


def test_a_wait_that_makes_another_wait(tmp_path: Path) -> None:
    script = alone(tmp_path, 3)
    first = script.call(0, "Send", 5, 5.1, path=MAIN)
    script.message(first, script.call(1, "Recv", 1, 5, path=MAIN))
    second = script.call(1, "Send", 6, 6.1, path=MAIN)
    script.message(second, script.call(2, "Recv", 1, 6, path=MAIN))
    job_instances = JobInstances(script)
    assert job_instances(delay.Propagating) == [("MPI_Recv", 1, 1, 5, 4, "Send 0")]
    assert job_instances(delay.TerminalWaits) == [("MPI_Recv", 2, 1, 6, 5, "Send 1")]
    assert job_instances(delay.MpiLongTerm) == [("function", 0, 0, 5, 4, "Recv 1")]


def test_clocks_of_processes_are_their_own(tmp_path: Path) -> None:
    """Rank 1's trace begins half a second later; its instances are on its own clock."""
    script = alone(tmp_path, 2)
    script.offsets = (0.0, 0.5)
    send = script.call(0, "Send", 5, 5.1, path=MAIN)
    script.message(send, script.call(1, "Recv", 1, 5.1, path=MAIN))
    assert JobInstances(script)(mpi.LateSender) == [("MPI_Recv", 1, 0.5, 4.5, 4, "Send 0")]


def test_the_worst_instances_of_a_cause_are_told(tmp_path: Path) -> None:
    """In JSON, and the worst one in the text."""
    every = JobInstances(swept(tmp_path))
    kinds, cube = properties(), every.cube
    late = [finding for finding in findings(cube) if kinds[finding.metric] is mpi.LateSender]
    (actual,) = late
    cause = show_json.document(cube, [actual])["causes"][0]
    (instance,) = cause["instances"]
    partner = instance.pop("partner")
    place = {key: cause[key] for key in ("callpath", "file", "line")}
    assert instance == {"process": 1, "thread": 0, "begin": 2, "end": 6, "severity": 4, **place}
    assert partner.pop("callpath") == ["function", "MPI_Send"]
    assert partner == {"process": 0, "thread": 0, "begin": 6, "file": None, "line": None}
    text = show_text.render(cube, [actual], terminal_for("file", "never"), ())
    worst = (
        "Once: 4.00 s on thread 1.0, from 2.00 to 6.00 s, for thread 0.0: function MPI_Send in "
        "function"
    )
    assert worst in " ".join(text.split())
