"""Diagnostics of the original that the instrumented text alone would not cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agreement.pair import COMPILERS, CommandResult, Pair, require
from tests.compilers import links_openmp

NEVER_SET = "variable that was never set"
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
    "dangling else behind a comment": """\
int g;
void f(int n) {
  if (n > 1) // most
#pragma omp critical
    if (n > 2)
      g++;
    else
      g--;
}
""",
    NEVER_SET: """\
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
MISPLACED = {
    "below": "if (n)\n#pragma omp barrier\n",
    "behind a comment": "if (n) // all\n#pragma omp barrier\n",
    "on the same line": 'if (n) _Pragma("omp barrier")\n',
    "behind another directive": 'if (n) _Pragma("omp flush") _Pragma("omp barrier")\n',
    "behind a directive of two lines": "if (n)\n#define N \\\n  n\n#pragma omp barrier\n",
}
SECTIONS = """\
void name(int a) {{
#pragma omp parallel sections
  {{
{0}#pragma {1}
    a--;
  }}
#pragma omp parallel sections
  {{
#pragma {1}
{0}  }}
}}
"""
LISTS = {
    "two statements": "    a++;\n    a++;\n",
    "an empty statement": "    a++;;\n",
    "two blocks": "    { a++; }\n    { a++; }\n",
    "a declaration": "    int b = a;\n    b++;\n",
    "a directive behind a statement": "    a++;\n#pragma omp taskwait\n",
    "a directive alone": "#pragma omp taskwait\n",
    "a statement behind a task": "#pragma omp task\n    a++;\n    a++;\n",
    "nothing": "",
}
"""Sections: clang takes one statement, gcc a list, and neither a directive that stands alone."""

NO_STATEMENTS = {
    "a declaration": "int b;",
    "a declaration with an extension": "__extension__ int b;",
    "a declaration behind a label": "here: int b;",
    "a type": "typedef int t;",
    "an assertion": '_Static_assert(1, "");',
    "a directive": "\n#pragma omp flush\n",
    "a directive that waits": "\n#pragma omp taskwait\n",
}
TEXT_BESIDE = (
    "parallel num_threads(2))", "parallel num_threads(2", "parallel num_threads(2]",
    "parallel num_threads(2),, if(0)", "parallel;", "parallel for()", "critical (a) (b)",
)  # fmt: skip
"""Directives with text that no part of OpenMP is: gcc refuses it, clang warns of most."""

