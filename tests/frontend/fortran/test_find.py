"""Constructs of Fortran texts: extents, nesting, and the lines at which calls are inserted."""

from __future__ import annotations

import pytest

from pomp_clang.frontend.unit import SourceForm, UnitError
from tests.frontend.fortran.texts import FIXED, FREE, extents, found_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!$omp parallel\nx = 1\n!$omp end parallel\nend\n", ["parallel 1-3"]),
        ("!$OMP PARALLELDO\ndo i=1,3\nend do\n!$omp endparalleldo\nend\n", ["parallel do 1-4"]),
        ("!$omp do\ndo i=1,3\nend do\nend\n", ["do 1-3"]),
        ("!$omp do\ndo i=1,3\nend do\nx=1\nend\n", ["do 1-3"]),
        ("!$omp do &\n!$omp & private(j)\ndo 1 i=1,3\n1 x=i\nend\n", ["do 1-4"]),
        ("!$omp do\nouter: do i=1,3\ndo j=1,2\nend do\nend do outer\nend\n", ["do 1-5"]),
        ("!$omp do\ndo while = 1, 3\nend do\nend\n", ["do 1-3"]),
        ("!$omp do\n!$ do i=1,3\n!$ end do\nend\n", ["do 1-3"]),
        ("!$omp atomic\nx=x+1; y=2\nend\n", ["atomic 1-2"]),
        ("!$omp atomic capture\nv=x; x=x+1\nend\n", ["atomic 1-2"]),
        ("!$omp atomic capture\nv=x\nx=x+1\n!$omp end atomic\nend\n", ["atomic 1-4"]),
        (
            "!$omp atomic compare capture\nif (x == 4) then\nx = 3\nelse\nv = x\nend if\ny=1\nend\n",
            ["atomic 1-6"],
        ),
        ("!$omp parallel\nblock\nx=1\nend block\ny=1\nend\n", ["parallel 1-4"]),
        (
            "!$omp parallel\nblock\nx=1\nend block\n!$omp end parallel\nend\n",
            ["parallel 1-5"],
        ),
        (
            "!$omp sections\n!$omp section\nblock\nend block\nx=1\n!$omp end sections\nend\n",
            ["sections 1-6", "  section 2-5"],
        ),
        (
            "!$omp single\nx=1\n!$omp end single copyprivate(x)\nend\n",
            ["single 1-3"],
        ),
        (
            "!$omp parallel do\n!$omp tile sizes(2)\ndo i=1,3\nend do\nend\n",
            ["parallel do 1-4", "  tile 2-4"],
        ),
        ("!$omp ordered depend(source)\nx=1\nend\n", ["ordered 1-1"]),
        ("!$omp metadirective when(user={condition(.true.)}: barrier)\nend\n", ["metadirective 1-1"]),
        ("print *, '!$omp parallel'\nx = 'a ! b&\n&!$omp do'\nend\n", []),
        ("call s()\nend\n! c\nsubroutine s\n!$omp barrier\nend\n", ["barrier 5-5"]),
    ],
)  # fmt: skip
def test_a_construct_ends_where_openmp_ends_it(text: str, expected: list[str]) -> None:
    assert extents(text) == expected


FIXED_FORM = """\
c     a comment
      program t
C$OMP PARALLEL
c$omp+shared(a)
      D O 10 I = 1 , 10
c$omp critical
      do10i=1.10
*$omp end critical
   10 a(i) = 'it''s ! $'
!$omp  do
c$    do i=1,3
\tx = 1
      do 20 j=1,2
      do 20 k=1,2
c
   20 x = x
     & + 1
      E N D D O
c$omp endparallel
      end
"""


def test_fixed_form_is_read_by_its_columns() -> None:
    assert extents(FIXED_FORM, FIXED) == ["parallel 3-19", "  critical 6-8", "  do 10-18"]


def test_text_behind_the_last_column_is_a_comment() -> None:
    text = "c$omp parallel\n      x = 1" + " " * 61 + "; y = 'a\nc$omp end parallel\n      end\n"
    assert extents(text, FIXED) == ["parallel 1-3"]
    with_132 = text.replace("'a", "'a'")
    assert extents(with_132, SourceForm(fixed=True, columns=132)) == ["parallel 1-3"]


