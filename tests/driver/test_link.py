"""Link steps: what they get, and that they get no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.runtime.link_interface import interface_bytes, interface_of
from pomp_clang.installed_files import installed_libraries
from tests.driver.conftest import BOTH, Pomp, execute

CALLER = "void POMP_Init(void);\nint main(void) { POMP_Init(); return 0; }\n"
ALONE = "int main(void) { return 0; }\n"


@pytest.fixture(autouse=True)
def objects(work: Path) -> None:
    (work / "caller.c").write_text(CALLER)
    (work / "alone.c").write_text(ALONE)


def needed(program: Path) -> str:
    return execute(["readelf", "-d", program], program.parent).out.decode()


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("openmp", [[], ["-fopenmp"]])
def test_the_library_is_there_for_those_that_need_it(
    pomp: Pomp, work: Path, compiler: str, openmp: list[str]
) -> None:
    execute([compiler, "-c", "caller.c"], work)
    result = pomp(compiler, *openmp, "caller.o", "-o", "app")
    assert (result.status, result.err) == (0, b"")
    assert "libpomp.so" in needed(work / "app")
    assert execute(["./app"], work).status == 0


@pytest.mark.parametrize("compiler", BOTH)
def test_a_program_without_calls_does_not_need_it(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "alone.c", "-o", "app")
    assert (result.status, result.err) == (0, b"")
    assert "libpomp" not in needed(work / "app")


@pytest.mark.parametrize("compiler", BOTH)
def test_a_library_without_a_name_leaves_other_programs_as_they_are(
    pomp: Pomp, work: Path, compiler: str, package: Path
) -> None:
    library = package / "pomp_clang" / "runtime" / "lib" / "libpomp-log.so"
    execute([compiler, "-w", "-shared", "-fPIC", package / "library.c", "-o", library], work)
    execute([compiler, "-c", "alone.c"], work)
    execute([compiler, "alone.o", "-o", "plain"], work)
    result = pomp(compiler, "alone.o", "-o", "app", pomp_options=["--pomp-library=log"])
    assert (result.status, result.err) == (0, b"")
    assert (work / "app").read_bytes() == (work / "plain").read_bytes()
    assert pomp(compiler, "caller.c", "-o", "app", pomp_options=["--pomp-library=log"]).status == 0
    assert execute(["./app"], work).status == 0


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    ("flags", "options"),
    [(["-static"], []), (["-static-pie"], []), ([], ["--pomp-runtime=static"])],
)
def test_static_programs(
    pomp: Pomp, work: Path, compiler: str, flags: list[str], options: list[str]
) -> None:
    if execute([compiler, *flags, "alone.c", "-o", "plain"], work).status:
        pytest.skip("no static C library for this")
    result = pomp(compiler, *flags, "caller.c", "-o", "app", pomp_options=options)
    assert (result.status, result.err) == (0, b"")
    assert "libpomp" not in needed(work / "app")
    assert execute(["./app"], work).status == 0


@pytest.mark.parametrize("compiler", BOTH)
def test_the_archive_comes_with_the_library_that_has_dlsym_in_older_glibc(
    pomp: Pomp, work: Path, compiler: str
) -> None:
    options = ["--pomp-runtime=static"]
    result = pomp(compiler, "caller.c", "-o", "app", "-Wl,-Map=map", pomp_options=options)
    assert (result.status, result.err) == (0, b"")
    assert "/libdl." in (work / "map").read_text()


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("kind", ["o", "a", "so"])
def test_a_library_of_the_users_own(pomp: Pomp, work: Path, compiler: str, kind: str) -> None:
    (work / "mine.c").write_text('#include <stdio.h>\nvoid POMP_Init(void) { puts("mine"); }\n')
    caller = CALLER.replace("POMP_Init();", "POMP_Init(); POMP_On();")
    (work / "caller.c").write_text("void POMP_On(void);\n" + caller)
    execute([compiler, "-c", "-fPIC", "mine.c"], work)
    execute(["ar", "rcs", "mine.a", "mine.o"], work)
    execute([compiler, "-shared", "-Wl,-soname,mine.so", "mine.o", "-o", "mine.so"], work)
    result = pomp(compiler, "caller.c", "-o", "app", pomp_options=[f"--pomp-library=mine.{kind}"])
    assert (result.status, result.err) == (0, b"")
    assert execute([work / "app"], work.parent).out == b"mine\n"


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("flags", [["-r"], ["-Wl,-r", "-nostdlib"], ["-c"], ["-###"], ["-E"]])
def test_what_links_nothing_gets_nothing(
    pomp: Pomp, work: Path, compiler: str, flags: list[str]
) -> None:
    execute([compiler, "-c", "caller.c", "-o", "made.o"], work)
    source = "made.o" if "-r" in flags or "-nostdlib" in flags else "caller.c"
    args = [compiler, *flags, source, "-o", "out"]
    plain = execute(args, work)
    output = (work / "out").read_bytes() if (work / "out").exists() else b""
    result = pomp(*args)
    if "-###" not in flags:  # gcc's names a temporary file
        assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)
        assert ((work / "out").read_bytes() if output else b"") == output
    assert b"libpomp" not in result.err


@pytest.mark.parametrize("compiler", BOTH)
def test_a_shared_library(pomp: Pomp, work: Path, compiler: str) -> None:
    result = pomp(compiler, "-shared", "-fPIC", "caller.c", "-o", "lib.so")
    assert (result.status, result.err) == (0, b"")
    assert "libpomp.so" in needed(work / "lib.so")


SYMBOLS = ["nm", "--dynamic", "--with-symbol-versions", "--format=just-symbols"]
RUNTIME = Path(next(installed_libraries("libpomp.so"), "")).parent


@pytest.mark.parametrize("name", ["libpomp.so", "libpomp-log.so", "libpomp-null.so"])
def test_a_link_reads_the_symbols_of_the_library_and_refers_to_no_other(
    work: Path, name: str
) -> None:
    library, interface = RUNTIME / name, work / "interface.so"
    interface.write_bytes(interface_bytes(library.read_bytes(), "/of/its own"))

    def symbols(path: Path, *options: str) -> list[bytes]:
        return sorted(execute([*SYMBOLS, *options, path], work).out.splitlines())

    assert symbols(interface, "--defined-only") == symbols(library, "--defined-only")
    others = [name for name in symbols(library, "--undefined-only") if b"@" not in name]
    assert symbols(interface, "--undefined-only") == others
    dynamic = execute(["readelf", "--dynamic", interface], work)
    assert b"[/of/its own]" in dynamic.out
    assert b"NEEDED" not in dynamic.out
    assert dynamic.err == b""


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("linker", ["bfd", "gold"])
def test_a_link_does_not_ask_for_the_c_library_of_the_runtime(
    work: Path, compiler: str, linker: str
) -> None:
    (work / "empty").mkdir()
    execute([compiler, "-fPIC", "-c", "caller.c"], work)
    root = ["-nodefaultlibs", "-nostartfiles", "-Wl,--sysroot=empty,--entry=main"]
    link = [compiler, f"-fuse-ld={linker}", *root, "caller.o", "-o", "app"]
    if execute([compiler, f"-fuse-ld={linker}", "alone.c"], work).status:
        pytest.skip(f"{compiler} has no {linker}")
    result = execute(["pomp-clang", "--", *link], work, XDG_CACHE_HOME=str(work / "cache"))
    assert (result.status, result.err) == (0, b"")
    assert f"[{RUNTIME / 'libpomp.so'}]" in needed(work / "app")


@pytest.mark.parametrize("compiler", BOTH)
def test_the_static_runtime_needs_no_start_files(work: Path, compiler: str) -> None:
    """They define __dso_handle, by which the C library's at_quick_exit names the program."""
    (work / "program.c").write_text("int main(void) {\n#pragma omp parallel\n  ;\n  return 0;\n}\n")
    link = [compiler, "-nostartfiles", "-Wl,--entry=main", "-fopenmp", "program.c", "-o", "app"]
    static = ["pomp-clang", "--pomp-strict", "--pomp-runtime=static", "--"]
    result = execute([*static, *link], work)
    assert (result.status, result.err) == (0, b"")
    assert b"POMP_Parallel_begin" in execute(["nm", "app"], work).out


