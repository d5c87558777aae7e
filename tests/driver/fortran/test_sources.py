"""Fortran sources of a command: their form, and the files that they include."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.unit.flang_text import (
    broken_at,
    controls_kept,
    controls_restored,
    has_controls,
    with_markers,
    with_own_lines,
)
from pomp_clang.driver.unit.fortran_includes import expanded, may_hold_openmp
from pomp_clang.driver.unit.sources import is_preprocessed, source_form
from pomp_clang.frontend.unit import SourceForm


@pytest.mark.parametrize(
    ("arguments", "fixed", "columns", "preprocessed"),
    [
        ("a.f", True, 72, False),
        ("a.F", True, 72, True),
        ("a.f90", False, 132, False),
        ("a.F08", False, 132, True),
        ("-ffixed-line-length-132 a.f", True, 132, False),
        ("-ffree-line-length-none a.f90", False, 0, False),
        ("-ffree-form a.f", False, 132, False),
        ("-ffixed-form -cpp a.f90", True, 72, True),
        ("-nocpp a.F90", False, 132, False),
        ("-x f77 a.txt", True, 72, False),
        ("-x f77 a.f90", True, 72, False),
        ("-x f95-cpp-input a.txt", False, 132, True),
        ("-x f95 a.f", True, 72, False),
        ("a.f -x f95 b.txt", True, 72, False),
    ],
)
def test_form_of_a_source(arguments: str, fixed: bool, columns: int, preprocessed: bool) -> None:
    command = parse(["gfortran", "-fopenmp", "-c", *arguments.split()])
    form = source_form(command, command.sources[0])
    assert (form.fixed, form.columns) == (fixed, columns)
    assert is_preprocessed(command, command.sources[0]) is preprocessed


def test_included_files_are_expanded_with_their_places(tmp_path: Path) -> None:
    (tmp_path / "b.inc").write_text("      x = 1\n")
    text = b"      include 'b.inc'\n      y = 2\n"
    path = str(tmp_path / "a.f")
    included = tmp_path / "b.inc"
    assert expanded(path, text, ()).decode() == (
        f'# 1 "{path}"\n# 1 "{included}" 1\n      x = 1\n# 2 "{path}" 2\n      y = 2\n\n'
    )


def test_a_directive_in_an_included_file_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "b.h").write_text("!$OMP BARRIER\n")
    command = parse(["gfortran", f"-I{tmp_path}/inc", "a.F90"])
    assert may_hold_openmp(command, "a.F90", b'#include "b.h"\n')
    assert not may_hold_openmp(command, "a.F90", b'#include "c.h"\n')
    command = parse(["gfortran", f"-Wp,-I{tmp_path}/inc", "a.F90"])
    assert may_hold_openmp(command, "a.F90", b'#include "b.h"\n')
    command = parse(["gfortran", "a.F90"])
    assert not may_hold_openmp(command, "a.F90", b'#include "b.h"\n')
    monkeypatch.setenv("CPATH", f"{tmp_path}/inc")
    assert may_hold_openmp(command, "a.F90", b'#include "b.h"\n')


def test_a_marker_of_flang_without_a_name_has_that_of_the_marker_before() -> None:
    text = b'#line "./a.F90" 1\nx = 1\n#line "b.h" 7\ny = 2\n#line 9\n'
    marked = with_markers(text, "a.F90").split(b"\n")
    assert marked[::2] == [b'# 1 "a.F90"', b'# 7 "b.h"', b'# 9 "b.h"']


def test_lines_that_flang_writes_anew_are_the_users_again(tmp_path: Path) -> None:
    included = tmp_path / "b.inc"
    included.write_text("!$pomp noinstrument\n  call s\n!$pomp instrument\n")
    user_text = f"""\
  !$omp parallel &
  ! a comment
  !$omp&   private(i)
    call s;   i = 1
#define N 4
  i = N
include '{included}'
include '{included}'
  !dir$ ivdep
!$ i = 2
"""
    flang_text = f"""\
# 1 "a.F90"
  !$omp parallel private(i)


      call s; i = 1

      i = 4
# 1 "{included}"

      call s
# 1 "{included}"

      call s
# 9 "a.F90"
  !dir$ ivdep
      i = 2
"""
    lines = user_text.splitlines(keepends=True)
    expected = [
        '# 1 "a.F90"\n', *lines[:4], '# 6 "a.F90"\n      i = 4\n',
        *(f'# 1 "{included}"\n{included.read_text()}' for _ in range(2)),
        '# 9 "a.F90"\n', *lines[8:],
    ]  # fmt: skip
    form = SourceForm(fixed=False, columns=132)
    assert with_own_lines(flang_text, "a.F90", user_text, form) == "".join(expected)


def test_a_directive_of_pomp_stands_before_the_include_behind_it(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer.inc", tmp_path / "inner.inc"
    inner.write_text("  call t\n")
    outer.write_text("  call s\n!$pomp noinstrument\n  include 'inner.inc'\n!$pomp instrument\n")
    flang_text = f'# 1 "{outer}"\n      call s\n# 1 "{inner}"\n      call t\n# 2 "a.f90"\n'
    form = SourceForm(fixed=False, columns=132)
    actual = with_own_lines(flang_text, "a.f90", f"include '{outer}'\n", form)
    lines = [line for line in actual.splitlines() if not line.startswith("#")]
    assert lines == ["  call s", "!$pomp noinstrument", "  call t", "!$pomp instrument"]


@pytest.mark.parametrize("columns", [72, 80, 132])
def test_lines_that_flang_breaks_are_as_long_as_the_compiler_reads(columns: int) -> None:
    body = b"      if (word .ne. 'a literal that column 72 divides, and column 80 too, " + b"x" * 40
    text = b"!$omp barrier\n" + body[:72] + b"&\n     &" + body[72:] + b"\n      end if\n"
    broken_lines = broken_at(text, columns).splitlines()
    assert len(broken_lines) == 4, "lines keep their numbers"
    rows = [row for row in broken_lines[1:-1] if row]
    assert b"".join([rows[0], *(row[6:] for row in rows[1:])]).replace(b"&", b"") == body
    width = 73 if columns == 72 else columns  # the text as it is has an & behind column 72
    assert all(len(row) == width for row in rows[:-1])


def test_directives_of_pomp_outlive_flangs_preprocessor() -> None:
    text = b"c$pomp inst begin(a)\n  !$POMP inst end(a)\n"
    controls = controls_kept(text)
    assert b"pomp" in controls and not has_controls(controls)
    assert controls_restored(controls) == b"!$pomp inst begin(a)\n  !$pomp inst end(a)\n"


def test_lines_with_a_preprocessor_directive_between_them_stay_as_flang_writes_them() -> None:
    user_text = "call s(a, &\n#if 1\n  b)\n#endif\ncall t\n"
    flang_text = "      call s(a, b)\n\n\n\ncall t\n"
    form = SourceForm(fixed=False, columns=132)
    placed = with_own_lines(flang_text, "a.F90", user_text, form)
    assert placed == '# 1 "a.F90"\n      call s(a, b)\n# 5 "a.F90"\ncall t\n'
