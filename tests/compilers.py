"""Find the compilers for the tests: all that link an OpenMP program."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache


@cache
def links_openmp(compiler: str) -> bool:
    """Return whether the compiler and its OpenMP runtime are installed."""
    if shutil.which(compiler) is None:
        return False
    language = "c++" if "++" in compiler else "c"
    program = b"#include <omp.h>\nint main() { return omp_get_thread_num(); }\n"
    if "fort" in compiler or "flang" in compiler:
        language, program = "f95", b"use omp_lib\nprint *, omp_get_thread_num()\nend\n"
    command = [compiler, "-fopenmp", "-x", language, "-", "-o", "/dev/null"]
    return subprocess.run(command, input=program, capture_output=True).returncode == 0


def first(*compilers: str) -> str:
    """Return the first usable compiler; "" if none is usable."""
    return next(filter(links_openmp, compilers), "")
