"""Diagnostics of the original that the instrumented text alone would not cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agreement.pair import COMPILERS, Pair, require

WARNED = {
    "layout of the block": """\
int g;
void f(int n) {
#pragma omp critical
  if (n)
    g++;
    g--;
}
""",
    "dangling else": """\
int g;
void f(int n) {
  if (n > 1)
#pragma omp critical
    if (n > 2)
      g++;
    else
      g--;
}
""",
    "variable that was never set": """\
int f(int n) {
  int i, s; /* s is set by nobody */
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < n; i++)
    s += i;
  return s;
}
""",
}
IN_CONSTRUCTORS = """\
struct Apart { Apart(); int i; };
Apart::Apart() {
#pragma omp critical
  i++;
}
struct Within {
  explicit Within(int n) {
#pragma omp critical
    i += n;
  }
  int i;
};
int f(int n) {
  Within within(n);
  return within.i;
}
"""
MISPLACED = """\
int g;
void f(int n) {
  if (n)
#pragma omp barrier
  g++;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("what", WARNED)
def test_a_warning_is_not_lost(tmp_path: Path, compiler: str, what: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.c").write_text(WARNED[what])
    plain, _ = pair.compile(compiler, "-fopenmp", "-Wall", "-Wextra", "-c", "a.c")
    if what != "dangling else" or "clang" not in compiler:  # clang sees none there
        assert "warning:" in plain.err
    flags = ["-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", "a.c", "-o", "strict.o"]
    failed, result = pair.both(compiler, *flags)
    assert (result.status, result.err) == (failed.status, failed.err)
    assert (result.folder / "strict.o").exists() == (not failed.status)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_error_is_not_lost(tmp_path: Path, compiler: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.c").write_text(MISPLACED)
    plain, result = pair.both(compiler, "-fopenmp", "-c", "a.c")
    assert plain.status
    assert (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_ordinary_program_is_compiled_once(tmp_path: Path, compiler: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    command = [compiler, "-fopenmp", "-Wall", "-Wextra", "-Wno-deprecated", "-c", "src/app.c"]
    _, result = pair.both(*command, pomp_options=["--pomp-keep=kept"])
    kept_text = result.folder / "kept" / "app.c.1"
    assert (result.status, result.err) == (0, "")
    assert (kept_text / "command").exists() and not (kept_text / "own").exists()


def test_a_member_that_is_not_set_is_still_said(tmp_path: Path) -> None:
    """A call may set a member that a constructor leaves unset; natively, g++ sees none."""
    require("g++")
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.cpp").write_text(IN_CONSTRUCTORS)
    plain, _ = pair.compile("g++", "-fopenmp", "-Wall", "-c", "a.cpp")
    assert plain.err.count("[-Wuninitialized]") == 2
