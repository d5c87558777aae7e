"""An archive of several processes that OTF2's own library wrote: what they wait for, by hand."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pomp_clang.causes.findings.analyze_experiments import Analysed, analysed
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import silent
from pomp_clang.cli import main
from pomp_clang.experiment import ExperimentError
from pomp_clang.export.write_export import ExportRequest, write_export

BINDINGS = Path(__file__).with_name("bindings.py")
_DEBIAN = "/usr/bin/python3"
"""Has Debian's python3-otf2, where that is installed."""

BY_HAND = {
    "Late Sender": {1: 0.1, 2: 0.09},
    "Late Receiver": {},
    "Wait at Barrier": {0: 0.06, 1: 0.03},
    "Late Broadcast": {0: 0.04},
    "Wait at NxN": {0: 0.015, 1: 0.005},
    "Wait at Fence": {0: 0.04, 1: 0.02},
    "Late Post": {1: 0.001 + 0.048},
    "Early Wait": {0: 0.004},
    "Wait for Lock": {2: 0.04},
    "Sent": {0: 2 + 164},
    "Received": {1: 1 + 64, 2: 1 + 100},
    "Collective Operations": {0: 2, 1: 1, 2: 2},
    "MPI Synchronizations": {0: 1 + 1 + 2, 1: 1 + 1 + 2 + 2, 2: 1 + 1 + 2},
}
"""Seconds and numbers by process; for sent and received data, messages plus bytes."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bindings") / "archive"
    for python in (sys.executable, _DEBIAN):
        command = [python, "-c", "import otf2"]
        if shutil.which(python) and not subprocess.run(command, capture_output=True).returncode:
            subprocess.run([python, str(BINDINGS), str(folder)], check=True)
            return folder
    pytest.skip("OTF2's Python bindings are not here (Debian: python3-otf2)")


@pytest.fixture(scope="module")
def analysis(archive: Path) -> Analysed:
    return analysed(str(archive / "traces.otf2"), properties(), silent)


def by_process(analysed: Analysed, name: str) -> dict[int, float]:
    sums: dict[int, float] = {}
    cube = analysed.cube
    for row, metric in enumerate(cube.metrics):
        if metric.name != name:
            continue
        for column, thread in enumerate(cube.threads):
            sums[thread.process] = sums.get(thread.process, 0) + float(
                cube.dense(row)[:, column].sum()
            )
    return {process: round(size, 9) for process, size in sums.items() if size}


def test_every_process_has_its_own_threads(analysis: Analysed) -> None:
    assert analysis.job is not None
    assert [process.rank for process in analysis.job.processes] == [0, 1, 2]
    assert [thread.process for thread in analysis.cube.threads] == [0, 1, 2]
    assert {process.host for process in analysis.job.processes} == {"node"}
    assert analysis.notes == ()


def test_a_cancelled_request_is_no_message(analysis: Analysed) -> None:
    assert analysis.job is not None
    missing = analysis.job.unmatched
    assert (missing.sends, missing.receives, missing.collectives) == (0, 0, 0)
    assert analysis.job.messages.bytes.tolist() == [64, 100]


@pytest.mark.parametrize("name", BY_HAND)
def test_what_each_process_waits_for_is_what_is_told_by_hand(name: str, analysis: Analysed) -> None:
    assert by_process(analysis, name) == pytest.approx(BY_HAND[name])


def test_exported_again_it_is_the_same(archive: Path, analysis: Analysed, tmp_path: Path) -> None:
    write_export(ExportRequest(str(archive), "otf2", str(tmp_path / "again")))
    again = analysed(str(tmp_path / "again"), properties(), silent)
    assert again.cube.totals() == pytest.approx(analysis.cube.totals())


def test_its_trace_is_shown_by_process(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not main(["trace", str(archive)])
    output = capsys.readouterr().out
    assert output.startswith(
        "3 processes, 3 threads: 31 calls of MPI, 2 messages, 3 collective operations\nprocess 0:\n"
    )
    assert "send                 to 1 tag 5 communicator 1 64 bytes" in output


def test_a_call_that_was_not_entered_is_refused(archive: Path, tmp_path: Path) -> None:
    """Its first event, an ENTER that has its time before it, is another type's."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    events = sorted((copy / "traces").glob("*.evt"))[1]
    data = bytearray(events.read_bytes())
    at = data.index(bytes((12,)), 18 + 9)
    data[at] = 13
    events.write_bytes(bytes(data))
    with pytest.raises(ExperimentError, match=f"{events.name}: is damaged .*MPI is left"):
        analysed(str(copy), properties(), silent)