HIDES_NOTHING = {
    "block behind a comment": """\
int g;
void f(int n) {
  if (n) {
    // the newest (or none)
#pragma omp flush
    g++;
  }
}
""",
    "macro with a block behind a comment": """\
#define WRITE(n) { _Pragma("omp flush") g = n; _Pragma("omp flush") }
int g;
void f(int n) {
  if (n) {
    // the newest (or none)
    WRITE(n)
  }
}
""",
    "directive behind one of two lines": """\
int g;
void f(int n) {
#pragma omp parallel \\
    num_threads(n)
#pragma omp critical
  g += n;
}
""",
    "variable behind a conjunction": """\
int f(int n) {
  int i, s = 1;
  s = n && s;
#pragma omp parallel for reduction(&& : s)
  for (i = 0; i < n; i++)
    s = s && i;
  return s;
}
""",
    "sections of one statement": SECTIONS.format(
        "#pragma omp task\n    if (a) a++; else { a--; }\n", "omp section"
    ),
}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("what", WARNED)
def test_a_warning_is_not_lost(tmp_path: Path, compiler: str, what: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.c").write_text(WARNED[what])
    plain, _ = pair.compile(compiler, "-fopenmp", "-Wall", "-Wextra", "-c", "a.c")
    if "dangling" not in what or "clang" not in compiler:  # clang sees none there
        assert "warning:" in plain.err
    flags = ["-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", "a.c", "-o", "strict.o"]
    failed, result = pair.both(compiler, *flags)
    assert (result.status, result.err) == (failed.status, failed.err)
    assert (result.folder / "strict.o").exists() == (not failed.status)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("place", MISPLACED)
def test_an_error_is_not_lost(tmp_path: Path, compiler: str, place: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.c").write_text(f"int g;\nvoid f(int n) {{\n{MISPLACED[place]}  g++;\n}}\n")
    plain, result = pair.both(compiler, "-fopenmp", "-c", "a.c")
    assert plain.status
    assert (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("statements", LISTS)
def test_a_section_is_what_the_compiler_takes_for_one(
    tmp_path: Path, compiler: str, statements: str
) -> None:
    text = SECTIONS.format(LISTS[statements], "omp section")
    plain, result = _both(tmp_path, text, compiler)
    assert (result.status, result.err) == (plain.status, plain.err)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("block", NO_STATEMENTS)
@pytest.mark.parametrize("directive", ["parallel", "task", "critical"])
def test_a_block_is_what_the_compiler_takes_for_one(
    tmp_path: Path, compiler: str, block: str, directive: str
) -> None:
    text = f"void f(int n) {{\n#pragma omp {directive}\n  {NO_STATEMENTS[block]}\n  n++;\n}}\n"
    if "++" in compiler:
        text = text.replace("_Static", "static")
    plain, result = _both(tmp_path, text, compiler)
    notes = "".join(line for line in result.err.splitlines(True) if "[pomp-block]" in line)
    assert (result.status, result.err) == (plain.status, plain.err + notes)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("directive", TEXT_BESIDE)
def test_text_beside_clauses_is_ignored_or_refused(
    tmp_path: Path, compiler: str, directive: str
) -> None:
    body = "for (int i = 0; i < a; i++) g++;" if "for" in directive else "{ g++; }"
    text = f"int g;\nvoid f(int a) {{\n#pragma omp {directive}\n  {body}\n}}\n"
    plain, result = _both(tmp_path, text, compiler)
    notes = "".join(line for line in result.err.splitlines(True) if "[pomp-clause]" in line)
    assert plain.err and notes.count("\n") == (not plain.status)
    assert (result.status, result.err) == (plain.status, plain.err + notes)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("directive", ["omp section;", "omp section nowait", "omp section(a)"])
def test_text_beside_a_section_directive_is_ignored_or_refused(
    tmp_path: Path, compiler: str, directive: str
) -> None:
    plain, result = _both(tmp_path, SECTIONS.format("    a++;\n", directive), compiler)
    notes = "".join(line for line in result.err.splitlines(True) if "[pomp-clause]" in line)
    assert plain.err and notes.count("\n") == (0 if plain.status else 2)
    assert (result.status, result.err) == (plain.status, plain.err + notes)


@pytest.mark.parametrize("compiler", ["gfortran", "flang-new-19"])
def test_a_comma_before_the_first_clause_is_taken_or_refused(tmp_path: Path, compiler: str) -> None:
    """gfortran 12 refuses it; OpenMP 5.2 has it, and so has flang."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    pair = Pair(tmp_path)
    for folder in pair.folders:
        text = "!$omp parallel, num_threads(2)\nprint *, 1\n!$omp end parallel\nend\n"
        (folder / "a.f90").write_text(text)
    plain, result = pair.both(
        compiler, "-fopenmp", "-c", "a.f90", pomp_options=["--pomp-keep=kept"]
    )
    assert (result.status, result.err) == (plain.status, plain.err)
    assert (result.folder / "kept" / "a.f90.1").exists()


def _both(folder: Path, text: str, compiler: str) -> tuple[CommandResult, CommandResult]:
    require(compiler)
    pair = Pair(folder)
    for folder in pair.folders:
        (folder / "a.c").write_text(text)
    return pair.both(compiler, "-fopenmp", "-Wno-deprecated", "-c", "a.c")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_ordinary_program_is_compiled_once(tmp_path: Path, compiler: str) -> None:
    require(compiler)
    pair = Pair(tmp_path)
    command = [compiler, "-fopenmp", "-Wall", "-Wextra", "-Wno-deprecated", "-c", "src/app.c"]
    _, result = pair.both(*command, pomp_options=["--pomp-keep=kept"])
    kept_text = result.folder / "kept" / "app.c.1"
    assert (result.status, result.err) == (0, "")
    assert (kept_text / "command").exists() and not (kept_text / "own").exists()


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("text", HIDES_NOTHING)
def test_a_text_that_hides_nothing_is_compiled_once(
    tmp_path: Path, compiler: str, text: str
) -> None:
    require(compiler)
    assert not _is_compiled_twice(tmp_path, HIDES_NOTHING[text], compiler, "-Wall", "-Wextra")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("option", ["-Wundef", "-Wshadow", "-Wno-uninitialized"])
def test_other_warnings_need_no_second_compile(tmp_path: Path, compiler: str, option: str) -> None:
    require(compiler)
    assert not _is_compiled_twice(tmp_path, WARNED[NEVER_SET], compiler, option)


def _is_compiled_twice(folder: Path, text: str, compiler: str, *options: str) -> bool:
    """Compile a text that causes no message; return True if the original was compiled, too."""
    pair = Pair(folder)
    for folder in pair.folders:
        (folder / "a.c").write_text(text)
    command = [compiler, "-fopenmp", *options, "-Wno-deprecated", "-c", "a.c"]
    plain, result = pair.both(*command, pomp_options=["--pomp-keep=kept"])
    assert (plain.status, plain.err) == (result.status, result.err) == (0, "")
    return (result.folder / "kept" / "a.c.1" / "own").exists()


def test_a_member_that_is_not_set_is_still_said(tmp_path: Path) -> None:
    """A call may set a member that a constructor leaves unset; natively, g++ sees none."""
    require("g++")
    pair = Pair(tmp_path)
    for folder in pair.folders:
        (folder / "a.cpp").write_text(IN_CONSTRUCTORS)
    plain, _ = pair.compile("g++", "-fopenmp", "-Wall", "-c", "a.cpp")
    assert plain.err.count("[-Wuninitialized]") == 2
