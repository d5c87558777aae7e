"""g++ that begins while libclang parses makes what it makes without, and leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import GXX, Done, environment, execute, needs_gxx

pytestmark = needs_gxx

HEAD = "// Sums.\n#include <cstdio>\n#include <vector>\n\n"
SOURCE = """\
static double total(const std::vector<double> &all) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < all.size(); i++)
    sum += all[i];
  return sum;
}
int main() {
  std::printf("%g %s %d\\n", total({1, 2, 4}), __FILE__, __LINE__);
}
"""
MISLEADING = "int f(int a) {\n  if (a)\n    a++;\n    a++;\n  return a;\n}\n"
# Says which of its compiles read a pipe, and is the compiler.
WRAPPER = f"""#!/bin/sh
for word; do case "$word" in *.cpp) grep -sq /dev/fd/ "$word" && echo "$word" >>piped;; esac; done
exec {GXX} "$@"
"""


@pytest.fixture
def compiler(work: Path, tmp_path: Path) -> str:
    (work / "a.cpp").write_text(HEAD + SOURCE)
    (work / "g++").write_text(WRAPPER)
    (work / "g++").chmod(0o755)
    (tmp_path / "tmp").mkdir()
    return "./g++"


def run(work: Path, package: Path, *words: str, ours: tuple[str, ...] = ()) -> Done:
    command = [sys.executable, "-m", "pomp_clang", *ours, "--", *words]
    return execute(command, work, **folders(work, package))


def folders(work: Path, package: Path) -> dict[str, str]:
    parent = work.parent
    return {
        "PYTHONPATH": str(package),
        "TMPDIR": str(parent / "tmp"),
        "XDG_CACHE_HOME": str(parent / "cache"),
    }


def began(work: Path) -> int:
    """How many compiles had a head start; counted anew from here."""
    noted = work / "piped"
    count = len(noted.read_text().splitlines()) if noted.exists() else 0
    noted.unlink(missing_ok=True)
    return count


@pytest.mark.parametrize(
    "options",
    [
        ["-O2", "-c"],
        ["-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"],
        ["-g", "-std=c++20", "-S"],
        ["-O2", "-MD", "-MP", "-MT", "all", "-c"],
    ],
)
def test_the_files_are_those_without_it(
    compiler: str, work: Path, package: Path, options: list[str]
) -> None:
    made = "a.s" if "-S" in options else "a.o"
    words = [compiler, "-fopenmp", *options, "a.cpp"]
    plain = execute(words, work)
    dependencies = (work / "a.d").read_text() if "-MD" in options else ""
    kept = run(work, package, *words, ours=("--pomp-keep=kept",))
    whole = (work / made).read_bytes()
    assert (kept.status, kept.err, began(work)) == (plain.status, b"", 0)
    done = run(work, package, *words)
    assert (done.status, done.out, done.err, began(work)) == (0, b"", b"", 1)
    assert (work / made).read_bytes() == whole
    assert b"POMP_Parallel_fork" in whole
    if dependencies:
        assert (work / "a.d").read_text() == dependencies
    assert not list((work.parent / "tmp").iterdir())


def test_a_program_is_linked(compiler: str, work: Path, package: Path) -> None:
    done = run(work, package, compiler, "-fopenmp", "a.cpp", "-o", "app")
    assert (done.status, done.err, began(work)) == (0, b"", 1)
    assert execute(["./app"], work).out == b"7 a.cpp 13\n"


def test_what_the_compiler_says_is_what_it_says_of_the_source(
    compiler: str, work: Path, package: Path
) -> None:
    words = [compiler, "-fopenmp", "-Wall", "-c", "a.cpp"]
    for broken in (MISLEADING, "int g() { return missing; }\n", "}\n"):
        (work / "a.cpp").write_text(HEAD + SOURCE + broken)
        plain = execute(words, work)
        (work / "a.o").unlink(missing_ok=True)
        done = run(work, package, *words)
        assert plain.err and (done.status, done.err) == (plain.status, plain.err)
        assert began(work) == 1
        assert (work / "a.o").exists() == (plain.status == 0)


@pytest.mark.parametrize(
    ("options", "more"),
    [
        (["-H"], ""),
        (["-Wunused-macros"], ""),
        (["-g3"], ""),
        (["--coverage"], ""),
        (["-save-temps"], ""),
        (["-x", "c++", "b.cpp"], ""),
        ([], "#include <map>\n"),
        ([], "int depth = __INCLUDE_LEVEL__;\n"),
    ],
)
def test_there_is_none_where_that_could_be_seen(
    compiler: str, work: Path, package: Path, options: list[str], more: str
) -> None:
    (work / "a.cpp").write_text(HEAD + SOURCE + more)
    (work / "b.cpp").write_text(HEAD)
    done = run(work, package, compiler, "-fopenmp", "-c", "a.cpp", *options)
    assert (done.status, began(work)) == (0, 0)


def test_there_is_none_where_a_header_may_be_rewritten(
    compiler: str, work: Path, package: Path
) -> None:
    (work / "part.h").write_text("inline void part() {\n#pragma omp critical\n  ;\n}\n")
    (work / "a.cpp").write_text('#include "part.h"\n' + HEAD + SOURCE)
    done = run(work, package, compiler, "-fopenmp", "-c", "a.cpp")
    assert (done.status, done.err, began(work)) == (0, b"", 0)


def test_it_is_given_up_where_nothing_is_instrumented(
    compiler: str, work: Path, package: Path
) -> None:
    (work / "a.cpp").write_text(f"{HEAD}#if 0\n#pragma omp parallel\n#endif\nint x;\n")
    words = [compiler, "-fopenmp", "-c", "a.cpp"]
    assert execute(words, work).status == 0
    plain = (work / "a.o").read_bytes()
    done = run(work, package, *words)
    assert (done.status, done.err, began(work)) == (0, b"", 1)
    assert (work / "a.o").read_bytes() == plain
    assert not list((work.parent / "tmp").iterdir())


def test_a_signal_while_the_text_is_made_ends_both(
    compiler: str, work: Path, package: Path
) -> None:
    entry = work / "entry.py"
    # Python begins a call though a signal came as another thread, which loads libclang, had its
    # lock: so none may be long.
    entry.write_text(
        "import sys, time\nfrom pomp_clang.cli import main\nfrom pomp_clang.driver import build\n"
        "def slow(*_):\n    open('reached', 'w').close()\n"
        "    for _ in range(600): time.sleep(0.1)\n"
        "build._rewriter = lambda: slow\nsys.exit(main())\n"
    )
    env = environment(**folders(work, package))
    command = [sys.executable, str(entry), "--", compiler, "-fopenmp", "-c", "a.cpp"]
    with subprocess.Popen(command, cwd=work, env=env) as child:
        limit = time.monotonic() + 60
        while not (work / "reached").exists() and time.monotonic() < limit:
            time.sleep(0.02)
        child.terminate()
        assert child.wait(60) == -signal.SIGTERM
    (piped,) = (work / "piped").read_text().splitlines()
    assert not list((work.parent / "tmp").iterdir())
    assert not any(piped in words for words in _running())
    assert not (work / "a.o").exists()


def _running() -> list[str]:
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            found.append(Path(f"/proc/{number}/cmdline").read_text(errors="replace"))
        except OSError:
            continue
    return found
