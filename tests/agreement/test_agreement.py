"""Dependency files, names, debug lines, coverage and sanitizers of instrumented programs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.agreement.pair import COMPILERS, CXX_COMPILERS, PROGRAMS, CommandResult, Pair, require


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("flags", "name"),
    [
        (["-MD"], "app.d"),
        (["-MMD", "-MP"], "app.d"),
        (["-MMD", "-MF", "deps", "-MT", "target"], "deps"),
        (["-MD", "-MF", "deps", "-MQ", "a$b", "-MP"], "deps"),
        (["-MD", "-Wall", "-Wextra", "-Wunused-macros"], "app.d"),
    ],
)
def test_dependencies(pair: Pair, compiler: str, flags: list[str], name: str) -> None:
    require(compiler)
    plain, result = pair.compile(compiler, "-fopenmp", *flags, "-c", "src/app.c")
    assert "src/kernel.h" in (plain.folder / name).read_text()
    dependencies = _words(result.folder / name)
    # Our folder is searched for pomp.h, which no source here includes.
    assert dependencies == _words(plain.folder / name)


def _words(path: Path) -> list[str]:
    return path.read_text().replace("\\\n", " ").split()


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_names_and_output(pair: Pair, compiler: str, level: str) -> None:
    require(compiler)
    pair.compile(compiler, "-fopenmp", level, "src/app.c", "-o", "app")
    plain, result = pair.run("./app")
    assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)
    assert plain.out.startswith("src/app.c src/app.c 40 main\n")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_statement_has_its_debug_line(pair: Pair, compiler: str) -> None:
    """g++ gives the head of a loop the line of its directive, except in a combined construct."""
    require(compiler)
    if not shutil.which("readelf"):
        pytest.skip("readelf is not here")
    pair.compile(compiler, "-fopenmp", "-g", "-c", "src/app.c", "-o", "app.o")
    plain, instrumented = (
        _lines(ran) for ran in pair.run("readelf", "--debug-dump=decodedline", "app.o")
    )
    texts = {name: (PROGRAMS / name).read_text().splitlines() for name in ("app.c", "kernel.h")}
    lost = {
        (name, line)
        for name, line in plain - instrumented
        if texts[name][line - 1].strip() != "{"
        and not (compiler == "g++" and "parallel for" in texts[name][line - 2])
    }
    assert len(plain) > 30
    assert not lost
    assert all(line <= len(texts[name]) for name, line in instrumented if name in texts)
    plain_unit, made_unit = (
        re.findall(r"DW_AT_name .*: (\S+)$|(Compilation Unit)", ran.out, re.M)[1][0]
        for ran in pair.run("readelf", "--debug-dump=info", "app.o")
    )
    assert plain_unit == made_unit == "src/app.c"


def _lines(result: CommandResult) -> set[tuple[str, int]]:
    row = r"^(\S+)\s+(\d+)\s+(?:0x[0-9a-f]+|0)\b.*\bx"
    matches = re.findall(row, result.out, re.M)
    return {(Path(name).name, int(line)) for name, line in matches}


TRIES = {"HEAP": 1, "SIGNED": 1, "RACE": 4}
"""The interleaving decides which results of a race a program shows, natively too."""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("bug", "sanitizer", "expected"),
    [
        ("HEAP", "address", "heap-buffer-overflow"),
        ("SIGNED", "undefined", "signed integer overflow"),
        ("RACE", "thread", "data race"),
    ],
)
def test_sanitizers(pair: Pair, compiler: str, bug: str, sanitizer: str, expected: str) -> None:
    require(compiler, f"-fsanitize={sanitizer}")
    flags = ["-fopenmp", "-g", f"-fsanitize={sanitizer}", f"-D{bug}"]
    pair.compile(compiler, *flags, "src/bugs.c", "-o", "bugs")
    for _ in range(TRIES[bug]):
        plain, result = pair.run("./bugs")
        if (result.status, _places(result)) == (plain.status, _places(plain)):
            break
    assert expected in plain.err and expected in result.err
    assert result.status == plain.status
    assert _places(result) == _places(plain)
    pair.compile(compiler, *flags[:-1], "-O1", "src/bugs.c", "-o", "bugs")
    plain, result = pair.run("./bugs")
    if plain.status == 0 and not plain.err:  # without OMPT's help not every runtime is understood
        assert (result.status, result.out, result.err) == (0, plain.out, "")


@pytest.mark.parametrize("compiler", CXX_COMPILERS)
@pytest.mark.parametrize("source", ["shifts.cpp", "./shifts.cpp", "src/shifts.cpp"])
def test_sanitizers_name_headers(pair: Pair, compiler: str, source: str) -> None:
    require(compiler, "-fsanitize=undefined")
    for folder in pair.folders:
        shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    pair.compile(compiler, "-fopenmp", "-fsanitize=undefined", "-MD", source, "-o", "shifts")
    plain, result = pair.run("./shifts")
    assert len(re.findall(r"shift\.h:\d+:\d+: runtime error", plain.err)) == 2
    assert (result.status, result.out, result.err) == (plain.status, plain.out, plain.err)
    names = sorted(path.name for path in plain.folder.glob("*.d"))
    for name in names:
        assert _words(result.folder / name) == _words(plain.folder / name)


def _places(result: CommandResult) -> set[str]:
    """Return the lines of the program that a report names, without those of directives."""
    text = (PROGRAMS / "bugs.c").read_text().splitlines()
    lines = set(re.findall(r"bugs\.c:(\d+)", result.err))
    return {line for line in lines if "#pragma" not in text[int(line) - 1]}
