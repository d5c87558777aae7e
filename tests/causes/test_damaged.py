"""Traces with events that make no sense: an error in one line, or severities that are numbers."""

from __future__ import annotations

import contextlib
import random
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Kind, Op, known_operations
from pomp_clang.trace.reader import read
from tests.causes.scripts import (
    BARRIER,
    CRITICAL,
    INNER,
    INNER_TEAM,
    PARALLEL,
    SINGLE,
    TEAM,
    Stream,
    barrier,
    begin,
    critical,
    departing,
    ending,
    event,
    fork,
    lock,
    loop,
    member,
    opened,
    phase,
    task,
    write_trace,
)
from tests.trace.handmade import BLOCK

ROUNDS = 60
_OPS = known_operations()
_HEAD = 64

MASTER: Stream = [
    fork(1, PARALLEL, TEAM), begin(1.05, PARALLEL), *barrier(BARRIER, 2, 4.1),
    *critical(CRITICAL, 4.2, 4.25, 6, 6.05), *lock(7, 6.05, 6.06, 6.07),
    fork(6.1, INNER, INNER_TEAM), begin(6.15, INNER), *ending(INNER, INNER_TEAM, 7, 7.1, 7.2),
    *ending(PARALLEL, TEAM, 8, 8.3, 8.5),
]  # fmt: skip
WORKER: Stream = [
    member(1.1, PARALLEL, TEAM, 1), *loop(2, 1.2, 1.4, 1.5),
    opened(1.5, Kind.BARRIER, BARRIER), phase(2, BARRIER, Column.TASK_T), *task(2, 3),
    phase(3, BARRIER, 0), event(4.15, Op.LEAVE, BARRIER), *lock(7, 4.2, 4.3, 4.8),
    opened(4.9, Kind.WORK, SINGLE), opened(4.9, Kind.CREATE, 6), event(4.95, Op.LEAVE, 6),
    event(4.96, Op.LEAVE, SINGLE),
    *critical(CRITICAL, 5, 6.1, 7, 7.05), *departing(PARALLEL, 8.2, 8.35),
]  # fmt: skip
THIRD: Stream = [member(6.3, INNER, INNER_TEAM, 6.1), *departing(INNER, 6.5, 7.15)]


def mutate(data: bytearray, rng: random.Random) -> None:
    """Give a word another operation, call path or time; or leave a word out; or repeat it."""
    words = [number for number in range(_HEAD, BLOCK, 8) if any(data[number : number + 8])]
    for _ in range(rng.randint(1, 4)):
        at = rng.choice(words)
        (word,) = struct.unpack_from("<Q", data, at)
        match rng.randrange(5):
            case 0:
                word = word & ~0xFF | rng.choice(_OPS)
            case 1:
                word = word & ~0xFFFF00 | rng.randint(0, 18) << 8
            case 2:
                word = word & 0xFFFFFF | rng.choice((0, 1, 5_000_000_000, (1 << 40) - 1)) << 24
            case 3:
                data[at : words[-1]] = data[at + 8 : words[-1] + 8]
                continue
            case 4:
                data[at + 8 : words[-1] + 16] = data[at : words[-1] + 8]
                del data[BLOCK:]
                continue
        struct.pack_into("<Q", data, at, word)


@pytest.mark.parametrize("seed", range(4))
def test_events_that_make_no_sense(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    directory = write_trace(tmp_path, MASTER, WORKER, THIRD, levels=(0, 1, 2))
    files = sorted(tmp_path.glob("trace-*.pomp"))
    whole = [file.read_bytes() for file in files]
    kinds = properties()
    read_some = 0
    for _ in range(ROUNDS):
        for file, content in zip(files, whole, strict=True):
            data = bytearray(content)
            if rng.random() < 0.7:
                mutate(data, rng)
            file.write_bytes(data)
        with contextlib.suppress(ExperimentError), warnings.catch_warnings():
            warnings.simplefilter("error")
            run = gather(read(directory))
            cube = compute(run, kinds)
            assert np.isfinite(cube.value).all()
            for finding in findings(cube):
                gain = gain_of(run, kinds[finding.metric], finding.path)
                assert gain is None or gain >= 0
            read_some += 1
    assert read_some > ROUNDS // 10
