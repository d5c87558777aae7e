"""Directives and lock calls that come out of macros, however many names lead to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c import expand
from pomp_clang.frontend.c.find import find
from pomp_clang.frontend.c.macros import Macros
from pomp_clang.frontend.constructs import FoundConstructs
from tests.compilers import first

LOOP = '#define LOOP(n) _Pragma("omp parallel for") for (int i = 0; i < n; i++)\n'
LOCK = "#include <omp.h>\n#define SET(l) omp_set_lock(l)\n"
USE = "void f(double *x, int n) {{ {} x[i] += 1; }}\n"
CALL = "void f(omp_lock_t *l) {{ {}; }}\n"


@pytest.fixture(params=["clang", "gcc"])
def compiler(request: pytest.FixtureRequest) -> str:
    names = ("clang-19", "clang") if request.param == "clang" else ("gcc",)
    return first(*names) or pytest.skip(f"{request.param} is not here")


def found_in(folder: Path, compiler: str, text: str, *options: str) -> FoundConstructs:
    source = folder / "a.c"
    source.write_text(text)
    return find(unit_of(str(source), [compiler, "-fopenmp", *options]))


def kinds(found_constructs: FoundConstructs) -> list[str]:
    return [
        item.routine.name if item.routine else item.kind
        for constructs in found_constructs.files
        for item in constructs.items
    ]


@pytest.mark.parametrize(
    ("aliases", "use"),
    [
        ("", "LOOP(n)"),
        ("#define EACH LOOP\n", "EACH(n)"),
        ("#define EACH LOOP\n", "EACH\n (n)"),
        ("#define MID LOOP\n#define EACH MID\n", "EACH(n)"),
        ("#define EACH(unused) LOOP\n", "EACH(1)(n)"),
        ("#define APPLY(m, n) m(n)\n", "APPLY(LOOP, n)"),
        ("#define APPLY(m, n) m(n)\n#define EACH LOOP\n#define ALL APPLY\n", "ALL(EACH, n)"),
    ],
)
def test_other_names_of_a_macro_make_its_directive(
    tmp_path: Path, compiler: str, aliases: str, use: str
) -> None:
    actual = found_in(tmp_path, compiler, LOOP + aliases + USE.format(use))
    assert kinds(actual) == ["parallel for"]
    assert not actual.notes


def test_a_macro_may_be_defined_on_the_command_line(tmp_path: Path, compiler: str) -> None:
    actual = found_in(tmp_path, compiler, LOOP + USE.format("EACH(n)"), "-DEACH=LOOP")
    assert kinds(actual) == ["parallel for"]
    assert not actual.notes


def test_a_macro_of_a_header_has_other_names_too(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "loops.h").write_text(LOOP + "#define EACH LOOP\n")
    actual = found_in(tmp_path, compiler, '#include "loops.h"\n' + USE.format("EACH(n)"))
    assert kinds(actual) == ["parallel for"]
    assert not actual.notes


@pytest.mark.parametrize(
    ("aliases", "use"),
    [
        ("", "SET(l)"),
        ("#define TAKE SET\n", "TAKE(l)"),
        ("#define MID SET\n#define TAKE MID\n", "TAKE (l)"),
        ("#define ROUTINE omp_set_lock\n", "ROUTINE(l)"),
        ("#define APPLY(m, l) m(l)\n", "APPLY(omp_set_lock, l)"),
    ],
)
def test_other_names_of_a_lock_routine_are_measured(
    tmp_path: Path, compiler: str, aliases: str, use: str
) -> None:
    actual = found_in(tmp_path, compiler, LOCK + aliases + CALL.format(use))
    assert kinds(actual) == ["omp_set_lock"]
    assert not actual.notes


def test_what_follows_an_object_like_macro_in_parentheses_is_not_its_argument(
    tmp_path: Path, compiler: str
) -> None:
    text = '#define PAR _Pragma("omp parallel")\nvoid g(int);\nvoid f(int n) { PAR (g)(n); }\n'
    assert kinds(found_in(tmp_path, compiler, text)) == ["parallel"]


def test_a_macro_that_an_argument_names_and_calls_later_is_named(
    tmp_path: Path, compiler: str
) -> None:
    text = LOOP + "#define PICK(a, b) b\n" + USE.format("PICK(0, LOOP)(n)")
    actual = found_in(tmp_path, compiler, text)
    assert not kinds(actual)
    assert [note.reason for note in actual.notes] == ["unseen"]


PRAGMA = "#define PRAGMA(x) _Pragma(#x)\n"


@pytest.mark.parametrize(
    ("text", "kind", "body"),
    [
        ("#define LOOP for schedule(static, 4)\n{}#pragma omp parallel \\\n LOOP\n",
         "parallel for", "parallel for schedule(static, 4)"),
        (PRAGMA + "#define EACH PRAGMA(omp for)\n{}EACH\n", "for", "for"),
        (PRAGMA + "#define EACH(k) PRAGMA(omp for schedule(static, k))\n{}EACH(4)\n",
         "for", "for schedule(static, 4)"),
        (PRAGMA + "{}PRAGMA(omp for)\n", "for", "for"),
    ],
)  # fmt: skip
def test_a_macro_that_is_read_as_a_directive_takes_no_other_run_of_the_preprocessor(
    tmp_path: Path,
    compiler: str,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    kind: str,
    body: str,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("preprocessed once more")

    monkeypatch.setattr(expand, "expand", refuse)
    loop = "  for (int i = 0; i < n; i++) x[i] += 1;\n"
    dead = "#if 0\n#pragma omp parallel LOOP\n#endif\n}\n"
    (actual,) = found_in(
        tmp_path, compiler, text.format("void f(double *x, int n) {\n") + loop + dead
    ).files
    assert kinds(found_in(tmp_path, compiler, (tmp_path / "a.c").read_text())) == [kind]
    pragma = actual.items[0].pragma
    assert pragma is not None
    assert pragma.body.replace(" ", "") == body.replace(" ", "")


CAPTURE = PRAGMA + "#define CAPTURE(t, x) PRAGMA(omp atomic capture) { t = x; x++; }\n"


@pytest.mark.parametrize(
    ("defines", "again"),
    [
        (CAPTURE, False),
        (CAPTURE.replace("x++", "x += STEP") + "#define STEP 1\n", False),
        (
            CAPTURE.replace("x++", "x += STEP") + "#define STEP 2\n#undef STEP\n#define STEP 1\n",
            True,
        ),
        (CAPTURE.replace("x++", "x += __LINE__"), True),
    ],
)
def test_a_macro_with_text_around_its_directive_is_preprocessed_alone_unless_it_changes(
    tmp_path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch, defines: str, again: bool
) -> None:
    runs = []
    whole = expand.expand

    def noted(*arguments: Any) -> expand.Expansion:
        runs.append(arguments)
        return whole(*arguments)

    monkeypatch.setattr(expand, "expand", noted)
    text = f"{defines}int f(int *x) {{ int t; CAPTURE(t, *x)\n return t; }}\n"
    (actual,) = found_in(tmp_path, compiler, text).files
    assert [item.kind for item in actual.items] == ["atomic"]
    assert bool(runs) == again


@pytest.mark.parametrize(
    ("defines", "name", "expected"),
    [
        (PRAGMA, "PRAGMA", True),
        (PRAGMA + "#define A PRAGMA(omp for)\n#define B(k) A\n", "B", True),
        (PRAGMA + "#define A PRAGMA(omp for) x\n", "A", False),
        (PRAGMA + "#define A PRAGMA(omp for) PRAGMA(omp for)\n", "A", False),
        (PRAGMA + "#define A PRAGMA\n", "A", False),
        (PRAGMA + "#define A B\n#define B A\n", "A", False),
        (PRAGMA + "#define A PRAGMA(omp for)\n#undef A\n#define A\n", "A", False),
        ('#define A (x) _Pragma("omp for")\n', "A", False),
    ],
)
def test_which_macros_make_one_pragma(defines: str, name: str, expected: bool) -> None:
    macros = Macros(defines, lambda _: False)
    assert macros.makes_one_pragma(name) == expected
