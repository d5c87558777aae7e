"""`pomp_clang.open`: its numbers are those of report and analyze, exactly."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import pomp_clang
from pomp_clang.openmp.kinds import is_parallel
from tests.create_once import folder_of_run
from tests.mpi.harness import MPIS, build, environment, run


def experiment(program: Path, folder: Path, *arguments: str, **settings: str) -> str:
    """Run the program with its experiment in `folder`, and return the experiment's name."""
    variables = environment(POMP_EXPERIMENT_DIR=str(folder), OMP_NUM_THREADS="3", **settings)
    result = subprocess.run([str(program), *arguments], env=variables, stdout=subprocess.DEVNULL)
    assert result.returncode == (-signal.SIGKILL if arguments else 0)
    return str(folder)


def document(verb: str, *arguments: str) -> dict[str, Any]:
    command = ["pomp-clang", verb, "--format", "json", *arguments]
    result = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True)
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def rows(entries: Sequence[dict[str, Any]], columns: Sequence[str], threads: int) -> Any:
    """Return the values of JSON's threads by column, place and thread; 0 where it has none."""
    return {
        name: [
            [
                next((t.get(name, 0) for t in entry["threads"] if t["tid"] == tid), 0)
                for tid in range(threads)
            ]
            for entry in entries
        ]
        for name in columns
    }


def lists(columns: Any) -> dict[str, Any]:
    return {name: array.tolist() for name, array in columns.items()}


def agrees_with_report(opened: pomp_clang.OpenedExperiment, report: dict[str, Any]) -> None:
    """Compare an experiment of one process with the document of its report, bit by bit."""
    for key in ("program", "duration", "complete", "host", "start"):
        assert getattr(opened, key) == report[key]
    assert list(opened.command_line) == report["command_line"]
    assert opened.threads == report["max_threads"] == len(report["locations"])
    assert opened.parts == report["parts"]
    assert list(opened.conditions) == [condition["text"] for condition in report["conditions"]]
    facts = ("id", "kind", "name", "sub_name", "file", "begin_line1", "end_lineN", "function")
    assert [[getattr(r, fact) for fact in facts] for r in opened.regions] == [
        [region[fact] for fact in facts] for region in report["regions"]
    ]
    by_region = rows(report["regions"], [*opened.region_columns], opened.threads)
    assert lists(opened.region_columns) == by_region
    assert {c for region in report["regions"] for c in region["columns"]} == set(by_region)
    assert [[p.id, p.above, p.region, p.task] for p in opened.callpaths] == [
        [path[key] for key in ("id", "above", "region", "task")] for path in report["callpaths"]
    ]
    by_path = rows(report["callpaths"], [*opened.callpath_columns], opened.threads)
    assert lists(opened.callpath_columns) == by_path
    regions, paths = opened.table("regions"), opened.table("callpaths")
    for row, region in enumerate(report["regions"]):
        assert {name: regions[name][row] for name in region["columns"]} == region["sum"]
    for row, path in enumerate(report["callpaths"]):
        assert {name: paths[name][row] for name in path["columns"]} == path["sum"]
        for name in ("execC", "inclusiveT", "exclusiveT"):
            assert paths[name][row] == path[name]
    findings = sorted(
        (p["severity"], p["share"], entry["name"], p["region"] or "", p["text"], p["advice"])
        for entry in report["properties"]
        for p in entry["places"]
    )
    assert findings == sorted(
        (f.severity, f.share, f.name, f.region or "", f.text, f.advice) for f in opened.findings
    )
    for finding in opened.findings:
        (entry,) = (e for e in report["properties"] if e["name"] == finding.name)
        (place,) = (
            p
            for p in entry["places"]
            if p["text"] == finding.text and p["region"] == finding.region
        )
        assert [(x["thread"], x["severity"]) for x in place["locations"]] == [
            (tid, seconds) for tid, seconds in enumerate(finding.severities) if seconds
        ]


