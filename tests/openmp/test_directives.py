"""The directive table is consistent with itself and with the POMP API. The directives of the POMP API
are read in all their forms, and the numbers of descriptors are those of pomp.h.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pomp_clang.driver.runtime.link import compile_arguments
from pomp_clang.openmp.directive_lookup import directive_named, longest_match
from pomp_clang.openmp.directives import (
    DIRECTIVES,
    MEASURED,
    Directive,
    DirectiveForm,
    DirectiveState,
    ImpliedBarrier,
)
from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES, FORTRAN_MEASURED
from pomp_clang.openmp.pomp_api import (
    CONTROLS,
    POMP_VERSION,
    ROUTINES,
    VALUE_TYPES,
    DescriptorFlag,
    read_control,
)

REPOSITORY = Path(__file__).parents[2]
HEADER = (REPOSITORY / "runtime" / "include" / "pomp.h").read_text()
FUNCTIONS = set(re.findall(r"\b(POMP_\w+)\(", HEADER))
OTHERS = {"POMP_Register"} | {
    f"POMP_{verb}_{what}" for verb in ("Get", "Set") for what in ("team", "task", "creation")
}
ITERATIONS = {"POMP_Iterations_begin", "POMP_Iteration", "POMP_Iterations_end"}

measured = pytest.mark.parametrize(
    "row",
    [*MEASURED, *(d for d in FORTRAN_MEASURED if d not in MEASURED)],
    ids=lambda d: d.words,
)


@measured
def test_every_event_is_a_function_of_the_api(row: Directive) -> None:
    for kind in (*row.around, *row.inside):
        function = f"POMP_{row.event}_{kind}"
        assert function in FUNCTIONS, f"runtime/include/pomp.h does not declare {function}"


@measured
def test_a_measured_directive_has_events_or_leaves_that_have(row: Directive) -> None:
    assert bool(row.leaves) != bool(row.around or row.inside)
    for leaf in row.leaves:
        assert directive_named(leaf).state is DirectiveState.MEASURED
    if row.leaves:
        assert " ".join(row.leaves) == row.words
        assert row.form is directive_named(row.leaves[1]).form
        assert row.opaque == directive_named(row.leaves[1]).opaque


@measured
def test_nothing_is_put_inside_where_no_call_may_stand(row: Directive) -> None:
    if row.opaque or row.form is DirectiveForm.LOOP:
        assert not row.inside


@measured
def test_only_what_ends_in_a_barrier_makes_one_explicit(row: Directive) -> None:
    ends_in_barrier = row.words in (
        "for", "for simd", "do", "do simd", "sections", "single", "scope", "workshare"
    )  # fmt: skip
    assert (row.barrier is ImpliedBarrier.NOWAIT) == ends_in_barrier
    assert (row.barrier is ImpliedBarrier.ADDED) == (row.words == "parallel")


def test_directives_that_are_not_measured_have_no_events() -> None:
    for row in DIRECTIVES.values():
        if row.state is not DirectiveState.MEASURED:
            assert (row.event, row.around, row.inside, row.leaves) == ("", (), (), ())


def test_every_function_of_the_api_belongs_to_a_table() -> None:
    events = {f"POMP_{d.event}_{k}" for d in FORTRAN_MEASURED for k in (*d.around, *d.inside)}
    routines = {r.replacement for r in ROUTINES.values()}
    controls = {c.call for c in CONTROLS.values() if c.call}
    controls |= {f"POMP_Value_{kind}" for kind in VALUE_TYPES}
    unknown = FUNCTIONS - events - routines - controls - OTHERS - ITERATIONS
    assert not unknown, f"no row of pomp_clang/openmp calls {unknown} of runtime/include/pomp.h"
    assert events | routines | controls | OTHERS | ITERATIONS == FUNCTIONS


@pytest.mark.parametrize("function", sorted(FUNCTIONS - {r.replacement for r in ROUTINES.values()}))
def test_every_function_of_the_api_says_when_it_is_called(function: str) -> None:
    described = re.search(rf"\b{function}\([^)]*\);\s*/\*", HEADER)
    above = re.search(rf"\*/\n(?:void|int) {function}\(", HEADER)
    assert described or above


def test_every_library_knows_the_events() -> None:
    table = REPOSITORY / "runtime" / "src" / "events" / "events.def"
    rows = re.findall(r"^([A-Z]+)\(([A-Z]\w+)", table.read_text(), re.M)
    events = {name for kind, name in rows if kind != "PAIR"}
    events |= {f"{name}_{k}" for kind, name in rows if kind == "PAIR" for k in ("enter", "exit")}
    missing = {f"{d.event}_{k}" for d in MEASURED for k in (*d.around, *d.inside)} - events
    assert not missing, f"runtime/src/events/events.def has no row for {missing}"


@measured
def test_the_documentation_says_what_becomes_of_a_directive(row: Directive) -> None:
    """The table's first column has each directive; a combined one belongs to its first word."""
    text = (REPOSITORY / "docs" / "reference" / "constructs.md").read_text()
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    named = {name.strip() for cell in first for name in re.split(r",| and their combined", cell)}
    assert row.words in {*named, "section"} or row.words.split()[0] in named, (
        f"docs/reference/constructs.md has no row for {row.words}"
    )


def test_every_replacement_of_a_routine_is_a_function_of_the_api() -> None:
    assert {r.replacement for r in ROUTINES.values()} <= FUNCTIONS


@pytest.mark.parametrize("row", DIRECTIVES.values(), ids=lambda d: d.words)
def test_a_directive_is_found_by_its_own_words_whatever_follows(row: Directive) -> None:
    assert longest_match([*row.words.split(), "untouched"]) is row


def test_fortran_has_its_own_word_for_a_worksharing_loop() -> None:
    assert "parallel do simd" in FORTRAN_DIRECTIVES
    assert not any("for" in words.split() for words in FORTRAN_DIRECTIVES)
    assert longest_match(["do"]) is None
    assert longest_match(["parallel", "do"], FORTRAN_DIRECTIVES) is directive_named("parallel do")


def test_unknown_words_match_no_directive() -> None:
    assert longest_match(["paralel"]) is None
    assert longest_match([]) is None


@pytest.mark.parametrize(
    ("body", "words", "name", "value"),
    [
        ("inst init", "inst init", "", ""),
        ("inst   off ", "inst off", "", ""),
        ("inst begin(phase)", "inst begin", "phase", ""),
        ("inst end ( phase )", "inst end", "phase", ""),
        ("inst begin(step, it[2])", "inst begin", "step", "it[2]"),
        ("noinstrument", "noinstrument", "", ""),
        ("instrument", "instrument", "", ""),
    ],
)
def test_a_control_directive_is_read(body: str, words: str, name: str, value: str) -> None:
    reading = read_control(body)
    assert reading is not None
    assert (reading.control.words, reading.name, reading.value) == (words, name, value)


@pytest.mark.parametrize(
    "body", ["inst", "inst begin", "inst on(x)", "parallel", "inst start", "instrument all"]
)
def test_what_is_none_is_not_taken_for_one(body: str) -> None:
    assert read_control(body) is None


def test_flags_are_those_of_the_header() -> None:
    written = {name: int(value) for name, value in re.findall(r"POMP_(\w+) = (\d+)", HEADER)}
    assert written == {flag.name: flag.value for flag in DescriptorFlag}


def test_the_version_is_that_of_the_header_and_of_the_compile() -> None:
    assert f"#define POMP_VERSION {POMP_VERSION}\n" in HEADER
    assert f"-D_POMP={POMP_VERSION}" in compile_arguments(defines_pomp=False)
