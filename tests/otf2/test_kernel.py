"""The compiled part of reading archives: built with sanitizers and fed with whatever may stand in a
file."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from tests.otf2.test_reader import SCOREP
from tests.trace.test_kernel import build

RUNS = 10_000


def test_no_bytes_make_it_leave_its_room(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    build(Path(__file__).with_name("fuzz.c"), program, tmp_path_factory)
    corpus.mkdir()
    (corpus / "events").write_bytes((SCOREP / "traces" / "0.evt").read_bytes()[:1500] + b"\0\2")
    (corpus / "random").write_bytes(random.Random(1).randbytes(1000))
    command: list[str | Path] = [
        program,
        f"-runs={RUNS}",
        "-max_len=2048",
        "-seed=1",
        "-len_control=0",
        corpus,
    ]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert not result.returncode, result.stderr[-3000:]
    assert f"Done {RUNS} runs" in result.stderr
