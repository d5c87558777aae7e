"""Command lines, understood: their words, response files, and requests of a configuration step.

gcc's own reading of response files is the oracle.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.driver.command.classify import classify, is_configure_probe
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.command.response_files import expand, join, split
from tests.driver.conftest import BOTH, environment


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["gcc", "-c"], ["gcc"]),
        (["ccache", "gcc", "-c"], ["ccache", "gcc"]),
        (["env", "-u", "A", "B=c", "clang-19", "-c"], ["env", "-u", "A", "B=c", "clang-19"]),
        (["nice", "-n", "5", "ccache", "g++", "x"], ["nice", "-n", "5", "ccache", "g++"]),
        (["ccache", "-s"], ["ccache"]),
        (["/usr/bin/x86_64-linux-gnu-gcc-12", "a.c"], ["/usr/bin/x86_64-linux-gnu-gcc-12"]),
    ],
)
def test_words(argv: list[str], words: list[str]) -> None:
    assert classify(argv).words == words


@pytest.mark.parametrize(
    ("args", "mode", "links", "instrument"),
    [
        ("-fopenmp a.c", "", True, True),
        ("-fopenmp -c a.c", "-c", False, True),
        ("-fopenmp -S a.c", "-S", False, True),
        ("-fopenmp -E -c a.c", "-E", False, False),
        ("-fopenmp -M a.c", "-M", False, False),
        ("-fopenmp -fsyntax-only -c a.c", "-fsyntax-only", False, False),
        ("-fopenmp --analyze a.c", "--analyze", False, False),
        ("-fopenmp -emit-llvm -c a.c", "-c", False, True),
        ("-fopenmp a.o -lm", "", True, False),
        ("-fopenmp -fno-openmp a.c", "", True, False),
        ("-fopenmp-simd a.c", "", True, False),
        ("-fopenmp=libgomp a.c", "", True, True),
        ("-Xclang -fopenmp -c a.c", "-c", False, True),
        ("-fopenmp a.c --version", "", False, False),
        ("-fopenmp a.c -###", "", False, False),
        ("-fopenmp -print-search-dirs a.c", "", False, False),
        ("-fopenmp a.s b.o c.a d.so", "", True, False),
        ("-r a.o b.o", "", False, False),
        ("-nostdlib a.o", "", False, False),
        ("-v", "", False, False),
        ("--target=aarch64-linux-gnu a.o", "", False, False),
        ("-x c -fopenmp foo", "", True, True),
        ("-fopenmp a.hpp", "", False, True),
        ("-fopenmp a.hpp missing.c", "", False, True),
        ("-fopenmp a.hpp missing.c -lm", "", True, True),
        (f"-fopenmp a.hpp {os.devnull}", "", True, True),
    ],
)
def test_glance(args: str, mode: str, links: bool, instrument: bool) -> None:
    line = classify(["cc", *args.split()])
    assert (line.mode, line.links, line.to_instrument) == (mode, links, instrument)


@pytest.mark.parametrize(
    ("compiler", "is_cross"),
    [
        ("/usr/bin/gcc-12", False),
        ("{}-linux-gnu-gcc-12", False),
        ("{}-redhat-linux-gcc", False),
        ("{}-conda-linux-gnu-cc", False),
        ("{}-conda-linux-gnu-gfortran", False),
        ("/opt/cross/bin/sparc-linux-gnu-gcc", True),
        ("arm-none-eabi-gcc", True),
        ("i686-linux-gnu-g++", True),
        ("{}-linux-gnux32-gcc", True),
        ("{}-linux-musl-gcc", True),
        ("{}-w64-mingw32-g++-posix", True),
        ("{}-linux-android33-clang", True),
        ("musl-gcc", True),
    ],
)
def test_cross_compilers_by_name(compiler: str, is_cross: bool) -> None:
    line = classify([compiler.format(os.uname().machine), "-fopenmp", "-c", "a.c"])
    assert line.foreign == is_cross


def test_inputs() -> None:
    argv = [
        "gcc",
        "a.c",
        "-xc++",
        "b",
        "-",
        "-x",
        "none",
        "c.S",
        "d.o",
        "-lm",
        "e.cpp",
        "-o",
        "f.c",
    ]
    command = parse(argv)
    assert [(one.path, one.language, one.index) for one in command.inputs] == [
        ("a.c", "c", 0),
        ("b", "c++", 2),
        ("-", "c++", 3),
        ("c.S", "assembler-with-cpp", 6),
        ("d.o", "", 7),
        ("e.cpp", "c++", 9),
    ]
    assert command.output == "f.c" and command.reads_stdin
    assert [one.language for one in parse(["g++-12", "a.c"]).inputs] == ["c++"]
    assert parse(["gcc", "-DA", "a.c", "-o", "x"]).without(frozenset(("output",)), frozenset()) == [
        "-DA"
    ]


def test_a_response_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("-fopenmp a.c")
    command = parse(["gcc", f"@{tmp_path}/f", "-c"])
    assert command.openmp and command.from_file
    assert [source.path for source in command.sources] == ["a.c"]


@pytest.mark.parametrize(
    ("args", "files"),
    [
        ("-c sub/a.c", ["a.o"]),
        ("-c a.c b.cc plain.o", ["a.o", "b.o"]),
        ("-S a.x.c", ["a.x.s"]),
        ("-c a.c -o out/x.o", ["out/x.o"]),
        ("a.c b.c", ["a.out"]),
        ("a.c -o app", ["app"]),
    ],
)
def test_output_files(args: str, files: list[str]) -> None:
    assert parse(["cc", *args.split()]).output_files == files


@pytest.mark.parametrize(
    "source",
    [
        "conftest.c",
        "/build/conftest.cpp",
        "CMakeCCompilerId.c",
        "/b/meson-private/tmpab1/testfile.c",
    ],
)
def test_by_the_source(source: str) -> None:
    assert is_configure_probe(classify(["gcc", "-fopenmp", source, "-o", "conftest"]))


@pytest.mark.parametrize("source", ["a.c", "myconftest.c", "conftest/a.c", "meson-private.c"])
def test_other_sources_are_the_builds(source: str) -> None:
    assert not is_configure_probe(classify(["gcc", "-fopenmp", source, "-o", "conftest.c"]))


@pytest.mark.parametrize(
    ("folder", "check"),
    [
        ("b/CMakeFiles/CMakeTmp", True),
        ("b/CMakeFiles/CMakeScratch/TryCompile-4tPKzX", True),
        ("b/CMakeFiles/app.dir", False),
        ("CMakeScratch", False),
    ],
)
def test_by_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, check: bool
) -> None:
    (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    assert is_configure_probe(classify(["gcc", "-fopenmp", "src.c"])) is check


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.rmdir(tmp_path)
    assert not is_configure_probe(classify(["gcc", "a.c"]))


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
