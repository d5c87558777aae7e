"""Directives are found in live text only, and split by the tables."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.frontend.c.pragmas import find_pragmas
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.directive_text import read_directive


def bodies(text: str) -> list[str]:
    source = CSourceText("a.c", text)
    return [p.body for p in find_pragmas(source, source.lexemes())]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("#pragma omp parallel\n", "parallel"),
        ("  #  pragma   omp  for  nowait // why\n", "for  nowait"),
        ("#pragma omp for \\\n  nowait\n", "for    nowait"),
        ("#pragma omp for \\\r\n  nowait\r\n", "for    nowait"),
        ("#pragma omp for /* a\n b */ nowait\n", "for   nowait"),
        ("%:pragma omp barrier\n", "barrier"),
        ('_Pragma("omp critical (x)")', "critical (x)"),
        ('_Pragma ( L"omp parallel") x;', "parallel"),
        ("#pragma pomp inst on\n", "inst on"),
        ("[[omp::directive(parallel for)]]", "parallel for"),
        ("[[using omp : directive(barrier)]];", "barrier"),
        ("#pragma omp parallel", "parallel"),
    ],
)
def test_every_spelling_of_a_directive_is_found(text: str, body: str) -> None:
    assert bodies(text) == [body]


@pytest.mark.parametrize(
    "text",
    [
        "// #pragma omp parallel\n",
        "/*\n#pragma omp parallel\n*/",
        '"\\\n#pragma omp parallel\\\n"',
        'R"(\n#pragma omp parallel\n)"',
        'u8R"x(\n#pragma omp parallel)" )x"',
        "// a splice \\\n#pragma omp parallel\n",
        "#define X \\\n#pragma omp parallel\n",
        "#pragma once\n",
        "#pragma ompss parallel\n",
        "int x = '\"'; // \"\n",
        "#pragma GCC unroll 4\n",
    ],
)
def test_what_only_looks_like_a_directive_is_left(text: str) -> None:
    assert bodies(text) == []


def test_a_digit_separator_opens_no_literal() -> None:
    assert bodies("int a = 1'000;\n#pragma omp barrier\nint b = 2'000;\n") == ["barrier"]


def test_an_apostrophe_in_a_dead_error_hides_nothing() -> None:
    assert bodies("#error don't\n#pragma omp barrier\n") == ["barrier"]


def test_extents_are_those_of_the_directive_without_the_line_end() -> None:
    text = "x;\n  #pragma omp for \\\n nowait  \n y;"
    source = CSourceText("a.c", text)
    (pragma,) = find_pragmas(source, source.lexemes())
    assert text[pragma.start : pragma.end] == "#pragma omp for \\\n nowait"


@pytest.mark.parametrize(
    ("body", "words", "argument", "clauses"),
    [
        ("parallel", "parallel", None, []),
        ("parallel for", "parallel for", None, []),
        ("parallel for simd safelen(4)", "parallel for simd", None, ["safelen(4)"]),
        ("critical (name) hint(0)", "critical", "name", ["hint(0)"]),
        ("for schedule(dynamic, f(1, 2)), nowait", "for", None, ["schedule(dynamic, f(1, 2))", "nowait"]),
        ("flush (a, b)", "flush", "a, b", []),
        ("cancel for if(a > b)", "cancel", None, ["for", "if(a > b)"]),
        ("ordered depend(sink: i - 1)", "ordered", None, ["depend(sink: i - 1)"]),
        ('error at(execution) message(")")', "error", None, ["at(execution)", 'message(")")']),
        ("target enter data map(to: a)", "target enter data", None, ["map(to: a)"]),
    ],
)  # fmt: skip
def test_a_body_is_split(body: str, words: str, argument: str | None, clauses: list[str]) -> None:
    reading = read_directive(body)
    assert reading.directive is not None
    assert reading.directive.words == words
    assert reading.argument == argument
    assert [str(c) for c in reading.clauses] == clauses
    assert reading.is_whole


@pytest.mark.parametrize(
    "body",
    [
        "parallel )", "parallel num_threads(2))", "parallel num_threads(2", "parallel num_threads(2]",
        "parallel num_threads((2)", "parallel, if(0)", "parallel if(0),, nowait", "parallel if(0),",
        "critical (a", "critical (a) (b)", "barrier;", "flush (a) 1",
    ],
)  # fmt: skip
def test_text_beside_the_clauses_is_known(body: str) -> None:
    assert not read_directive(body).is_whole


@given(st.text(alphabet="#pragmo \n\\/*\"'()RuL[]:_P;x1", max_size=80))
def test_any_text_is_lexed_to_its_end(text: str) -> None:
    source = CSourceText("a.c", text)
    lexemes = list(source.lexemes())
    assert all(text[x.start : x.end] == x.text for x in lexemes)
    assert all(a.end <= b.start for a, b in itertools.pairwise(lexemes))
    list(find_pragmas(source, lexemes))


@given(st.text(alphabet="parlefo ()[],:\"'", max_size=60))
def test_any_body_is_read(body: str) -> None:
    read_directive(body)
