"""A source's bytes as text, and the real paths of its files."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import pomp_clang
from pomp_clang.frontend.c.pragmas import find_pragmas
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.directive_text import read_directive
from pomp_clang.frontend.source import IDENTIFIER, RealPaths, bytes_of, decoded, encoded, text_of

PACKAGE = Path(pomp_clang.__path__[0])
BYTES = bytes(range(256))
LATIN = "àÅ\u0405\u0420ÅÀ"
"""Letters whose last byte is one of the blanks of Latin-1, 0x85 and 0xA0."""


def test_each_byte_is_a_character_and_comes_back() -> None:
    assert len(text_of(BYTES)) == len(BYTES)
    assert bytes_of(text_of(BYTES)) == BYTES
    assert text_of(BYTES[:128]) == BYTES[:128].decode("ascii")


@pytest.mark.parametrize("byte", range(128, 256))
def test_a_byte_beyond_ascii_is_a_letter_and_no_blank(byte: int) -> None:
    letter = text_of(bytes([byte]))
    assert re.fullmatch(IDENTIFIER, letter)
    assert re.search(rf"\b{letter}x\b", f"a {letter}x b")
    assert f" {letter} ".strip() == letter
    assert f"a{letter}b".split() == f"a{letter}b".splitlines() == [f"a{letter}b"]
    assert letter.lower() == letter == letter.upper() and not letter.isdigit()


def test_names_have_their_characters_again() -> None:
    assert decoded(encoded(LATIN)) == LATIN
    assert bytes_of(encoded(LATIN)) == LATIN.encode()
    assert decoded(text_of(b"\xe0")) == "\udce0"


def test_variables_of_clauses_keep_their_last_byte() -> None:
    text = encoded(f"#pragma omp parallel private( {LATIN} ) firstprivate(x{LATIN})")
    source = CSourceText("a.c", text)
    (pragma,) = find_pragmas(source, source.lexemes())
    assert (pragma.start, pragma.end) == (0, len(text))
    private, first = (
        decoded(clause.argument or "") for clause in read_directive(pragma.body).clauses
    )
    assert (private, first) == (LATIN, f"x{LATIN}")


def test_a_word_begins_and_ends_where_the_compiler_says() -> None:
    source = CSourceText("a.c", encoded(f"{LATIN}omp_set_lock omp_set_lock{LATIN} aÅb"))
    words = [decoded(lexeme.text) for lexeme in source.lexemes()]
    assert words == [f"{LATIN}omp_set_lock", f"omp_set_lock{LATIN}", "aÅb"]


def test_no_text_of_a_source_is_read_as_latin1() -> None:
    """Exceptions are LLVM's texts, and the search for a file's name."""
    reading = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "latin-1" in path.read_text()
    }
    assert reading == {"lsp/database.py"}


def test_they_are_those_of_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    (tmp_path / "folder" / "file.h").touch()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "other.h").symlink_to("folder/file.h")
    (tmp_path / "folder" / "back.h").symlink_to("../other.h")
    (tmp_path / "loop").symlink_to("loop")
    paths = RealPaths()
    for name in (
        "folder/file.h", "link/file.h", "link/deep/../file.h", "other.h", "link/back.h", "loop",
        "link/deep/..", "folder/none.h", "none/none.h", "", "folder/", "./folder//file.h",
        "link/link/file.h", "loop/file.h", "folder/../link/file.h", "link/./deep/file.h",
    ):  # fmt: skip
        path = os.path.join(tmp_path, name)
        assert paths.of(path) == os.path.realpath(path)
        assert paths.of(os.path.relpath(path)) == os.path.realpath(path)
