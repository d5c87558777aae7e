"""Events inlined in a unit, and the cases in which events are calls."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import pomp_clang
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compiler.identify import identify
from pomp_clang.driver.runtime.event_bitcode import EventBitcode, event_bitcode
from pomp_clang.driver.unit.prepare import guard_symbol
from tests.driver.conftest import CLANG, GCC, Pomp, needs_clang, needs_gcc

SOURCE = "int n;\nvoid f(void) {\n#pragma omp critical\n  n++;\n}\n"


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pomp_runtime: Path) -> None:
    """Set a cache of the test's own, and the runtime as it is installed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(pomp_clang, "__path__", [*pomp_clang.__path__, str(pomp_runtime.parent)])


def bitcode_for(*words: str, settings: BuildSettings | None = None) -> EventBitcode:
    command = parse(list(words))
    return event_bitcode(command, identify(command, "c"), settings or BuildSettings())


@needs_clang
@pytest.mark.parametrize("level", ["-O", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og"])
def test_bitcode_is_made_once(level: str) -> None:
    first = bitcode_for(CLANG, "-fopenmp", level, "-c", "a.c")
    assert first.why == "" and Path(first.path).read_bytes().startswith(b"BC")
    modified = Path(first.path).stat().st_mtime_ns
    assert bitcode_for(CLANG, "-fopenmp", level, "-c", "b.c") == first
    assert Path(first.path).stat().st_mtime_ns == modified


@needs_clang
def test_bitcode_that_is_gone_or_changed_is_made_anew() -> None:
    command = (CLANG, "-fopenmp", "-O2", "-c", "a.c")
    path = Path(bitcode_for(*command).path)
    path.unlink()
    assert Path(bitcode_for(*command).path).read_bytes().startswith(b"BC")


@needs_clang
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "nothing is optimized"),
        (["-O2", "-O0"], "nothing is optimized"),
        (["-O2", "-fsanitize=thread"], "-fsanitize=thread is given"),
        (["-O2", "-fprofile-generate"], "-fprofile-generate is given"),
        (["-O2", "-fopenmp-targets=x86_64"], "-fopenmp-targets=x86_64 is given"),
    ],
)
def test_calls(options: list[str], why: str) -> None:
    command = bitcode_for(CLANG, "-fopenmp", *options, "-c", "a.c")
    assert command.path == "" and why in command.why and command.arguments == []


@needs_clang
def test_calls_by_our_own_options() -> None:
    off, log = BuildSettings(), BuildSettings()
    off.inline = "off"
    log.library = "log"
    for settings in (off, log):
        assert bitcode_for(CLANG, "-fopenmp", "-O2", "-c", "a.c", settings=settings).path == ""


@needs_gcc
def test_calls_with_gcc() -> None:
    assert bitcode_for(GCC, "-fopenmp", "-O2", "-c", "a.c").path == ""


@pytest.mark.parametrize(
    ("options", "guarded"),
    [
        (["-O2"], True),
        (["-Og", "-finstrument-functions", "-flto"], True),
        ([], True),
        (["-O2", "-fsanitize=address,undefined"], True),
        (["-O2", "-fsanitize=address", "-fsanitize=thread"], False),
        (["-O2", "--coverage"], False),
        (["-O2", "-fprofile-use"], False),
        (["-O2", "-foffload=nvptx-none"], False),
    ],
)
def test_guards_of_calls(options: list[str], guarded: bool) -> None:
    symbol = guard_symbol(parse([GCC, "-fopenmp", *options, "-c", "a.c"]), BuildSettings())
    assert symbol.startswith("pomp_self_") == bool(symbol) == guarded


def test_calls_of_the_null_library_are_guarded() -> None:
    null = BuildSettings()
    null.library = "null"
    assert guard_symbol(parse([GCC, "-fopenmp", "-O2", "-c", "a.c"]), null).startswith("pomp_self_")


def test_no_guards_by_our_own_options() -> None:
    off, log = BuildSettings(), BuildSettings()
    off.inline = "off"
    log.library = "log"
    for settings in (off, log):
        assert guard_symbol(parse([GCC, "-fopenmp", "-O2", "-c", "a.c"]), settings) == ""


@needs_clang
def test_options_about_code_have_bitcode_of_their_own() -> None:
    plain = bitcode_for(CLANG, "-fopenmp", "-O2", "-c", "a.c")
    other = bitcode_for(CLANG, "-fopenmp", "-O2", "-fcf-protection", "-c", "a.c")
    assert other.path and other.path != plain.path


@pytest.fixture
def with_source(package: Path, pomp_runtime: Path) -> Iterator[Path]:
    """Yield the source folder of the inlined events in the package that `pomp` runs; tests change
    it.
    """
    folder = package / "pomp_clang" / "runtime" / "inline"
    shutil.copytree(pomp_runtime / "inline", folder)
    yield folder
    shutil.rmtree(folder)


@needs_clang
@pytest.mark.parametrize("state", ["whole", "broken"])
def test_a_source_that_does_not_compile_is_not_spoken_of(
    pomp: Pomp, work: Path, with_source: Path, state: str
) -> None:
    if state == "broken":
        (with_source / "profile.c").write_text("#error on purpose\n")
    (work / "a.c").write_text(SOURCE)
    result = pomp(
        CLANG, "-fopenmp", "-O2", "-c", "a.c", pomp_options=[f"--pomp-keep={work / 'kept'}"]
    )
    assert (result.status, result.out, result.err) == (0, b"", b"")
    (command,) = (work / "kept").glob("*/command")
    assert ("-mlink-builtin-bitcode" in command.read_text()) == (state == "whole")


@needs_clang
def test_bitcode_that_the_compiler_refuses_is_left_out(
    pomp: Pomp, work: Path, with_source: Path
) -> None:
    """The call stays a call, and no other instrumentation is lost."""
    text = 'void pomp_other(void); asm(".error \\"not this\\"");\n'
    (with_source / "profile.c").write_text(text)
    (work / "a.c").write_text(SOURCE)
    result = pomp(CLANG, "-fopenmp", "-O2", "-c", "a.c")
    assert (result.status, result.out, result.err) == (0, b"", b"")
    assert b"POMP-STAND-IN" in (work / "a.o").read_bytes()
