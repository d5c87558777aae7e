"""Devices in the trace: a row for each device, with every kernel, transfer and allocation."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pomp_clang.trace.devices import DeviceOperation, device_intervals, device_sums
from pomp_clang.trace.reader import read
from tests.mpi.harness import environment, launched, needs
from tests.offload.build_and_run import OFFLOAD, PROGRAMS, built, has_device, printed, reported

LIBRARIES = {"LD_LIBRARY_PATH": "/usr/lib/llvm-19/lib"}


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def analysis_of(run: Path) -> dict[str, Any]:
    return dict(json.loads(output_of("pomp-clang", "analyze", str(run), "--format", "json")))


@pytest.mark.parametrize(
    ("pomp_options", "variables"),
    [
        ((), {}),
        (("--pomp-barriers=ompt",), {"POMP_TRACE_AT_END": "1"}),
        (("--pomp-runtime=static",), {"LIBOMP_USE_HIDDEN_HELPER_TASK": "0"}),
    ],
)
def test_intervals_are_those_of_the_profile(
    tmp_path: Path, pomp_options: tuple[str, ...], variables: dict[str, str]
) -> None:
    program = built(tmp_path, "device", "moved.c", *pomp_options, options=("-gline-tables-only",))
    report = reported(tmp_path, program, POMP_TRACE="1", **LIBRARIES, **variables)
    trace = read(str(tmp_path / "run"))
    intervals = device_intervals(trace.records)
    sums = {item.operation.name.lower(): item for item in device_sums(intervals)}
    assert {name: (item.count, item.bytes) for name, item in sums.items()} == {
        "kernel": (114, 0), "to": (119, 540000), "from": (115, 496080),
        "alloc": (123, 572000), "delete": (123, 0),
    }  # fmt: skip
    total, second = report["target"]["sum"], trace.records.header.ticks_per_second
    for name, item in sums.items():
        assert item.ticks / second == pytest.approx(total[f"{name}T"], rel=0.01, abs=2e-6)
    assert not intervals.is_bound.any() and not intervals.lost
    assert trace.records.header.start <= intervals.begin.min()
    assert intervals.end.max() <= trace.end
    two_teams = intervals.teams == 2
    assert int(two_teams.sum()) == 100
    assert Counter(intervals.names)["b[0:1000 / 2]"] == 3 * 3


def test_intervals_belong_to_their_construct(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "moved.c"), POMP_TRACE="1")
    records = read(str(tmp_path / "run")).records
    intervals = device_intervals(records)
    lines = {path: records.regions[raw.region].lines[0] for path, raw in records.paths.items()}
    counts: Counter[tuple[int, str]] = Counter()
    for path, operation in zip(intervals.path.tolist(), intervals.operation.tolist(), strict=True):
        counts[lines.get(path, 0), DeviceOperation(operation).name.lower()] += 1
    lines_of = {region["id"]: region["begin_line1"] for region in report["regions"]}
    for construct in report["target"]["constructs"]:
        line = lines_of.get(construct["region"], 0)
        columns = {"kernel": "launchC", "to": "toC", "from": "fromC", "alloc": "allocC"}
        for name, column in columns.items():
            assert counts[line, name] == construct[column], (line, name)


def test_constructs_with_nowait_overlap_in_lanes(tmp_path: Path) -> None:
    reported(tmp_path, built(tmp_path, "device", "overlapping.c"), POMP_TRACE="1")
    intervals = device_intervals(read(str(tmp_path / "run")).records)
    kernels = np.flatnonzero(intervals.operation == DeviceOperation.KERNEL)
    assert len(kernels) == 6
    begin, end, lane = (
        column[kernels] for column in (intervals.begin, intervals.end, intervals.lane)
    )
    for one, other in ((0, 1), (2, 3), (4, 5)):
        assert begin[other] < end[one] and begin[one] < end[other], "each waits for the other"
        assert {int(lane[one]), int(lane[other])} == {0, 1}
    listing = output_of("pomp-clang", "trace", str(tmp_path / "run"))
    assert "device 0: 27 intervals, 2 lanes\n" in listing
    assert listing.count("2000000 bytes") == 3 * 5
    assert "device" not in output_of(
        "pomp-clang", "trace", str(tmp_path / "run"), "--location", "0"
    )


def test_the_analysis_takes_devices_for_no_threads(tmp_path: Path) -> None:
    reported(tmp_path, built(tmp_path, "device", "moved.c"), POMP_TRACE="1")
    run = tmp_path / "run"
    analysis = analysis_of(run)
    assert [(x["process"], x["thread"]) for x in analysis["locations"]] == [(0, 0), (0, 1)]
    (device,) = analysis["devices"]
    assert (device["process"], device["device"], device["kind"]) == (0, 0, "generic-64bit")
    counts = {item["operation"]: item["count"] for item in device["operations"]}
    assert counts == {"kernel": 114, "to": 119, "from": 115, "alloc": 123, "delete": 123}
    assert 0 < device["busy"] <= sum(item["busy"] for item in device["operations"])
    profile = run / "profile.pomp"
    whole = profile.read_bytes()
    kind = (14).to_bytes(4, "little")
    profile.write_bytes(_without_records(whole, kind))
    without = analysis_of(run)
    assert without["devices"] == []
    for key in ("properties", "causes", "locations"):
        assert without[key] == analysis[key]


def _without_records(content: bytes, kind: bytes) -> bytes:
    """Return a profile whose records of one kind are passed over."""
    changed = bytearray(content)
    at = int.from_bytes(content[16:20], "little")
    end = int.from_bytes(content[24:32], "little")
    while at < end:
        if changed[at : at + 4] == kind:
            changed[at : at + 4] = bytes(4)
        at += int.from_bytes(content[at + 8 : at + 16], "little")
    return bytes(changed)


def test_perfetto_has_a_track_for_each_lane(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "overlapping.c", options=("-gline-tables-only",))
    reported(tmp_path, program, POMP_TRACE="1", **LIBRARIES)
    file = tmp_path / "perfetto.json"
    output_of("pomp-clang", "export", str(tmp_path / "run"), "--to", "perfetto", "-o", str(file))
    events = json.loads(file.read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert Counter(event["cat"] for event in slices) == {
        "kernel": 6, "to": 6, "from": 3, "alloc": 6, "delete": 6,
    }  # fmt: skip
    tracks = {event["tid"] for event in slices}
    names = {
        event["args"]["name"]
        for event in events
        if event.get("name") == "thread_name" and event["tid"] in tracks
    }
    assert names == {"device 0", "device 0, lane 2"}
    to_device = [event for event in slices if event["cat"] == "to"]
    assert {event["args"]["bytes"] for event in to_device} == {2_000_000}
    assert {event["args"]["variable"] for event in to_device} == {"left", "right"}


def test_speedscope_has_a_profile_for_each_lane(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "overlapping.c", options=("-gline-tables-only",))
    reported(tmp_path, program, POMP_TRACE="1", **LIBRARIES)
    profiles, frames = _speedscope(tmp_path / "run", tmp_path)
    lanes = [profile for profile in profiles if profile["name"].startswith("device")]
    assert [profile["name"] for profile in lanes] == ["device 0", "device 0, lane 2"]
    operations: Counter[str] = Counter()
    for profile in lanes:
        moments = [event["at"] for event in profile["events"]]
        assert moments == sorted(moments) and moments[-1] == profile["endValue"]
        assert [event["type"] for event in profile["events"]] == ["O", "C"] * (len(moments) // 2)
        operations += Counter(
            frames[event["frame"]]["name"] for event in profile["events"] if event["type"] == "O"
        )
    assert sum(count for name, count in operations.items() if name.startswith("kernel ")) == 6
    assert operations["transfer to device: left"] + operations["transfer to device: right"] == 6
    assert all(frames[event["frame"]]["line"] > 0 for event in lanes[0]["events"])


def _speedscope(run: Path, folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the profiles and the frames of an export."""
    file = folder / "speedscope.json"
    output_of("pomp-clang", "export", str(run), "--to", "speedscope", "-o", str(file))
    exported = json.loads(file.read_text())
    return exported["profiles"], exported["shared"]["frames"]


