"""Read a trace in one way: reading.py WAY DIR.

Print the processor seconds and the maximum of memory in bytes, without those of the imports.

The ways: words (map and sum up the times), columns, openmp (all properties of OpenMP and idle
threads), causes (all properties), instances (number of instances of each, and the worst), gains
(predicted gains of the ten worst); count prints the number of events.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.trace.blocks import read_blocks
from pomp_clang.trace.layout import FILE_GLOB, TICK_SHIFT
from pomp_clang.trace.reader import read

KINDS = properties()
OPENMP = [kind for kind in KINDS if kind.path()[0] == "Time"]


def words(directory: str) -> None:
    total = 0
    for file in Path(directory).glob(FILE_GLOB):
        read = read_blocks(file)
        assert read is not None
        for block in read[1]:
            total += int((block.words >> np.uint64(TICK_SHIFT)).sum())


def columns(directory: str) -> None:
    for stream in read(directory).streams:
        assert len(stream.op)


def openmp(directory: str) -> None:
    compute(gather(read(directory)), OPENMP)


def causes(directory: str) -> None:
    compute(gather(read(directory)), KINDS)


def instances(directory: str) -> None:
    run = gather(read(directory))
    assert instance_tables_of(run, KINDS, compute(run, KINDS))


def gains(directory: str) -> None:
    run = gather(read(directory))
    ranked = findings(
        compute(run, KINDS), 10, lambda of, _: gain_of(run, KINDS[of.metric], of.path)
    )
    assert ranked


def count(directory: str) -> None:
    print(f"events {sum(len(stream.op) for stream in read(directory).streams)}")


WAYS = {
    function.__name__: function
    for function in (words, columns, openmp, causes, instances, gains, count)
}


def peak() -> int:
    """Return this process's own maximum memory in bytes, without its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def main(way: str, directory: str) -> None:
    before, begin = peak(), time.process_time()
    WAYS[way](directory)
    print(f"seconds {time.process_time() - begin:.6f}")
    print(f"bytes {peak() - before}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
