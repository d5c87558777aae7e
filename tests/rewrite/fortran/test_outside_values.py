"""Bounds and chunk sizes that gfortran evaluates in front of a `parallel do`."""

from __future__ import annotations

import pytest

from pomp_clang.frontend.unit import SourceForm, Unit
from pomp_clang.rewrite.instrument import instrument

FREE = SourceForm(fixed=False, columns=132)
FIXED = SourceForm(fixed=True, columns=72)
LONG = " + ".join(["one"] * 13)


def lines(directive: str, head: str, form: SourceForm = FREE, outside: bool = True) -> list[str]:
    text = f"!$omp {directive}\n      do {head}\n      call s\n      end do\n      end\n"
    instrumented = instrument(Unit("a.f90", text, "fortran", (), form=form, bounds_outside=outside))
    assert instrumented.text is not None and not instrumented.notes
    return [line for line in instrumented.text.split("\n") if line.strip() and "call" not in line]


def test_names_that_a_default_clause_hides_are_read_in_front_of_the_region() -> None:
    rewritten_lines = lines(
        "parallel do default(none) schedule(dynamic, one + 1)", "i = 1, n, s(1, 2)"
    )
    assert [line.strip() for line in rewritten_lines if not line.startswith("#")] == [
        *(f"integer(8) :: pompt{number}" for number in range(1, 5)),
        "pompt2 = one + 1",
        "pompt3 = n",
        "pompt4 = s(1, 2)",
        "!$omp parallel default(none) shared(pompt2, pompt3, pompt4) firstprivate(pompt1)",
        "!$omp do schedule(dynamic, pompt2)",
        "do i = 1, int(pompt3, kind(i)), int(pompt4, kind(i))",
        "end do",
        "!$omp end do nowait",
        "!$omp barrier",
        "!$omp end parallel",
        "end",
    ]


@pytest.mark.parametrize(
    "directive",
    [
        "parallel do",
        "parallel do default(shared) firstprivate(n)",
        "parallel do default(none) shared(n)",
        "parallel do default(firstprivate)",
        "parallel do private(n) schedule(static)",
        "parallel do private(n) ordered",
        "parallel do simd private(n)",
        "do private(n)",
    ],
)
def test_names_that_mean_the_same_within_the_region_stay(directive: str) -> None:
    assert not any("kind(i)" in line for line in lines(directive, "i = 1, n"))


def test_a_private_name_is_read_outside_by_gfortran_alone() -> None:
    assert any("kind(i)" in line for line in lines("parallel do private(n)", "i = 1, n"))
    rewritten_lines = lines("parallel do private(n)", "i = 1, n", outside=False)
    assert not any("kind(i)" in line for line in rewritten_lines)


@pytest.mark.parametrize(("form", "columns"), [(FREE, 132), (FIXED, 72)])
def test_a_line_that_grows_is_continued_and_keeps_the_numbers_behind(
    form: SourceForm, columns: int
) -> None:
    head = f"i_{'x' * (columns - 24)} = 1, n, 1"
    rewritten_lines = lines("parallel do private(n)", head, form)
    at = next(number for number, line in enumerate(rewritten_lines) if "kind(" in line)
    assert (
        "&int(pompt2, kind(i_" in rewritten_lines[at] and rewritten_lines[at + 2] == '# 3 "a.f90"'
    )
    three_bounds = lines("parallel do private(n)", f"i_{'x' * (columns - 62)} = n, n, n", form)
    assert max(len(line) for line in three_bounds if "#" not in line) <= columns
    long = lines("parallel do private(one)", f"i = 1, {LONG}", form)
    assert max(len(line) for line in long if not line.startswith("#")) <= columns
