"""The clock of each kind of processor, and the library's small share of the static thread-local
memory. Libraries loaded later get only the rest of this memory.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.runtime.harness import Build

SOURCES = Path(__file__).parents[2] / "runtime" / "src"
READING = {"x86_64": "rdtsc", "aarch64": "cntvct_el0", "riscv64": "pomp_clock_nanoseconds"}
POINTERS = 5
"""As large as thread data of ours may be; glibc has some hundred bytes for all that are loaded."""


@pytest.mark.parametrize("processor", READING)
def test_what_is_read(processor: str, tmp_path: Path) -> None:
    """Read a counter with one instruction, or else the system's clock."""
    if shutil.which("clang-19") is None:
        pytest.skip("clang-19 is not here")
    source = tmp_path / "reads.c"
    source.write_text(
        '#include "system/clock.h"\nuint64_t reads(void);\nuint64_t reads(void) { return pomp_now(); }\n'
    )
    target = [f"--target={processor}-linux-gnu", "-ffreestanding", "-O2", "-Wall", "-Werror"]
    command = ["clang-19", *target, f"-I{SOURCES}", "-S", "-o", "-", str(source)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.lower()
    assert READING[processor] in output
    counters = {READING[other] for other in ("x86_64", "aarch64") if other != processor}
    assert not any(counter in output for counter in counters)


@pytest.mark.parametrize("library", ["libpomp.so", "libpomp-log.so", "libpomp-null.so"])
def test_thread_data_is_a_few_pointers(gcc_or_clang: Build, library: str) -> None:
    if shutil.which("readelf") is None:
        pytest.skip("readelf is not here")
    path = str(gcc_or_clang.runtime / "lib" / library)
    command = ["readelf", "--program-headers", "--wide", path]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    sizes = re.findall(r"^ +TLS +\S+ +\S+ +\S+ +\S+ +(0x\S+)", output, re.MULTILINE)
    assert sum(int(size, 16) for size in sizes) <= POINTERS * 8
    assert sizes