@pytest.mark.parametrize("form", [FREE, FIXED])
def test_places_are_the_lines_around_the_directives(form: SourceForm) -> None:
    text = (
        "      program t\n!$omp do\n      do i=1,3\n      end do\n!$omp end do nowait\n      end\n"
    )
    construct = found_in(text, form).constructs.items[0]
    places = construct.places
    assert places is not None
    lines = [text.count("\n", 0, at) + 1 for at in (places.before, places.inside, places.end)]
    assert [*lines, text.count("\n", 0, places.after) + 1] == [2, 3, 5, 6]
    assert construct.reading is not None
    assert construct.reading.clause("nowait")


def test_statements_behind_the_last_one_are_told_apart() -> None:
    text = "!$omp do\n  do i=1,3; x=1; end do; y=1\nend\n"
    places = found_in(text).constructs.items[0].places
    assert places is not None
    assert places.rest is not None
    assert text[: places.rest.start].endswith("end do")
    assert text[places.rest.resume :].startswith("y=1")


def test_a_loop_in_an_outer_loop_with_the_same_last_statement_is_left_out() -> None:
    text = "do 1 i=1,3\n!$omp do\ndo 1 j=1,3\n1 continue\nend\n"
    assert "outer loop" in found_in(text).constructs.items[0].obstacle[0]


UNITS = """\
module m
  implicit none (type, external)
  interface
    subroutine other(x)
      real x
    end subroutine
  end interface
  type t
    integer :: i = 1
  contains
    procedure :: p
  end type
contains
  pure elemental real function f(x)
    real, intent(in) :: x
    f = x
  contains
  end function
  subroutine s
    integer i; i = 1
!$omp barrier
  end
end module
"""


def test_units_say_where_declarations_can_stand() -> None:
    constructs = found_in(UNITS).constructs
    lines = [
        (u.kind, u.name, u.declarations and UNITS.count("\n", 0, u.declarations) + 1)
        for u in constructs.units
    ]
    assert lines == [
        ("module", "m", None),
        ("subroutine", "other", None),
        ("function", "f", 16),
        ("subroutine", "s", 20),
    ]
    _, other, function, subroutine = constructs.units
    assert (other.external, function.external, subroutine.external) == (False, True, True)
    assert (function.pure, subroutine.pure) == (True, False)
    assert subroutine.rest is not None
    assert UNITS[subroutine.rest.resume :].startswith("i = 1")
    assert constructs.items[0].declaration_site.function == "s"


@pytest.mark.parametrize(
    ("declaration", "line"),
    [
        ("real :: f, t", 7),
        ("real(kind=8) f", 7),
        ("integer*8 f", 7),
        ("real :: f(3)", 6),
        ("real, dimension(3) :: f", 6),
        # It may be an array of `other`.
        ("integer :: t", 6),
    ],
)
def test_a_procedure_begins_behind_its_statement_functions(declaration: str, line: int) -> None:
    text = (
        "module m\ncontains\nsubroutine s\nuse other\n"
        f"{declaration}\nf(t) = t\nx = 1\nend subroutine\nend module\n"
    )
    body = found_in(text).constructs.units[1].body
    assert body is not None
    assert text.count("\n", 0, body.enter) + 1 == line


def test_lock_calls_are_found_by_any_name() -> None:
    text = (
        "subroutine s(l)\nuse omp_lib, only: take => omp_set_lock\n"
        "if (omp_test_lock(l)) call take(l(i, 1)); print *, 'omp_set_lock(l)'\nend\n"
    )
    actual = found_in(text).constructs.items
    assert [(c.routine and c.routine.name, c.sub_name) for c in actual] == [
        ("omp_test_lock", "l"),
        ("omp_set_lock", "l(i, 1)"),
    ]


def test_lock_calls_are_found_whatever_blanks_and_lines_are_in_their_names() -> None:
    text = (
        "      call omp_set_\n     & nest_lock(l)\n      if(i.eq.0)callomp_set_lock\n     & (l)\n"
        "      x = o mp_test_lock(l)\n      recallomp_set_lock(l) = 1\n      end\n"
    )
    items = found_in(text, FIXED).constructs.items
    calls = [(c.routine.name, text[c.begin.start : c.begin.end]) for c in items if c.routine]
    assert calls == [
        ("omp_set_nest_lock", "omp_set_\n     & nest_lock"),
        ("omp_set_lock", "omp_set_lock"),
        ("omp_test_lock", "o mp_test_lock"),
    ]


