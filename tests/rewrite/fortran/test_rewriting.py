"""The text of rewritten Fortran: its lines, its names, what it keeps."""

from __future__ import annotations

import re

import pytest

from pomp_clang.frontend.unit import Instrumented, SourceForm, Unit
from pomp_clang.rewrite.instrument import instrument

FREE = SourceForm(fixed=False, columns=132)
FIXED = SourceForm(fixed=True, columns=72)
LONG = ", ".join(f"variable_{number}" for number in range(40))


def rewritten(text: str, form: SourceForm = FREE) -> Instrumented:
    return instrument(Unit("a.f90", text, "fortran", (), form=form))


def lines_of(instrumented: Instrumented) -> list[str]:
    assert instrumented.text is not None
    return instrumented.text.split("\n")


def original(instrumented: Instrumented) -> dict[int, str]:
    """Return the lines of the text by the number that the markers give them; the last wins."""
    numbered: dict[int, str] = {}
    number = 1
    for line in lines_of(instrumented):
        marker = re.match(r'# (\d+) "a.f90"', line)
        if marker:
            number = int(marker[1])
        else:
            numbered[number] = line
            number += 1
    return numbered


PARALLEL_DO = """\
subroutine s(x, n)
  integer :: i, n
  real :: x(n)
!$omp parallel do
  do i = 1, n
    x(i) = 1
  end do
  x(1) = 2
end subroutine
"""


def test_every_line_of_the_user_keeps_its_number() -> None:
    numbered = original(rewritten(PARALLEL_DO))
    user_lines = {
        at: text for at, text in enumerate(PARALLEL_DO.split("\n"), 1) if "!$omp" not in text
    }
    assert {at: numbered.get(at) for at in user_lines if user_lines[at] and at != 7} == {
        at: text for at, text in user_lines.items() if text and at != 7
    }


def test_a_combined_construct_has_one_barrier_and_one_token() -> None:
    lines = lines_of(rewritten(PARALLEL_DO))
    directives = [line for line in lines if line.startswith("!$omp")]
    assert directives == [
        "!$omp parallel firstprivate(pompt1)",
        "!$omp do",
        "!$omp end do nowait",
        "!$omp barrier",
        "!$omp end parallel",
    ]
    assert sum("integer(8) :: pompt1" in line for line in lines) == 1


@pytest.mark.parametrize(("form", "columns"), [(FREE, 132), (FIXED, 72)])
def test_no_inserted_line_is_longer_than_the_form_allows(form: SourceForm, columns: int) -> None:
    listed = LONG.replace(", ", ",\n!$omp& " if form.fixed else ", &\n!$omp& ")
    text = f"      call s\n!$omp parallel private({listed})\n      call s\n!$omp end parallel\n      end\n"
    assert max(map(len, lines_of(rewritten(text, form)))) <= columns


def test_the_token_of_an_inner_construct_is_private_in_the_outer_one() -> None:
    text = """\
!$omp parallel
!$omp task
call s
!$omp end task
!$omp end parallel
end
"""
    lines = lines_of(rewritten(text))
    assert "!$omp parallel private(pompt2) firstprivate(pompt1)" in lines
    assert "!$omp task firstprivate(pompt2)" in lines


def test_a_task_that_copies_late_hands_no_token_over() -> None:
    text = (
        "!$omp parallel\n!$omp task if(.true.)\ncall s\n!$omp end task\n!$omp end parallel\nend\n"
    )
    unit = Unit("a.f90", text, "fortran", (), form=FREE, tasks_copy_late=True)
    directives = [line for line in lines_of(instrument(unit)) if line.startswith("!$omp")]
    assert directives[:2] == ["!$omp parallel firstprivate(pompt1)", "!$omp task if(.true.)"]


def test_clauses_of_the_end_directive_stay_there() -> None:
    text = """\
subroutine s(x)
!$omp single
x = 1
!$omp end single copyprivate(x)
end
"""
    assert "!$omp end single copyprivate(x)" in lines_of(rewritten(text))


