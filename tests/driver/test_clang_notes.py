"""clang's notes files: lines that are not there natively are taken out, and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import CLANG, needs_clang

from pomp_clang.driver.clang_notes import HEADER, with_lines_of

pytestmark = needs_clang

NATIVE = "int f(int n) {\n  int s = 0;\n#pragma omp task shared(s)\n  s = n;\n  return s;\n}\n"
MADE = NATIVE.replace("  s = n;", "  s = n; s++;\n#line 90\n  s--;\n#line 5").replace(
    "shared(s)", ""
)


def notes(folder: Path, name: str, text: str) -> bytes:
    (folder / "a.c").write_text(text)
    command = [CLANG, "-fopenmp", "--coverage", "-c", "a.c", "-o", f"{name}.o"]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / f"{name}.gcno").read_bytes()


def test_only_lines_are_taken_out(tmp_path: Path) -> None:
    native, made = notes(tmp_path, "native", NATIVE), notes(tmp_path, "made", MADE)
    ninety = (90).to_bytes(4, "little")
    assert made.startswith(HEADER) and ninety in made
    kept = with_lines_of(made, native)
    assert ninety not in kept and len(kept) < len(made)
    assert with_lines_of(native, native) == native
    assert with_lines_of(made, made) == made


def test_functions_that_are_not_there_natively_stay(tmp_path: Path) -> None:
    native, made = (
        notes(tmp_path, "native", "int x;\nint g(void) { return 1; }\n"),
        notes(tmp_path, "made", MADE),
    )
    assert with_lines_of(made, native) == made


@pytest.mark.parametrize("data", [b"", b"oncgB21*" + bytes(40), b"gcno804*" + bytes(40)])
def test_other_layouts_are_refused(data: bytes, tmp_path: Path) -> None:
    made = notes(tmp_path, "made", MADE)
    with pytest.raises(ValueError, match="another layout"):
        with_lines_of(data, made)
    with pytest.raises(ValueError, match="behind the file"):
        with_lines_of(made[:60], made)
