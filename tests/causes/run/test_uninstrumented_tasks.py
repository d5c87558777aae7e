"""A taskloop without events of its tasks is named: its binary was linked by a linker of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.causes.run.run_warnings import unrecorded_taskloops
from tests.causes.programs.measured import traced
from tests.compilers import links_openmp

_PROGRAM = """
int x;
int main(void) {
#pragma omp parallel master taskloop num_threads(2)
  for (int i = 0; i < 4; i++) x++;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < 4; i++) x++;
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("linked", ["with us", "without us"])
def test_what_was_linked_without_us(
    linked: str, compiler: str, tmp_path: Path, pomp_runtime: Path
) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    (tmp_path / "app.c").write_text(_PROGRAM)
    pomp_command, folder = ["pomp-clang", "--"], pomp_runtime / "lib"
    compiled = [compiler, "-fopenmp", "-O1", "-c", "app.c"]
    subprocess.run([*pomp_command, *compiled], cwd=tmp_path, check=True)
    library = [f"{folder}/libpomp.so", f"-Wl,-rpath,{folder}"]
    linker = [*pomp_command, compiler] if linked == "with us" else [compiler]
    command = [*linker, "-fopenmp", "app.o", "-o", "app"]
    command += library if linked == "without us" else []
    subprocess.run(command, cwd=tmp_path, check=True)
    text = unrecorded_taskloops({0: traced(tmp_path)[1]})
    if linked == "with us":
        assert text == []
    else:
        assert len(text) == 1
        assert text[0].startswith(
            f"The tasks of the taskloop at {tmp_path}/app.c:4 and at {tmp_path}/app.c:9 were not "
        )
