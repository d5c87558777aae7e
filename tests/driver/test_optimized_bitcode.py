"""Estimates from optimized code need llvmlite, an extra that may be missing."""

from __future__ import annotations

import pytest

from pomp_clang.driver.unit import optimized_bitcode
from pomp_clang.driver.unit.optimized_bitcode import OptimizedBitcode


def test_without_llvmlite_one_line_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(optimized_bitcode, "find_spec", lambda name: None)
    assert OptimizedBitcode([]).estimates() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "pomp-clang[functions]" in line and line.endswith("[pomp-functions]")
