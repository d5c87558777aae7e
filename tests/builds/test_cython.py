"""Extensions in Cython are measured at the lines of Cython's own source."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest

from tests.builds.harness import execute, needs, profile

SOURCE = """\
# cython: language_level=3
from cython.parallel import prange


def total(int n):
    cdef int i, s = 0

    for i in prange(n, nogil=True, num_threads=2):
        s += i
    return s


def other(int n):
    cdef int i, s = 0
    for i in prange(n, nogil=True):
        s += i
    return s
"""
HEADERS = sysconfig.get_path("include")


LINES = {"total": (8, 9), "other": (15, 16)}


def test_regions_are_named_by_the_lines_of_cythons_source(tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    needs("gcc")
    if not Path(HEADERS, "Python.h").is_file():
        pytest.skip("no headers of Python are here")
    package = tmp_path / "package"
    package.mkdir()
    (package / "sums.pyx").write_text(SOURCE)
    execute([sys.executable, "-m", "cython", "package/sums.pyx"], tmp_path)
    options = ["-O1", "-fopenmp", "-shared", "-fPIC", "-w", f"-I{HEADERS}"]
    library = f"package/sums{sysconfig.get_config_var('EXT_SUFFIX')}"
    command = ["pomp-cc", *options, "package/sums.c", "-o", library]
    assert execute(command, tmp_path, POMP_CC="gcc", POMP_FLAGS="--pomp-strict").stderr == ""
    use = "from package import sums; print(sums.total(10), sums.other(10))"
    assert execute([sys.executable, "-c", use], tmp_path).stdout == "45 45\n"
    regions = profile(next(tmp_path.glob("pomp-python*")))["regions"]
    assert isinstance(regions, list)
    ran = {
        (region["kind"], region["file"], region["begin_line1"], region["end_lineN"])
        for region in regions
        if region["sum"]["execC"]
    }
    source = str(package / "sums.pyx")
    assert ran == {
        (kind, source, *lines) for lines in LINES.values() for kind in ("parallel", "for")
    }
