"""A build's own questions to the compiler, which are not ours to take part in.

Their answers must be the bare compiler's, and a program that is run for one leaves
no experiment behind.  On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os

from pomp_clang.driver.glance import Glance
from pomp_clang.driver.options import INPUT

# What stands in the folder in which such a compile runs: CMake's try_compile and try_run.
FOLDERS = ("/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/")
# What its source is called: Autoconf's, and CMake's question for the compiler's name.
SOURCES = ("conftest.", "CMakeCCompilerId.", "CMakeCXXCompilerId.")
# A folder of the source: Meson's.
SOURCE_FOLDERS = ("meson-private/tmp",)


def is_check(view: Glance) -> bool:
    """Is a configuration step asking?"""
    for _, _, _, value, role in view.options:
        if role == INPUT and (
            os.path.basename(value).startswith(SOURCES)
            or any(folder in value for folder in SOURCE_FOLDERS)
        ):
            return True
    try:
        here = os.getcwd()
    except OSError:
        return False
    return any(folder in here for folder in FOLDERS)
