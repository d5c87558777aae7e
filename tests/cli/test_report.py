"""`pomp-clang report`: options, exit statuses, and one line when it cannot be done."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

from pomp_clang.cli.report import command
from pomp_clang.experiment import reader
from pomp_clang.experiment.model import Experiment
from tests.handmade import ocean, with_snapshots


class _ExperimentError(Exception):
    pass


def _find(directory: str | None) -> str:
    if directory == "none":
        raise _ExperimentError("none: no such\nexperiment")
    return directory or "newest"


def _read(directory: str) -> Experiment:
    if directory == "damaged":
        raise _ExperimentError("damaged: not an experiment")
    if directory == "nan":
        return replace(ocean(), directory=directory, duration=float("nan"))
    if directory == "bytes":
        return replace(ocean(), program="p\udcff")
    if directory == "many":
        return with_snapshots(ocean(), *(i / 100 for i in range(1, 100)))
    return replace(ocean(), directory=directory)


def _reader() -> ModuleType:
    module = ModuleType("pomp_clang.experiment.reader")
    vars(module).update(vars(reader))
    vars(module).update(find=_find, read=_read, ExperimentError=_ExperimentError)
    return module


@pytest.fixture(autouse=True)
def _reader_of_handmade_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pomp_clang.experiment.reader", _reader())


def _report(*args: str) -> Result:
    return CliRunner().invoke(command, args)


def test_the_newest_experiment_as_text_without_colours() -> None:
    result = _report()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("app: 2.50 s with 4 threads\n")
    assert "Experiment      newest\n" in _report("--section=general").stdout
    assert "\x1b" not in result.stdout
    assert "\x1b[" in _report("--color=always").stdout


def test_formats() -> None:
    assert json.loads(_report("here", "--format", "json").stdout)["directory"] == "here"
    assert _report("--format=csv").stdout.startswith("##BEG header\n")
    assert _report("--format=html").stdout.startswith("<!doctype html>\n")
    assert "was left out" in _report("--format=html", "--no-source").stdout


def test_a_misspelt_section_is_answered_with_the_right_one() -> None:
    assert "did you mean 'overheads'?" in _report("--section=overhead").stderr


def test_an_order_shows_the_regions_and_a_section_only_itself() -> None:
    assert re.findall(r"^(?:--|──) ([\w ]+)", _report("--sort=kind").stdout, re.M) == [
        "Region overview ",
        "Flat region profile ",
    ]
    output = _report("--section=properties", "--section=general").stdout
    assert re.findall(r"^(?:--|──) ([\w ]+)", output, re.M) == [
        "General information ",
        "Performance properties ",
    ]
    assert "The run has no data" in _report("--section=counters").stdout


def test_sort_top_and_threads() -> None:
    document = json.loads(_report("--format=json", "--sort=count", "--top=1").stdout)["regions"]
    assert [region["id"] for region in document] == ["R00008"]
    assert _report("--threads=all").exit_code == 0


def test_all_leaves_nothing_out() -> None:
    text = "99 profiles in between; --all has them."
    assert text in _report("many", "--section=steps").stdout
    assert text not in _report("many", "--all").stdout


def test_output_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    result = _report("-o", str(file), "--all")
    assert (result.exit_code, result.output) == (0, "")
    assert "── Overhead analysis ─" in file.read_text(encoding="utf-8")
    assert _report("-o", "-", "--format=csv").stdout.startswith("##BEG")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["none"], "none: no such experiment"),
        (["damaged"], "damaged: not an experiment"),
        (["nan", "--format=json"], "nan: a time is not a number"),
        (["-o", "/no/such/place"], "cannot write /no/such/place: No such file or directory"),
        (["-o", "/"], "cannot write /: Is a directory"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_1(args: list[str], message: str) -> None:
    result = _report(*args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {message}\n"


@pytest.mark.parametrize(
    "args",
    [
        ["--format=xml"],
        ["--top=0"],
        ["--sort=size"],
        ["a", "b"],
        ["--nonsense"],
        ["--to=1"],
        ["--section=callpath"],
        ["--section=regions", "--format=html"],
    ],
)
def test_wrong_usage_is_status_2(args: list[str]) -> None:
    assert _report(*args).exit_code == 2


def test_no_name_is_refused_by_the_encoding_of_the_output(tmp_path: Path) -> None:
    assert _report("bytes").stdout.startswith("p\\udcff: ")
    assert _report("bytes", "-o", str(tmp_path / "out")).exit_code == 0
    assert "<h1>p\\udcff</h1>" in _report("bytes", "--format=html").stdout


@pytest.mark.parametrize(("encoding", "unit"), [("ascii", "us"), ("utf-8", "µs")])
def test_microseconds_are_written_as_the_encoding_allows(encoding: str, unit: str) -> None:
    result = _shell("--section=properties", LC_ALL="C", PYTHONIOENCODING=encoding)
    assert result.returncode == 0
    assert f"takes 250 {unit} each time" in result.stdout


def test_without_utf_8_the_c_locale_gets_ascii_alone() -> None:
    result = _shell("--section=properties", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert "takes 250 us each time" in result.stdout
    assert result.stdout.isascii()


_PROGRAM = """
import sys
from tests.cli.test_report import _reader
sys.modules["pomp_clang.experiment.reader"] = _reader()
from pomp_clang.cli.report import command
command()
"""


def _shell(pipeline: str, **variables: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    env = os.environ | {"PYTHON": sys.executable, "PROGRAM": _PROGRAM, "PYTHONPATH": str(root)}
    bash = ["bash", "-o", "pipefail", "-c", f'"$PYTHON" -c "$PROGRAM" {pipeline}']
    return subprocess.run(
        bash, env=env | variables, capture_output=True, encoding="utf-8", check=False
    )


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    result = _shell("--format=json | exec true")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_said() -> None:
    result = _shell("> /dev/full")
    expected = "Error: cannot write standard output: No space left on device\n"
    assert (result.returncode, result.stderr) == (1, expected)


def test_help_waits_for_no_report() -> None:
    """Imports are lazy: the help loads neither analysis nor reader."""
    program = (
        "import sys, pomp_clang.cli.report as r\n"
        "assert not [m for m in sys.modules if m.startswith('pomp_clang.report')]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
