"""Exports of a job to other tools: processes with their threads, MPI calls, and messages."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.registry import properties
from pomp_clang.experiment.reader import read as read_experiment
from pomp_clang.export import hatchet, speedscope
from pomp_clang.export import perfetto_json as perfetto
from pomp_clang.export.cube.causes_cube import depth_first
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.read_job import read
from tests.export.importer import Imported, imported
from tests.export.test_causes_cube import compare
from tests.export.test_causes_cube import read_back as severities
from tests.export.test_profile_cube import expected as of_one
from tests.export.test_profile_cube import read_back
from tests.export.test_profile_cube import written as cube_of
from tests.mpi.harness import build, run

RANKS = 3


@pytest.fixture(scope="module")
def ring(programs: Path) -> str:
    """Return a run in which each process passes twenty numbers on, and all reduce one five
    times."""
    folder = programs / "exported"
    run(build("mpich", "ring", programs), RANKS, folder, POMP_TRACE="1")
    return str(folder)


@pytest.fixture(scope="module")
def job(ring: str) -> Job:
    return read(ring)


@pytest.fixture(scope="module")
def timeline(ring: str, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    file = tmp_path_factory.mktemp("perfetto") / "out.json"
    text = perfetto.write(ring, file, lambda _: None)
    assert text.endswith(f"of 6 threads in {RANKS} processes, {20 * RANKS} messages")
    return imported(json.loads(file.read_text()))


def test_events_are_in_the_order_of_the_jobs_clock(timeline: Imported, job: Job) -> None:
    assert timeline.is_sorted
    first = min(int(location.ns[0]) for location in job.locations)
    wanted_values = sorted(round(int(moment) - first) for moment in job.calls.enter)
    actual = sorted(
        round(slice_.begin * 1000) for slice_ in timeline.slices if slice_.name.startswith("MPI_")
    )
    assert len(actual) == len(wanted_values)
    assert all(abs(one - other) <= 1 for one, other in zip(actual, wanted_values, strict=True))


def test_each_rank_is_a_process_with_its_threads(timeline: Imported) -> None:
    assert sorted(timeline.processes.values()) == [
        f"rank {rank}: ring.mpich" for rank in range(RANKS)
    ]
    assert Counter(timeline.threads.values()) == {"master": RANKS, "thread 1": RANKS}
    assert {slice_.track for slice_ in timeline.slices} == set(timeline.threads)


def test_every_message_is_an_arrow_from_its_sender_to_its_receiver(timeline: Imported) -> None:
    ranks = {pid: int(name.split()[1].rstrip(":")) for pid, name in timeline.processes.items()}
    counter: Counter[tuple[int, int]] = Counter()
    for arrow in timeline.arrows:
        if arrow.name != "message":
            continue
        assert arrow.end is not None
        assert arrow.begin.name == arrow.end.name == "MPI_Sendrecv"
        source, target = ranks[arrow.begin.track[0]], ranks[arrow.end.track[0]]
        sent, received = arrow.begin.args["sent 1"], arrow.end.args["received 1"]
        assert sent == {"to": target, "communicator": "MPI_COMM_WORLD", "tag": 0, "bytes": 4}
        assert received == {**{k: v for k, v in sent.items() if k != "to"}, "from": source}
        assert arrow.begin.begin <= arrow.end.end
        counter[source, target] += 1
    assert counter == {(rank, (rank + 1) % RANKS): 20 for rank in range(RANKS)}


def test_a_collective_call_says_which_operation_it_is_part_of(timeline: Imported) -> None:
    parts = [
        slice_.args["collective"] for slice_ in timeline.slices if slice_.name == "MPI_Allreduce"
    ]
    assert len(parts) == 5 * RANKS
    assert set(Counter(part["instance"] for part in parts).values()) == {RANKS}
    for part in parts:
        assert part["operation"] == "MPI_Allreduce"
        assert part["communicator"] == "MPI_COMM_WORLD"
        assert part["bytes out"] == part["bytes in"] == 4 * (RANKS - 1)


def test_forks_lead_to_members_of_the_same_process(timeline: Imported) -> None:
    forks = [arrow for arrow in timeline.arrows if arrow.name == "team"]
    assert len(forks) == 20 * RANKS
    for fork in forks:
        assert fork.end is not None and "parallel" in fork.end.name
        assert fork.begin.name == "fork" and fork.begin.begin <= fork.end.begin
        assert fork.begin.track[0] == fork.end.track[0]
        assert (fork.begin.track[1], fork.end.track[1]) == (0, 1)


def own(ring: str, rank: int, column: str) -> dict[tuple[str, ...], list[float]]:
    """Return a process's values of each thread, as its own export has them."""
    return of_one(read_experiment(f"{ring}/rank-{rank}"), column)


@pytest.mark.parametrize(
    ("metric", "column"), [("visits", "visits"), ("time", "time"), ("startup", "startupT")]
)
def test_a_cube_has_the_threads_of_all_processes(
    ring: str, tmp_path: Path, metric: str, column: str
) -> None:
    read_values = read_back(cube_of(ring, tmp_path), metric)
    by_rank = [own(ring, rank, column) for rank in range(RANKS)]
    assert read_values == {
        path: [value for one in by_rank for value in one[path]] for path in by_rank[0]
    }
    assert len(read_values) > 1 and sum(map(sum, read_values.values())) > 0


