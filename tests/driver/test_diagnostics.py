"""A compiler's diagnostics of a source are the same with and without pomp-clang."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pomp_clang.driver.compile.bisect_rejected import Suspect, _Search
from pomp_clang.driver.compile.diagnostics import errors, first_error
from pomp_clang.driver.compile.rewrite_units import InstrumentedSource
from pomp_clang.driver.process.run import Outcome
from pomp_clang.frontend.unit import Instrumented, Site
from tests.driver.conftest import BOTH, GCC, Pomp, execute, needs_gcc

_POMP = "-D_POMP=202611"
MARK = b"POMP-STAND-IN"

INDENTED = """\
int two(int x) {
#pragma omp parallel
  x = 1;
  if (x > 3)
    x++;
    x--;
  return x;
}
"""
WARNED = """\
int name(double d) {
  int unused;
#pragma omp parallel
  d = 1;
  switch (d > 3) case 7: return 1;
  return d == d;
}
"""
HIDDEN = """\
int name(int d) {
  int HIDDEN;
#pragma omp parallel
  d = 1;
  return d;
}
"""


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("flags", [[], ["-fsanitize=undefined"]])
def test_misleading_indentation_is_still_seen(
    pomp: Pomp, work: Path, compiler: str, flags: list[str]
) -> None:
    (work / "a.c").write_text(INDENTED)
    args = [compiler, "-fopenmp", "-Wall", *flags, "-c", "a.c"]
    plain = execute([*args, _POMP], work)
    assert b"[-Wmisleading-indentation]" in plain.err
    result = pomp(*args)
    assert (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("how", ["mark", "warn"])
@pytest.mark.parametrize(
    "flags",
    [
        ["-c", "a.c"],
        ["-c", "a.c", "-o", "a.o", "-fdiagnostics-color=always"],
        ["-c", "a.c", "-O2", "-MD", "-MF", "deps"],
        ["-c", "a.c", "b.c"],
        ["-c", "a.c", "-save-temps"],
        ["-shared", "-fPIC", "a.c", "b.c", "-o", "a.o"],
    ],
)
def test_warnings_are_the_users(
    pomp: Pomp, work: Path, compiler: str, how: str, flags: list[str]
) -> None:
    for name in ("a", "b"):
        (work / f"{name}.c").write_text(WARNED.replace("name", name))
    args = [compiler, "-fopenmp", "-Wall", "-Wextra", *flags]
    plain = execute([*args, _POMP, "-idirafter/nowhere"], work)
    assert plain.status == 0 and plain.err.count(b"unused") >= 1
    deps = (work / "deps").read_bytes() if "deps" in flags else b""
    result = pomp(*args, STAND_IN=how)
    assert (result.status, result.out, result.err) == (0, plain.out, plain.err)
    assert MARK in (work / "a.o").read_bytes()
    assert (work / "deps").read_bytes() == deps if deps else not (work / "deps").exists()


SILENT = """\
int main(void) {
#pragma omp parallel
  { }
  return 0;
}
"""

COUNTED = """\
#!/bin/sh
case " $* " in *" -c "*) echo compiled >>{log} ;; esac
exec {compiler} "$@"
"""


@pytest.mark.parametrize(
    ("compiler", "flag"), [("clang-19", "-Wnonsense"), ("gcc", "-Wformat-security")]
)
def test_warnings_of_options_need_no_second_compile(
    pomp: Pomp, work: Path, compiler: str, flag: str
) -> None:
    path = shutil.which(compiler)
    if path is None:
        pytest.skip(f"{compiler} is not here")
    (work / "a.c").write_text(SILENT)
    wrapper, log = work / compiler, work / "log"
    wrapper.write_text(COUNTED.format(log=log, compiler=path))
    wrapper.chmod(0o755)
    args = [str(wrapper), "-fopenmp", flag, "-c", "a.c"]
    plain = execute(args, work)
    log.unlink()
    result = pomp(*args)
    assert flag.encode() in plain.err
    assert (result.status, result.err) == (0, plain.err)
    assert MARK in (work / "a.o").read_bytes()
    assert log.read_text() == "compiled\n"


OF_CODE = """\
int large(int k) {
#pragma omp parallel
  { }
  volatile char bytes[100] = {0};
  return bytes[k];
}
"""
PADDED = """\
void padded(int *p, int n) {
  int k = 0;
#pragma omp taskloop reduction(+ : k)
  for (int i = 0; i < n; i++)
    k += p[i];
  p[0] = k;
}
"""


@pytest.mark.parametrize(
    ("text", "flags", "is_parsed"),
    [
        (WARNED, ["-Wall"], True),
        (WARNED, ["-Wall", "-c", "-S"], True),
        (WARNED, ["-Wall", "-ftime-trace"], False),
        (OF_CODE, ["-Wframe-larger-than=10"], False),
        (WARNED + OF_CODE, ["-Wall", "-Wframe-larger-than=10"], False),
        (WARNED + PADDED, ["-Wall", "-Wpadded"], False),
        (WARNED, ["-Wall", "-fno-diagnostics-show-option"], False),
        (WARNED, ["-Wall", "-fdiagnostics-format=sarif", "-Wno-sarif-format-unstable"], False),
    ],
)
def test_code_is_made_again_only_for_warnings_of_code(
    pomp: Pomp, work: Path, text: str, flags: list[str], is_parsed: bool
) -> None:
    """clang's second compile, which has the diagnostics of the user's text, may end after the parse."""
    clang = shutil.which("clang-19")
    if clang is None:
        pytest.skip("clang-19 is not here")
    (work / "a.c").write_text(text)
    wrapper, log = work / "clang-19", work / "log"
    wrapper.write_text(f'#!/bin/sh\necho "$*" >>{log}\nexec {clang} "$@"\n')
    wrapper.chmod(0o755)
    args = [str(wrapper), "-fopenmp", *flags, "-c", "a.c"]
    plain = execute(args, work)
    log.unlink()
    result = pomp(*args)
    assert plain.err
    assert (result.status, result.err) == (plain.status, plain.err)
    compiles = [line for line in log.read_text().splitlines() if " -c " in line]
    assert len(compiles) == 2
    assert ("-fsyntax-only" in compiles[1]) == is_parsed


@needs_gcc
def test_warnings_as_json(pomp: Pomp, work: Path) -> None:
    (work / "a.c").write_text(WARNED)
    args = [GCC, "-fopenmp", "-Wall", "-fdiagnostics-format=json", "-c", "a.c"]
    plain = execute([*args, _POMP], work)
    result = pomp(*args, STAND_IN="warn")
    assert b'"column"' in plain.err
    assert (result.status, result.err) == (0, plain.err)


@pytest.mark.parametrize("compiler", BOTH)
def test_a_warning_of_ours_is_no_error(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "a.c").write_text(HIDDEN.replace("  int HIDDEN;\n", ""))
    args = [compiler, "-fopenmp", "-Wunused", "-Werror", "-c", "a.c"]
    result = pomp(*args, STAND_IN="warn", pomp_options=["--pomp-strict"])
    assert (result.status, result.err) == (0, b"")
    assert MARK in (work / "a.o").read_bytes()


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("flags", [["-o", "a.o"], [], ["b.c"]])
def test_an_error_that_only_the_user_s_text_has(
    pomp: Pomp, work: Path, compiler: str, flags: list[str]
) -> None:
    for name in ("a", "b"):
        (work / f"{name}.c").write_text(HIDDEN.replace("name", name))
    args = [compiler, "-fopenmp", "-Wall", "-Werror=unused-variable", "-c", "a.c", *flags]
    plain = execute([*args, _POMP], work)
    result = pomp(*args, STAND_IN="warn")
    assert b"-Werror" in plain.err
    assert plain.status and (result.status, result.err) == (plain.status, plain.err)
    assert not (work / "a.o").exists()


GFORTRAN = b"""\
a.f90:3:2:

    3 |   x = 1
      |  1
Warning: Possible change of value at (1) [-Wconversion]
a.f90:7:16:

    5 |   use m
      |       2
......
    7 | !$OMP PARALLEL WORKSHARE PRIVATE(i)
      |                1
Error: Unexpected junk after $OMP WORKSHARE statement at (1)
b c.f90:9:4-12: Fatal Error: Cannot open module file
"""


def test_errors_of_gfortran_have_the_place_before_them() -> None:
    junk = "Unexpected junk after $OMP WORKSHARE statement at (1)"
    outcome = Outcome(1, b"", GFORTRAN)
    assert errors(outcome) == [("a.f90", 7, junk), ("b c.f90", 9, "Cannot open module file")]
    assert first_error(outcome) == f"Error: {junk}"


def test_constructs_of_one_place_are_tried_together() -> None:
    first, two = (Site("parallel", "a.f90", line, 1, line, line + 2) for line in (3, 9))
    item = InstrumentedSource(None, None, Instrumented("", sites=(first, two, first, two)))  # type: ignore[arg-type]
    assert _Search(None, [item]).suspects() == [Suspect(0, first), Suspect(0, two)]  # type: ignore[arg-type]
