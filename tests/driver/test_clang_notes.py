"""clang's notes files: made the native ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import CLANG, needs_clang

from pomp_clang.driver.clang_notes import HEADER, as_natively
from pomp_clang.driver.otherwise import Otherwise

pytestmark = needs_clang

NATIVE = "int f(int n) {\n  int s = 0;\n#pragma omp task shared(s)\n  s = n;\n  return s;\n}\n"
MADE = NATIVE.replace("  s = n;", "  s = n;\n#line 90\n  s--;\n#line 5").replace("shared(s)", "")


def notes(folder: Path, name: str, text: str) -> bytes:
    (folder / "a.c").write_text(text)
    command = [CLANG, "-fopenmp", "--coverage", "-c", "a.c", "-o", f"{name}.o"]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / f"{name}.gcno").read_bytes()


def test_notes_of_the_same_functions_are_the_native_ones(tmp_path: Path) -> None:
    native, made = notes(tmp_path, "native", NATIVE), notes(tmp_path, "made", MADE)
    ninety = (90).to_bytes(4, "little")
    assert made.startswith(HEADER) and ninety in made
    joined = as_natively(made, native)
    assert isinstance(joined, bytes) and ninety not in joined
    assert as_natively(native, native) == native


def test_a_function_of_ours_alone_is_told_with_its_lines(tmp_path: Path) -> None:
    ours = "int g(int n) { return n; }\n"
    native = notes(tmp_path, "native", "\n" + NATIVE)
    found = as_natively(notes(tmp_path, "made", ours + NATIVE), native)
    assert found == [Otherwise("a.c", frozenset({1}))]


def test_a_function_with_other_blocks_is_told_with_its_lines(tmp_path: Path) -> None:
    native, made = (
        notes(tmp_path, "native", "int g(int n) {\n return n;\n}\n"),
        notes(tmp_path, "made", "int g(int n) {\n if (n) return 1; return n;\n}\n"),
    )
    assert as_natively(made, native) == [Otherwise("a.c", frozenset({1, 2, 3}))]
    other = as_natively(notes(tmp_path, "made", "\n\n\nint h(int n) { return n; }\n"), native)
    assert other == [Otherwise("a.c", frozenset({1, 2})), Otherwise("a.c", frozenset({4}))]


@pytest.mark.parametrize("data", [b"", b"oncgB21*" + bytes(40), b"gcno804*" + bytes(40)])
def test_other_layouts_are_refused(data: bytes, tmp_path: Path) -> None:
    made = notes(tmp_path, "made", MADE)
    with pytest.raises(ValueError, match="another layout"):
        as_natively(data, made)
    with pytest.raises(ValueError, match="behind the file"):
        as_natively(made[:60], made)