def test_an_archive_has_a_location_for_each_lane(tmp_path: Path) -> None:
    if shutil.which("otf2-print") is None:
        pytest.skip("otf2-print is not here (Debian: apt-get install otf2-tools)")
    reported(tmp_path, built(tmp_path, "device", "moved.c"), POMP_TRACE="1")
    folder = tmp_path / "archive"
    output_of("pomp-clang", "export", str(tmp_path / "run"), "--to", "otf2", "-o", str(folder))
    anchor = str(folder / "traces.otf2")
    definitions = output_of("otf2-print", "-G", anchor)
    assert 'LOCATION_GROUP                         1  Name: "device 0"' in definitions
    assert definitions.count("Type: ACCELERATOR_STREAM") in (1, 2), "two threads may overlap"
    lines = [line.split() for line in output_of("otf2-print", anchor).splitlines() if line]
    events = Counter(line[0] for line in lines if len(line) > 2 and line[1] in ("2", "3"))
    assert events == {
        "ENTER": 594, "LEAVE": 594, "RMA_GET": 119, "RMA_PUT": 115,
        "RMA_OP_COMPLETE_BLOCKING": 234,
    }  # fmt: skip
    analysis = analysis_of(folder)
    assert [x["thread"] for x in analysis["locations"]] == [0, 1]
    assert analysis["devices"] == []


def test_a_program_without_devices_has_no_rows(tmp_path: Path) -> None:
    reported(tmp_path, built(tmp_path, "clang", "constructs.c"), POMP_TRACE="1")
    run = str(tmp_path / "run")
    assert read(run).records.devices == []
    assert "device 0" not in output_of("pomp-clang", "trace", run)
    assert analysis_of(tmp_path / "run")["devices"] == []


