"""The lines from which a program calls MPI, as its debug information and its symbols tell."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import silent
from pomp_clang.mpi.variants import NAMES
from pomp_clang.trace.mpi.call_sites import CallSite, sites_of
from pomp_clang.trace.mpi.read_job import read
from pomp_clang.trace.mpi.text import listing
from pomp_clang.trace.text import EventSelection
from tests.mpi.harness import MPIS, PROGRAMS, build, build_fortran, run

NAMED = re.compile(r"(?:/\*|!) (MPI_\w+) in (\w+)")


def marked(source: str) -> dict[str, tuple[str, int, str]]:
    """Return file, line and function of each call, by MPI's function, from the source's comments."""
    lines = enumerate((PROGRAMS / source).read_text().splitlines(), 1)
    matches = [(number, match) for number, line in lines if (match := NAMED.search(line))]
    return {match[1]: (source, number, match[2]) for number, match in matches}


def recorded(folder: Path) -> dict[str, set[tuple[str, int, str]]]:
    """Return file, line and function of the calls of each function that a trace has."""
    job = read(str(folder))
    sites: dict[str, set[tuple[str, int, str]]] = {}
    for function, row in zip(job.calls.function.tolist(), job.calls.site.tolist(), strict=True):
        site = job.sites[row]
        place = os.path.basename(site.file), site.line, site.function
        sites.setdefault(NAMES[function], set()).add(place)
    return sites


@pytest.mark.parametrize("mpi", MPIS)
def test_a_call_from_c_has_the_line_of_the_program(
    mpi: str, programs: Path, tmp_path: Path
) -> None:
    """A function named after what it calls is no place, and MPI's beginning and end have none."""
    binary = build(mpi, "sites", tmp_path, "-g")
    run(binary, 2, tmp_path / "run", POMP_TRACE="1")
    sites = recorded(tmp_path / "run")
    text = "\n".join(listing(str(tmp_path / "run"), EventSelection()))
    for function, (file, line, caller) in marked("sites.c").items():
        is_in_region = function == "MPI_Bcast"
        assert sites[function] == {(file, line, "" if is_in_region else caller)}, function
        assert f" {function} {file}:{line}" in text, function
    assert sites["MPI_Init"] == sites["MPI_Finalize"] == {("", 0, "")}


@pytest.mark.parametrize("mpi", MPIS)
def test_a_call_from_c_without_debug_information_has_the_function(mpi: str, tmp_path: Path) -> None:
    run(build(mpi, "sites", tmp_path), 2, tmp_path / "run", POMP_TRACE="1")
    sites = recorded(tmp_path / "run")
    for function, (_, _, caller) in marked("sites.c").items():
        is_in_region = function == "MPI_Bcast"  # which is the place
        assert sites[function] == {("", 0, "" if is_in_region else caller)}, function
    cube = analysed(str(tmp_path / "run"), properties(), silent).cube
    (barrier,) = (row for row, place in enumerate(cube.paths) if place.name == "MPI_Barrier")
    assert cube.paths[cube.paths[barrier].above].name == "meet"


@pytest.mark.parametrize("binding", ["MODULE", "F08"])
@pytest.mark.parametrize("mpi", MPIS)
def test_a_call_from_fortran_has_the_line_of_the_program(
    mpi: str, binding: str, tmp_path: Path
) -> None:
    binary = build_fortran(mpi, "sites", tmp_path, binding, "-g")
    run(binary, 2, tmp_path / "run", POMP_TRACE="1")
    sites = recorded(tmp_path / "run")
    for function, (file, line, caller) in marked("sites.F90").items():
        # without a line where gfortran gives that of the program unit
        assert sites[function] <= {(file, line, caller), ("", 0, caller)}, function
    if (mpi, binding) == ("mpich", "MODULE"):
        lines = {line for places in sites.values() for _, line, _ in places}
        assert lines == {0, *(line for _, line, _ in marked("sites.F90").values())}


def _texts(path: Path, **changed: int) -> Mapping[str, str]:
    about = path.stat()
    size, time = changed.get("size", about.st_size), changed.get("time", int(about.st_mtime))
    return {"module_0": f"4096 4096 1000000000 {size} {time} {path}", "mpi_site_1": "8192"}


@pytest.mark.parametrize("changed", [{"size": 1}, {"time": 1}])
def test_a_program_that_was_built_anew_tells_nothing(
    changed: dict[str, int], tmp_path: Path
) -> None:
    text = _texts(Path(os.path.realpath("/bin/sh")), **changed)
    calls = [(np.array([1]), np.array([0]))]
    sites, (rows,) = sites_of([text], calls)
    assert [sites[row] for row in rows] == [CallSite()]


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"mpi_site_7": "", "module_0": ""},
        {"mpi_site_7": "1 x", "mpi_site_": "1", "module_1": "1 2 3 4 /bin/sh"},
        {"mpi_site_7": "150", "module_1": "0 100 200 0 0 /\0"},
        {"mpi_site_7": "150", "module_1": "0 100 200 1 1 /no/such/file"},
    ],
)
def test_a_site_that_no_text_names_is_unknown(texts: dict[str, str]) -> None:
    sites, (rows,) = sites_of([texts], [(np.array([7, 0]), np.array([0, -1]))])
    assert [sites[row] for row in rows] == [CallSite(), CallSite()]
