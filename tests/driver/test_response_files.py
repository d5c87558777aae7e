"""Response files, with gcc's own reading of them as the oracle."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.driver.command.response_files import expand, join, split
from tests.driver.conftest import BOTH, environment


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-a  -b\n\t-c", ["-a", "-b", "-c"]),
        ("'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]),
        ("-D'X=\"1\"'", ['-DX="1"']),
        ("'' a", ["", "a"]),
        ('"a\\"b" c\\\\d', ['a"b', "c\\d"]),
        ("a'b'c", ["abc"]),
        ("", []),
        ("'open", ["open"]),
    ],
)
def test_split(text: str, words: list[str]) -> None:
    assert split(text) == words


@given(st.lists(st.text(st.characters(blacklist_characters="\0", codec="utf-8"))))
def test_join_is_read_back(words: list[str]) -> None:
    assert split(join(words)) == words


def test_nested_missing_and_endless(tmp_path: Path) -> None:
    (tmp_path / "one").write_text(f"-a @{tmp_path}/two @nowhere")
    (tmp_path / "two").write_text("-b")
    (tmp_path / "self").write_text(f"-x @{tmp_path}/self")
    assert expand([f"@{tmp_path}/one", "c"]) == ["-a", "-b", "@nowhere", "c"]
    assert len(expand([f"@{tmp_path}/self"])) < 3000


@pytest.mark.parametrize("compiler", BOTH)
@given(st.text(alphabet="ab \\'\"\n\t", max_size=12))
@settings(max_examples=40)
def test_like_the_compiler(compiler: str, tmp_path: Path, text: str) -> None:
    """Each word becomes the value of a macro; `-E -dD` shows the words as the compiler read them."""
    words = split("X" + text + "Z")
    if any("\n" in word or not word for word in words):
        return
    (tmp_path / "args").write_text("-DM=X" + text + "Z")
    if len(words) != 1 or words[0][-1:] == "\\":
        return
    result = subprocess.run(
        [compiler, f"@{tmp_path}/args", "-dM", "-E", "-xc", "/dev/null"],
        capture_output=True,
        env=environment(),
        timeout=60,
    )
    defined = [
        line for line in result.stdout.decode().splitlines() if line.startswith("#define M ")
    ]
    # The preprocessor makes one blank of several; the test checks the ends of words.
    assert [line.split() for line in defined] == [f"#define M {words[0]}".split()]
