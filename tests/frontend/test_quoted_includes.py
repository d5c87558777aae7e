"""Quoted names that lead to files beside a source, and the texts whose names only its folder leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.frontend.quoted_includes import asked_beside, includes_beside, searches_beside

TEXT = """\
#include "own.h"
#include <own.h>
#  include "sub/own.h" // of the folder
#include "elsewhere.h"
#include_next "own.h"
#include "next.h"
const char *text = R"(
#include "own.h"
)";
#include "/own.h"
%:include "own.h"
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    (tmp_path / "sub").mkdir()
    (tmp_path / "own.h").touch()
    (tmp_path / "sub" / "own.h").touch()
    (tmp_path / "next.h").write_text("#include_next <next.h>\n")
    return str(tmp_path / "a.c")


def test_plain_includes_of_files_in_the_folder_are_beside(source: str) -> None:
    folder = source.removesuffix("a.c")
    includes = [(include.line, include.path) for include in includes_beside(TEXT, source)]
    own, of_folder = f"{folder}own.h", f"{folder}sub/own.h"
    assert includes == [(1, own), (3, of_folder), (11, own)]


@pytest.mark.parametrize(
    ("text", "is_searched"),
    [
        ("#include NAME\n", True),
        ('#include "own.h"\n', True),
        ('#inc\\\nlude "own.h"\n', True),
        ('#include_next "own.h"\n', True),
        ('#pragma GCC dependency "own.h"\n', True),
        ('#if __has_include("own.h")\n', True),
        ('#if __has_include("elsewhere.h")\n', False),
        ("#if __has_include(NAME)\n", True),
        ("#if __has_include ( <own.h> )\n", False),
        ("#include <own.h>\n", False),
        ('#include "elsewhere.h"\n', False),
        ('#include "/own.h"\n', False),
        ("int own;\n", False),
    ],
)
def test_a_name_of_the_folder_needs_a_search_there(
    source: str, text: str, is_searched: bool
) -> None:
    assert searches_beside(text, source) is is_searched


def test_conditions_ask_for_files_in_the_folder_by_paths(source: str) -> None:
    folder = source.removesuffix("a.c")
    text = (
        '#if __has_include("own.h") && !defined(X) || __has_include ("no.h")\n'
        'const char *has = "__has_include(";\n'
        "#elif __has_include(<own.h>)\n"
    )
    assert asked_beside(text, source, "here") == text.replace('"own.h"', f'"{folder}own.h"')
