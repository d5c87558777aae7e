"""What other tools are given of a job: Perfetto's processes, calls of MPI, and messages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pomp_clang.export import perfetto
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.job import read
from tests.export.importer import Imported, imported
from tests.mpi.harness import build, run

RANKS = 3


@pytest.fixture(scope="module")
def ring(programs: Path) -> str:
    """Each process passes twenty numbers on, and five times they reduce one."""
    folder = programs / "exported"
    run(build("mpich", "ring", programs), RANKS, folder, POMP_TRACE="1")
    return str(folder)


@pytest.fixture(scope="module")
def job(ring: str) -> Job:
    return read(ring)


@pytest.fixture(scope="module")
def shown(ring: str, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    file = tmp_path_factory.mktemp("perfetto") / "out.json"
    said = perfetto.write(ring, file, lambda _: None)
    assert said.endswith(f"of 6 threads in {RANKS} processes, {20 * RANKS} messages")
    return imported(json.loads(file.read_text()))


def test_events_are_in_the_order_of_the_jobs_clock(shown: Imported, job: Job) -> None:
    assert shown.is_sorted
    first = min(int(each.ns[0]) for each in job.locations)
    wanted = sorted(round(int(each) - first) for each in job.calls.enter)
    found = sorted(
        round(each.begin * 1000) for each in shown.slices if each.name.startswith("MPI_")
    )
    assert len(found) == len(wanted)
    assert all(abs(one - other) <= 1 for one, other in zip(found, wanted, strict=True))


def test_each_rank_is_a_process_with_its_threads(shown: Imported) -> None:
    assert sorted(shown.processes.values()) == [f"rank {rank}: ring.mpich" for rank in range(RANKS)]
    assert Counter(shown.threads.values()) == {"master": RANKS, "thread 1": RANKS}
    assert {each.track for each in shown.slices} == set(shown.threads)


def test_every_message_is_an_arrow_from_its_sender_to_its_receiver(shown: Imported) -> None:
    ranks = {pid: int(name.split()[1].rstrip(":")) for pid, name in shown.processes.items()}
    found: Counter[tuple[int, int]] = Counter()
    for each in shown.arrows:
        if each.name != "message":
            continue
        assert each.end is not None
        assert each.begin.name == each.end.name == "MPI_Sendrecv"
        source, target = ranks[each.begin.track[0]], ranks[each.end.track[0]]
        sent, received = each.begin.args["sent 1"], each.end.args["received 1"]
        assert sent == {"to": target, "communicator": "MPI_COMM_WORLD", "tag": 0, "bytes": 4}
        assert received == {**{k: v for k, v in sent.items() if k != "to"}, "from": source}
        assert each.begin.begin <= each.end.end
        found[source, target] += 1
    assert found == {(rank, (rank + 1) % RANKS): 20 for rank in range(RANKS)}


def test_a_collective_call_says_which_operation_it_is_part_of(shown: Imported) -> None:
    parts = [each.args["collective"] for each in shown.slices if each.name == "MPI_Allreduce"]
    assert len(parts) == 5 * RANKS
    assert set(Counter(each["instance"] for each in parts).values()) == {RANKS}
    for each in parts:
        assert each["operation"] == "MPI_Allreduce"
        assert each["communicator"] == "MPI_COMM_WORLD"
        assert each["bytes out"] == each["bytes in"] == 4 * (RANKS - 1)


def test_forks_lead_to_members_of_the_same_process(shown: Imported) -> None:
    forks = [each for each in shown.arrows if each.name == "team"]
    assert len(forks) == 20 * RANKS
    for each in forks:
        assert each.end is not None and "parallel" in each.end.name
        assert each.begin.name == "fork" and each.begin.begin <= each.end.begin
        assert each.begin.track[0] == each.end.track[0]
        assert (each.begin.track[1], each.end.track[1]) == (0, 1)
