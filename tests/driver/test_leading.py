"""Which lines a source begins with only include headers."""

from __future__ import annotations

import pytest

from pomp_clang.driver.leading import leading_includes

TAIL = b"int main() { return 0; }\n"


@pytest.mark.parametrize(
    "head",
    [
        b"#include <vector>\n",
        b'// A comment.\n\n#include <map>\n  # include "part.h" // why\n',
        b"/* A licence\n   of two lines */\n#define SIZE 3 /* of it */\n#include <map>\n",
        b"#ifdef _OPENMP\n#include <omp.h>\n#else\n#define NONE\n#endif\n",
        b"#include <a>\r\n#undef X\r\n#include <b>\r\n",
    ],
)
def test_all_lines_that_include(head: bytes) -> None:
    assert leading_includes(head + TAIL) == head


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"#include <a>\n#define X 1\n", b"#define"),
        (b"#include <a>\n#if 1\n#define X 1\n", b"#if"),
        (b'#include <a>\n#define P _Pragma("x")\n', b"#define"),
        (b"#include <a>\n#define X \\\n 1\n", b"#define"),
        (b"#include <a>\n// goes on \\\n", b"// goes"),
        (b"#include <a>\n/* and */ int x;\n", b"/* and"),
        (b"#include <a>\n#pragma GCC optimize 3\n", b"#pragma"),
    ],
)
def test_what_is_not_plain_ends_them(text: bytes, end: bytes) -> None:
    assert leading_includes(text + TAIL) == text[: text.index(end)]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"int x;\n#include <a>\n",
        b"#include NAME\n",
        b"#include <a>",
        b"/* open\n#include <a>\n",
        b"\xef\xbb\xbf#include <a>\n",
        b"#include <a>\nint x;\n# include <b>\n",
        b"#include <a>\n#if 1\n#include <b>\n",
        b"#include <a>\nint depth = __INCLUDE_LEVEL__;\n",
        b"#include <a>\n#pragma once\n",
    ],
)
def test_there_are_none(text: bytes) -> None:
    assert leading_includes(text + TAIL) == b""
