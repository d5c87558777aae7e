"""Lines and columns are those that the compiler prints, #line included. A header has one tag in all
units that read the same text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pomp_clang
from pomp_clang.frontend.c.declaration_site import header_tag
from pomp_clang.frontend.c.source import CSourceText, without_comments

PACKAGE = Path(pomp_clang.__path__[0])


def test_lines_and_columns_count_from_one() -> None:
    source = CSourceText("a.c", "ab\ncd\n")
    assert [(source.line(i), source.column(i)) for i in range(5)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
    ]


def test_a_line_directive_renames_what_follows() -> None:
    text = 'a\n#line 10 "gen.y"\nb\nc\n# 5\nd\n'
    source = CSourceText("a.c", text)
    assert source.place(text.index("a")) == ("a.c", 1)
    assert source.place(text.index("\nb") + 1) == ("gen.y", 10)
    assert source.place(text.index("\nc") + 1) == ("gen.y", 11)
    assert source.place(text.index("\nd") + 1) == ("gen.y", 5)


@pytest.mark.parametrize(
    "directive",
    [
        '#line 10 "gen.y"',
        '%:line 10 "gen.y"',
        '#line 10 "ge\\\nn.y"',
        '# \\\r\nline 10 "gen.y"\\\r\n',
        '#li\\\nne 1\\\n0 "gen.y"',
        '# /* a\nb */ line /**/ 10 "gen.y" // end',
        '#line 10 "gen.y" /* a\nb */',
    ],
)
def test_a_line_directive_may_be_spliced_or_have_comments(directive: str) -> None:
    source = CSourceText("a.c", f"a\n{directive}\nb\n")
    assert source.place(len(source.text) - 2) == ("gen.y", 10)


def test_comments_become_spaces_and_literals_stay() -> None:
    assert without_comments('a/* b */c"/*"// d') == 'a c"/*" '


def test_skip_blank_passes_comments_and_splices() -> None:
    text = "x /* y */ // z\n \\\n w"
    assert CSourceText("a.c", text).skip_blank(1) == text.index("w")


def test_no_group_is_repeated_possessively() -> None:
    """CPython up to 3.11.4, Debian 12's among them, matches too little with `(...)*+`."""
    repeated = re.compile(r"\)[*+?]\+(?!`)")
    assert [p.name for p in PACKAGE.rglob("*.py") if repeated.search(p.read_text())] == []


TEXT = '_Pragma("omp flush (a, b)")\nint f(int n);\n'


@pytest.mark.parametrize(
    ("path", "text", "is_same"),
    [
        ("a.h", '_Pragma("omp flush(a,b)")\nint  f(int n);\n', True),
        ("./a.h", TEXT, True),
        ("b.h", TEXT, False),
        ("a.h", "\n" + TEXT, False),
        ("a.h", TEXT.replace("(a, b)", "(a)"), False),
    ],
)
def test_blanks_do_not_count_but_lines_and_words_do(path: str, text: str, is_same: bool) -> None:
    actual = header_tag(CSourceText(path, text), ())
    assert (actual == header_tag(CSourceText("a.h", TEXT), ())) == is_same
