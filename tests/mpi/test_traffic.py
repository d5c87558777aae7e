"""Traces of several processes: every kind of message, operation and access, by exact numbers."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from pomp_clang.experiment.find import processes
from pomp_clang.experiment.mpi_calls import close_open
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.export.write_export import ExportRequest, write_export
from pomp_clang.mpi.variants import NAMES
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.read_job import read
from pomp_clang.trace.mpi.text import listing
from pomp_clang.trace.reader import read as read_trace
from pomp_clang.trace.text import EventSelection
from tests.mpi.archives import check_same_again
from tests.mpi.harness import MPIS, build, run
from tests.mpi.sums import sums

COUNT = 4
INT = 4
RING = [(rank, (rank + 1) % COUNT) for rank in range(COUNT)]


@dataclass(frozen=True)
class Traffic:
    mpi: str
    folder: Path
    job: Job


@pytest.fixture(scope="module", params=MPIS)
def traffic(
    request: pytest.FixtureRequest, programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Traffic:
    """Return a run of all parts of the program."""
    folder = tmp_path_factory.mktemp("traffic") / "run"
    run(build(request.param, "traffic", programs), COUNT, folder, POMP_TRACE="1")
    return Traffic(request.param, folder, read(str(folder)))


def messages(job: Job, tag: int) -> Counter[tuple[int, int, int]]:
    """Return the number of messages with a tag, by sender, receiver and size."""
    result = job.messages
    rows = [row for row in range(len(result.tag)) if result.tag[row] == tag]
    sources, targets = job.rank_of(result.send[rows]), job.rank_of(result.receive[rows])
    sizes = result.bytes[rows]
    return Counter(zip(sources.tolist(), targets.tolist(), sizes.tolist(), strict=True))


def functions(job: Job, tag: int) -> set[tuple[str, ...]]:
    """Return the calls that began to send, began to receive and completed the receive of each
    message.

    A send may be complete when it begins.
    """
    result = job.messages
    rows = [row for row in range(len(result.tag)) if result.tag[row] == tag]
    return {
        tuple(
            NAMES[job.calls.function[getattr(result, name)[row]]].removeprefix("MPI_")
            for name in ("send", "receive", "received")
        )
        for row in rows
    }


def ring(*sizes: int) -> Counter[tuple[int, int, int]]:
    return Counter((*pair, size * INT) for pair in RING for size in sizes)


def test_messages_of_every_kind(traffic: Traffic) -> None:
    job = traffic.job
    assert messages(job, 10) == ring(1, 2, 3)
    assert messages(job, 11) == Counter((rank, 0, rank * INT) for rank in range(1, COUNT))
    assert messages(job, 12) == ring(5)
    assert functions(job, 12) == {("Isend", "Irecv", "Waitall")}
    assert messages(job, 13) == ring(6, 6, 6)
    assert functions(job, 13) == {("Startall", "Startall", "Waitall")}
    assert messages(job, 14) == ring(7)
    assert functions(job, 14) == {("Issend", "Irecv", "Waitany")}
    assert messages(job, 15) == ring(8, 9)
    assert functions(job, 15) == {("Isend", "Irecv", "Testsome")}
    assert messages(job, 16) == ring(1, 2)
    assert functions(job, 16) == {("Isend", "Mprobe", "Mrecv")}
    assert messages(job, 17) == ring(4)
    assert functions(job, 17) == {("Sendrecv",) * 3}
    assert messages(job, 18) == Counter()
    assert messages(job, 19) == Counter(
        (rank, rank, size * INT) for rank in range(COUNT) for size in (6, 7)
    )
    assert messages(job, 20) == ring(8)
    assert messages(job, 21) == ring(3)
    assert functions(job, 21) == {("Isend", "Improbe", "Waitall")}
    assert messages(job, 22) == Counter([(2, 0, 10 * INT), (3, 1, 10 * INT)])
    assert messages(job, 23) == Counter([(2, 3, 11 * INT), (3, 2, 12 * INT)])
    assert messages(job, 24) == ring(*[1] * 20)
    assert messages(job, 25) == ring(9)
    sent = {NAMES[function] for function in job.calls.function[job.messages.sent]}
    assert {"MPI_Send", "MPI_Waitall", "MPI_Sendrecv"} <= sent
    unmatched = job.unmatched
    assert (unmatched.sends, unmatched.receives, unmatched.collectives) == (0, 0, 0)


def test_a_message_is_received_after_it_was_sent(traffic: Traffic) -> None:
    job = traffic.job
    actual, calls = job.messages, job.calls
    assert (calls.leave[actual.received] > calls.enter[actual.send]).all()
    # Matched messages are taken out in another order than they came.
    rows = [row for row in range(len(actual.tag)) if actual.tag[row] == 16]
    assert all(
        (actual.bytes[row] == INT) == (actual.received[row] == actual.received[rows].max())
        for row in rows
        if job.rank_of(actual.receive[row : row + 1])[0] == COUNT - 1
    )
    assert job.correction.moved == 0


def collectives(job: Job) -> Counter[tuple[str, tuple[int, ...], int]]:
    """Return the number of operations by name, members and root."""
    result = job.collectives
    instances: dict[int, list[int]] = {}
    for row, instance in enumerate(result.instance.tolist()):
        instances.setdefault(instance, []).append(row)
    kinds: Counter[tuple[str, tuple[int, ...], int]] = Counter()
    for rows in instances.values():
        names = {NAMES[result.function[row]].removeprefix("MPI_") for row in rows}
        assert len(names) == 1 and len(set(result.communicator[rows].tolist())) == 1
        assert (job.rank_of(result.call[rows]) == result.rank[rows]).all()
        kinds[names.pop(), tuple(result.rank[rows].tolist()), int(result.root[rows[0]])] += 1
    return kinds


def test_collective_operations(traffic: Traffic) -> None:
    job = traffic.job
    all_, even, odd = (0, 1, 2, 3), (0, 2), (1, 3)
    expected = Counter(
        {
            ("Barrier", all_, -1): 2,
            ("Bcast", all_, 2): 1,
            ("Allreduce", all_, -1): 1,
            ("Bcast", even, 0): 3,
            ("Bcast", odd, 1): 3,
            ("Barrier", even, -1): 1,
            ("Barrier", odd, -1): 1,
            ("Reduce", all_, 3): 1,
            ("Ibcast", all_, 1): 1,
            ("Iallreduce", all_, -1): 1,
            ("Scan", all_, -1): 1,
            ("Allgather", all_, -1): 1,
        }
    )
    actual = collectives(job)
    prepared = actual.pop(("Bcast_init", all_, 0), 0)
    assert actual == expected
    # MPI 4 has them: two, each begun twice.
    assert prepared in (0, 4)
    moved = job.collectives
    of = [row for row in range(len(moved.call)) if NAMES[moved.function[row]] == "MPI_Reduce"]
    assert [(moved.bytes_out[row], moved.bytes_in[row]) for row in of] == [(12, 0)] * 3 + [(0, 36)]


def test_a_communicator_has_one_number_in_all_processes(traffic: Traffic) -> None:
    job = traffic.job
    between = [communicator for communicator in job.communicators if communicator.remote]
    assert [{communicator.members, communicator.remote} for communicator in between] == [
        {(2, 0), (3, 1)}
    ]
    worlds = [
        communicator for communicator in job.communicators if communicator.name == "MPI_COMM_WORLD"
    ]
    assert [world.members for world in worlds] == [tuple(range(COUNT))]
    # Each half has one split communicator, three duplicates and one made by a nonblocking call.
    halves = [communicator.members for communicator in job.communicators if not communicator.remote]
    assert (halves.count((2, 0)), halves.count((3, 1))) == (5, 5)


def test_accesses_to_windows(traffic: Traffic) -> None:
    job = traffic.job
    actual = job.one_sided
    (window,) = (
        communicator.number for communicator in job.communicators if communicator.is_window
    )
    assert set(actual.window.tolist()) == {window}
    for rank in range(COUNT):
        is_own = job.rank_of(actual.call) == rank
        next_rank, before = (rank + 1) % COUNT, (rank - 1) % COUNT
        names = [
            NAMES[function].removeprefix("MPI_")
            for function in job.calls.function[actual.call[is_own]]
        ]
        traffic_rows = zip(
            names, actual.target[is_own].tolist(), actual.bytes[is_own].tolist(), strict=True
        )
        assert list(traffic_rows) == [
            ("Win_fence", -1, 0), ("Put", next_rank, 20), ("Win_fence", -1, 0),
            ("Win_post", before, 0), ("Win_start", next_rank, 0), ("Get", next_rank, 24),
            ("Win_complete", -1, 0), ("Win_wait", -1, 0), ("Win_lock", next_rank, 0),
            ("Accumulate", next_rank, 28), ("Win_unlock", next_rank, 0),
        ]  # fmt: skip


def test_the_profile_and_the_trace_tell_the_same(traffic: Traffic) -> None:
    for folder in processes(str(traffic.folder)):
        trace = read_trace(folder)
        close_open(trace.records, trace.end)
        actual = {
            (path, stream.location): row
            for stream in trace.streams
            for path, row in sums(
                stream, open_until(trace.records, stream.location, trace.end)
            ).items()
        }
        assert actual == {key: row for key, row in trace.records.mpi.items() if any(row)}
        assert len(actual) > 2


def test_an_archive_has_the_whole_job(traffic: Traffic, tmp_path: Path) -> None:
    if shutil.which("otf2-print") is None:
        pytest.skip("otf2-print is not here (Debian: apt-get install otf2-tools)")
    write_export(ExportRequest(str(traffic.folder), "otf2", str(tmp_path / "out")))
    result = subprocess.run(
        ["otf2-print", str(tmp_path / "out" / "traces.otf2")], capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
    printed = [line.split(maxsplit=3) for line in result.stdout.splitlines() if line[:1].isupper()]
    kinds = Counter(words[0] for words in printed)
    job = traffic.job
    assert kinds["MPI_SEND"] + kinds["MPI_ISEND"] == len(job.messages.send)
    assert kinds["MPI_RECV"] + kinds["MPI_IRECV"] == len(job.messages.send)
    assert kinds["MPI_REQUEST_CANCELLED"] == COUNT
    operations = kinds["MPI_COLLECTIVE_END"] + kinds["NON_BLOCKING_COLLECTIVE_COMPLETE"]
    assert operations == len(job.collectives.call)
    assert kinds["ENTER"] == kinds["LEAVE"] >= len(job.calls.enter)
    sent, arrived = (
        _moments(printed, *names)
        for names in (("MPI_SEND", "MPI_ISEND"), ("MPI_RECV", "MPI_IRECV"))
    )
    assert len(sent[20]) == len(arrived[20]) == COUNT
    # The n-th arrival with a tag follows at least n sends with that tag.
    for tag, times in arrived.items():
        assert all(a < b for a, b in zip(sorted(sent[tag]), sorted(times), strict=True))


def _moments(printed: list[list[str]], *names: str) -> dict[int, list[int]]:
    """Return the times by tag."""
    moments: dict[int, list[int]] = {}
    for kind, _, time, rest in (words for words in printed if words[0] in names):
        del kind
        moments.setdefault(int(rest.partition("Tag: ")[2].partition(",")[0]), []).append(int(time))
    return moments


def test_a_job_is_shown(traffic: Traffic) -> None:
    lines = "\n".join(listing(str(traffic.folder), EventSelection((0,), 40))).splitlines()
    assert lines[0].startswith(f"{COUNT} processes, {2 * COUNT} threads: ")
    assert f", {len(traffic.job.messages.send)} messages, " in lines[0]
    assert [line for line in lines if line.startswith("process")] == [
        f"process {rank}:" for rank in range(COUNT)
    ]
    words = [line.split(maxsplit=1)[1] for line in lines if line.startswith("   ")]
    assert "send                 to 1 tag 10 communicator 1 4 bytes" in words
    assert "receive              from 3 tag 10 communicator 1 8 bytes" in words
    assert "enter                MPI_Recv in main" in words


def test_the_archive_read_again_has_the_same_severities(traffic: Traffic, tmp_path: Path) -> None:
    """Messages of all kinds, operations, also between two groups, and access to windows."""
    check_same_again(traffic.folder, tmp_path)