def test_without_a_cache_a_link_reads_the_library_itself(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = str(RUNTIME / "libpomp.so")
    monkeypatch.setenv("XDG_CACHE_HOME", str(work / "cache"))
    assert interface_of(library).startswith(str(work / "cache"))
    (work / "text.so").write_text("GROUP (libpomp.so)")
    assert interface_of(str(work / "text.so")) == str(work / "text.so")
    (work / "broken.so").write_bytes((RUNTIME / "libpomp.so").read_bytes()[:1000])
    assert interface_of(str(work / "broken.so")) == str(work / "broken.so")
    (work / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(work / "file"))
    assert interface_of(library) == library


@pytest.mark.parametrize("compiler", BOTH)
def test_without_a_runtime(work: Path, pomp: Pomp, compiler: str, tmp_path: Path) -> None:
    import pomp_clang

    bare = tmp_path / "bare" / "pomp_clang"
    bare.mkdir(parents=True)
    for entry in Path(pomp_clang.__path__[0]).iterdir():
        if entry.name != "runtime":
            (bare / entry.name).symlink_to(entry)
    result = pomp(compiler, "-fopenmp", "alone.c", "-o", "app", PYTHONPATH=bare.parent)
    assert result.status == 2
    assert result.err.count(b"\n") == 1 and b"runtime library is missing" in result.err
    result = pomp(compiler, "alone.c", "-o", "app", PYTHONPATH=bare.parent)
    assert (result.status, result.err) == (0, b"")


@pytest.mark.parametrize("compiler", BOTH)
def test_other_targets_are_left_alone(pomp: Pomp, work: Path, compiler: str) -> None:
    execute([compiler, "-c", "-m32", "alone.c"], work)
    plain = execute([compiler, "-m32", "alone.o", "-o", "app"], work)
    result = pomp(compiler, "-m32", "alone.o", "-o", "app")
    assert (result.status, result.err) == (plain.status, plain.err)
