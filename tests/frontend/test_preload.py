"""The heap of libclang: large, of large pages, and not in memory before its use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pomp_clang.frontend.c import libclang
from pomp_clang.frontend.preload import HEAP, PAGE, preload, wait_for_preload

PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
SAY = """
import resource
from pomp_clang.frontend.preload import use_large_pages
used = lambda: int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
before = used()
use_large_pages()
use_large_pages()
large = size = 0
for line in open("/proc/self/smaps"):
    words = line.split()
    if words[0] == "Size:":
        size = int(words[1]) << 10
    elif words[0] == "VmFlags:" and "hg" in words:
        large += size
print(large, used() - before)
"""


@pytest.mark.skipif(not PAGES.exists(), reason="the system has no large pages")
def test_the_heap_is_large_and_not_yet_used() -> None:
    result = subprocess.run([sys.executable, "-c", SAY], capture_output=True, text=True, check=True)
    large, used = map(int, result.stdout.split())
    assert HEAP - 2 * PAGE <= large < HEAP + 2 * PAGE
    assert used < 4 << 20


def test_without_room_for_it_the_heap_stays_as_it_is() -> None:
    limit = f"import resource\nresource.setrlimit(resource.RLIMIT_DATA, ({HEAP}, {HEAP}))\n"
    result = subprocess.run([sys.executable, "-c", limit + SAY], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert int(result.stdout.split()[0]) < HEAP


def test_the_library_is_loaded_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(libclang, "load", loaded.append)
    preload("/lib/of/clang.so")
    wait_for_preload()
    assert loaded == ["/lib/of/clang.so"]
