"""Which compilers the tests can use: those that link an OpenMP program."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache


@cache
def links_openmp(compiler: str) -> bool:
    """Whether it is here together with its OpenMP runtime."""
    if shutil.which(compiler) is None:
        return False
    language = "c++" if "++" in compiler else "c"
    command = [compiler, "-fopenmp", "-x", language, "-", "-o", "/dev/null"]
    program = b"#include <omp.h>\nint main() { return omp_get_thread_num(); }\n"
    return subprocess.run(command, input=program, capture_output=True).returncode == 0


def first(*compilers: str) -> str:
    """The first that can be used; "" if none can."""
    return next(filter(links_openmp, compilers), "")
