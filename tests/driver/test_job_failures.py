"""Commands that go wrong, in the user's sources, in the rewriter or around them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.driver.conftest import BOTH, CLANG, GCC, HERE, Pomp, execute
from tests.driver.project import MARK, OMP, lay

_POMP = "-D_POMP=202611"


@pytest.fixture(autouse=True)
def sources(work: Path) -> None:
    lay(work)


@pytest.mark.parametrize("compiler", BOTH)
def test_a_users_error_is_told_by_the_plain_compiler(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "bad.c").write_text(OMP.replace("sum += part();", "sum += nothing_such;"))
    args = [compiler, "-fopenmp", "-Wall", "-c", "bad.c", "a.c"]
    plain = execute([*args, _POMP], work)
    result = pomp(*args)
    assert plain.status and (result.status, result.out, result.err) == (
        plain.status,
        b"",
        plain.err,
    )
    strict = pomp(*args, pomp_options=["--pomp-strict"])
    assert strict.status == plain.status


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("options", [[], ["--pomp-strict"]])
def test_an_output_that_cannot_be_written_is_told_beside_other_errors(
    pomp: Pomp, work: Path, compiler: str, options: list[str]
) -> None:
    args = [compiler, "-fopenmp", "-r", "a.c", "a.c", "-o", "/dev/full"]
    plain = execute([*args, _POMP], work)
    result = pomp(*args, pomp_options=options)
    assert plain.status and result.status == plain.status
    for text in (b"multiple definition of `main'", b"No space left on device"):
        assert text in plain.err and text in result.err


@pytest.mark.parametrize("compiler", BOTH)
def test_a_missing_source_is_told_by_the_compiler(pomp: Pomp, work: Path, compiler: str) -> None:
    plain = execute([compiler, "-fopenmp", "-c", "nowhere.c"], work)
    result = pomp(compiler, "-fopenmp", "-c", "nowhere.c")
    assert plain.status and (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_a_rejected_text_does_not_break_the_build(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="reject")
    assert result.status == 0
    line = result.err.decode().strip()
    assert line.startswith("a.c:1: warning: compiled untouched: a.c:13:") and "\n" not in line
    assert line.endswith("[pomp-rejected]")
    assert (work / "a.o").exists()
    (work / "a.o").unlink()
    result = pomp(
        compiler, "-fopenmp", "-c", "a.c", STAND_IN="reject", pomp_options=["--pomp-strict"]
    )
    assert result.status == 1
    assert b"a.c:1: error: compiled untouched" in result.err
    assert not (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_only_the_rejected_unit_is_left_untouched(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "b.c").write_text("/* REJECT */\n" + OMP.replace("main", "second"))
    result = pomp(compiler, "-fopenmp", "a.c", "b.c", "-o", "app", STAND_IN="only")
    assert result.status == 0
    assert result.err.startswith(b"b.c:1: warning: compiled untouched")
    assert result.err.count(b"\n") == 1
    assert (work / "app").read_bytes().count(MARK) == 1


@pytest.mark.parametrize("compiler", BOTH)
def test_a_text_that_does_not_link(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "-fopenmp", "a.c", "-o", "app", STAND_IN="late")
    assert result.status == 0
    assert b"pomp_nowhere" in result.err and b"[pomp-rejected]" in result.err
    assert execute(["./app"], work).status == 0


@pytest.mark.parametrize("how", ["raise", "error"])
def test_a_failing_rewriter_does_not_break_the_build(pomp: Pomp, work: Path, how: str) -> None:
    compiler = CLANG or GCC
    result = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN=how)
    assert result.status == 0 and (work / "a.o").exists()
    assert result.err.count(b"\n") == 1 and b"Traceback" not in result.err
    expected = b"POMP_DEBUG=1" if how == "raise" else b"a.c:1: warning: compiled untouched"
    assert expected in result.err


@pytest.mark.parametrize(
    ("value", "shows"), [("yes", True), ("1", True), ("0", False), ("OFF", False)]
)
def test_switch_that_shows_where_we_failed(pomp: Pomp, value: str, shows: bool) -> None:
    result = pomp(CLANG or GCC, "-fopenmp", "-c", "a.c", STAND_IN="raise", POMP_DEBUG=value)
    assert (b"Traceback" in result.err) is shows


@pytest.mark.parametrize("compiler", BOTH)
def test_notes(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="note mark")
    assert (result.status, result.err) == (0, b"a.c:3: warning: left as it is [pomp-test]\n")
    (work / "a.o").unlink()
    result = pomp(
        compiler, "-fopenmp", "-c", "a.c", STAND_IN="note mark", POMP_FLAGS="--pomp-strict"
    )
    assert (result.status, result.err) == (1, b"a.c:3: error: left as it is [pomp-test]\n")
    assert not (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_preprocessed_units_are_named(pomp: Pomp, work: Path, compiler: str) -> None:
    execute([compiler, "-fopenmp", "-E", "a.c", "-o", "a.i"], work)
    result = pomp(compiler, "-fopenmp", "-c", "a.i")
    assert result.status == 0
    assert b"a.i:1: warning:" in result.err and b"[pomp-preprocessed]" in result.err


def test_exit_status_and_signals(pomp: Pomp, work: Path) -> None:
    script = work / "gcc"
    for openmp in ([], ["-fopenmp"]):
        script.write_text(
            f'#!/bin/sh\ncase "$*" in *-dM*) exec {CLANG or GCC} "$@";; esac\necho out; exit 43\n'
        )
        script.chmod(0o755)
        result = pomp("./gcc", *openmp, "-c", "a.c")
        assert (result.status, result.out) == (43, b"out\n")
        script.write_text(
            f'#!/bin/sh\ncase "$*" in *-dM*) exec {CLANG or GCC} "$@";; esac\nkill -TERM $$\n'
        )
        assert pomp("./gcc", *openmp, "-c", "a.c").status == -signal.SIGTERM
        script.write_text(
            f'#!/bin/sh\ncase "$*" in *-dM*) exec {CLANG or GCC} "$@";; esac\nkill -SEGV $$\n'
        )
        assert pomp("./gcc", *openmp, "-c", "a.c").status == -signal.SIGSEGV


def test_a_signal_to_us_ends_the_compiler_and_leaves_nothing(
    work: Path, package: Path, tmp_path: Path
) -> None:
    script = work / "gcc"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *-dM*) exec {CLANG or GCC} "$@";; esac\n'
        "echo $$ > started.new; mv started.new started; exec sleep 60\n"
    )
    script.chmod(0o755)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    command = [sys.executable, str(HERE / "stand_in.py"), "--", "./gcc", "-fopenmp", "-c", "a.c"]
    env = {**os.environ, "PYTHONPATH": str(package), "TMPDIR": str(temporary)}
    child = subprocess.Popen(command, cwd=work, env=env)
    started = work / "started"
    for _ in range(600):
        if started.exists():
            break
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.05)
    child.terminate()
    assert child.wait(60) == -signal.SIGTERM
    assert not list(temporary.iterdir())
    assert not Path(f"/proc/{started.read_text().strip()}").exists()


def test_missing_compilers(pomp: Pomp, work: Path) -> None:
    (work / "cc").write_text("")
    for openmp in ([], ["-fopenmp"]):
        result = pomp("clang-99", *openmp, "-c", "a.c")
        assert (result.status, result.err) == (127, b"pomp-clang: clang-99: not found\n")
        result = pomp("./cc", *openmp, "-c", "a.c")
        assert (result.status, result.err) == (126, b"pomp-clang: ./cc: Permission denied\n")


@pytest.mark.parametrize("compiler", BOTH)
def test_no_temporary_folder(pomp: Pomp, work: Path, compiler: str) -> None:
    script = work / "no_temp.py"
    script.write_text(
        f"import os, runpy, sys\nsys.path.insert(0, {str(HERE)!r})\n"
        "def refuse(*a, **k): raise PermissionError(13, 'Permission denied')\n"
        "os.mkdir = refuse\n"
        f"runpy.run_path({str(HERE / 'stand_in.py')!r}, run_name='__main__')\n"
    )
    result = pomp(compiler, "-fopenmp", "-c", "a.c", script=script)
    assert result.status == 0
    assert b"[pomp-temporary]" in result.err and (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_a_broken_cache_is_no_cache(pomp: Pomp, work: Path, compiler: str) -> None:
    cache = work.parent / "cache"
    cache_environment = {"XDG_CACHE_HOME": cache}
    assert pomp(compiler, "-fopenmp", "-c", "a.c", **cache_environment).status == 0
    files = list(cache.glob("pomp-clang/*.json"))
    assert files
    for broken in ("", "{", "[]", '{"key": 1}', "\x00\xff", "[" * 100000):
        for file in files:
            file.write_text(broken)
        result = pomp(compiler, "-fopenmp", "-c", "a.c", **cache_environment)
        assert (result.status, result.err) == (0, b"")
        assert MARK in (work / "a.o").read_bytes()
    shutil.rmtree(cache)
    cache.write_text("a file in its place")
    assert pomp(compiler, "-fopenmp", "-c", "a.c", **cache_environment).status == 0
