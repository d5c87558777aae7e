"""Compiles by which a build system probes the compiler.

They need the bare compiler's answers, and a probe program that runs must leave no experiment.
On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT

# Working directories of probes: CMake's try_compile and try_run.
FOLDERS = ("/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/")
# Names of probe sources: Autoconf's, and CMake's test for the compiler's name.
SOURCES = ("conftest.", "CMakeCCompilerId.", "CMakeCXXCompilerId.")
# Folders of probe sources: Meson's.
SOURCE_FOLDERS = ("meson-private/tmp",)


def is_configure_probe(line: CommandLine) -> bool:
    """Return True if a build system's configuration runs this command."""
    for _, _, _, value, role in line.options:
        if role == INPUT and (
            os.path.basename(value).startswith(SOURCES)
            or any(folder in value for folder in SOURCE_FOLDERS)
        ):
            return True
    try:
        directory = os.getcwd()
    except OSError:
        return False
    return any(folder in directory for folder in FOLDERS)
