"""`--pomp-budget`: a source that takes too long is compiled as it stands, and named."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pomp_clang.driver.process.time_budget import DEFAULT, parse_budget
from tests.compilers import first, links_openmp

_SOURCE = """int main(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += i;
  return sum < 0;
}
"""
_FORTRAN = """module held
contains
  subroutine work(values)
    real, intent(inout) :: values(:)
    integer :: i
!$omp parallel do
    do i = 1, size(values)
      values(i) = i
    end do
  end subroutine
end module
"""
_USER = """program user
  use held
  real :: values(4)
!$omp parallel
  values = 0
!$omp end parallel
  call work(values)
  print *, int(sum(values))
end program
"""
_COMPILERS = ("clang-19", "gcc")
_FORTRAN_COMPILERS = ("gfortran", "flang-new-19")


def _slow(compiler: str, folder: Path, unfinished: str = "/dev/null") -> str:
    """Write a compiler that takes a minute for an instrumented text, and return its path. It makes
    an `unfinished` file."""
    script = folder / f"slow-{compiler}"
    script.write_text(
        "#!/bin/sh\nfor word; do case $word in */pomp-clang-*/unit0/*|*/overlay*) "
        f": > {unfinished}; sleep 60 ;; esac; "
        f'done\nexec {compiler} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def _compile(
    compiler: str, folder: Path, *options: str, mode: tuple[str, ...] = ("-c",)
) -> subprocess.CompletedProcess[str]:
    if not links_openmp(Path(compiler).name.removeprefix("slow-")):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    (folder / "app.c").write_text(_SOURCE)
    return subprocess.run(
        ["pomp-clang", *options, "--", compiler, "-O1", "-fopenmp", *mode, "app.c"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


def _runs(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _is_instrumented(folder: Path) -> bool:
    names = subprocess.run(["nm", "app.o"], cwd=folder, capture_output=True, text=True, check=True)
    return "POMP_Parallel_fork" in names.stdout


@pytest.mark.parametrize("server", ["on", "off"])
@pytest.mark.parametrize("compiler", _COMPILERS)
def test_a_source_that_takes_too_long_is_compiled_as_it_stands(
    compiler: str, server: str, tmp_path: Path
) -> None:
    slow = _slow(compiler, tmp_path, "app-0a1b2c3d.o.tmp")
    done = _compile(slow, tmp_path, f"--pomp-server={server}", "--pomp-budget=0.001,0.2")
    assert done.returncode == 0
    assert re.fullmatch(
        r"app\.c:1: warning: compiled untouched: after [\d.]+ s, more than 0\.001 times the plain "
        r"compile \[pomp-budget\]\n",
        done.stderr,
    )
    assert not _is_instrumented(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["app.c", "app.o", Path(slow).name]


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


@pytest.mark.parametrize("compiler", _FORTRAN_COMPILERS)
def test_modules_of_fortran_are_those_of_the_plain_compile(compiler: str, tmp_path: Path) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    (tmp_path / "modules").mkdir()
    (tmp_path / "held.f90").write_text(_FORTRAN)
    (tmp_path / "user.f90").write_text(_USER)
    words = [_slow(compiler, tmp_path), "-fopenmp", "-J", "modules", "held.f90", "user.f90"]
    slow = ["pomp-clang", "--pomp-budget=0.001,0.2", "--", *words, "-o", "app"]
    done = subprocess.run(slow, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for name in ("held.f90", "user.f90"):
        assert f"{name}:1: warning: compiled untouched: after " in done.stderr
    assert len(done.stderr.splitlines()) == 2
    module = (tmp_path / "modules" / "held.mod").read_bytes()
    app = subprocess.run(["./app"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert app.stdout.split() == ["10"]
    files = {path.name for path in tmp_path.rglob("*")}
    assert files == {"modules", "held.f90", "user.f90", "held.mod", "app", f"slow-{compiler}"}
    (tmp_path / "modules" / "held.mod").unlink()
    subprocess.run([compiler, *words[1:], "-o", "app"], cwd=tmp_path, check=True)
    assert module == (tmp_path / "modules" / "held.mod").read_bytes()


def test_a_compile_that_is_stopped_leaves_no_plain_compile_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = first(*_FORTRAN_COMPILERS)
    if not compiler:
        pytest.skip("no Fortran compiler with its OpenMP runtime is here")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    script = tmp_path / "slow"
    waits = 'case "$*" in *-c*) echo $$ >> pids; exec sleep 60 ;; esac'
    script.write_text(f'#!/bin/sh\n{waits}\nexec {compiler} "$@"\n')
    script.chmod(0o755)
    (tmp_path / "held.f90").write_text(_FORTRAN)
    words = ["--pomp-server=off", "--pomp-budget=1,0.2", "--", "./slow", "-fopenmp", "-c"]
    with subprocess.Popen(["pomp-clang", *words, "held.f90"], cwd=tmp_path) as process:
        pids = tmp_path / "pids"
        last = time.monotonic() + 60
        while not (pids.exists() and len(pids.read_text().split()) == 2):
            assert time.monotonic() < last
            time.sleep(0.05)
        process.terminate()
        assert process.wait(timeout=60) == -signal.SIGTERM
    assert not [pid for pid in pids.read_text().split() if _runs(pid)]
    assert not list((tmp_path / "scratch").iterdir())


def test_a_plain_compile_that_cannot_decide_any_more_is_ended(tmp_path: Path) -> None:
    """The compile of the instrumented text takes 3 s, so a plain one of 1 s is within 4 times."""
    script = tmp_path / "slow-gcc"
    script.write_text(
        "#!/bin/sh\nsleep_for() { sleep $1; echo $1 >> done; }\nfor word; do case $word in "
        "*/unit0/*) sleep_for 3; break ;; */plain.o) sleep_for 2; break ;; esac; done\n"
        'exec gcc "$@"\n'
    )
    script.chmod(0o755)
    done = _compile(str(script), tmp_path, "--pomp-server=off", "--pomp-budget=4,0.5")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "done").read_text() == "3\n"
    assert _is_instrumented(tmp_path)


def test_the_plain_compile_writes_no_listing_of_the_assembler(tmp_path: Path) -> None:
    """The user's command does not assemble."""
    slow, listing = _slow("gcc", tmp_path), "-Wa,-adhln=list.txt"
    options = ("--pomp-server=off", "--pomp-budget=0.001,0.2")
    done = _compile(slow, tmp_path, *options, mode=("-S", listing))
    assert "[pomp-budget]" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["app.c", "app.s", Path(slow).name]


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