def test_control_directives_have_both_sentinels_and_the_users_names() -> None:
    text = "!$omp inst begin(Work)\n!$pomp inst end(Work)\n!$pomp noinstrument\n!p$ x = 1\nend\n"
    actual = found_in(text).constructs
    assert [(c.kind, c.sub_name, c.pair) for c in actual.items] == [
        ("region", "Work", 1),
        ("region", "Work", 0),
        ("noinstrument", "", None),
    ]


def test_a_text_whose_blocks_do_not_end_properly_is_refused_with_its_line() -> None:
    with pytest.raises(UnitError, match="ends no construct") as raised:
        found_in('# 7 "b.f90"\nx = 1\n!$omp end parallel\nend\n')
    assert raised.value.line == 8


def test_places_come_from_line_markers() -> None:
    actual = found_in(
        '# 1 "a.f90"\n# 1 "d.inc" 1\n!$omp do\n# 3 "a.f90" 2\ndo i=1,2\nend do\nend\n'
    )
    source, item = actual.constructs.source, actual.constructs.items[0]
    assert source.place(item.begin.start) == ("d.inc", 1)
    assert source.place(item.extent.end - 1) == ("a.f90", 4)


NAMES = """\
module if end do else endif enddo where forall case open block associate critical entry select
 data format contains program module interface implicit stop write print call goto return use save
 type class function subroutine real integer
"""


@pytest.mark.parametrize("form", [FREE, FIXED], ids=["free", "fixed"])
@pytest.mark.parametrize("assignment", ["{} = 1", "{}(1) = 2", "if ({} == 1) {} = 3"])
def test_a_variable_with_the_name_of_a_keyword_opens_and_ends_nothing(
    assignment: str, form: SourceForm
) -> None:
    margin = "      " if form.fixed else ""
    lines = [margin + assignment.format(name, name) for name in NAMES.split()]
    text = "\n".join(["!$omp parallel", *lines, "!$omp end parallel", f"{margin}end", ""])
    assert extents(text, form) == [f"parallel 1-{len(lines) + 2}"]


def test_a_directive_that_nothing_continues_is_not_whole() -> None:
    """gfortran refuses it, whatever stands on the next line."""
    text = "!$omp parallel &\nx=1\n!$omp end parallel\n!$omp barrier &\n\n!$omp &\nend\n"
    first, second = found_in(text).constructs.items
    assert first.reading is not None and not first.reading.is_whole
    assert second.reading is not None and not second.reading.is_whole


@pytest.mark.parametrize(
    ("directive", "end", "is_whole"),
    [
        ("do", "do nowait", True),
        ("do", "do, nowait", True),
        ("do", "do nowait )", False),
        ("do", "do;", False),
        ("do", "do (x)", False),
        ("do", "do private(x)", False),
        ("do simd", "do simd nowait", True),
        ("parallel do", "parallel do", True),
        ("parallel do", "parallel do nowait", False),
        ("single", "single copyprivate(x)", True),
        ("single", "single &", False),
        ("critical (c)", "critical (c)", True),
        ("critical (c)", "critical (c", False),
    ],
)
def test_the_end_directive_is_part_of_the_reading(directive: str, end: str, is_whole: bool) -> None:
    text = f"!$omp {directive}\ndo i=1,3\nx=i\nend do\n!$omp end {end}\nend\n"
    (construct,) = found_in(text).constructs.items
    assert construct.reading is not None and construct.reading.is_whole == is_whole


def test_lines_that_end_in_carriage_return_and_newline_have_the_same_constructs() -> None:
    text = "!$omp parallel do &\n!$omp& private(j)\ndo i=1,3\nx=1\nend do\n!$omp atomic\nx=x+1; y=2\nend\n"
    assert extents(text.replace("\n", "\r\n")) == extents(text) == ["parallel do 1-5", "atomic 6-7"]
