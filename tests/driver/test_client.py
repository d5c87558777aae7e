"""The compiled client: what it does without Python is what Python would do."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pomp_clang.driver.command.classify import LAUNCHERS
from pomp_clang.driver.command.settings import read
from tests.driver.conftest import CLANG, needs_clang, needs_gcc

SCRIPTS = Path(sysconfig.get_path("scripts"))
SCRIPT = """\
#!{python}
import sys
with open({log!r}, "a") as file:
    print(*sys.argv[1:], file=file)
from pomp_clang.cli import main
sys.exit(main())
"""
OPENMP = "int f(int n) {\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    ;\n  return n;\n}\n"
FORTRAN = "subroutine f(n)\n!$omp parallel do\n  do i = 1, n\n  end do\nend subroutine\n"
WRONG = "int f(void) { return nothing; }\n"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """The client in a folder of its own, with a script that counts the starts of Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(SCRIPTS / "pomp-clang", folder / "pomp-clang")
    script = folder / "pomp-clang-python"
    script.write_text(SCRIPT.format(python=SCRIPTS / "python", log=str(tmp_path / "log")))
    script.chmod(0o755)
    (tmp_path / "a.c").write_text(OPENMP)
    (tmp_path / "a.f90").write_text(FORTRAN)
    (tmp_path / "wrong.c").write_text(WRONG)
    return folder / "pomp-clang"