def agrees_with_analyze(opened: pomp_clang.OpenedExperiment, analysis: dict[str, Any]) -> None:
    """Compare the trace of an experiment with the document of its analysis, bit by bit."""
    trace = opened.trace
    assert trace is not None
    for key in ("program", "duration", "complete"):
        assert getattr(trace, key) == analysis[key]
    assert [(x.machine, x.node, x.process, x.thread) for x in trace.locations] == [
        (x["machine"], x["node"], x["process"], x["thread"]) for x in analysis["locations"]
    ]
    properties = [known for known in trace.properties if known.severity]
    assert [(list(p.path), p.unit, p.severity) for p in properties] == [
        (p["path"], p["unit"], p["severity"]) for p in analysis["properties"]
    ]
    places = {(x.process, x.thread): row for row, x in enumerate(trace.locations)}
    for entry in analysis["properties"]:
        severities = trace.severity(tuple(entry["path"]))
        cells: dict[tuple[tuple[str, ...], str | None, int | None], list[Any]] = {}
        for place in entry["places"]:
            row = [0.0] * len(places)
            for x in place["locations"]:
                row[places[x["process"], x["thread"]]] = x["severity"]
            where = tuple(place["callpath"]), place["file"], place["line"]
            cells.setdefault(where, []).append((place["severity"], row))
        actual: dict[tuple[tuple[str, ...], str | None, int | None], list[Any]] = {}
        for path, numbers in zip(trace.callpaths, severities, strict=True):
            if numbers.any():
                where = path.names, path.file or None, path.line or None
                actual.setdefault(where, []).append((float(numbers.sum()), numbers.tolist()))
        assert {k: sorted(v) for k, v in actual.items()} == {k: sorted(v) for k, v in cells.items()}
    causes = trace.causes[: len(analysis["causes"])]
    assert len(causes) == len(analysis["causes"])
    keys = ("name", "file", "line", "severity", "share", "gain", "title", "description", "advice")
    assert [[getattr(cause, key) for key in keys] for cause in causes] == [
        [cause[key] for key in keys] for cause in analysis["causes"]
    ]
    assert [(list(cause.path), list(cause.callpath)) for cause in causes] == [
        (cause["path"], cause["callpath"]) for cause in analysis["causes"]
    ]


def test_a_traced_run_agrees_with_report_and_analyze(program: Path, tmp_path: Path) -> None:
    place = experiment(program, tmp_path / "run", POMP_TRACE="1")
    opened = pomp_clang.open(place)
    assert {"parallel", "for", "sections", "single", "task", "critical"} <= {
        region.kind for region in opened.regions
    }
    agrees_with_report(opened, document("report", place))
    agrees_with_analyze(opened, document("analyze", place))


def test_opening_an_experiment_writes_nothing(program: Path, tmp_path: Path) -> None:
    place = experiment(program, tmp_path / "run", POMP_TRACE="1")
    files = sorted(Path(place).rglob("*"))
    opened = pomp_clang.open(Path(place))
    assert opened.trace is not None and opened.to_dict() and opened.trace.to_dict()
    assert sorted(Path(place).rglob("*")) == files


def test_a_killed_run_agrees_and_is_incomplete(program: Path, tmp_path: Path) -> None:
    place = experiment(program, tmp_path / "run", "kill", POMP_TRACE="1")
    opened = pomp_clang.open(place)
    assert not opened.complete
    assert any(text.startswith("Incomplete: ") for text in opened.conditions)
    agrees_with_report(opened, document("report", place))
    agrees_with_analyze(opened, document("analyze", place))


def test_counters_agree(program: Path, tmp_path: Path) -> None:
    metrics = "page-faults,task-clock,RATE=page-faults/task-clock"
    place = experiment(program, tmp_path / "run", POMP_METRICS=metrics)
    opened, report = pomp_clang.open(place), document("report", place)
    if report["counters"] is None:
        pytest.skip("nothing can be counted here")
    agrees_with_report(opened, report)
    names = [metric["name"] for metric in report["counters"]["metrics"]]
    assert [*opened.region_counters] == [f"{name}/{way}" for name in names for way in "IE"]
    numbers = (
        ("region", "regions", opened.region_counters, opened.regions),
        ("callpath", "callpaths", opened.callpath_counters, opened.callpaths),
    )
    for key, places, columns, all_rows in numbers:
        ids = [row.id for row in all_rows]
        compared = 0
        for entry in report["counters"][places]:
            for thread in entry["threads"]:
                for name in names:
                    for way, values in (("I", "inclusive"), ("E", "exclusive")):
                        number = columns[f"{name}/{way}"][ids.index(entry[key]), thread["tid"]]
                        expected = thread[values][name]
                        compared += 1
                        assert number == expected or (expected is None and math.isnan(number))
        assert compared
    assert opened.region_counters["page-faults/I"].dtype == int
    table = opened.table("region_counters")
    assert len(table["page-faults/I"]) == len(opened.regions) * opened.threads


