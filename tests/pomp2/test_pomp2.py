"""`--pomp-library=pomp2`: what a library of the interface of OPARI2 is called with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pomp_clang.openmp.directives import MEASURED
from pomp_clang.openmp.fortran_directives import FORTRAN_MEASURED
from pomp_clang.rewrite.pomp2 import is_without_event
from tests.compilers import links_openmp

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOTH = HERE.parent / "differential" / "both.c"
COMPILERS = ("clang-19", "gcc")
DUMMY = Path("/usr/lib/libpomp.a")

Counts = Counter[tuple[int, str, str]]


def _compiler(name: str, source: str = "") -> str:
    """Return the compiler for the source's language, or skip."""
    names = {".cpp": {"clang-19": "clang++-19", "gcc": "g++"}, ".f90": {"gcc": "gfortran"}}
    compiler = names.get(Path(source).suffix, {}).get(name, name)
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    return compiler


def _run(
    *command: str | Path, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=os.environ | {"OMP_NUM_THREADS": "3", "OMP_CANCELLATION": "true"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def _compile(*command: str | Path, folder: Path) -> str:
    done = _run(*command, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr


def _checking(compiler: str, folder: Path) -> Path:
    """Compile the library that checks; the C compiler is the one beside `compiler`."""
    c_compiler = {"clang++-19": "clang-19", "g++": "gcc", "gfortran": "gcc"}.get(compiler, compiler)
    library = folder / "checking.o"
    _compile(c_compiler, "-O1", "-fopenmp", "-c", HERE / "checking.c", "-o", library, folder=folder)
    return library


def _pomp_clang(
    compiler: str,
    folder: Path,
    *words: str | Path,
    library: str | Path,
    options: Sequence[str] = (),
) -> str:
    """Build `app` with the library, and return the compile's messages.

    A program that does not link with the library would be compiled untouched, with a warning.
    """
    messages = _compile(
        "pomp-clang", f"--pomp-library=pomp2:{library}", *options, "--",
        compiler, "-w", "-fopenmp", *words, "-o", "app",
        folder=folder,
    )  # fmt: skip
    assert "compiled untouched" not in messages
    return messages


def _counts(done: subprocess.CompletedProcess[str]) -> Counts:
    """Return the library's counts by line, region type and event."""
    assert done.returncode == 0, done.stderr
    assert "FAULT" not in done.stderr, done.stderr
    rows = re.findall(r"^(\d+) (\S+) (\w+) (\d+)$", done.stderr, re.M)
    return Counter({(int(line), kind, event): int(count) for line, kind, event, count in rows})


def _opari2(compiler: str, folder: Path, source: Path) -> Path:
    """Compile OPARI2's text of a source to an object."""
    if shutil.which("opari2") is None:
        pytest.skip("opari2 is not here")
    text, archive = folder / f"opari2-{source.name}", folder / "opari2.o"
    _compile("opari2", "--c", source, text, folder=folder)
    _compile(compiler, "-fopenmp", "-w", f"-I{folder}", "-c", text, "-o", archive, folder=folder)
    return archive


def _initialized(objects: Sequence[Path], folder: Path) -> str:
    """Return the C text that OPARI2's script makes of the symbols in objects."""
    script = _run("opari2-config", "--create-pomp2-regions", *objects, folder=folder).stdout
    return _run("sh", "-c", script, folder=folder).stdout


@pytest.mark.parametrize("name", COMPILERS)
def test_events_and_counts_are_those_of_opari2(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    library = _checking(compiler, tmp_path)
    of_opari2 = _opari2(compiler, tmp_path, BOTH)
    (tmp_path / "init.c").write_text(_initialized([of_opari2], tmp_path))
    _compile(
        compiler, "-fopenmp", "-w", of_opari2, "init.c", library, "-o", "theirs", folder=tmp_path
    )
    expected = _counts(_run("./theirs", folder=tmp_path))
    _pomp_clang(compiler, tmp_path, BOTH, library=library)
    assert len(expected) > 50
    assert _counts(_run("./app", folder=tmp_path)) == expected


@pytest.mark.parametrize("name", COMPILERS)
@pytest.mark.parametrize("source", ["nested.c", "forms.cpp", "loops.f90"])
def test_nesting_and_tasks_are_right(source: str, name: str, tmp_path: Path) -> None:
    if source == "loops.f90" and name != "gcc":
        pytest.skip("Fortran is compiled by gfortran here")
    compiler = _compiler(name, source)
    _pomp_clang(compiler, tmp_path, HERE / source, library=_checking(compiler, tmp_path))
    for _ in range(3):
        counts = _counts(_run("./app", folder=tmp_path))
        for begin, end in (("Parallel_begin", "Parallel_end"), ("Task_begin", "Task_end")):
            assert _sum(counts, begin) == _sum(counts, end)
        assert _sum(counts, "Parallel_begin") >= 2


def _sum(counts: Counts, event: str) -> int:
    return sum(count for (_, _, counted), count in counts.items() if counted == event)


@pytest.mark.parametrize("name", COMPILERS)
def test_what_a_cancellation_skips_is_closed(name: str, tmp_path: Path) -> None:
    """A thread that leaves its region by a cancellation gives its ends at its next begin."""
    compiler = _compiler(name)
    (tmp_path / "app.c").write_text("""
int main(void) {
  for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int i = 0; i < 100; i++) {
        if (i == 10) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
      }
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      { volatile int x = 0; x++; }
#pragma omp cancel parallel
    }
  }
  return 0;
}
""")
    _pomp_clang(compiler, tmp_path, "app.c", library=_checking(compiler, tmp_path))
    counts = _counts(_run("./app", folder=tmp_path))
    assert _sum(counts, "Parallel_join") == _sum(counts, "Parallel_fork") == 6


@pytest.mark.parametrize("name", COMPILERS)
def test_objects_of_opari2_and_ours_are_one_program(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    library = _checking(compiler, tmp_path)
    (tmp_path / "theirs.c").write_text("""
void ours(void);
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(shared)
    { volatile int x = 0; x++; }
    ours();
  }
  return 0;
}
""")
    (tmp_path / "ours.c").write_text("""
void ours(void) {
#pragma omp critical(shared)
  { volatile int x = 0; x++; }
#pragma omp for
  for (int i = 0; i < 4; i++)
    ;
}
""")
    of_opari2 = _opari2(compiler, tmp_path, tmp_path / "theirs.c")
    command = ("pomp-clang", "--pomp-library=pomp2", "--", compiler, "-fopenmp")
    _compile(*command, "-c", "ours.c", "-o", "ours.o", folder=tmp_path)
    text = _initialized([of_opari2, tmp_path / "ours.o"], tmp_path)
    assert len(set(re.findall(r"POMP2_Init_reg_\w+\(\);", text))) == 2
    (tmp_path / "init.c").write_text(text)
    _compile(compiler, "-c", "init.c", folder=tmp_path)
    _pomp_clang(compiler, tmp_path, of_opari2, "ours.o", "init.o", library=library)
    counts = _counts(_run("./app", folder=tmp_path))
    assert _sum(counts, "Critical_begin") == 4
    assert _sum(counts, "For_enter") == 2


@pytest.mark.parametrize("name", COMPILERS)
def test_the_library_that_comes_with_opari2_runs(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    if not DUMMY.is_file():
        pytest.skip("OPARI2's own library is not here")
    _pomp_clang(compiler, tmp_path, HERE / "nested.c", library=DUMMY)
    assert _run("./app", folder=tmp_path).returncode == 0


@pytest.mark.parametrize("name", COMPILERS)
def test_locks_are_seen_from_their_initialization_on(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    _pomp_clang(compiler, tmp_path, HERE / "locks.c", library=_checking(compiler, tmp_path))
    counts = _counts(_run("./app", folder=tmp_path))
    assert {event: count for (_, kind, event), count in counts.items() if kind == "-"} == {
        "Init_lock": 1, "Destroy_lock": 1, "Set_lock": 2, "Unset_lock": 2,
        "Init_nest_lock": 1, "Destroy_nest_lock": 1, "Set_nest_lock": 4, "Unset_nest_lock": 4,
        "Init": 1,
    }  # fmt: skip


@pytest.mark.parametrize("name", COMPILERS)
def test_another_tools_link_has_the_same_events(name: str, tmp_path: Path) -> None:
    """Score-P's instrumenter links by itself; its library ends at a lock that it does not know."""
    compiler = _compiler(name)
    library = _checking(compiler, tmp_path)
    _pomp_clang(compiler, tmp_path, HERE / "locks.c", library=library)
    expected = _counts(_run(tmp_path / "app", folder=tmp_path))
    command = ["pomp-clang", "--pomp-library=pomp2", "--", compiler, "-w", "-fopenmp"]
    _compile(*command, "-c", HERE / "locks.c", "-o", "locks.o", folder=tmp_path)
    words = _run("pomp-clang", "--pomp2-libs", folder=tmp_path).stdout.split()
    assert not any(word.startswith("--pomp") for word in words)
    _compile(compiler, "-fopenmp", "locks.o", *words, library, "-o", "linked", folder=tmp_path)
    assert _counts(_run(tmp_path / "linked", folder=tmp_path)) == expected


@pytest.mark.parametrize("name", COMPILERS)
def test_constructs_without_an_event_are_user_regions_on_request(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    (tmp_path / "app.c").write_text("""
int main(void) {
  int a[4] = {0};
#pragma omp simd
  for (int i = 0; i < 4; i++)
    a[i]++;
#pragma pomp inst begin(whole)
#pragma omp teams num_teams(1)
  a[0]++;
#pragma pomp inst end(whole)
  return a[0] - 2;
}
""")
    printed = _pomp_clang(compiler, tmp_path, "app.c", library=_checking(compiler, tmp_path))
    assert printed == (
        "app.c:4: note: POMP2 has no events for constructs of 1 file: 1 simd, 1 teams; "
        "POMP_POMP2_USER=1 in the environment makes them user regions [pomp-pomp2]\n"
    )
    assert _counts(_run("./app", folder=tmp_path)) == {}
    with_user_regions = _counts(_run("./app", folder=tmp_path, POMP_POMP2_USER="1"))
    assert with_user_regions == {
        (line, "userRegion", event): 1 for line in (4, 7, 8) for event in ("Begin", "End")
    }


@pytest.mark.parametrize("name", COMPILERS)
def test_constructs_without_an_event_are_counted_once_at_the_link(
    name: str, tmp_path: Path
) -> None:
    compiler = _compiler(name)
    simd = "#pragma omp simd\nfor (int i = 0; i < 4; i++)\na[i]++;\n"
    (tmp_path / "first.c").write_text(f"void f(int *a) {{\n{simd}{simd}}}\n")
    (tmp_path / "second.c").write_text(
        f"void f(int *);\nint main(void) {{\nint a[4] = {{0}};\nf(a);\n{simd}"
        "#pragma omp parallel\n;\nreturn a[0] - 3;\n}\n"
    )
    library = _checking(compiler, tmp_path)
    command = ["pomp-clang", f"--pomp-library=pomp2:{library}", "--", compiler, "-fopenmp", "-c"]
    for source in ("first.c", "second.c"):
        assert _compile(*command, source, folder=tmp_path) == ""
    printed = _pomp_clang(compiler, tmp_path, "first.o", "second.o", library=library)
    assert printed == (
        "first.c:2: note: POMP2 has no events for constructs of 2 files: 3 simd; "
        "POMP_POMP2_USER=1 in the environment makes them user regions [pomp-pomp2]\n"
    )
    _run("./app", folder=tmp_path)


@pytest.mark.parametrize("name", COMPILERS)
def test_a_team_is_never_left_out(name: str, tmp_path: Path) -> None:
    compiler = _compiler(name)
    (tmp_path / "app.c").write_text("""
int main(void) {
  int count = 0;
#pragma pomp noinstrument
#pragma omp parallel num_threads(2)
#pragma omp atomic
  count++;
#pragma pomp instrument
#pragma omp parallel num_threads(2)
#pragma omp atomic
  count++;
  return count - 4;
}
""")
    options = ("--pomp-disable=parallel,atomic",)
    _pomp_clang(compiler, tmp_path, "app.c", library=_checking(compiler, tmp_path), options=options)
    counts = _counts(_run("./app", folder=tmp_path))
    assert _sum(counts, "Parallel_begin") == 4
    assert _sum(counts, "Atomic_enter") == 0


def test_a_team_that_cannot_be_measured_is_an_error(tmp_path: Path) -> None:
    compiler = _compiler("gcc")
    (tmp_path / "app.c").write_text("""
int main(void) {
#pragma omp parallel
  ;
#pragma GCC poison POMP_For_enter
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    ;
  return 0;
}
""")
    done = _run(
        "pomp-clang", "--pomp-library=pomp2", "--", compiler, "-fopenmp", "-c", "app.c",
        folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "error: 'parallel for' is not measured" in done.stderr
    assert not (tmp_path / "app.o").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--pomp-library=pomp2", "--pomp-barriers=ompt"],
            "pomp-clang: --pomp-barriers=ompt: POMP2 has events for explicit barriers alone; leave it "
            "out\n",
        ),
        (
            ["--pomp-library=pomp2:none.a"],
            "pomp-clang: --pomp-library: no such file 'none.a' (or: profile, null, log, pomp2, "
            "pomp2:FILE)\n",
        ),
    ],
)
def test_a_wrong_option_is_one_line(options: list[str], message: str, tmp_path: Path) -> None:
    done = _run("pomp-clang", *options, "--", "gcc", "-c", "app.c", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, message)


def test_every_measured_directive_has_a_region_type_or_is_known_to_have_none() -> None:
    text = (ROOT / "runtime" / "pomp2" / "contract.c").read_text()
    rows = set(re.findall(r'\{"([a-z ]+)", \{POMP2_', text))
    measured = {directive.words for directive in (*MEASURED, *FORTRAN_MEASURED)}
    without = {words for words in measured if is_without_event(words)}
    assert rows == measured - without - {"section"}
