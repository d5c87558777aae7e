"""Whole commands, with a stand-in for the rewriter; the plain compiler is the oracle."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BOTH, BOTH_CXX, CLANG, GCC, HERE, Pomp, execute, needs_clang, needs_gcc

OMP = """\
#include "part.h"
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp critical
    sum += part();
  }
  printf("%d %s %s %s\\n", sum > 0, __FILE__, __BASE_FILE__, part_file());
  return 0;
}
"""
PART = """\
static int part(void) { return __LINE__; }
static const char *part_file(void) { return __FILE__; }
"""
PLAIN = "int other(void) { return 7; }\n"
MARK = b"POMP-STAND-IN"
_POMP = "-D_POMP=202611"


@pytest.fixture(autouse=True)
def sources(work: Path) -> None:
    for folder in (work, work / "sub"):
        folder.mkdir(exist_ok=True)
        (folder / "a.c").write_text(OMP)
        (folder / "part.h").write_text(PART)
    (work / "plain.c").write_text(PLAIN)


def same_files(work: Path, plain: Path, names: list[str]) -> None:
    for name in names:
        assert (work / name).read_bytes() == (plain / name).read_bytes(), name


@pytest.fixture
def twin(work: Path, tmp_path: Path) -> Path:
    """What the plain compiler made, set aside."""
    folder = tmp_path / "plain"
    folder.mkdir()
    return folder


def set_aside(work: Path, twin: Path, names: list[str]) -> None:
    for name in names:
        shutil.move(work / name, twin / name)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    ("args", "made"),
    [
        (["-c", "a.c"], ["a.o"]),
        (["-c", "-O2", "-g", "a.c", "-o", "x.o"], ["x.o"]),
        (["-c", "-g", "sub/a.c"], ["a.o"]),
        (["-c", "-g", "./a.c", "-I."], ["a.o"]),
        (["-c", "-g", "a.c", "-I."], ["a.o"]),
        (["-c", "-g", "sub/../a.c", "-Isub"], ["a.o"]),
        (["-g", "-S", "a.c"], ["a.s"]),
        (["-c", "-MD", "a.c"], ["a.o", "a.d"]),
        (["-c", "-MMD", "-MP", "-MF", "deps", "-MT", "tgt", "sub/a.c", "-o", "y.o"], ["deps"]),
        (["-c", "-MD", "sub/a.c", "-o", "sub/y.o"], ["sub/y.d"]),
        (["-c", "-Wp,-MD,wp.d", "a.c"], ["wp.d", "a.o"]),
        (["-MD", "a.c", "plain.c", "-c", "-g"], ["a.o", "plain.o", "a.d", "plain.d"]),
        (["-c", "-g", "-ffile-prefix-map=sub=elsewhere", "sub/a.c"], ["a.o"]),
        (["-c", "-g", "-fdebug-prefix-map=sub=elsewhere", "sub/a.c"], ["a.o"]),
        (["-c", "-g", "-fmacro-prefix-map=sub/=", "sub/a.c"], ["a.o"]),
        (["-c", "-g3", "sub/a.c"], ["a.o"]),
        (["-c", "-g", "-gsplit-dwarf", "sub/a.c"], ["a.o", "a.dwo"]),
        (["-c", "-g", "-fsanitize=undefined", "sub/a.c"], ["a.o"]),
        (["-c", "-g", "-O1", "-fsanitize=thread", "sub/a.c"], ["a.o"]),
        (["-c", "-fprofile-generate", "sub/a.c", "-frandom-seed=1"], ["a.o"]),
        (["-c", "-fstack-usage", "sub/a.c"], ["a.o", "a.su"]),
        (["-c", "-pedantic-errors", "-std=c99", "-Werror", "a.c"], ["a.o"]),
        (["-c", "-xc", "a.c", "-x", "none"], ["a.o"]),
    ],
)
def test_same_text_makes_the_same_files(
    pomp: Pomp, work: Path, twin: Path, compiler: str, args: list[str], made: list[str]
) -> None:
    include = "-idirafter/nowhere"
    plain = execute([compiler, "-fopenmp", _POMP, include, *args], work)
    assert plain.status == 0, plain.err
    (twin / "sub").mkdir()
    set_aside(work, twin, made)
    done = pomp(compiler, "-fopenmp", *args, STAND_IN="same")
    assert (done.status, done.out, done.err) == (plain.status, plain.out, plain.err)
    same_files(work, twin, made)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("args", [["-E"], ["-M"], ["-MM"], ["-fsyntax-only"], ["-E", "-dD"]])
def test_what_generates_nothing_is_the_plain_command(
    pomp: Pomp, work: Path, compiler: str, args: list[str]
) -> None:
    plain = execute([compiler, "-fopenmp", *args, "a.c", *([_POMP] if "-dD" in args else [])], work)
    done = pomp(compiler, "-fopenmp", *args, "a.c", STAND_IN="reject")
    assert (done.status, done.out, done.err) == (plain.status, plain.out, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_text_is_replaced(pomp: Pomp, work: Path, compiler: str) -> None:
    assert pomp(compiler, "-fopenmp", "-c", "a.c").status == 0
    assert MARK in (work / "a.o").read_bytes()
    assert pomp(compiler, "-c", "a.c").status == 0
    assert MARK not in (work / "a.o").read_bytes()
    assert pomp(compiler, "-fopenmp", "-fno-openmp", "-c", "a.c").status == 0
    assert MARK not in (work / "a.o").read_bytes()


@pytest.mark.parametrize("compiler", BOTH)
def test_program_of_several_sources(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "b.c").write_text(OMP.replace("main", "second"))
    execute([compiler, "-c", "plain.c", "-o", "third.o"], work)
    (work / "args").write_text("-fopenmp 'a.c'\n\"b.c\" third.o")
    done = pomp(compiler, "@args", "-o", "app")
    assert (done.status, done.err) == (0, b"")
    data = (work / "app").read_bytes()
    assert data.count(MARK) == 2
    ran = execute([work / "app"], work)
    execute([compiler, "@args", "-o", "plain"], work)
    assert ran.out == execute([work / "plain"], work).out


@pytest.mark.parametrize("compiler", BOTH)
def test_standard_input(pomp: Pomp, work: Path, compiler: str) -> None:
    done = pomp(compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode())
    assert (done.status, done.err) == (0, b"")
    assert MARK in (work / "in.o").read_bytes()
    done = pomp(
        compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode(), STAND_IN="reject"
    )
    assert done.status == 0
    assert b"[pomp-rejected]" in done.err
    done = pomp(
        compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode(), STAND_IN="none"
    )
    assert (done.status, done.err) == (0, b"")


@pytest.mark.parametrize("compiler", BOTH_CXX)
def test_cxx_and_libraries(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "lib.cc").write_text(OMP.replace("main", "called"))
    main = "int called(void); int main() { return called(); }\n"
    (work / "main.cxx").write_text(main)
    for name, flags in (("lib.so", ["-shared", "-fPIC"]), ("app2", [])):
        files = ["lib.cc"] if flags else ["main.cxx", "lib.cc"]
        done = pomp(compiler, "-fopenmp", *flags, *files, "-o", name)
        assert (done.status, done.err) == (0, b"")
        assert MARK in (work / name).read_bytes()
    done = pomp(compiler, "-fopenmp", "main.cxx", "./lib.so", "-o", "app")
    assert (done.status, done.err) == (0, b"")
    assert execute(["./app"], work).status == 0
    assert pomp(compiler, "-fopenmp", "-c", "lib.cc").status == 0
    execute(["ar", "rcs", "lib.a", "lib.o"], work)
    done = pomp(compiler, "-fopenmp", "-x", "c++", "main.cxx", "-x", "none", "lib.a", "-o", "app")
    assert (done.status, done.err) == (0, b"")


@pytest.mark.parametrize("compiler", BOTH)
def test_a_users_error_is_told_by_the_plain_compiler(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "bad.c").write_text(OMP.replace("sum += part();", "sum += nothing_such;"))
    args = [compiler, "-fopenmp", "-Wall", "-c", "bad.c", "a.c"]
    plain = execute([*args, _POMP], work)
    done = pomp(*args)
    assert plain.status and (done.status, done.out, done.err) == (plain.status, b"", plain.err)
    strict = pomp(*args, ours=["--pomp-strict"])
    assert strict.status == plain.status


@pytest.mark.parametrize("compiler", BOTH)
def test_a_missing_source_is_told_by_the_compiler(pomp: Pomp, work: Path, compiler: str) -> None:
    plain = execute([compiler, "-fopenmp", "-c", "nowhere.c"], work)
    done = pomp(compiler, "-fopenmp", "-c", "nowhere.c")
    assert plain.status and (done.status, done.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_a_rejected_text_does_not_break_the_build(pomp: Pomp, work: Path, compiler: str) -> None:
    done = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="reject")
    assert done.status == 0
    line = done.err.decode().strip()
    assert line.startswith("a.c:1: warning: compiled untouched: a.c:13:") and "\n" not in line
    assert line.endswith("[pomp-rejected]")
    assert (work / "a.o").exists()
    (work / "a.o").unlink()
    done = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="reject", ours=["--pomp-strict"])
    assert done.status == 1
    assert b"a.c:1: error: compiled untouched" in done.err
    assert not (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_only_the_rejected_unit_is_left_untouched(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "b.c").write_text("/* REJECT */\n" + OMP.replace("main", "second"))
    done = pomp(compiler, "-fopenmp", "a.c", "b.c", "-o", "app", STAND_IN="only")
    assert done.status == 0
    assert done.err.startswith(b"b.c:1: warning: compiled untouched")
    assert done.err.count(b"\n") == 1
    assert (work / "app").read_bytes().count(MARK) == 1


@pytest.mark.parametrize("compiler", BOTH)
def test_a_text_that_does_not_link(pomp: Pomp, work: Path, compiler: str) -> None:
    done = pomp(compiler, "-fopenmp", "a.c", "-o", "app", STAND_IN="late")
    assert done.status == 0
    assert b"pomp_nowhere" in done.err and b"[pomp-rejected]" in done.err
    assert execute(["./app"], work).status == 0


@pytest.mark.parametrize("how", ["raise", "error"])
def test_a_failing_rewriter_does_not_break_the_build(pomp: Pomp, work: Path, how: str) -> None:
    compiler = CLANG or GCC
    done = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN=how)
    assert done.status == 0 and (work / "a.o").exists()
    assert done.err.count(b"\n") == 1 and b"Traceback" not in done.err
    expected = b"POMP_DEBUG=1" if how == "raise" else b"a.c:1: warning: compiled untouched"
    assert expected in done.err


@pytest.mark.parametrize("compiler", BOTH)
def test_notes(pomp: Pomp, work: Path, compiler: str) -> None:
    done = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="note mark")
    assert (done.status, done.err) == (0, b"a.c:3: warning: left as it is [pomp-test]\n")
    (work / "a.o").unlink()
    done = pomp(compiler, "-fopenmp", "-c", "a.c", STAND_IN="note mark", POMP_FLAGS="--pomp-strict")
    assert (done.status, done.err) == (1, b"a.c:3: error: left as it is [pomp-test]\n")
    assert not (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_preprocessed_units_are_named(pomp: Pomp, work: Path, compiler: str) -> None:
    execute([compiler, "-fopenmp", "-E", "a.c", "-o", "a.i"], work)
    done = pomp(compiler, "-fopenmp", "-c", "a.i")
    assert done.status == 0
    assert b"a.i:1: warning:" in done.err and b"[pomp-preprocessed]" in done.err


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    "name",
    ["with space.c", "qu'ote\".c", "gr\u00fc\u00df.c", "do$lar.c", "ha#sh.c", "back\\slash.c"],
)
def test_odd_names(pomp: Pomp, work: Path, compiler: str, name: str, twin: Path) -> None:
    (work / name).write_text(OMP)
    args = [compiler, "-fopenmp", "-g", "-MD", "-MF", "deps", "-c", name, "-o", "odd.o"]
    plain = execute([*args, _POMP], work)
    set_aside(work, twin, ["odd.o", "deps"])
    done = pomp(*args, STAND_IN="same")
    assert (done.status, done.err) == (plain.status, plain.err) == (0, b"")
    same_files(work, twin, ["odd.o", "deps"])
    assert pomp(*args).status == 0
    assert MARK in (work / "odd.o").read_bytes()


@needs_clang
def test_leading_dash_after_two_dashes(pomp: Pomp, work: Path) -> None:
    # Not "-a.c" itself: clang's driver takes it, and its -cc1 does not.
    for output, files in (("dash.o", ["a.c"]), ("dash", ["a.c", "plain.c"])):
        mode = [] if output == "dash" else ["-c"]
        done = pomp(CLANG, "-fopenmp", *mode, "-o", output, "--", *files)
        assert (done.status, done.err) == (0, b"")
        assert MARK in (work / output).read_bytes()
    (work / "-a.c").write_text(OMP)
    plain = execute([CLANG, "-fopenmp", "-c", "--", "-a.c"], work)
    done = pomp(CLANG, "-fopenmp", "-c", "--", "-a.c")
    assert (done.status, done.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_through_symbolic_links(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "link").symlink_to("sub")
    (work / "file.c").symlink_to("sub/a.c")
    (work / "deep").mkdir()
    (work / "deep" / "up").symlink_to("../sub")
    names = ["link/a.c", "file.c", "deep/up/../sub/a.c", str(work / "link" / "a.c")]
    for name in names:
        done = pomp(compiler, "-fopenmp", "-c", name, "-o", "l.o")
        assert (done.status, done.err) == (0, b""), name
        assert MARK in (work / "l.o").read_bytes(), name
    done = pomp(compiler, "-fopenmp", "-c", "a.c", cwd=work / "link", PWD=str(work / "link"))
    assert (done.status, done.err) == (0, b"")
    assert MARK in (work / "sub" / "a.o").read_bytes()


@pytest.mark.parametrize("compiler", BOTH)
def test_wrappers(pomp: Pomp, work: Path, compiler: str) -> None:
    script = work / "my-compiler"
    script.write_text(f'#!/bin/sh\nexec {shutil.which(compiler)} -DPART=1 -Isub "$@"\n')
    script.chmod(0o755)
    (work / "a.c").write_text("#ifndef PART\n#error not given\n#endif\n" + OMP)
    wrappers = [["./my-compiler"], ["env", "X=y", "./my-compiler"], [str(script)]]
    if shutil.which("ccache"):
        wrappers.append(["ccache", "./my-compiler"])
        wrappers.append(["env", "-u", "FOO", "CCACHE_DIR=" + str(work / "cc"), "ccache", script])
    for wrapper in wrappers:
        done = pomp(*wrapper, "-fopenmp", "-c", "a.c", CCACHE_DIR=work / "cc")
        assert (done.status, done.err) == (0, b"")
        assert MARK in (work / "a.o").read_bytes()


@pytest.mark.parametrize("compiler", BOTH)
def test_parallel_make(pomp: Pomp, work: Path, compiler: str, package: Path) -> None:
    if not shutil.which("make"):
        pytest.skip("no make on the PATH")
    count = 24
    for number in range(count):
        (work / f"u{number}.c").write_text(OMP.replace("main", f"f{number}"))
    objects = " ".join(f"u{number}.o" for number in range(count))
    (work / "Makefile").write_text(
        f"CC = '{sys.executable}' '{HERE / 'stand_in.py'}' -- {compiler}\n"
        f"CFLAGS = -fopenmp -MMD\nall: {objects}\n"
    )
    cache = work.parent / "cache"
    done = execute(
        ["make", "-j8"], work, PYTHONPATH=str(package), XDG_CACHE_HOME=str(cache), TMPDIR=str(work)
    )
    assert (done.status, done.err) == (0, b"")
    for number in range(count):
        assert MARK in (work / f"u{number}.o").read_bytes()
    assert not list(work.glob("pomp-*"))
    assert not list(cache.glob("*/*.new"))


def test_exit_status_and_signals(pomp: Pomp, work: Path) -> None:
    script = work / "gcc"
    for openmp in ([], ["-fopenmp"]):
        script.write_text(
            f'#!/bin/sh\ncase "$*" in *-dM*) exec {CLANG or GCC} "$@";; esac\necho out; exit 43\n'
        )
        script.chmod(0o755)
        done = pomp("./gcc", *openmp, "-c", "a.c")
        assert (done.status, done.out) == (43, b"out\n")
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
    assert child.wait(20) == -signal.SIGTERM
    assert not list(temporary.iterdir())
    assert not Path(f"/proc/{started.read_text().strip()}").exists()


def test_missing_compilers(pomp: Pomp, work: Path) -> None:
    (work / "cc").write_text("")
    for openmp in ([], ["-fopenmp"]):
        done = pomp("clang-99", *openmp, "-c", "a.c")
        assert (done.status, done.err) == (127, b"pomp-clang: clang-99: not found\n")
        done = pomp("./cc", *openmp, "-c", "a.c")
        assert (done.status, done.err) == (126, b"pomp-clang: ./cc: Permission denied\n")


@pytest.mark.parametrize("compiler", BOTH)
def test_no_temporary_folder(pomp: Pomp, work: Path, compiler: str) -> None:
    script = work / "no_temp.py"
    script.write_text(
        f"import os, runpy, sys\nsys.path.insert(0, {str(HERE)!r})\n"
        "def refuse(*a, **k): raise PermissionError(13, 'Permission denied')\n"
        "os.mkdir = refuse\n"
        f"runpy.run_path({str(HERE / 'stand_in.py')!r}, run_name='__main__')\n"
    )
    done = pomp(compiler, "-fopenmp", "-c", "a.c", script=script)
    assert done.status == 0
    assert b"[pomp-temporary]" in done.err and (work / "a.o").exists()


@pytest.mark.parametrize("compiler", BOTH)
def test_kept_texts(pomp: Pomp, work: Path, compiler: str) -> None:
    for _ in range(2):
        done = pomp(compiler, "-fopenmp", "-c", "a.c", ours=["--pomp-keep=kept"])
        assert (done.status, done.err) == (0, b"")
    folders = sorted(path.name for path in (work / "kept").iterdir())
    assert folders == ["a.c.1", "a.c.2"]
    folder = work / "kept" / "a.c.1"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "-fopenmp" in (folder / "command").read_text()
    assert any(MARK in path.read_bytes() for path in folder.rglob("*a.c"))


@needs_gcc
def test_gcc_sources_in_different_folders(pomp: Pomp, work: Path) -> None:
    (work / "sub" / "part.h").write_text(PART.replace("__LINE__", "1000000"))
    (work / "sub" / "b.c").write_text(OMP.replace("main", "second"))
    done = pomp(GCC, "-fopenmp", "a.c", "sub/b.c", "-o", "app")
    assert done.status == 0
    assert execute(["./app"], work).out == b"1 a.c a.c part.h\n"


@pytest.mark.parametrize("compiler", BOTH)
def test_a_broken_cache_is_no_cache(pomp: Pomp, work: Path, compiler: str) -> None:
    cache = work.parent / "cache"
    assert pomp(compiler, "-fopenmp", "-c", "a.c").status == 0
    files = list(cache.glob("pomp-clang/*.json"))
    assert files
    for broken in ("", "{", "[]", '{"key": 1}', "\x00\xff", "[" * 100000):
        for file in files:
            file.write_text(broken)
        done = pomp(compiler, "-fopenmp", "-c", "a.c")
        assert (done.status, done.err) == (0, b"")
        assert MARK in (work / "a.o").read_bytes()
    shutil.rmtree(cache)
    cache.write_text("a file in its place")
    assert pomp(compiler, "-fopenmp", "-c", "a.c").status == 0


@pytest.mark.parametrize("compiler", BOTH)
def test_save_temps_and_pipe(pomp: Pomp, work: Path, compiler: str) -> None:
    for flags in (["-save-temps"], ["-pipe"], ["-save-temps=obj", "-g"]):
        args = [compiler, "-fopenmp", *flags, "-c", "sub/a.c", "-o", "sub/s.o", "-Werror"]
        plain = execute(args, work)
        done = pomp(*args)
        assert (done.status, done.err) == (plain.status, plain.err)
        assert MARK in (work / "sub" / "s.o").read_bytes()
