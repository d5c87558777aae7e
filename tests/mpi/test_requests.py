"""Operations under way, which any thread begins and any completes, without a lock."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.compilers import first
from tests.mpi.harness import PROGRAMS

RUNTIME = Path(__file__).parents[2] / "runtime"


@pytest.mark.parametrize("sanitizer", ["none", "thread", "address,undefined"])
def test_nothing_is_lost_and_nothing_races(tmp_path: Path, sanitizer: str) -> None:
    compiler = first("clang-19", "clang", "gcc")
    assert compiler
    (tmp_path / "layout.h").write_text('#define POMP_LAYOUT(name) name "_test"\n')
    sources = [
        PROGRAMS / "requests.c",
        RUNTIME / "src/mpi/requests.c",
        RUNTIME / "src/system/init_lock.c",
    ]
    folders = [f"-I{RUNTIME / name}" for name in ("src", "include")]
    options = ["-O1", "-g", "-std=gnu11", "-D_GNU_SOURCE", "-pthread", f"-I{tmp_path}", *folders]
    if sanitizer != "none":
        options.append(f"-fsanitize={sanitizer}")
    program = tmp_path / "requests"
    command = [compiler, *options, *map(str, sources), "-o", str(program)]
    empty = [compiler, options[-1], "-x", "c", "-", "-o", str(tmp_path / "empty")]
    if subprocess.run(
        empty, input=b"int main(void) { return 0; }\n", capture_output=True
    ).returncode:
        pytest.skip(f"{compiler} has no library for -fsanitize={sanitizer}")
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    completed = subprocess.run([program], capture_output=True, text=True, timeout=300)
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, "all is booked\n", "")