@pytest.mark.parametrize("mpi", MPIS)
def test_a_job_agrees_process_by_process(
    tmp_path_factory: pytest.TempPathFactory, mpi: str
) -> None:
    folder = folder_of_run(tmp_path_factory, "mpi-programs")
    binary = build(mpi, "figure6", folder)
    place = tmp_path_factory.mktemp("job") / "run"
    run(binary, 2, place, POMP_TRACE="1")
    report = document("report", str(place))
    opened = pomp_clang.open(place)
    assert (opened.duration, opened.program) == (report["duration"], report["program"])
    assert opened.ranks == (0, 1) and opened.missing == ()
    assert [*opened.conditions] == [
        f"Rank {process['rank']}: {condition['text']}"
        for process in report["processes"]
        for condition in process["conditions"]
    ]
    assert [region.id for region in opened.regions] == [r["id"] for r in report["regions"]]
    ids = [region.id for region in opened.regions]
    first = 0
    for process in report["processes"]:
        agrees_with_report(opened.process(process["rank"]), process)
        threads = len(process["locations"])
        here = slice(first, first + threads)
        assert {x.process for x in opened.locations[here]} == {process["rank"]}
        job_rows = {(r.file, r.begin_line1, r.kind): ids.index(r.id) for r in opened.regions}
        for region in process["regions"]:
            row = job_rows[region["file"], region["begin_line1"], region["kind"]]
            for name in region["columns"]:
                values = [thread[name] for thread in region["threads"]]
                assert opened.region_columns[name][row, here].tolist() == values
        exclusive = opened.callpath_columns["exclusiveT"][:, here]
        assert sorted(filter(None, exclusive.reshape(-1).tolist())) == sorted(
            t["exclusiveT"] for p in process["callpaths"] for t in p["threads"] if t["exclusiveT"]
        )
        first += threads
    assert first == opened.threads
    (critical,) = (row for row, r in enumerate(opened.regions) if r.kind == "critical")
    sent = opened.region_columns["outV"][critical]
    assert sent.dtype == int
    assert sent.sum() == sum(process["mpi"]["outV"] for process in report["processes"])
    agrees_with_analyze(opened, document("analyze", str(place)))
    (place / "rank-1" / "profile.pomp").write_bytes(b"damaged")
    damaged = pomp_clang.open(place)
    assert damaged.ranks == (0,) and not damaged.complete
    assert len(damaged.missing) == 1 and "rank-1" in damaged.missing[0]
    with pytest.raises(pomp_clang.UnknownNameError, match="there is no rank 1; there are: 0"):
        damaged.process(1)


def test_tables_have_columns_of_one_length_and_are_json(program: Path, tmp_path: Path) -> None:
    opened = pomp_clang.open(experiment(program, tmp_path / "run", POMP_TRACE="1"))
    trace = opened.trace
    assert trace is not None
    for tables in (opened, trace):
        for name in tables.tables:
            assert len({len(column) for column in tables.table(name).values()}) == 1, name
        assert json.loads(json.dumps(tables.to_dict())) == tables.to_dict()
    by_thread = opened.table("regions_by_thread")
    assert by_thread["execT"].sum() == pytest.approx(opened.region_columns["execT"].sum())
    assert by_thread["thread"] == [0, 1, 2] * len(opened.regions)
    parallel = [row for row, region in enumerate(opened.regions) if is_parallel(region.kind)]
    assert opened.region_columns["execC"][parallel].sum() == 6


def test_arrays_cannot_be_changed(program: Path, tmp_path: Path) -> None:
    opened = pomp_clang.open(experiment(program, tmp_path / "run"))
    assert opened.trace is None
    with pytest.raises(ValueError, match="read-only"):
        opened.region_columns["execT"][0, 0] = 1.0
    with pytest.raises(AttributeError):
        opened.duration = 1.0  # type: ignore[misc]


