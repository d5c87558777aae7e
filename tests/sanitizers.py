"""The sanitizers: which compilers link OpenMP programs with them, the runtime built with one,
and which of their reports are ours.

ThreadSanitizer does not see how libgomp's threads wait for each other. With gcc, a program
therefore has reports of its own, with and without us; none of them may name the runtime.
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
    """Return the missing requirement, or "" if none is missing."""
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
    """Return libomp's library that reports to ThreadSanitizer which thread waits for which."""
    command = [compiler, "-print-file-name=libarcher.so"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def runtime(compiler: str, sanitizer: str) -> Path:
    """Build our runtime with the sanitizer, which sees more accesses with -O1 than with -O2."""
    options = f"-DCMAKE_C_FLAGS=-O1 -g1 -fno-omit-frame-pointer -fsanitize={sanitizer}"
    name = f"{compiler}-{sanitizer}".replace(",", "-")
    alone = "-DPOMP_PROFILE_LIBRARY_ONLY=ON"
    build_type = "-DCMAKE_BUILD_TYPE=Sanitized"  # whose flags are these alone
    return build_runtime(name, f"-DCMAKE_C_COMPILER={compiler}", options, build_type, alone)


def settings(compiler: str) -> dict[str, str]:
    """Return the environment of a program built with a sanitizer."""
    result = {"TSAN_OPTIONS": "exitcode=0", "ASAN_OPTIONS": "detect_leaks=0"}
    if compiler != "gcc":
        result["OMP_TOOL_LIBRARIES"] = _archer(compiler)
        result["TSAN_OPTIONS"] += ":ignore_noninstrumented_modules=1"
        result["TSAN_OPTIONS"] += f":external_symbolizer_path={_SYMBOLIZER}"
    return result


_OURS = re.compile(r"\b(pomp|POMP)_\w+|/runtime/src/|libpomp")
_ACCESS = re.compile(r"(?:[Rr]ead|[Ww]rite) of size.*\n((?: +#\d+ .*\n)+)")
_LOCATION = re.compile(r"Location is (.*\n(?: .*\n)*)")


def _names_us(report: str) -> bool:
    """Return whether an access's innermost frame outside the sanitizer is ours, or the memory is.
    For memory on a stack, all accesses must be ours. A later call overwrites the memory that an
    earlier call left there, and the sanitizer does not see how another thread learns of it.
    """
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
    """Return the reports of races in which the runtime takes part."""
    return [r for r in re.split(r"^={10,}\n", stderr, flags=re.M) if _names_us(r)]
