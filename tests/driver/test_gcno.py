"""gcc's notes files: read, written, and made the native ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.gcc_notes import as_natively, proper, without_outputs
from pomp_clang.driver.gcno import Notes, NotesError, read, written
from pomp_clang.driver.otherwise import Otherwise

SOURCE = """#include <stdlib.h>
static int f(int n) { return n > 2 ? abs(n) : -n; }
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    if (f(i) > argc)
      exit(argv[0] == 0);
  return 0;
}
"""


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


def test_notes_of_the_same_functions_are_the_native_ones(tmp_path: Path, notes: bytes) -> None:
    native = read(notes)
    (tmp_path / "a.c").write_text("\n" + SOURCE)
    subprocess.run(["gcc", "--coverage", "-c", "a.c"], cwd=tmp_path, check=True)
    made = read((tmp_path / "a.gcno").read_bytes())
    joined = as_natively(made, native)
    assert isinstance(joined, Notes)
    assert [each.lines for each in joined.functions] == [each.lines for each in native.functions]
    own = slice(8, 20)  # its number and checksums
    assert [f.announced[own] for f in joined.functions] == [
        f.announced[own] for f in made.functions
    ]


def test_a_function_with_other_blocks_is_told_with_its_lines(tmp_path: Path, notes: bytes) -> None:
    (tmp_path / "a.c").write_text(SOURCE.replace("abs(n)", "rand()"))
    subprocess.run(["gcc", "--coverage", "-c", "a.c"], cwd=tmp_path, check=True)
    made = read((tmp_path / "a.gcno").read_bytes())
    assert as_natively(made, read(notes)) == [Otherwise("a.c", frozenset({2}))]


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
