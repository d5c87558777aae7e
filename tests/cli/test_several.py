"""`pomp-clang diff` and `scale`: options, exit statuses, and one line when it cannot be done."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

from pomp_clang.cli import VERBS, diff, history, scale, verbs
from pomp_clang.experiment import reader
from pomp_clang.experiment.model import Experiment
from tests.analysis.comparison.test_comparison import after, before
from tests.analysis.comparison.test_scaling import run_with


class _ExperimentError(Exception):
    pass


_RUNS: dict[str, Callable[[], Experiment]] = {
    "a": before,
    "b": after,
    "1": lambda: run_with(1, 8.0),
    "2": lambda: run_with(2, 4.5),
}


_RUNS |= {f"{name}{number}": _RUNS[name] for name in "ab" for number in range(1, 5)}


def _read(directory: str) -> Experiment:
    if directory not in _RUNS:
        raise _ExperimentError(f"{directory}: not an\nexperiment")
    return _RUNS[directory]()


@pytest.fixture(autouse=True)
def _reader_of_handmade_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("pomp_clang.experiment.reader")
    vars(module).update(vars(reader))
    vars(module).update(find=lambda d: d, read=_read, ExperimentError=_ExperimentError)
    monkeypatch.setitem(sys.modules, "pomp_clang.experiment.reader", module)


def _run(verb: str, *args: str) -> Result:
    return CliRunner().invoke(
        {"diff": diff, "scale": scale, "history": history}[verb].command, args
    )


def test_diff_in_its_formats(tmp_path: Path) -> None:
    assert "2 regions in both, 2 regions only in A\n" in _run("diff", "a", "b", "--top=3").stdout
    regions = json.loads(_run("diff", "a", "b", "--format=json", "--sort=count").stdout)["regions"]
    assert [region["kind"] for region in regions] == ["atomic", "critical", "barrier", "for"]
    page = tmp_path / "page.html"
    result = _run("diff", "a", "b", "--format=html", "-o", str(page))
    assert (result.exit_code, result.output) == (0, "")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_scale_in_its_formats(tmp_path: Path) -> None:
    assert "speed-up" in _run("scale", "2", "1").stdout
    runs = json.loads(_run("scale", "2", "1", "--format=json").stdout)["runs"]
    assert [run["threads"] for run in runs] == [1, 2]
    assert '<svg class="plot"' in _run("scale", "1", "2", "--format=html").stdout


def test_diff_takes_repetitions_of_both_sides_and_options_after_them() -> None:
    sides = ("a1", "a2", "a3", "--", "b1", "b2", "b3")
    read = json.loads(_run("diff", *sides, "--format=json").stdout)
    assert [len(read["repetitions"][side]) for side in "ab"] == [3, 3]
    assert {region["repeated"]["beyond_noise"] for region in read["regions"]} == {True}
    text = _run("diff", "a1", "b2", "a3", "--", "b1", "a2", "b3").stdout
    assert "A is 3 runs, B is 3 runs. Regions have the medians" in text
    assert "The change of the duration is within the noise." in " ".join(text.split())
    assert " ~" in text
    few = _run("diff", "a1", "a2", "--", "b1", "b2").stdout
    assert "run each side three times." in " ".join(few.split())
    assert _run("diff", "a", "--", "b").stdout == _run("diff", "a", "b").stdout
    assert _run("diff", "--", "a", "b").stdout == _run("diff", "a", "b").stdout
    for form in ("markdown", "html", "sarif"):
        assert _run("diff", *sides, f"--format={form}").exit_code == 0


def test_a_condition_that_holds_for_repetitions_has_its_confidence(
    capfd: pytest.CaptureFixture[str],
) -> None:
    more = ["--", "b1", "b2", "b3", "--fail-on", "execC > 100"]
    assert verbs.main(["diff", "a1", "a2", "a3", *more]) == 3
    expected = "execC > 100: execC +4000, in 9 of 9 pairs of runs (confidence 95 %)\n"
    assert capfd.readouterr().err.endswith(expected)
    assert verbs.main(["diff", "a1", "a2", "b4", *more]) == 0
    assert capfd.readouterr().err == ""


def test_a_run_that_is_named_twice_is_no_repetition() -> None:
    result = _run("diff", "a1", "./a1", "a2", "--", "b1", "b2", "b3")
    assert result.exit_code == 2
    assert "./a1 is named twice: each repetition is a run of its own" in result.stderr


def test_history_in_its_formats() -> None:
    assert "Cost of the regions" in _run("history", "a", "b").stdout
    read = json.loads(_run("history", "b", "a", "--order=given", "--format=json").stdout)
    assert [run["directory"] for run in read["runs"]] == ["pomp-app-2", "pomp-app-1"]
    assert _run("history", "a", "b", "--format=csv").stdout.startswith("kind,name,function,")
    assert _run("history", "a", "b", "--format=markdown").stdout.startswith("## app: 2 runs")
    assert '<svg class="plot spark"' in _run("history", "a", "b", "--format=html").stdout
    missing = _run("history", "a", "b", "--region=nowhere")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert missing.stderr.startswith("Error: no region has 'nowhere'")


@pytest.mark.parametrize("verb", ["diff", "scale", "history"])
def test_what_cannot_be_done_is_one_line_and_status_1(verb: str) -> None:
    result = _run(verb, "a", "none")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: none: not an experiment\n"
    assert _run(verb, "a", "b", "-o", "/no/such/place").exit_code == 1


@pytest.mark.parametrize(
    "args",
    [
        ("diff", "a"),
        ("diff", "a", "b", "a"),
        ("diff", "a", "--", "b", "--", "a"),
        ("scale", "1"),
        ("history", "1"),
        ("scale",),
        ("diff", "a", "b", "--x"),
    ],
)
def test_wrong_usage_is_status_2(args: tuple[str, ...]) -> None:
    assert _run(*args).exit_code == 2


def test_every_verb_has_a_module_with_its_command() -> None:
    for verb in VERBS:
        assert importlib.import_module(f"pomp_clang.cli.{verb}").command.name == verb


@pytest.mark.parametrize(
    ("conditions", "status", "expected"),
    [
        (("duration > 10%",), 0, ""),
        (
            ("duration < 0%",),
            3,
            "pomp-clang: the program: duration < 0%: duration -0.5 s (-25.0 %)",
        ),
        (("duration > 10%", "execC > 1000"), 3, "atomic: execC > 1000: execC +4000"),
        (("speed > 10%",), 2, "pomp-clang: --fail-on 'speed > 10%': 'speed' is none of duration"),
    ],
)
def test_diff_fails_on_conditions(
    conditions: tuple[str, ...], status: int, expected: str, capfd: pytest.CaptureFixture[str]
) -> None:
    options = [f"--fail-on={condition}" for condition in conditions]
    assert verbs.main(["diff", "a", "b", *options]) == status
    printed = capfd.readouterr()
    assert expected in printed.err
    assert printed.err.count("\n") == bool(expected)
    assert ("2 regions in both" in printed.out) is (status != 2)


def test_diff_for_code_hosts(tmp_path: Path) -> None:
    condition = "--fail-on=execC > 1000"
    summary = _run("diff", "a", "b", "--format=markdown", condition).stdout
    assert summary.startswith("## ")
    assert "- :x: " in summary
    document = json.loads(_run("diff", "a", "b", "--format=sarif", condition).stdout)
    assert document["runs"][0]["results"][0]["ruleId"] == "fail-on"
    (failed,) = json.loads(_run("diff", "a", "b", "--format=json", condition).stdout)["failed"]
    assert (failed["condition"], failed["grown"]["execC"]["delta"]) == ("execC > 1000", 4000)
    assert _run("scale", "1", "2", "--format=sarif").exit_code == 2
