"""`pomp-clang doctor` lists installed and missing components, with advice for the missing ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pomp_clang.cli.doctor import command
from pomp_clang.driver import doctor
from pomp_clang.driver.doctor import MISSING, OK, OPTIONAL, DoctorFinding, examine
from pomp_clang.frontend.c.libclang import LoadError
from tests.driver.conftest import BOTH, GCC, needs_clang, needs_gcc


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def by_name() -> dict[str, DoctorFinding]:
    return {finding.name: finding for finding in examine()}


@pytest.mark.parametrize("compiler", BOTH)
def test_a_compiler_is_described(compiler: str) -> None:
    actual = by_name()[compiler]
    assert actual.state == OK
    assert "_OPENMP 20" in actual.advice and "libclang" in actual.advice


@needs_gcc
def test_gcc_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gcc").write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin exec {GCC} "$@"\n')
    (tmp_path / "gcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    actual = by_name()
    assert actual["gcc"].state == actual["libclang"].state == actual["libgomp"].state == OK
    assert "clang_tidy" in actual["gcc"].advice and "libgomp" in actual["libgomp"].advice
    assert actual["FileCheck"].state == OPTIONAL
    assert not any("clang" in name for name in actual if name != "libclang")


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert by_name()["compiler"] == DoctorFinding("compiler", MISSING, "install clang or gcc")


def test_a_program_that_only_bears_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\necho >&2 'error: no licence'; exit 1\n")
    (tmp_path / "gcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert by_name()["gcc"] == DoctorFinding("gcc", OPTIONAL, "gcc: error: no licence")


def test_no_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "runtime_folder", lambda kind: "")
    actual = by_name()
    assert {actual[name].state for name in ("pomp.h", "libpomp.so", "libpomp.a")} == {MISSING}


def test_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert by_name()["cache"].state == OPTIONAL


@pytest.mark.parametrize(("state", "status"), [(OK, 0), (OPTIONAL, 0), (MISSING, 1)])
def test_the_status_says_whether_something_is_missing(
    state: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = [DoctorFinding("gcc", OK, "gcc 12"), DoctorFinding("thing", state, "get it")]
    monkeypatch.setattr("pomp_clang.cli.doctor.examine", lambda: findings)
    done = CliRunner().invoke(command, standalone_mode=False)
    assert done.return_value == status
    assert done.output.splitlines()[1].split() == [state, "thing", "get", "it"]


@pytest.mark.parametrize(
    ("level", "state"), [("2\n", OK), ("4\n", OPTIONAL), ("", OPTIONAL), (None, OPTIONAL)]
)
def test_counters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str | None, state: str
) -> None:
    file = tmp_path / "paranoid"
    if level is not None:
        file.write_text(level)
    monkeypatch.setattr(doctor, "PARANOID", str(file))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    actual = by_name()
    assert actual["perf_event"].state == state
    assert actual["libpapi"].state in (OK, OPTIONAL)


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert by_name()["llvmlite"].state == OK
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    actual = by_name()["llvmlite"]
    assert actual.state == OPTIONAL and "pomp-clang[functions]" in actual.advice
    actual = by_name()["numpy"]
    assert actual.state == MISSING and "packages it depends on" in actual.advice


def _raise(path: str) -> None:
    raise LoadError("the Python package libclang is not installed")


@needs_clang
def test_without_its_package_the_libclang_of_a_compiler_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "load", _raise)
    assert by_name()["libclang"].state == OPTIONAL
    monkeypatch.setenv("PATH", str(tmp_path))
    assert by_name()["libclang"].state == MISSING