def test_implicit_none_for_procedures_gets_declarations() -> None:
    text = """\
subroutine s
implicit none (type, external)
!$omp barrier
end
"""
    instrumented = rewritten(text)
    called = re.findall(r"call (\w+)", instrumented.text or "")
    declared = re.findall(r"external :: (\w+)", instrumented.text or "")
    assert called and sorted(called) == sorted(declared)


def test_a_submodule_declares_its_calls_as_its_module_may_demand() -> None:
    text = """\
submodule (m) parts
contains
module procedure s
!$omp barrier
end
end
"""
    instrumented = rewritten(text)
    called = re.findall(r"call (\w+)", instrumented.text or "")
    declared = re.findall(r"external :: (\w+)", instrumented.text or "")
    assert called and sorted(called) == sorted(declared)


def test_a_text_with_directives_of_pomp_under_openmps_sentinel_is_foreign_to_the_compiler() -> None:
    text = "!$omp inst begin(a)\ncall s\n!$omp inst end(a)\nend\n"
    assert rewritten(text).is_foreign
    assert not rewritten(text.replace("$omp", "$pomp")).is_foreign


def test_a_statement_behind_an_atomic_one_stays_on_its_line() -> None:
    text = "!$omp atomic\nx = x + 1; y = 2\nend\n"
    numbered = lines_of(rewritten(text))
    at = next(number for number, line in enumerate(numbered) if line.strip() == "y = 2")
    assert numbered[at - 1] == '# 2 "a.f90"'


@pytest.mark.parametrize("sentinel", ["", "!$"])
@pytest.mark.parametrize(("form", "columns"), [(FREE, 132), (FIXED, 72)])
def test_a_lock_call_by_a_short_name_does_not_outgrow_its_line(
    form: SourceForm, columns: int, sentinel: str
) -> None:
    call = f"{sentinel:<6}call t(l({' + '.join(['i'] * ((columns - 19) // 4))}))"
    instrumented = rewritten(
        f"      use omp_lib, only: t => omp_set_lock\n{call}\n      x = 1\n      end\n", form
    )
    texts = [line for line in lines_of(instrumented) if not line.startswith("#")]
    assert max(map(len, texts)) <= columns and any(
        "&pq" in text.replace("!$ &", "&") for text in texts
    )
    assert original(instrumented)[3] == "      x = 1"


def test_lines_behind_a_name_that_spans_two_keep_their_numbers() -> None:
    text = "call omp_set_&\n&lock(l)\nx = 1\nend\n"
    assert original(rewritten(text))[3] == "x = 1"


def test_the_companion_defines_what_is_called() -> None:
    instrumented = rewritten(PARALLEL_DO)
    called = set(re.findall(r"call (\w+)", instrumented.text or ""))
    defined = set(re.findall(r"void (\w+)_\(", instrumented.companion))
    assert called == defined


def test_loop_variables_that_keep_their_values_are_shared_by_the_parallel_region() -> None:
    text = (
        "!$omp parallel do simd default(none) shared(x) collapse(2)\n"
        "do i = 1, 9\n do 10, j = 1, 9\n do k = 1, 2\n x(k) = 0\n end do\n10 continue\nend do\n"
        "!$omp parallel do default(none) shared(x) private(j)\n"
        "do i = 1, 9\n do j = 1, 9\n x(j) = 0\n end do\nend do\nend\n"
    )
    parallel = [line for line in lines_of(rewritten(text)) if line.startswith("!$omp parallel")]
    assert ["shared(i, j)" in line for line in parallel] == [True, False]


def test_a_loop_with_a_scan_takes_no_values_from_outside() -> None:
    lines = [
        "subroutine s(a, n, r)", "integer :: a(n), n, i, r",
        "!$omp parallel do reduction(inscan, +:r) default(none) firstprivate(a)",
        "do i = 1, n", "r = r + a(i)", "!$omp scan inclusive(r)", "a(i) = r", "end do", "end",
    ]  # fmt: skip
    text = "\n".join([*lines, ""])
    unit = Unit("a.f90", text, "fortran", (), form=FREE, bounds_outside=True, scans_alone=True)
    instrumented = instrument(unit)
    assert instrumented.text is not None
    assert "!$omp parallel do reduction(inscan, +:r)" in instrumented.text
