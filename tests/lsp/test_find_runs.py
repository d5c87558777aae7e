"""Which of the runs below a folder is the newest."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.lsp.measured_run import Stamp, by_age, run_at
from pomp_clang.lsp.session import EditorSettings, Session
from tests.builds.harness import SCRIPTS, environment, execute
from tests.lsp.harness import COMPILER

WAITING = """\
#include <stdio.h>
int main(void)
{
#pragma omp parallel
    { }
    puts("ready");
    fflush(stdout);
    return getchar() == 'x' ? 1 : 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    if not COMPILER:
        pytest.skip("no compiler with OpenMP is here")
    (tmp_path / "a.c").write_text(WAITING)
    build = [SCRIPTS / "pomp-clang", "--", COMPILER, "-fopenmp", "a.c", "-o", "app"]
    execute(build, tmp_path)
    return tmp_path / "app"


def start(program: Path, name: str) -> subprocess.Popen[str]:
    own = environment(POMP_EXPERIMENT_DIR=str(program.parent / name))
    pipe = subprocess.PIPE
    process = subprocess.Popen([program], env=own, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def newest(folders: list[str]) -> Stamp | None:
    return next(by_age(folders), None)


def test_a_run_counts_from_its_end_on(program: Path) -> None:
    folders = [str(program.parent)]
    start(program, "deep/below/one").communicate("")
    first = newest(folders)
    assert first is not None and first.directory.endswith("deep/below/one")
    process = start(program, "two")
    assert newest(folders) == first
    process.communicate("")
    second = newest(folders)
    assert second is not None and second.directory.endswith("two")


def test_what_was_killed_is_over_as_well(program: Path) -> None:
    process = start(program, "killed")
    assert newest([str(program.parent)]) is None
    process.kill()
    process.communicate()
    actual = newest([str(program.parent)])
    assert actual is not None
    assert not run_at(actual.directory).complete


def test_hidden_folders_and_what_is_no_profile_are_passed_by(tmp_path: Path) -> None:
    for name in (".git", "pomp-a-1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "profile.pomp").write_bytes(b"no profile at all" * 20)
    assert newest([str(tmp_path), str(tmp_path / "nowhere")]) is None


def test_of_a_damaged_one_is_told_once_and_the_one_before_it_counts(program: Path) -> None:
    start(program, "good").communicate("")
    session = Session([str(program.parent)], EditorSettings())
    assert asyncio.run(session.look_for_run()) == (True, [])
    damaged = program.parent / "zz-damaged"
    shutil.copytree(program.parent / "good", damaged)
    file = damaged / "profile.pomp"
    file.write_bytes(file.read_bytes()[:300])
    actual, messages = asyncio.run(session.look_for_run())
    assert not actual and len(messages) == 1 and messages[0].startswith(f"{file}: ")
    assert session.run is not None and session.run.directory.endswith("good")
    assert asyncio.run(session.look_for_run()) == (False, [])
    shutil.rmtree(program.parent / "good")
    assert asyncio.run(session.look_for_run()) == (True, [])
    assert session.run is None


def test_a_job_is_one_run_of_all_of_its_processes(program: Path) -> None:
    folders = [str(program.parent)]
    ranks = [start(program, f"job/rank-{rank}") for rank in range(2)]
    ranks[0].communicate("")
    assert newest(folders) is None
    ranks[1].communicate("")
    actual = newest(folders)
    assert actual is not None and actual.directory.endswith("job")
    job = run_at(actual.directory)
    alone = [run_at(f"{actual.directory}/rank-{rank}") for rank in range(2)]
    assert (job.processes, alone[0].processes, job.complete) == (2, 0, True)
    (region,) = job.files[str(program.with_name("a.c"))]
    parts = [result.files[str(program.with_name("a.c"))][0] for result in alone]
    assert region.calls == sum(part.calls for part in parts) > 0
    assert min(part.share for part in parts) <= region.share <= max(part.share for part in parts)
    assert region.worst is not None and region.worst.share <= region.lost