def test_without_a_trace_nothing_is_recorded(tmp_path: Path) -> None:
    from pomp_clang.experiment.parse import load

    reported(tmp_path, built(tmp_path, "device", "kernel.c"))
    assert load(str(tmp_path / "run")).devices == []


def test_a_child_records_for_itself(tmp_path: Path) -> None:
    reported(tmp_path, built(tmp_path, "device", "forked.c"), POMP_TRACE="1")
    parent = device_intervals(read(str(tmp_path / "run")).records)
    assert int((parent.operation == DeviceOperation.KERNEL).sum()) == 3
    (child,) = tmp_path.glob("run.*")
    assert len(device_intervals(read(str(child)).records)) == 0


def test_many_threads_lose_no_interval(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "many_threads.c"), POMP_TRACE="1")
    intervals = device_intervals(read(str(tmp_path / "run")).records)
    total = report["target"]["sum"]
    kinds = Counter(intervals.operation.tolist())
    assert kinds[DeviceOperation.KERNEL] == total["launchC"] == 23 * 50 + 600
    assert kinds[DeviceOperation.TO] == total["toC"]
    assert kinds[DeviceOperation.ALLOC] == total["allocC"]
    assert set(intervals.device.tolist()) == {0, 1, 2, 3}
    assert not intervals.lost


def test_a_snapshot_has_the_target_constructs(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "snapshots.c"))
    (snapshot,) = report["snapshots"]
    (construct,) = snapshot["target"]["constructs"]
    names = ("execC", "hostC", "launchC", "toC", "toV", "allocC", "deleteC")
    assert [construct[name] for name in names] == [2, 0, 2, 2, 16000, 2, 2]
    assert [data["toC"] for data in construct["data"]] == [2]
    assert report["target"]["sum"]["launchC"] == 5


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the experiment of a job of two processes."""
    needs("mpich")
    if not has_device():
        pytest.skip("clang-19 cannot offload to the host here")
    folder = tmp_path_factory.mktemp("job")
    program = str(folder / "program")
    wrapper = ("mpicc.mpich", *OFFLOAD[1:], str(PROGRAMS / "job.c"), "-o", program)
    variables = environment(
        MPICH_CC="clang-19", POMP_TRACE="1", POMP_EXPERIMENT_DIR=f"{folder}/run"
    )
    subprocess.run(["pomp-clang", "--", *wrapper], check=True, env=variables, capture_output=True)
    command = [*launched("mpich"), "-n", "2", program]
    subprocess.run(command, check=True, env=variables, capture_output=True, timeout=200)
    return folder / "run"


def test_a_job_has_the_target_constructs_of_all_processes(job: Path) -> None:
    report = json.loads(printed(job, "json"))
    (construct,) = report["target"]["constructs"]
    names = ("execC", "hostC", "launchC", "toC", "toV", "fromV")
    assert [construct[name] for name in names] == [3, 0, 3, 3, 24000, 24000]
    assert construct["region"] in {region["id"] for region in report["regions"]}
    assert report["target"]["sum"]["deviceC"] == 2
    text = output_of("pomp-clang", "report", str(job), "--section", "target")
    assert "job.c:14-16" in text and "24000" in text
    assert "##BEG target constructs" in printed(job, "csv")
    assert "Target constructs" in printed(job, "html")


def test_a_job_without_devices_has_no_such_section(tmp_path: Path) -> None:
    from pomp_clang.analysis.job.job_results import devices_of_job
    from tests.jobs import job as handmade_job

    assert devices_of_job(handmade_job(4)) is None


def test_devices_of_a_job_are_on_its_clock(job: Path, tmp_path: Path) -> None:
    analysis = analysis_of(job)
    kernels = [
        (device["process"], item["count"])
        for device in analysis["devices"]
        for item in device["operations"]
        if item["operation"] == "kernel"
    ]
    assert kernels == [(0, 1), (1, 2)]
    listing = output_of("pomp-clang", "trace", str(job))
    assert "device 0: 5 intervals\n" in listing and "device 0: 10 intervals\n" in listing
    file = tmp_path / "perfetto.json"
    output_of("pomp-clang", "export", str(job), "--to", "perfetto", "-o", str(file))
    events = json.loads(file.read_text())["traceEvents"]
    timed = [event["ts"] for event in events if event["ph"] in "BEX"]
    assert timed == sorted(timed)
    slices = [event for event in events if event["ph"] == "X"]
    assert sorted(Counter(event["pid"] for event in slices).values()) == [5, 10]
    profiles, _ = _speedscope(job, tmp_path)
    lanes = {
        profile["name"]: len(profile["events"])
        for profile in profiles
        if " device " in profile["name"]
    }
    assert lanes == {"rank 0 device 0": 10, "rank 1 device 0": 20}
    if shutil.which("otf2-print") is None:
        return
    folder = tmp_path / "archive"
    output_of("pomp-clang", "export", str(job), "--to", "otf2", "-o", str(folder))
    printed = output_of("otf2-print", str(folder / "traces.otf2"))
    assert printed.count("RMA_OP_COMPLETE_BLOCKING") == 6
    assert len(analysis_of(folder)["locations"]) == 2
