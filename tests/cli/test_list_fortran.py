"""`pomp-clang list` for a Fortran source: extents reach to the END directive."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compilers import first

SOURCE = "!$omp parallel\nx = 1\n!$omp end &\n!$omp & parallel\n!$omp do\ndo i=1,2\nend do\nend\n"


def test_constructs_of_a_fortran_source_are_listed_with_their_end_directives(
    tmp_path: Path,
) -> None:
    if first("gfortran") is None:
        pytest.skip("gfortran is not here")
    path = tmp_path / "a.f90"
    path.write_text(SOURCE)
    command = [sys.executable, "-m", "pomp_clang", "list", str(path), "--format=json"]
    result = subprocess.run(
        [*command, "--", "gfortran", "-fopenmp"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["constructs"]
    assert [(r["kind"], r["begin_line1"], r["end_line1"], r["end_lineN"]) for r in rows] == [
        ("parallel", 1, 3, 4),
        ("do", 5, 7, 7),
    ]
