"""Diagnostics of a new text are the user's where both texts are the same, and otherwise uncertain."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.command.compiler_command import Input
from pomp_clang.driver.compile.equal_lines import of_users_text
from pomp_clang.driver.compile.rewrite_units import InstrumentedSource
from pomp_clang.driver.unit.sources import CandidateSource
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import Instrumented, RewrittenHeader, Unit

OWN = """\
int first(int unset) {
  int unused;
\tint tab;
  return 0; }
int gr\u00fcn(int unset) {
"""
NEW = """\
int first(int unset) { void *event = enter();
  int unused;
\tint tab; call();
  call(); return 0; }
int gr\u00fcn(int unset) { void *event = enter();
"""
ON_FIRST = """\
In file included from main.c:1:
a.c:1:15: warning: unused parameter 'unset' [-Wunused-parameter]
    1 | int first(int unset) {%s
      |               ^
1 warning generated.
"""
INSERTED = " void *event = enter();"


def _item(folder: Path, own: str, instrumented: Instrumented) -> InstrumentedSource:
    (folder / "a.c").write_text(own)
    source = CandidateSource(Input("a.c", "c", 0), own.encode())
    return InstrumentedSource(source, Unit("a.c", text_of(own.encode()), "c", (), ""), instrumented)


def _of(folder: Path, text: str, own: str = OWN, new: str = NEW) -> str | None:
    item = _item(folder, own, Instrumented(text_of(new.encode())))
    return of_users_text(text, [item], str(folder))


def test_the_users_line_is_quoted(tmp_path: Path) -> None:
    assert _of(tmp_path, ON_FIRST % INSERTED) == ON_FIRST % ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 warning generated.\n",
        "a.c:2:7: warning: unused variable 'unused' [-Wunused-variable]\n"
        "    2 |   int unused;\n      |       ^~~~~~\n",
        "other.h:1:30: note: elsewhere\n    1 | int other(void) { call(); }\n      | ~~~~ ^\n",
    ],
)
def test_diagnostics_of_equal_text_stay_as_they_are(tmp_path: Path, text: str) -> None:
    assert _of(tmp_path, text) == text


def test_tabs_are_quoted_as_blanks(tmp_path: Path) -> None:
    quoted = "a.c:3:6: warning: x [-Wx]\n    3 |         int tab;%s\n      |             ^~~\n"
    assert _of(tmp_path, quoted % " call();") == quoted % ""


@pytest.mark.parametrize(
    "text",
    [
        "a.c:1:24: warning: of the call [-Wx]\n",
        "a.c:4:10: warning: behind the call [-Wx]\n",
        "a.c:9:1: warning: behind the file [-Wx]\n",
        "a.c:1:15: warning: x [-Wx]\n    1 | int first(int unset) {\n",
        f"a.c:1:15: warning: x [-Wx]\n    1 | int first(int unset) {{{INSERTED}\n      | {'~' * 30}\n",
        "a.c:2:7: warning: a call of '(lambda at b.c:1:3)' [-Wx]\n",
        "a.c:5:12: warning: columns count bytes [-Wx]\n",
        "a.c:2:7: error: it is no warning\n",
        "warning: without a place [-Wx]\n",
        "a.c:2:7: warning: macro is not used [-Wunused-macros]\n",
        "a.c:2:7: warning: macro is not used [-Werror,-Wunused-macros]\n",
        '{"message": "x"}\n',
    ],
)
def test_other_diagnostics_are_uncertain(tmp_path: Path, text: str) -> None:
    assert _of(tmp_path, text) is None


@pytest.mark.parametrize(
    ("own", "new"),
    [
        ("#line 7\n", "#line 7\n"),
        ('# 7 "b.c"\n', '# 7 "b.c"\n'),
        ("#pragma pomp inst parameter(x)\n", "call(x);\n"),
        ('_Pragma("pomp inst off")\n', "call();\n"),
        ("one\n", "one\ntwo\n"),
    ],
)
def test_texts_that_cannot_be_compared(tmp_path: Path, own: str, new: str) -> None:
    assert _of(tmp_path, "", own, new) is None


def test_headers_have_their_own_texts(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("int inside(int x) {\n")
    header = RewrittenHeader("a.h", "int inside(int x) { call();\n", True)
    item = _item(tmp_path, OWN, Instrumented(None, headers=(header,)))
    text = "./a.h:1:16: warning: x [-Wx]\n    1 | int inside(int x) {%s\n      |                ^\n"
    assert of_users_text(text % " call();", [item], str(tmp_path)) == text % ""
    assert of_users_text("./a.h:1:21: warning: x [-Wx]\n", [item], str(tmp_path)) is None


def test_a_line_that_is_too_long_to_be_quoted_is_uncertain(tmp_path: Path) -> None:
    placed = "a.c:1:15: warning: unused parameter 'unset' [-Wunused-parameter]\n"
    longer = NEW.replace(INSERTED, INSERTED + " call();" * 600)
    assert _of(tmp_path, placed) == placed
    assert _of(tmp_path, placed, new=longer) is None


def test_a_token_that_a_macro_makes_is_uncertain(tmp_path: Path) -> None:
    assert _of(tmp_path, "<scratch space>:51:1: note: expanded from here\n") is None
