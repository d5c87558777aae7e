"""Whole commands, with a stand-in for the rewriter; the plain compiler is the oracle."""

from __future__ import annotations

import shutil
import stat
import sys
from pathlib import Path

import pytest

from tests.driver.conftest import (
    BOTH,
    BOTH_CXX,
    CLANG,
    GCC,
    HERE,
    Pomp,
    execute,
    needs_clang,
    needs_gcc,
)
from tests.driver.project import MARK, OMP, PART, lay

_POMP = "-D_POMP=202611"


@pytest.fixture(autouse=True)
def sources(work: Path) -> None:
    lay(work)


def same_files(work: Path, plain: Path, names: list[str]) -> None:
    for name in names:
        assert (work / name).read_bytes() == (plain / name).read_bytes(), name


@pytest.fixture
def twin(work: Path, tmp_path: Path) -> Path:
    """Return the folder for the plain compiler's output."""
    folder = tmp_path / "plain"
    folder.mkdir()
    return folder


def set_aside(work: Path, twin: Path, names: list[str]) -> None:
    for name in names:
        shutil.move(work / name, twin / name)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    ("args", "outputs"),
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
    pomp: Pomp, work: Path, twin: Path, compiler: str, args: list[str], outputs: list[str]
) -> None:
    include = "-idirafter/nowhere"
    plain = execute([compiler, "-fopenmp", _POMP, include, *args], work)
    assert plain.status == 0, plain.err
    (twin / "sub").mkdir()
    set_aside(work, twin, outputs)
    result = pomp(compiler, "-fopenmp", *args, STAND_IN="same")
    assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)
    same_files(work, twin, outputs)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("args", [["-E"], ["-M"], ["-MM"], ["-fsyntax-only"], ["-E", "-dD"]])
def test_what_generates_nothing_is_the_plain_command(
    pomp: Pomp, work: Path, compiler: str, args: list[str]
) -> None:
    plain = execute([compiler, "-fopenmp", *args, "a.c", *([_POMP] if "-dD" in args else [])], work)
    result = pomp(compiler, "-fopenmp", *args, "a.c", STAND_IN="reject")
    assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)


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
    result = pomp(compiler, "@args", "-o", "app")
    assert (result.status, result.err) == (0, b"")
    data = (work / "app").read_bytes()
    assert data.count(MARK) == 2
    pomp_result = execute([work / "app"], work)
    execute([compiler, "@args", "-o", "plain"], work)
    assert pomp_result.out == execute([work / "plain"], work).out


@pytest.mark.parametrize("compiler", BOTH)
def test_standard_input(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode())
    assert (result.status, result.err) == (0, b"")
    assert MARK in (work / "in.o").read_bytes()
    result = pomp(
        compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode(), STAND_IN="reject"
    )
    assert result.status == 0
    assert b"[pomp-rejected]" in result.err
    result = pomp(
        compiler, "-fopenmp", "-xc", "-", "-c", "-o", "in.o", stdin=OMP.encode(), STAND_IN="none"
    )
    assert (result.status, result.err) == (0, b"")


@pytest.mark.parametrize("compiler", BOTH_CXX)
def test_cxx_and_libraries(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "lib.cc").write_text(OMP.replace("main", "called"))
    main = "int called(void); int main() { return called(); }\n"
    (work / "main.cxx").write_text(main)
    for name, flags in (("lib.so", ["-shared", "-fPIC"]), ("app2", [])):
        files = ["lib.cc"] if flags else ["main.cxx", "lib.cc"]
        result = pomp(compiler, "-fopenmp", *flags, *files, "-o", name)
        assert (result.status, result.err) == (0, b"")
        assert MARK in (work / name).read_bytes()
    result = pomp(compiler, "-fopenmp", "main.cxx", "./lib.so", "-o", "app")
    assert (result.status, result.err) == (0, b"")
    assert execute(["./app"], work).status == 0
    assert pomp(compiler, "-fopenmp", "-c", "lib.cc").status == 0
    execute(["ar", "rcs", "lib.a", "lib.o"], work)
    result = pomp(compiler, "-fopenmp", "-x", "c++", "main.cxx", "-x", "none", "lib.a", "-o", "app")
    assert (result.status, result.err) == (0, b"")


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
    result = pomp(*args, STAND_IN="same")
    assert (result.status, result.err) == (plain.status, plain.err) == (0, b"")
    same_files(work, twin, ["odd.o", "deps"])
    assert pomp(*args).status == 0
    assert MARK in (work / "odd.o").read_bytes()


