"""Damaged MPI texts and traces of a job are either read or refused with a one-line message."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from pomp_clang.cli import main
from pomp_clang.trace.mpi.layout import OperationRole, OperationState, operation
from tests.cli.test_damaged import damaged
from tests.trace.handmade import word
from tests.trace.mpi.handmade import Process

MS = 1_000_000
HUGE = "9" * 30
TEXTS = {
    "mpi_rank": ("", HUGE, "-1", "1 1", "4000000000", "\u00b2"),
    "mpi_size": ("", HUGE, "0", "-4", "x"),
    "mpi_functions": ("", "MPI_Nothing", "MPI_Recv"),
    "mpi_clock_begin": (f"0 {HUGE} 0 1", f"0 0 {HUGE} 1", "0 0 0 0", "7 1 1 1", "1 1 1 1", "0 1"),
    "mpi_clock_end": (f"0 {HUGE} 1 1", "0 0 0 0", "0 1 1 " + HUGE),
    "mpi_group_3": (f"derived 1 1 0-{HUGE}", "derived 3 1 0-1", "window", "met 0 0 5-1", f"{HUGE}"),
    "boot": ("", "another"),
}
COMMANDS = ("trace {}", "analyze {}", "report {}", "export {} --to otf2 -o {out}")
VALUES = (0, 1, 3, 1 << 31, (1 << 32) - 1, 1 << 32, 3 << 32 | 1, (1 << 56) - 1)


def job(folder: Path, texts: dict[str, str], *more: list[int]) -> Path:
    """Write a job of two machines that send to each other, and meet."""
    process_ = Process(0, 2, texts={"boot": "one"})
    other = Process(1, 2, lag=3 * MS, texts={"boot": "other", **texts})
    process_.send(100 * MS, 101 * MS, receiver=1)
    other.receive(90 * MS, 102 * MS, sender=0)
    for row, values in enumerate(more):
        other.call("Waitall", (110 + row) * MS, (111 + row) * MS, values)
    for process in (process_, other):
        process.barrier(200 * MS, 203 * MS)
        process.write(folder)
    return folder


def check(folder: Path, out: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            status = main(command.format(folder, out=out).split())
        output = capfd.readouterr().err
        assert status in (0, 1), (command, output)
        assert not status or (output.startswith("pomp-clang: ") and output.count("\n") == 1), output


def test_whole(tmp_path: Path) -> None:
    folder = job(tmp_path / "job", {})
    for command in COMMANDS:
        assert main(command.format(folder, out=tmp_path / "out").split()) == 0


@pytest.mark.parametrize(("key", "value"), [(k, v) for k, all_ in TEXTS.items() for v in all_])
def test_texts(tmp_path: Path, capfd: pytest.CaptureFixture[str], key: str, value: str) -> None:
    begin_key = {"mpi_clock_begin": "0 1 1 1"} if key == "mpi_clock_end" else {}
    check(job(tmp_path / "job", {**begin_key, key: value}), tmp_path / "out", capfd)


@pytest.mark.parametrize("seed", range(12))
def test_operations(tmp_path: Path, capfd: pytest.CaptureFixture[str], seed: int) -> None:
    """Operations may have any communicator, rank, tag and request, in any order."""
    rng = random.Random(seed)
    many = [
        word(
            operation(rng.choice(list(OperationRole)), rng.choice(list(OperationState))),
            0,
            0,
            *rng.choices(VALUES, k=5),
        )
        for _ in range(20)
    ]
    check(job(tmp_path / "job", {"mpi_group_3": "derived 1 1 0-1"}, *many), tmp_path / "out", capfd)


@pytest.mark.parametrize("seed", range(12))
def test_bytes(tmp_path: Path, capfd: pytest.CaptureFixture[str], seed: int) -> None:
    rng = random.Random(seed)
    folder = job(tmp_path / "job", {"mpi_clock_begin": "0 97000000 100000000 400"})
    file = rng.choice(sorted(folder.rglob("*.pomp")))
    file.write_bytes(damaged(file.read_bytes(), rng))
    check(folder, tmp_path / "out", capfd)
