"""MPI_THREAD_MULTIPLE: all threads in MPI at once, with and without us, and under ThreadSanitizer.

Longer by hand: build programs/stress.c and concurrent.c with and without `pomp-clang --` and run
them with some thousand rounds.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.mpi.generate import declared, source
from tests.compilers import first
from tests.mpi.harness import (
    MPIS,
    PROGRAMS,
    build,
    environment,
    needs,
    plain,
    report,
    run,
)
from tests.sanitizers import THREAD, races, runtime, settings, why_not

RUNTIME = Path(__file__).parents[2] / "runtime"
BUSY = {"LD_PRELOAD": ""}
FEW = 6
ROUNDS, THREADS, AHEAD, MOST = 12, 4, 6, 700


def lines(output: str) -> list[str]:
    return sorted(line for line in output.splitlines() if line[:2] in ("0:", "1:"))


def sent() -> int:
    """Return the bytes of one process's messages."""
    words = sum(1 + (n * 131 + i * 37) % MOST for n in range(ROUNDS) for i in range(AHEAD))
    return 4 * THREADS * (words + 2 * ROUNDS)


@pytest.mark.parametrize("mpi", MPIS)
def test_the_same_comes_out_and_all_of_it_is_counted(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    bare = run(plain(mpi, "stress", programs), 2, tmp_path / "none", str(ROUNDS))
    result = run(build(mpi, "stress", programs), 2, tmp_path / "run", str(ROUNDS), env=BUSY)
    assert lines(result.stdout) == lines(bare.stdout)
    assert len(lines(bare.stdout)) == 2
    collectives = 4 * 3 * ROUNDS * THREADS  # bytes of each
    for process in report(tmp_path / "run")["processes"]:
        counted = process["mpi"]
        messages = ROUNDS * THREADS * (AHEAD + 2)
        assert (counted["sendC"], counted["recvC"]) == (messages, messages)
        moved = counted["inV"] + counted["outV"]
        assert moved == 2 * sent() + 2 * collectives - 4 * ROUNDS * THREADS
        assert counted["mpiT"] <= process["duration"] * THREADS


@pytest.mark.parametrize("traced", ["0", "1"])
@pytest.mark.parametrize("mpi", MPIS)
def test_communicators_and_windows_of_all_threads(
    programs: Path, tmp_path: Path, mpi: str, traced: str
) -> None:
    binary = build(mpi, "concurrent", programs)
    result = run(binary, 2, tmp_path / "run", str(FEW), env=BUSY, POMP_TRACE=traced)
    summed = [f"{rank}: {THREADS * sum(of_round(rank, n) for n in range(FEW))}" for rank in (0, 1)]
    assert lines(result.stdout) == summed
    for process in report(tmp_path / "run")["processes"]:
        counted, put = process["mpi"], THREADS * -(-FEW // 4)
        messages = 2 * THREADS * FEW + put
        assert (counted["sendC"], counted["recvC"]) == (messages, messages)
        # One of the two reductions of each round is of the process alone.
        assert counted["inV"] == counted["outV"] == 4 * (messages + THREADS * FEW)


def of_round(rank: int, n: int) -> int:
    """Return a thread's sum of one round with two processes: messages, communicators and, in every
    fourth round, a window."""
    window = 3 * (1 - rank + n) + rank + n if n % 4 == 0 else 0
    return 1 + (2 * n + 1 + 2) + 2 + window


def tsan_program(mpi: str, folder: Path) -> tuple[Path, str]:
    """Build the program, MPI's functions of ours and the runtime, all with ThreadSanitizer."""
    needs(mpi)
    compiler = first("clang-19", "clang") or ""
    missing = why_not(compiler, THREAD) if compiler else "clang is not here"
    if missing:
        pytest.skip(missing)
    named = {"MPICH_CC": compiler, "OMPI_CC": compiler}
    wrapper = [f"mpicc.{mpi}", "-fopenmp", "-g", "-w"]
    rewritten, functions, program = (folder / name for name in ("app.c", "mpi.c", f"app.{mpi}"))

    def go(command: list[str]) -> str:
        result = subprocess.run(command, env=environment(**named), capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    stress = str(PROGRAMS / "stress.c")
    go(["pomp-clang", "rewrite", stress, "-o", str(rewritten), "--", *wrapper, "-c", stress])
    there = declared(go([*wrapper, "-E", stress]))
    functions.write_text(source(there))
    built = runtime(compiler, THREAD)
    folders = [f"-I{RUNTIME / 'include'}", f"-I{RUNTIME / 'mpi'}"]
    options = ["-std=gnu11", "-D_GNU_SOURCE", "-D_POMP=202611", "-fsanitize=thread", *folders]
    libraries = [str(next(built.rglob("libpomp.a"))), "-lpthread", "-ldl", "-lm"]
    go([*wrapper, *options, str(rewritten), str(functions), "-o", str(program), *libraries])
    return program, compiler


@pytest.mark.parametrize("mpi", MPIS)
def test_no_race_is_ours(tmp_path: Path, mpi: str) -> None:
    program, compiler = tsan_program(mpi, tmp_path)
    # MPICH's UCX patches functions of memory that the sanitizer has for itself.
    actual = settings(compiler) | {"UCX_MEM_EVENTS": "no"} | BUSY
    result = run(program, 2, tmp_path / "run", "6", env=actual)
    assert races(result.stderr) == []
    assert len(lines(result.stdout)) == 2
    assert report(tmp_path / "run")["mpi"]["sendC"] == 2 * 6 * THREADS * (AHEAD + 2)
