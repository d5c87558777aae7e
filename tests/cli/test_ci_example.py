"""The example of continuous integration: its scripts measure, compare, pass and fail."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.compilers import first
from tests.conftest import REPOSITORY
from tests.mpi.harness import environment

EXAMPLE = REPOSITORY / "examples" / "ci"
LOOP = "for (int k = 0; k < sweeps; k++)"


def script(name: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(EXAMPLE / name), *arguments],
        cwd=folder,
        env=environment(CC=first("gcc", "clang-19")),
        capture_output=True,
        text=True,
    )


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    """Return a folder with the sources `base` and `new`, of few sweeps."""
    if not first("gcc", "clang-19"):
        pytest.skip("no compiler with an OpenMP runtime is here")
    text = (EXAMPLE / "heat.c").read_text().replace(": 20;", ": 2;").replace("N 2000", "N 200")
    assert ": 2;" in text and LOOP in text
    for side in ("base", "new"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "heat.c").write_text(text)
    return tmp_path


def test_one_more_execution_fails_the_gate_at_its_region(checkouts: Path) -> None:
    source = checkouts / "new" / "heat.c"
    source.write_text(source.read_text().replace(LOOP, LOOP.replace("< sweeps", "<= sweeps")))
    measured = script("measure.sh", checkouts, "3", "base", "new")
    assert (measured.returncode, measured.stderr) == (0, "")
    assert len([*checkouts.glob("base-*"), *checkouts.glob("new-*")]) == 6
    compared = script("compare.sh", checkouts, "new")
    assert compared.returncode == 3
    assert "execC > 0: execC +2 (+50.0 %), in 9 of 9 pairs of runs" in compared.stderr
    assert "- :x: heat.c:" in (checkouts / "summary.md").read_text()
    (run,) = json.loads((checkouts / "pomp.sarif").read_text())["runs"]
    counts = [r for r in run["results"] if "execC > 0" in r["message"]["text"]]
    (place,) = counts[0]["locations"]
    artifact = place["physicalLocation"]["artifactLocation"]
    assert (len(counts), artifact) == (1, {"uri": "heat.c", "uriBaseId": "SRCROOT"})


def test_a_kept_baseline_is_not_measured_again(checkouts: Path) -> None:
    assert script("measure.sh", checkouts, "1", "base", "new").returncode == 0
    kept = (checkouts / "base-1" / "profile.pomp").read_bytes()
    shutil.rmtree(checkouts / "new-1")
    assert script("measure.sh", checkouts, "1", "base", "new").returncode == 0
    assert (checkouts / "base-1" / "profile.pomp").read_bytes() == kept
    assert (checkouts / "new-1").is_dir()


def test_without_experiments_the_comparison_fails_as_such(tmp_path: Path) -> None:
    assert script("compare.sh", tmp_path, ".").returncode == 1


@pytest.mark.parametrize("name", ["github.yml", "gitlab-ci.yml"])
def test_the_files_of_the_hosts_are_yaml_and_run_the_scripts(name: str) -> None:
    yaml = pytest.importorskip("yaml")
    text = (EXAMPLE / name).read_text()
    assert isinstance(yaml.safe_load(text), dict)
    scripts = re.findall(r"\bsh (\w+\.sh)", text)
    assert scripts == ["measure.sh", "compare.sh"]
    assert all((EXAMPLE / script_name).is_file() for script_name in scripts)
    assert "pomp.sarif" in text and "summary.md" in text
