"""`pomp-clang top` on a program that waits in a region until its standard input ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.running import ProgramState, directory_of_process, read_running
from pomp_clang.report.watch_program import ReportError, WatchRequest, watch
from tests.builds.harness import GCC, execute

SOURCE = """\
#include <stdio.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    while (getchar() != EOF)
      ;
#pragma omp barrier
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("top")
    (folder / "wait.c").write_text(SOURCE)
    execute(["pomp-clang", "--", GCC[0], "-fopenmp", "wait.c", "-o", "wait"], folder, 0)
    return folder / "wait"


@pytest.fixture
def running(program: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the program in `tmp_path`, up to where both threads wait."""
    with subprocess.Popen([program], cwd=tmp_path, stdin=subprocess.PIPE) as process:
        try:
            _wait_for_threads(tmp_path / "pomp-wait-1")
            yield process
        finally:
            process.kill()


def _wait_for_threads(directory: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            seen = read_running(str(directory)).experiment
        except ExperimentError:
            time.sleep(0.02)
            continue
        barriers = [region.id for region in seen.regions if region.kind == "barrier"]
        if any(seen.profile[key].execT > 0 for key in seen.profile if key[0] in barriers):
            return
    pytest.fail("the program does not reach its barrier")


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


def _request(program: str | None, count: int | None = None) -> WatchRequest:
    return WatchRequest(program, 0.2, count, None, "never")


def test_open_regions_count_up_to_now(
    running: subprocess.Popen[bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    watch(_request(str(tmp_path / "pomp-wait-1"), count=2))
    screens = capfd.readouterr().out.split("\n\n\n")[0].split(f"process {running.pid}")
    assert len(screens) == 3
    last = screens[-1]
    assert "wait.c:5-7 master " in last
    assert "ended" not in last
    waiting = next(line for line in last.splitlines() if line.startswith("wait.c:8 barrier"))
    # One of two threads waits all the time.
    assert float(waiting.split()[-3]) == pytest.approx(50, abs=10)


def test_a_process_is_found_by_its_id(running: subprocess.Popen[bytes], tmp_path: Path) -> None:
    assert directory_of_process(running.pid) == str(tmp_path / "pomp-wait-1")
    with pytest.raises(ReportError, match="no experiment, or not yet"):
        watch(_request(str(os.getpid())))


def test_watching_ends_with_the_program(
    running: subprocess.Popen[bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []

    def wait(interval: float) -> None:
        waits.append(interval)
        if len(waits) == 2:
            _end(running)

    watch(_request(str(tmp_path / "pomp-wait-1")), wait)
    output = capfd.readouterr().out
    assert len(waits) == 2
    assert output.count("part of the time") == 2
    assert output.count("The program ended. For the whole profile: pomp-clang report ") == 1


def test_a_killed_program_is_shown_up_to_its_last_event(
    running: subprocess.Popen[bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    directory = str(tmp_path / "pomp-wait-1")
    assert read_running(directory).state is ProgramState.RUNNING
    running.kill()
    running.wait()
    assert read_running(directory).state is ProgramState.KILLED
    watch(_request(directory))
    assert "The program ended early: " in capfd.readouterr().out


def test_a_job_is_shown_as_one(
    running: subprocess.Popen[bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _end(running)
    for rank in range(2):
        shutil.copytree(tmp_path / "pomp-wait-1", tmp_path / "job" / f"rank-{rank}")
    watch(_request(str(tmp_path / "job")))
    output = capfd.readouterr().out
    assert "2 processes, 4 threads" in output
    assert output.count("wait.c:8 barrier") == 1
    (tmp_path / "job" / "rank-1" / "profile.pomp").write_bytes(b"")
    watch(_request(str(tmp_path / "job")))
    assert "1 process cannot be read: " in capfd.readouterr().out
