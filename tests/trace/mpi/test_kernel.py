"""The logical clock's compiled part: built with sanitizers and fed with moments in any order."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import pytest

from tests.trace.test_kernel import build

RUNS = 10_000


def moments(rng: random.Random) -> bytes:
    """Return random moments of four processes, near each other."""
    words: list[int] = []
    for _ in range(4):
        times = sorted(rng.randrange(1, 1 << 12) for _ in range(20))
        words += [0, *(time << 7 | rng.randrange(1 << 7) for time in times)]
    return struct.pack(f"<{len(words)}Q", *words)


def test_no_moments_make_it_leave_its_room_or_go_backwards(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    build(Path(__file__).with_name("fuzz.c"), program, tmp_path_factory)
    corpus.mkdir()
    rng = random.Random(1)
    for number in range(20):
        (corpus / str(number)).write_bytes(moments(rng))
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
