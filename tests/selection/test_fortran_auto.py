"""Procedures of Fortran that `--pomp-functions=auto` measures, judged by their text."""

from __future__ import annotations

import pytest

from pomp_clang.frontend.fortran.find import find
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import SourceForm, Unit
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.plan import Decision, plan
from pomp_clang.selection.selection import ConstructSelection

FREE = SourceForm(fixed=False, columns=132)
PROCEDURES = """\
module m
contains
subroutine region(x)
!$omp parallel do
do i = 1, 10
x(i) = 1
end do
end subroutine
subroutine loops(x, n)
do 10 i = 1, n
do 10 j = 1, n
10 x(i) = x(i) + sin(x(j))
end subroutine
subroutine few(x)
do i = 1, 3
x(i) = 1
end do
end subroutine
subroutine sections(x, y)
x(:, 1) = x(:, 2) * y(:) + exp(y(:)) / 3
end subroutine
subroutine sends(x)
call MPI_Barrier(x, i)
end subroutine
subroutine leads(x)
call loops(x, 4)
end subroutine
real function tiny(x)
tiny = x + 1
end function
pure subroutine allows_no_call(x, n)
do 10 i = 1, n
do 10 j = 1, n
10 x(i) = x(i) + sin(x(j))
end subroutine
end module
call tiny
end
"""


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("m::region", True),
        ("m::loops", True),
        ("m::few", False),
        ("m::sections", True),
        ("m::sends", True),
        ("m::leads", True),
        ("m::tiny", False),
        ("MAIN__", True),
    ],
)
def test_a_procedure_is_measured_if_its_text_looks_costly(name: str, measured: bool) -> None:
    unit = Unit("a.f90", text_of(PROCEDURES.encode()), "fortran", (), functions=True, form=FREE)
    constructs = find(unit).constructs
    selection = ConstructSelection(functions=True, auto=Auto(lambda _: None))
    entries = {entry.construct.sub_name: entry for entry in plan(constructs, selection).entries}
    decided = entries[name]
    assert (decided.decision is Decision.INSTRUMENTED) is measured, decided.why


@pytest.mark.parametrize("auto", [True, False])
def test_a_procedure_that_allows_no_call_has_a_note_unless_it_is_one_of_many(auto: bool) -> None:
    unit = Unit("a.f90", text_of(PROCEDURES.encode()), "fortran", (), functions=True, form=FREE)
    constructs = find(unit).constructs
    selection = ConstructSelection(functions=True, auto=Auto(lambda _: None) if auto else None)
    entries = {entry.construct.sub_name: entry for entry in plan(constructs, selection).entries}
    decided = entries["m::allows_no_call"]
    assert decided.decision is (Decision.DISABLED if auto else Decision.UNABLE)
    assert decided.why == "no call may stand in a PURE procedure"
