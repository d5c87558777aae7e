"""Command lines, understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.command.classify import classify
from pomp_clang.driver.command.compiler_command import parse


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
    ],
)
def test_glance(args: str, mode: str, links: bool, instrument: bool) -> None:
    line = classify(["cc", *args.split()])
    assert (line.mode, line.links, line.to_instrument) == (mode, links, instrument)


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