def test_snapshots_and_steps_agree(program: Path, tmp_path: Path) -> None:
    place = experiment(program, tmp_path / "run")
    opened, report = pomp_clang.open(place), document("report", place)
    assert [(s.number, s.cause, s.time, s.unsettled) for s in opened.snapshots] == [
        tuple(entry[key] for key in ("number", "cause", "time", "unsettled"))
        for entry in report["snapshots"]
    ]
    ((snapshot,), (entry,)) = opened.snapshots, report["snapshots"]
    assert (snapshot.cause, snapshot.run.duration) == ("call", snapshot.time)
    ids = [region.id for region in snapshot.run.regions]
    for region in entry["regions"]:
        for thread in region["threads"]:
            for name in {*thread} - {"tid"}:
                array = snapshot.run.region_columns[name]
                assert array[ids.index(region["id"]), thread["tid"]] == thread[name]
    table = opened.table("snapshots")
    for region in entry["regions"]:
        row = ids.index(region["id"])
        assert table["id"][row] == region["id"]
        assert {name: table[name][row] for name in region["sum"]} == region["sum"]
    later = next(r for r in opened.regions if r.kind == "parallel for")
    assert table["execC"][ids.index(later.id)] == 0
    steps = opened.table("steps")
    assert [dict(zip(steps, row, strict=True)) for row in zip(*steps.values(), strict=True)] == [
        {name: value for name, value in step.items() if name != "counters"}
        for step in report["steps"]
    ]


def test_an_export_is_that_of_the_command(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = experiment(program, tmp_path / "run")
    opened = pomp_clang.open(place)
    assert opened.export("hatchet") == Path("run.hatchet.json")
    command = ["pomp-clang", "export", place, "--to", "hatchet", "-o", "command.json"]
    subprocess.run(command, env=environment(), check=True, stdout=subprocess.DEVNULL)
    assert Path("run.hatchet.json").read_bytes() == Path("command.json").read_bytes()
    with pytest.raises(pomp_clang.UnknownNameError, match="there is no format 'pdf'"):
        opened.export("pdf")
    with pytest.raises(pomp_clang.ExperimentError):
        opened.export("otf2", tmp_path / "archive")


def test_errors_are_one_line(program: Path, tmp_path: Path) -> None:
    with pytest.raises(pomp_clang.ExperimentError) as missing:
        pomp_clang.open(tmp_path / "none")
    assert str(missing.value).startswith(f"{tmp_path}/none: ") and "\n" not in str(missing.value)
    opened = pomp_clang.open(experiment(program, tmp_path / "run", POMP_TRACE="1"))
    with pytest.raises(KeyError) as column:
        opened.region_columns["walltime"]
    assert str(column.value).startswith(
        "there is no column of a region 'walltime'; there are: exec"
    )
    with pytest.raises(pomp_clang.UnknownNameError, match="no table 'x'; there are: regions,"):
        opened.table("x")
    trace = opened.trace
    assert trace is not None
    with pytest.raises(pomp_clang.UnknownNameError, match="is several properties; name the path"):
        trace.severity("Wait at Barrier")
    assert (trace.severity(("Implicit", "Wait at Barrier")) >= 0).all()
    with pytest.raises(pomp_clang.UnknownNameError, match="there is no property 'Luck'"):
        trace.severity("Luck")
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        pomp_clang.close  # noqa: B018


def test_a_damaged_trace_is_an_error_where_it_is_read(program: Path, tmp_path: Path) -> None:
    place = experiment(program, tmp_path / "run", POMP_TRACE="1")
    for file in Path(place).iterdir():
        if file.name != "profile.pomp":
            file.write_bytes(b"damaged, by hand")
    opened = pomp_clang.open(place)
    assert opened.region_columns["execT"].any()
    with pytest.raises(pomp_clang.ExperimentError) as error:
        _ = opened.trace
    assert place in str(error.value) and "\n" not in str(error.value)


def test_the_newest_experiment_is_the_default(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pomp_clang.ExperimentError, match="there is no experiment here"):
        pomp_clang.open()
    experiment(program, tmp_path / "pomp-app-1")
    assert pomp_clang.open().directory == "pomp-app-1"


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import __future__, sys; before = set(sys.modules); import pomp_clang; "
        "print(*sorted(set(sys.modules) - before))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=os.environ
    )
    assert result.stdout.split() == ["pomp_clang"]
