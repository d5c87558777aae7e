"""gcc's notes files: read, written, and cleared of what is inserted."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.gcno import (
    FAKE,
    ON_TREE,
    Arc,
    Function,
    Line,
    NotesError,
    read,
    written,
)
from pomp_clang.driver.uncounted import proper, without_ours, without_outputs

SOURCE = """#include <stdlib.h>
static int f(int n) { return n > 2 ? abs(n) : -n; }
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    if (f(i) > argc)
      exit(argv[0] == 0);
  return 0;
}
"""
USER, OURS = b"a.c\0", b"<pomp>\0"
FALL = 4


@pytest.fixture
def notes(tmp_path: Path) -> bytes:
    if not shutil.which("gcc"):
        pytest.skip("gcc is not here")
    (tmp_path / "a.c").write_text(SOURCE)
    subprocess.run(["gcc", "--coverage", "-c", "a.c"], cwd=tmp_path, check=True)
    return (tmp_path / "a.gcno").read_bytes()


def test_what_is_read_is_written_again(notes: bytes) -> None:
    found = read(notes)
    assert written(found) == notes
    assert {function.name.rstrip(b"\0") for function in found.functions} == {b"f", b"main"}
    lines = {line for f in found.functions for each in f.lines.values() for line in each}
    assert {line.number for line in lines} == {2, 3, 4, 5, 6, 7}
    assert {line.file.rstrip(b"\0") for line in lines} == {b"a.c"}


def test_what_is_no_notes_file_is_refused(notes: bytes) -> None:
    for data in (b"", b"gcno", b"oncg*10A" + notes[8:], notes[:-7]):
        with pytest.raises(NotesError):
            read(data)
    for end in range(60, len(notes), 7):
        try:
            read(notes[:end])
        except NotesError:
            continue


def test_a_call_between_two_statements_is_taken_out() -> None:
    """2 is the user's with a call of ours at its end, 3 a second one, 4 the user's."""
    gone = Arc(1, ON_TREE | FAKE)
    function = Function(
        b"f",
        b"",
        5,
        {
            0: (Arc(2, FALL),),
            2: (Arc(3, FALL), gone),
            3: (Arc(4, FALL), gone),
            4: (Arc(1, ON_TREE),),
        },
        {2: (Line(USER, 5), Line(OURS, 1)), 3: (Line(OURS, 1),), 4: (Line(USER, 6),)},
    )
    clear = without_ours(function)
    assert list(clear.lines.values()) == [(Line(USER, 5), Line(USER, 6))]
    (own,) = clear.lines
    assert clear.arcs[0] == (Arc(own, FALL),)
    assert clear.arcs[own] == (Arc(1, ON_TREE),)
    counters = [arc for block in sorted(clear.arcs) for arc in clear.arcs[block]]
    assert sum(not arc.flags & ON_TREE for arc in counters) == 3
    assert clear.blocks == 5
    lonely = [block for block, arcs in clear.arcs.items() if arcs == (Arc(block, 0),)]
    assert len(lonely) == 2 and own == 4


def test_a_counter_that_a_loop_needs_stays() -> None:
    """3 is ours, and the only arc with a counter on the way from 2 back to 2."""
    function = Function(
        b"f",
        b"",
        5,
        {
            0: (Arc(2, 0),),
            2: (Arc(3, ON_TREE), Arc(4, ON_TREE | FALL)),
            3: (Arc(2, FALL), Arc(1, ON_TREE | FAKE)),
            4: (Arc(1, 0),),
        },
        {2: (Line(USER, 5),), 3: (Line(OURS, 1),), 4: (Line(USER, 6),)},
    )
    clear = without_ours(function)
    assert clear.blocks == 5
    assert clear.arcs[3] == (Arc(2, FALL),)
    assert clear.lines == {2: (Line(USER, 5),), 4: (Line(USER, 6),)}


def test_lines_that_are_not_the_originals_go() -> None:
    function = Function(b"f", b"", 3, {}, {2: (Line(USER, 5), Line(USER, 6))})
    native = Function(b"f", b"", 3, {}, {2: (Line(USER, 6),)})
    assert without_ours(function, native).lines == {2: (Line(USER, 6),)}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["-c", "a.c"], ["a.gcno"]),
        (["-c", "a.c", "-o", "deep/b.o"], ["deep/b.gcno"]),
        (["a.c", "b.c", "-o", "app"], ["app-a.gcno", "app-b.gcno"]),
        (["-c", "a.c", "-dumpbase", "x.c"], ["x.c.gcno"]),
        (["-c", "a.c", "-fprofile-note=n"], ["n"]),
    ],
)
def test_where_gcc_puts_notes(tmp_path: Path, options: list[str], names: list[str]) -> None:
    if not shutil.which("gcc"):
        pytest.skip("gcc is not here")
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("int f(void);\n")
    found = proper(["gcc", "--coverage", *options])
    assert [one.notes for one in found] == names


def test_a_command_without_its_outputs() -> None:
    words = ["cc1", "a.c", "-MD", "a.d", "-dumpbase", "a.c", "-o", "x.s", "-fprofile-note=n"]
    assert without_outputs(words) == ["cc1", "a.c", "-dumpbase", "a.c"]
