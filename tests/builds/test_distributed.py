"""Builds whose compiles a real distccd does."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builds.harness import CLANG, GCC, counts, execute, experiments
from tests.builds.harness import needs as needed

RECIPES = Path(__file__).parent / "recipes"
MEASURED = {("app.c", "parallel for"): 2, ("part.c", "parallel for"): 2, ("part.c", "critical"): 6}
UNITS = 3


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Yield the port of a distccd on loopback."""
    needed("distcc", "distccd", "make")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    options = ["--daemon", "--no-detach", "--allow", "127.0.0.1", "--listen", "127.0.0.1"]
    options += ["--port", str(number), "--jobs", "2", "--enable-tcp-insecure", "--log-stderr"]
    with open(tmp_path / "log", "wb") as log:
        daemon = subprocess.Popen(["distccd", *options, "--log-level=info"], stderr=log)
    try:
        yield number if _listens(number) else pytest.fail((tmp_path / "log").read_text())
    finally:
        daemon.terminate()
        daemon.wait()


def _listens(port: int) -> bool:
    for _ in range(100):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("compiler", [GCC[0], CLANG[0]], ids=["gcc", "clang"])
def test_each_unit_is_compiled_once_by_distccd_and_measures(
    tmp_path: Path, port: int, compiler: str
) -> None:
    if not compiler:
        pytest.skip("the compiler is not here")
    project = tmp_path / "project"
    shutil.copytree(RECIPES / "make", project)
    for source in RECIPES.glob("*.c"):
        shutil.copy(source, project)
    build = execute(
        ["make", f"CC=pomp-clang -- distcc {compiler}", "CFLAGS=-O2 -fopenmp"],
        project,
        DISTCC_HOSTS=f"127.0.0.1:{port}",
        DISTCC_FALLBACK="0",
        DISTCC_SKIP_LOCAL_RETRY="1",
    )
    assert build.stderr == ""
    assert (tmp_path / "log").read_text().count("COMPILE_OK") == UNITS
    execute([project / "app"], project)
    (experiment,) = experiments(project)
    assert {place: n for place, n in counts(experiment).items() if n} == MEASURED