def test_a_cube_has_what_mpi_did(ring: str, tmp_path: Path) -> None:
    file = cube_of(ring, tmp_path)
    assert total(read_back(file, "mpi_sends")) == [20.0, 0.0] * RANKS
    assert total(read_back(file, "mpi_collectives")) == [5.0, 0.0] * RANKS
    sent = 4 * 20 + 4 * 5 * (RANKS - 1)
    assert total(read_back(file, "mpi_bytes_out")) == [float(sent), 0.0] * RANKS
    spent = total(read_back(file, "mpi_time"))
    mpi = [read_experiment(f"{ring}/rank-{rank}").mpi for rank in range(RANKS)]
    assert spent[::2] == pytest.approx([profile.total.mpiT for profile in mpi if profile])


def total(values: dict[tuple[str, ...], list[float]]) -> list[float]:
    """Return the totals by thread."""
    return [sum(column) for column in zip(*values.values(), strict=True)]


def test_a_cubes_processes_stand_below_their_machine(ring: str, tmp_path: Path) -> None:
    with tarfile.open(cube_of(ring, tmp_path)) as tar:
        anchor = tar.extractfile("anchor.xml")
        assert anchor
        root = ElementTree.parse(anchor).getroot()
    groups = root.findall("system/systemtreenode/systemtreenode/locationgroup")
    assert [group.findtext("name") for group in groups] == [f"MPI Rank {n}" for n in range(RANKS)]
    assert [group.findtext("rank") for group in groups] == [str(n) for n in range(RANKS)]
    ids = [element.get("Id") for group in groups for element in group.findall("location")]
    assert ids == [str(n) for n in range(2 * RANKS)]


def test_hatchet_has_the_sums_of_all_processes(ring: str, tmp_path: Path) -> None:
    hatchet.write(ring, tmp_path / "all.json", lambda _: None)
    (node,) = json.loads((tmp_path / "all.json").read_text())
    alone = []
    for rank in range(RANKS):
        hatchet.write(f"{ring}/rank-{rank}", tmp_path / "one.json", lambda _: None)
        alone += json.loads((tmp_path / "one.json").read_text())
    assert node["frame"] == alone[0]["frame"]
    for name in ("time", "time (inc)", "visits"):
        wanted_values = sum(process["metrics"][name] for process in alone)
        assert node["metrics"][name] == pytest.approx(wanted_values)
    assert node["metrics"]["visits"] == 20 * 2 * RANKS


def test_speedscope_has_every_threads_line_with_mpi(ring: str, job: Job, tmp_path: Path) -> None:
    text = speedscope.write(ring, tmp_path / "out.json", lambda _: None)
    assert text == f"the time lines of {2 * RANKS} threads in {RANKS} processes"
    document = json.loads((tmp_path / "out.json").read_text())
    names = [profile["name"] for profile in document["profiles"]]
    wanted_values = [
        f"rank {rank} {thread}" for rank in range(RANKS) for thread in ("master", "thread 1")
    ]
    assert names == wanted_values
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    sent: Counter[str] = Counter()
    for profile in document["profiles"]:
        stack: list[int] = []
        last = 0
        for event in profile["events"]:
            assert event["at"] >= last
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
                sent[profile["name"]] += frames[event["frame"]] == "MPI_Sendrecv"
            else:
                assert stack.pop() == event["frame"]
        assert not stack and last == profile["endValue"]
    assert sent == {name: 20 if "master" in name else 0 for name in names}


def test_speedscope_of_profiles_names_their_ranks(
    ring: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bare = tmp_path_factory.mktemp("bare") / "job"
    shutil.copytree(ring, bare, symlinks=True, ignore=shutil.ignore_patterns("trace-*"))
    speedscope.write(str(bare), tmp_path / "out.json", lambda _: None)
    profiles = json.loads((tmp_path / "out.json").read_text())["profiles"]
    assert [profile["name"] for profile in profiles] == [
        f"rank {rank} thread {tid}" for rank in range(RANKS) for tid in range(2)
    ]
    assert all(profile["weights"] for profile in profiles)


def test_one_process_has_its_own_calls_of_mpi(ring: str, tmp_path: Path) -> None:
    perfetto.write(f"{ring}/rank-1", tmp_path / "out.json", lambda _: None)
    actual = imported(json.loads((tmp_path / "out.json").read_text()))
    assert list(actual.processes.values()) == ["rank 1: ring.mpich"]
    assert sum(slice_.name == "MPI_Sendrecv" for slice_ in actual.slices) == 20
    assert not any(arrow.name == "message" for arrow in actual.arrows)


def test_the_causes_of_all_processes_are_in_cube(ring: str, tmp_path: Path) -> None:
    cube = analysed(ring, properties(), lambda *_: None).cube
    actual, names, locations = severities(ring, tmp_path)
    order = depth_first([path.above for path in cube.paths])
    assert compare(cube, actual, order) == len(cube.value) > 100
    assert {"MPI_Allreduce", "MPI_Recv"} & set(names)
    assert locations == [[rank, thread] for rank in range(RANKS) for thread in range(2)]
