"""A unit's descriptors are registered by a bounded number of its files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from pomp_clang.frontend.unit import Unit
from pomp_clang.rewrite.c.registration import MOST_REGISTRATIONS
from pomp_clang.rewrite.instrument import instrument
from tests.compilers import links_openmp

HEADERS = MOST_REGISTRATIONS + 4


def write_unit(folder: Path) -> Path:
    """Write a source that calls a function of each of its headers, which have an atomic each."""
    for number in range(HEADERS):
        (folder / f"h{number}.h").write_text(
            f"static void f{number}(int *x) {{\n#pragma omp atomic\n  (*x)++;\n}}\n"
        )
    included = "".join(f'#include "h{number}.h"\n' for number in range(HEADERS))
    called = "".join(f"  f{number}(&x);\n" for number in range(HEADERS))
    source = folder / "a.c"
    source.write_text(
        f"{included}int main(void) {{\n  int x = 0;\n{called}  return x != {HEADERS};\n}}\n"
    )
    return source


def test_the_number_of_constructors_is_bounded(tmp_path: Path) -> None:
    source = write_unit(tmp_path)
    preprocess = ("gcc", "-fopenmp", "-x", "c")
    unit = Unit(str(source), source.read_text(), "c", ("-D_OPENMP=201511",), preprocess=preprocess)
    texts = [header.text for header in instrument(unit).headers if header.changed]
    assert len(texts) == HEADERS
    assert sum("__constructor__" in text for text in texts) == MOST_REGISTRATIONS


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_every_header_is_measured(compiler: str, tmp_path: Path) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    write_unit(tmp_path)
    build = ["pomp-clang", "--pomp-strict", "--", compiler, "-fopenmp", "a.c", "-o", "app"]
    subprocess.run(build, cwd=tmp_path, check=True)
    environment = os.environ | {"POMP_EXPERIMENT_DIR": str(tmp_path / "run")}
    subprocess.run(["./app"], cwd=tmp_path, env=environment, check=True)
    experiment = read(str(tmp_path / "run"))
    counts = {Path(region.file).name: 0 for region in experiment.regions}
    for (region, _), measured in experiment.profile.items():
        file = next(region_.file for region_ in experiment.regions if region_.id == region)
        counts[Path(file).name] += measured.execC
    assert counts == {f"h{number}.h": 1 for number in range(HEADERS)}
