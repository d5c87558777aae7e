"""The sanitizers: which compilers link OpenMP programs with them, the runtime built with one,
and which of their reports are ours.

ThreadSanitizer does not see how libgomp's threads wait for each other, so with gcc a program
has reports of its own, with and without us; none of them may name the runtime.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.conftest import build_runtime

THREAD, OTHERS = "thread", "address,undefined"

_SYMBOLIZER = shutil.which("llvm-symbolizer-19") or shutil.which("llvm-symbolizer")


@cache
def why_not(compiler: str, sanitizer: str) -> str:
    """What is missing; "" if nothing is."""
    if not _links(compiler, sanitizer):
        return f"{compiler} does not link OpenMP programs with -fsanitize={sanitizer}"
    if compiler != "gcc" and sanitizer == THREAD and "/" not in _archer(compiler):
        return "libarcher.so is not here"
    if compiler != "gcc" and not _SYMBOLIZER:
        return "llvm-symbolizer is not here: reports would have no names"
    return ""


def _links(compiler: str, sanitizer: str) -> bool:
    command = [compiler, "-fopenmp", f"-fsanitize={sanitizer}", "-x", "c", "-", "-o", "/dev/null"]
    program = b"int main(void) { return 0; }\n"
    return subprocess.run(command, input=program, capture_output=True).returncode == 0


@cache
def _archer(compiler: str) -> str:
    """libomp's own word to ThreadSanitizer of who waits for whom."""
    command = [compiler, "-print-file-name=libarcher.so"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def runtime(compiler: str, sanitizer: str) -> Path:
    """Ours, built with it."""
    options = f"-DCMAKE_C_FLAGS=-g -fno-omit-frame-pointer -fsanitize={sanitizer}"
    name = f"{compiler}-{sanitizer}".replace(",", "-")
    return build_runtime(name, f"-DCMAKE_C_COMPILER={compiler}", options)


def settings(compiler: str) -> dict[str, str]:
    """The environment of a program that was built with one."""
    found = {"TSAN_OPTIONS": "exitcode=0", "ASAN_OPTIONS": "detect_leaks=0"}
    if compiler != "gcc":
        found["OMP_TOOL_LIBRARIES"] = _archer(compiler)
        found["TSAN_OPTIONS"] += ":ignore_noninstrumented_modules=1"
        found["TSAN_OPTIONS"] += f":external_symbolizer_path={_SYMBOLIZER}"
    return found


_OURS = re.compile(r"\b(pomp|POMP)_\w+|/runtime/src/|libpomp")
_ACCESS = re.compile(r"(?:[Rr]ead|[Ww]rite) of size.*\n((?: +#\d+ .*\n)+)")
_LOCATION = re.compile(r"Location is (.*\n(?: .*\n)*)")


def _names_us(report: str) -> bool:
    """Where an access's innermost frame that is not the sanitizer's own is ours, or the memory is.
    Of a stack all accesses have to be ours: what a call left behind there is written over by
    the next one, of which another thread is told in a way that the sanitizer does not see."""
    accesses = [
        bool(frames and _OURS.search(frames[0]))
        for stack in _ACCESS.findall(report)
        for frames in [
            [f for f in stack.splitlines() if not re.search(r"interceptor|sanitizer_", f)]
        ]
    ]
    location = "".join(_LOCATION.findall(report)[:1])
    if location.startswith("stack of"):
        return bool(accesses) and all(accesses)
    return any(accesses) or any(_OURS.search(line) for line in location.splitlines()[:2])


def races(stderr: str) -> list[str]:
    """The reports of races in which the runtime takes part."""
    return [r for r in re.split(r"^={10,}\n", stderr, flags=re.M) if _names_us(r)]