@pytest.fixture
def run(client: Path, tmp_path: Path) -> Run:
    def start(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), **variables}
        return subprocess.run(
            [client, *words],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return start


def leave_server(run: Run, compiler: str, source: str = "a.c") -> None:
    """Compile until a server waits: the first compile gets to know the compiler."""
    for _ in range(2):
        result = run("--", compiler, "-fopenmp", "-c", source)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def starts(folder: Path) -> int:
    """Return how often Python was started."""
    log = folder / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.mark.parametrize(
    ("compiler", "source"),
    [
        pytest.param(CLANG, "a.c", marks=needs_clang),
        pytest.param("gcc", "a.c", marks=needs_gcc),
        ("gfortran", "a.f90"),
        ("flang-new-19", "a.f90"),
    ],
)
def test_compile_with_openmp_is_served_without_python(
    run: Run, tmp_path: Path, compiler: str, source: str
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not here")
    leave_server(run, compiler, source)
    object_file = tmp_path / "a.o"
    by_python = object_file.read_bytes()
    object_file.unlink()
    result = run("--", compiler, "-fopenmp", "-c", source)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert starts(tmp_path) == 2
    assert object_file.read_bytes() == by_python
    assert b"pomp_descriptors" in by_python


@needs_gcc
def test_compile_whose_directives_are_left_out_leaves_a_server(run: Run, tmp_path: Path) -> None:
    (tmp_path / "off.c").write_text(f"#if 0\n{OPENMP}#endif\n")
    leave_server(run, "gcc", "off.c")
    with_pomp = (tmp_path / "off.o").read_bytes()
    subprocess.run(["gcc", "-fopenmp", "-c", "off.c"], cwd=tmp_path, check=True)
    assert with_pomp == (tmp_path / "off.o").read_bytes()
    assert run("--", "gcc", "-fopenmp", "-c", "a.c").returncode == 0
    assert starts(tmp_path) == 2
    assert b"pomp_descriptors" in (tmp_path / "a.o").read_bytes()


def _preambles(script: Path) -> list[int]:
    """Return the sizes of the preambles that the server of a script keeps in memory."""
    sizes = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(script).encode() in (process / "cmdline").read_bytes():
                files = [
                    f for f in (process / "fd").iterdir() if "memfd:preamble" in os.readlink(f)
                ]
                sizes += [file.stat().st_size for file in files]
    return sizes


@needs_gcc
def test_server_parses_the_headers_of_several_sources_once(
    run: Run, tmp_path: Path, client: Path
) -> None:
    declarations = "".join(f"void declared{number}(int *);\n" for number in range(4000))
    (tmp_path / "base.h").write_text(f"#ifndef BASE_H\n#define BASE_H\n{declarations}#endif\n")
    leave_server(run, "gcc")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for number in range(4):
        source = tmp_path / f"source{number}.c"
        source.write_text('#include "base.h"\n' + OPENMP.replace("f(", f"f{number}("))
        words = ("--", "gcc", "-fopenmp", "-O", "-c", source.name, "-o")
        assert run(*words, "served.o", TMPDIR=str(temporary)).returncode == 0
        assert run("--pomp-server=off", "--pomp-cache=off", *words, "alone.o").returncode == 0
        assert (tmp_path / "served.o").read_bytes() == (tmp_path / "alone.o").read_bytes()
    sizes = _preambles(client.parent)
    assert sum(size > 0 for size in sizes) == 1
    assert not list(temporary.iterdir())


@needs_gcc
def test_client_that_make_starts_is_served(tmp_path: Path, client: Path) -> None:
    """make and ninja use posix_spawn: the C library's own signals are ignored in the client."""
    source, object_file = str(tmp_path / "a.c"), str(tmp_path / "a.o")
    words = [str(client), "--", "gcc", "-fopenmp", "-c", source, "-o", object_file]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for _ in range(3):
        _, status = os.waitpid(os.posix_spawn(client, words, environment), 0)
        assert status == 0
    assert starts(tmp_path) == 2


@needs_gcc
def test_served_compile_has_our_options_and_the_compilers_end(run: Run, tmp_path: Path) -> None:
    leave_server(run, "gcc")
    assert run("--pomp-disable=parallel_for", "--", "gcc", "-fopenmp", "-c", "a.c").returncode == 0
    assert b"pomp_descriptors" not in (tmp_path / "a.o").read_bytes()
    native = subprocess.run(
        ["gcc", "-fopenmp", "-c", "wrong.c"], cwd=tmp_path, capture_output=True, text=True
    )
    result = run("--", "gcc", "-fopenmp", "-c", "wrong.c")
    assert (result.returncode, result.stderr) == (native.returncode, native.stderr)
    assert starts(tmp_path) == 2


@needs_gcc
@pytest.mark.parametrize(("option", "expected"), [("-c", 0), ("-S", 1), ("-E", 1)])
def test_compile_without_openmp_is_the_compilers(
    run: Run, tmp_path: Path, option: str, expected: int
) -> None:
    native = subprocess.run(
        ["gcc", option, "wrong.c"], cwd=tmp_path, capture_output=True, text=True
    )
    result = run("--", "gcc", option, "wrong.c")
    assert (result.returncode, result.stdout, result.stderr) == (
        native.returncode,
        native.stdout,
        native.stderr,
    )
    assert starts(tmp_path) == expected


@needs_gcc
@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (["doctor", "--help"], {}),
        (["--version"], {}),
        (["--", "gcc", "a.c", "-shared", "-o", "a.so"], {}),
        (["--", "gcc", "a.c", "-shared", "-Xlinker", "-E", "-o", "a.so"], {}),
        (["--", "gcc", "-c", "a.c", "-Xassembler", "-L"], {}),
        (["--", "env", "gcc", "-c", "a.c"], {}),
        (["--", "gcc", "-c", "@options"], {}),
        (["--pomp-functions=all", "--", "gcc", "-c", "a.c"], {}),
        (["--", "gcc", "-c", "a.c"], {"POMP_FLAGS": "--pomp-functions=all"}),
        (["--", "gcc", "-c", "a.c"], {"CCACHE_DISABLE": "1"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "".join(value),
)
def test_anything_else_is_left_to_python(
    run: Run, tmp_path: Path, words: list[str], variables: dict[str, str]
) -> None:
    (tmp_path / "options").write_text("a.c")
    result = run(*words, **variables)
    assert (result.returncode, starts(tmp_path)) == (0, 1), result.stderr


def _table(name: str) -> list[str]:
    source = (Path(__file__).parents[2] / "runtime" / "client" / "command.c").read_text()
    table = re.search(rf"{name}\[\] = \{{(.*?)\}};", source, re.S)
    assert table
    return re.findall(r'"([^"]+)"', table[1])


@needs_gcc
@pytest.mark.parametrize("option", _table("for_openmp"))
def test_options_for_openmp_start_no_python_without_it(
    run: Run, tmp_path: Path, option: str
) -> None:
    read([option])  # an option that is wrong is not for OpenMP
    assert run(option, "--", "gcc", "-c", "a.c").returncode == 0
    assert run("--", "gcc", "-c", "a.c", POMP_FLAGS=f" {option} --pomp-strict").returncode == 0
    assert starts(tmp_path) == 0
    assert run(f"{option}x", "--", "gcc", "-c", "a.c").returncode == 2
    assert run("--", "gcc", "-c", "a.c", POMP_FLAGS=f"{option} '{option}x'").returncode == 2


@needs_gcc
@pytest.mark.parametrize("flags", ["--pomp-server=off", "--pomp-commands=."])
def test_options_that_need_the_own_process_are_left_to_python(
    run: Run, tmp_path: Path, flags: str
) -> None:
    leave_server(run, "gcc")
    assert run("--", "gcc", "-fopenmp", "-c", "a.c", POMP_FLAGS=flags).returncode == 0
    assert run(flags, "--", "gcc", "-fopenmp", "-c", "a.c").returncode == 0
    assert starts(tmp_path) == 4


@needs_gcc
def test_messages_in_the_c_locale_are_the_compilers(tmp_path: Path, client: Path) -> None:
    """Python sets LC_CTYPE where no locale is given (PEP 538)."""
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = ["gcc", "-fopenmp", "-c", "wrong.c"]

    def messages(*before: Path | str) -> bytes:
        result = subprocess.run(
            [*before, *command], cwd=tmp_path, env=environment, capture_output=True
        )
        return result.stderr

    native = messages()
    assert b"'nothing'" in native
    assert messages(client, "--pomp-server=off", "--") == native
    good = [str(client), "--", "gcc", "-fopenmp", "-c", "a.c"]
    for _ in range(2):
        subprocess.run(good, cwd=tmp_path, env=environment, check=True)
    assert starts(tmp_path) == 3
    assert messages(client, "--") == native
    assert starts(tmp_path) == 3


def test_client_knows_the_launchers_of_the_driver() -> None:
    assert set(_table("launchers")) == LAUNCHERS


@needs_gcc
def test_missing_script_is_said(client: Path, run: Run) -> None:
    (client.parent / "pomp-clang-python").unlink()
    result = run("report")
    assert result.returncode == 127
    assert result.stderr.startswith("pomp-clang: pomp-clang-python does not start; reinstall")
    assert len(result.stderr.splitlines()) == 1


CRASHES = "#!/bin/sh\nkill -SEGV $$\n"


@needs_gcc
def test_a_crash_of_python_leaves_the_compile_to_the_compiler(
    run: Run, client: Path, tmp_path: Path
) -> None:
    (client.parent / "pomp-clang-python").write_text(CRASHES)
    result = run("--pomp-functions", "--", "gcc", "-fopenmp", "-c", "a.c")
    message = "pomp-clang: internal error: Segmentation fault; compiled without instrumentation\n"
    assert (result.returncode, result.stderr) == (0, message)
    assert (tmp_path / "a.o").exists()


@needs_gcc
@pytest.mark.parametrize(
    "words", [("--pomp-strict", "--", "gcc", "-c", "a.c", "-fopenmp"), ("list",)]
)
def test_a_crash_is_one_where_nothing_may_be_left_out(
    run: Run, client: Path, words: tuple[str, ...]
) -> None:
    (client.parent / "pomp-clang-python").write_text(CRASHES)
    assert run(*words).returncode == -signal.SIGSEGV


def test_a_signal_reaches_python(client: Path, tmp_path: Path) -> None:
    script = "#!/bin/sh\ntrap 'exit 7' TERM\ntouch started\nwhile :; do sleep 0.05; done\n"
    (client.parent / "pomp-clang-python").write_text(script)
    with subprocess.Popen([client, "--", "gcc", "-fopenmp", "a.c"], cwd=tmp_path) as process:
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        process.terminate()
        assert process.wait(timeout=60) == 7


@pytest.mark.parametrize(
    ("compiler", "name"),
    [
        pytest.param(CLANG, "marked.c", marks=needs_clang),
        pytest.param("gcc", "marked.c", marks=needs_gcc),
        pytest.param("gcc", "marked.cpp", marks=needs_gcc),
    ],
)
def test_source_and_header_with_a_byte_order_mark_are_measured(
    run: Run, tmp_path: Path, compiler: str, name: str
) -> None:
    mark = b"\xef\xbb\xbf"
    (tmp_path / "part.h").write_bytes(mark + OPENMP.replace("f(", "part(").encode())
    (tmp_path / name).write_bytes(mark + b'#include "part.h"\n' + OPENMP.encode())
    command = ("--", compiler, "-fopenmp", "-c", name, "-o", "marked.o")
    result = run("--pomp-strict", *command)
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "marked.o").read_bytes().count(b"pomp_descriptors") > 0
    listed = run("list", name, *command[:3])
    assert listed.stdout.count("parallel for") == 2