@needs_clang
def test_leading_dash_after_two_dashes(pomp: Pomp, work: Path) -> None:
    # Not "-a.c" itself: clang's driver takes it, and its -cc1 does not.
    for output, files in (("dash.o", ["a.c"]), ("dash", ["a.c", "plain.c"])):
        mode = [] if output == "dash" else ["-c"]
        result = pomp(CLANG, "-fopenmp", *mode, "-o", output, "--", *files)
        assert (result.status, result.err) == (0, b"")
        assert MARK in (work / output).read_bytes()
    (work / "-a.c").write_text(OMP)
    plain = execute([CLANG, "-fopenmp", "-c", "--", "-a.c"], work)
    result = pomp(CLANG, "-fopenmp", "-c", "--", "-a.c")
    assert (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_through_symbolic_links(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "link").symlink_to("sub")
    (work / "file.c").symlink_to("sub/a.c")
    (work / "deep").mkdir()
    (work / "deep" / "up").symlink_to("../sub")
    names = ["link/a.c", "file.c", "deep/up/../sub/a.c", str(work / "link" / "a.c")]
    for name in names:
        result = pomp(compiler, "-fopenmp", "-c", name, "-o", "l.o")
        assert (result.status, result.err) == (0, b""), name
        assert MARK in (work / "l.o").read_bytes(), name
    result = pomp(compiler, "-fopenmp", "-c", "a.c", cwd=work / "link", PWD=str(work / "link"))
    assert (result.status, result.err) == (0, b"")
    assert MARK in (work / "sub" / "a.o").read_bytes()


@pytest.mark.parametrize("compiler", BOTH)
def test_wrappers(pomp: Pomp, work: Path, compiler: str) -> None:
    script = work / "my-compiler"
    script.write_text(f'#!/bin/sh\nexec {shutil.which(compiler)} -DPART=1 -Isub "$@"\n')
    script.chmod(0o755)
    (work / "a.c").write_text("#ifndef PART\n#error not given\n#endif\n" + OMP)
    wrappers = [["./my-compiler"], ["env", "X=y", "./my-compiler"], [str(script)]]
    # tests/builds/test_ccache.py has ccache, which is run with pomp-cc as its compiler.
    for wrapper in wrappers:
        result = pomp(*wrapper, "-fopenmp", "-c", "a.c")
        assert (result.status, result.err) == (0, b"")
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
    result = execute(
        ["make", "-j8"], work, PYTHONPATH=str(package), XDG_CACHE_HOME=str(cache), TMPDIR=str(work)
    )
    assert (result.status, result.err) == (0, b"")
    for number in range(count):
        assert MARK in (work / f"u{number}.o").read_bytes()
    assert not list(work.glob("pomp-*"))
    assert not list(cache.glob("*/*.new"))


@pytest.mark.parametrize("compiler", BOTH)
def test_kept_texts(pomp: Pomp, work: Path, compiler: str) -> None:
    for _ in range(2):
        result = pomp(compiler, "-fopenmp", "-c", "a.c", pomp_options=["--pomp-keep=kept"])
        assert (result.status, result.err) == (0, b"")
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
    result = pomp(GCC, "-fopenmp", "a.c", "sub/b.c", "-o", "app")
    assert result.status == 0
    assert execute(["./app"], work).out == b"1 a.c a.c part.h\n"


@pytest.mark.parametrize("compiler", BOTH)
def test_save_temps_and_pipe(pomp: Pomp, work: Path, compiler: str) -> None:
    for flags in (["-save-temps"], ["-pipe"], ["-save-temps=obj", "-g"]):
        args = [compiler, "-fopenmp", *flags, "-c", "sub/a.c", "-o", "sub/s.o", "-Werror"]
        plain = execute(args, work)
        result = pomp(*args)
        assert (result.status, result.err) == (plain.status, plain.err)
        assert MARK in (work / "sub" / "s.o").read_bytes()
