"""The look at a source's text: nothing that may be OpenMP is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.unit.sources import may_hold_openmp


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int compute;\n#pragma once\n", False),
        ("#include <omp.h>\n#pragma once\nint n(void) { return omp_get_max_threads(); }", False),
        ("#pragma omp parallel\n", True),
        ("#pragma pomp inst init\n", True),
        ("#pragma \\\n omp parallel\n", True),
        ("#pragma o\\\nmp parallel\n", True),
        ("%:pragma omp barrier\n", True),
        ('_Pragma("omp barrier")\n', True),
        ("[[omp::directive(barrier)]];", True),
        ("void f(void) { omp_set_lock(0); }", True),
        ("void f(void) { omp_test_nest_lock(0); }", True),
        ("#include HEADER\n", True),
        ('#include "part.h"\n', False),
        ('#include "words.h"\n', True),
        ('#include "words.h"\nPRAGMA(omp for)\n', True),
        ("#include <words.h>\n", False),
        ("#define P(x) _Pragma(#x)\n#define Q(a, b) P(a##b)\n", True),
        ('#include "loop.h"\n', False),
    ],
)
def test_texts(text: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("#pragma once\nint part;\n")
    (tmp_path / "words.h").write_text("#define PRAGMA(x) _Pragma(#x)\n/* omp */\n")
    (tmp_path / "loop.h").write_text('#include "loop.h"\n')
    command = parse(["cc", "-fopenmp", "-c", "a.c"])
    assert may_hold_openmp(command, str(tmp_path / "a.c"), text.encode()) is expected


def test_folders_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "words.h").write_text("#pragma omp parallel\n")
    text = b"#include <words.h>\n"
    for flag in ("-I", "-isystem", "-iquote"):
        command = parse(["cc", flag, str(tmp_path / "inc"), "-c", "a.c"])
        assert may_hold_openmp(command, "a.c", text)
    command = parse(["cc", "-include", str(tmp_path / "inc" / "words.h"), "-I.", "-c", "a.c"])
    assert may_hold_openmp(command, "a.c", b"")
    assert may_hold_openmp(parse(["cc", "-DP=_Pragma", "-c", "a.c"]), "a.c", b"")