def test_a_source_that_is_compiled_as_it_stands_is_not_compiled_again(tmp_path: Path) -> None:
    """clang refuses the standard, so that there is no unit; the plain compile has no limit."""
    clang = first("clang++-19")
    if not clang:
        pytest.skip("clang++-19 with its OpenMP runtime is not here")
    script = tmp_path / "slow"
    waits = 'case "$*" in *-E*) ;; *) echo "$*" >> runs; sleep 1.5 ;; esac'
    script.write_text(f'#!/bin/sh\n{waits}\nexec {clang} "$@"\n')
    script.chmod(0o755)
    (tmp_path / "other.cpp").write_text("int main() {\n#pragma omp parallel\n  { }\n}\n")
    words = ["--pomp-server=off", "--pomp-budget=0.001,1", "--", "./slow", "-std=c2x"]
    command = ["pomp-clang", *words, "-fopenmp", "-c", "other.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode and "not allowed with 'C++'" in done.stderr
    assert len((tmp_path / "runs").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("place", "output"), [("nullcontext()", "untouched"), ("for_all_commands()", "measured")]
)
def test_what_is_made_once_for_all_commands_does_not_count(place: str, output: str) -> None:
    program = f"""
import time
from contextlib import nullcontext
from pomp_clang.driver.process.time_budget import TimeBudget, for_all_commands
watch = TimeBudget((1.0, 0.3), lambda folder: [["true"]], lambda why: ["echo", "untouched"])
with {place}:
    time.sleep(2)
watch.end()
print("measured")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == (output, "")
