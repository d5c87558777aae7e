"""The trace records the OpenMP runtime's reports as the profile counts them: the sums agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.trace.layout import Op
from pomp_clang.trace.reader import read
from tests.barriers.harness import MODES, build, run
from tests.trace.agreement import disagreements

CASES = [(source, mode) for source in ("ends.c", "kept.c", "held.c") for mode in MODES]


@pytest.mark.parametrize("inline", ["on", "off"])
@pytest.mark.parametrize(("source", "mode"), CASES)
def test_the_trace_agrees(tmp_path: Path, source: str, mode: str, inline: str) -> None:
    program = build(tmp_path, source, f"--pomp-barriers={mode}", f"--pomp-inline={inline}")
    run(program, tmp_path, POMP_TRACE="1")
    assert not list(disagreements(tmp_path / "run"))
    actual = sum(int((s.op == Op.ASSEMBLED).sum()) for s in read(str(tmp_path / "run")).streams)
    assert (actual > 0) == (mode != "explicit")
