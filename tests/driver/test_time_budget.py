"""`--pomp-budget`: a source that takes too long is compiled as it stands, and named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.process.time_budget import DEFAULT, parse_budget
from tests.compilers import links_openmp

_SOURCE = """int main(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += i;
  return sum < 0;
}
"""
_COMPILERS = ("clang-19", "gcc")


def _slow(compiler: str, folder: Path) -> str:
    """Write a compiler that takes a minute for an instrumented text, and return its path."""
    script = folder / f"slow-{compiler}"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *pomp-clang-*) sleep 60 ;; esac\nexec {compiler} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def _compile(compiler: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    if not links_openmp(Path(compiler).name.removeprefix("slow-")):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    (folder / "app.c").write_text(_SOURCE)
    return subprocess.run(
        ["pomp-clang", *options, "--", compiler, "-O1", "-fopenmp", "-c", "app.c"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


def _is_instrumented(folder: Path) -> bool:
    names = subprocess.run(["nm", "app.o"], cwd=folder, capture_output=True, text=True, check=True)
    return "POMP_Parallel_fork" in names.stdout


@pytest.mark.parametrize("server", ["on", "off"])
@pytest.mark.parametrize("compiler", _COMPILERS)
def test_a_source_that_takes_too_long_is_compiled_as_it_stands(
    compiler: str, server: str, tmp_path: Path
) -> None:
    slow = _slow(compiler, tmp_path)
    done = _compile(slow, tmp_path, f"--pomp-server={server}", "--pomp-budget=0.001,0.2")
    assert done.returncode == 0
    assert re.fullmatch(
        r"app\.c:1: warning: compiled untouched: after [\d.]+ s, more than 0\.001 times the plain "
        r"compile \[pomp-budget\]\n",
        done.stderr,
    )
    assert not _is_instrumented(tmp_path)


@pytest.mark.parametrize("compiler", _COMPILERS)
def test_it_is_an_error_where_nothing_may_be_left_out(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    options = ("--pomp-strict", "--pomp-server=off", "--pomp-budget=0.001,0.2")
    done = _compile(_slow(compiler, tmp_path), tmp_path, *options)
    assert done.returncode == 1
    assert "error: compiled untouched" in done.stderr
    assert not (tmp_path / "app.o").exists()
    assert not list((tmp_path / "scratch").glob("pomp-clang-*"))


@pytest.mark.parametrize("budget", ["1000,0.05", "0.001,1000", "0", "10"])
def test_what_is_within_its_time_is_instrumented(budget: str, tmp_path: Path) -> None:
    done = _compile("gcc", tmp_path, "--pomp-server=off", f"--pomp-budget={budget}")
    assert (done.returncode, done.stderr) == (0, "")
    assert _is_instrumented(tmp_path)


@pytest.mark.parametrize("text", ["", "x", "1,", "1,x", "-1", "1e99", "nan"])
def test_a_wrong_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="N or N,SECONDS"):
        parse_budget(text)


def test_the_least_time_may_be_left_out() -> None:
    assert parse_budget("3") == (3.0, DEFAULT[1])
    assert parse_budget("3,0.5") == (3.0, 0.5)
