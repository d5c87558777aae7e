"""A header has one tag in all units that read the same text."""

from __future__ import annotations

import pytest

from pomp_clang.frontend.c.declaration_site import header_tag
from pomp_clang.frontend.c.source import CSourceText

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
    actual = header_tag(CSourceText(path, text))
    assert (actual == header_tag(CSourceText("a.h", TEXT))) == is_same
