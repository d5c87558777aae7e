"""Every row of the directive table in Fortran, in fixed and in free form; the POMP paper's Table 4."""

from __future__ import annotations

import re

import pytest

from pomp_clang.frontend.unit import Instrumented, SourceForm, Unit
from pomp_clang.openmp.directive_lookup import directive_named
from pomp_clang.openmp.directives import Directive, DirectiveForm, DirectiveState, ImpliedBarrier
from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES
from pomp_clang.rewrite.instrument import instrument

FREE = SourceForm(fixed=False, columns=132)
FIXED = SourceForm(fixed=True, columns=72)
BLOCKS = {
    DirectiveForm.BLOCK: ["call work"],
    DirectiveForm.LOOP: ["do i = 1, 9", "call work", "end do"],
    DirectiveForm.SECTIONS: ["call work", "!$omp section", "call work"],
    DirectiveForm.STATEMENT: ["x = x + 1"],
}
ENDS_MAY_BE_LEFT_OUT = (DirectiveForm.LOOP, DirectiveForm.STATEMENT)
ROWS = [
    (row, ends)
    for row in FORTRAN_DIRECTIVES.values()
    if row.words != "metadirective"
    if row.form in BLOCKS or row.form is DirectiveForm.STANDALONE
    for ends in (True, False)
    if row.form in ENDS_MAY_BE_LEFT_OUT or ends is (row.form in BLOCKS)
]
TABLE_4 = """\
      subroutine step(i1, i2, j1, j2)
      include 'psi.inc'
c$omp do schedule(static) reduction(+: diff) private(j)
c$omp& firstprivate(a1,a2,a3,a4,a5)
      do i = i1, i2
        do j = j1, j2
          new_psi(i,j) = a1*psi(i+1,j) + a2*psi(i-1,j) + a3*psi(i,j+1)
     &      + a4*psi(i,j-1) - a5*the_for(i,j)
          diff = diff + abs(new_psi(i,j) - psi(i,j))
        end do
      end do
      end
"""


def _instrumented(lines: list[str], form: SourceForm) -> Instrumented:
    margin = "      " if form.fixed else ""
    texts = [line if line.startswith("!$omp") else margin + line for line in lines]
    return instrument(Unit("a.f", "\n".join([*texts, ""]), "fortran", (), form=form))


def _with_events(instrumented: Instrumented) -> list[str]:
    """Return the lines of the text, the events in the place of the calls that make them."""
    bodies = dict(re.findall(r" (pq\w+)_\(.*?\) \{ (.*) \}", instrumented.companion))
    lines: list[str] = []
    for line in (instrumented.text or "").splitlines():
        called = re.fullmatch(r" *call (pq\w+)(?:\(\w*\))?\(?\)?", line)
        if called:
            lines += re.findall(r"POMP_\w+(?=\(__pomp_rd)", bodies[called[1]])
        elif not line.startswith("#"):
            lines.append(line)
    return lines


def _events(row: Directive) -> list[str]:
    """Return the events of a row, from the outside in and out again."""
    parts = [directive_named(words) for words in row.leaves] or [row]
    if row.leaves and parts[1].barrier is not ImpliedBarrier.NOWAIT:
        parts.pop()
    opening = [
        f"POMP_{r.event}_{kinds[0]}" for r in parts for kinds in (r.around, r.inside) if kinds
    ]
    closing = [
        f"POMP_{r.event}_{kinds[1]}" for r in parts for kinds in (r.around, r.inside) if kinds
    ]
    return [*opening, *reversed(closing)]


@pytest.mark.parametrize("form", [FREE, FIXED], ids=["free", "fixed"])
@pytest.mark.parametrize(
    ("row", "ends"),
    ROWS,
    ids=[f"{row.words}{'' if ends else ' without end'}" for row, ends in ROWS],
)
def test_a_row_has_its_events_in_their_order(row: Directive, ends: bool, form: SourceForm) -> None:
    end = [f"!$omp end {row.words}"] if ends else []
    instrumented = _instrumented(
        [f"!$omp {row.words}", *BLOCKS.get(row.form, []), *end, "end"], form
    )
    actual = [line for line in _with_events(instrumented) if line.startswith("POMP_")]
    if row.state is DirectiveState.SILENT:
        assert actual == []
        return
    within = [event for event in actual if not event.startswith(("POMP_Barrier", "POMP_Section_"))]
    assert within == _events(row) if row.event != "Barrier" else actual == _events(row)
    assert not instrumented.notes


@pytest.mark.parametrize("words", ["sections", "parallel sections"])
def test_each_section_has_its_events(words: str) -> None:
    lines = [f"!$omp {words}", *BLOCKS[DirectiveForm.SECTIONS], f"!$omp end {words}", "end"]
    actual = [line for line in _with_events(_instrumented(lines, FREE)) if "Section_" in line]
    assert actual == ["POMP_Section_begin", "POMP_Section_end"] * 2


METADIRECTIVES = {
    "begin metadirective when(user={condition(c)}: parallel)": [
        "call work",
        "!$omp end metadirective",
    ],
    "metadirective when(user={condition(c)}: do) default(simd)": BLOCKS[DirectiveForm.LOOP],
    "metadirective when(user={condition(c)}: barrier) default(taskwait)": [],
}


@pytest.mark.parametrize("form", [FREE, FIXED], ids=["free", "fixed"])
@pytest.mark.parametrize("words", METADIRECTIVES)
def test_a_metadirective_is_measured_whichever_variant_is_chosen(
    words: str, form: SourceForm
) -> None:
    instrumented = _instrumented([f"!$omp {words}", *METADIRECTIVES[words], "end"], form)
    actual = [line for line in _with_events(instrumented) if line.startswith("POMP_")]
    assert actual == ["POMP_Metadirective_enter", "POMP_Metadirective_exit"]
    assert not instrumented.notes


def test_table_4_of_the_paper() -> None:
    instrumented = instrument(Unit("a.f", TABLE_4, "fortran", (), form=FIXED))
    lines = TABLE_4.splitlines()
    assert _with_events(instrumented) == [
        *lines[:2],
        "POMP_For_enter",
        *lines[2:11],
        "!$omp end do nowait",
        "POMP_Barrier_enter",
        "!$omp barrier",
        "POMP_Barrier_exit",
        "POMP_For_exit",
        lines[11],
    ]
