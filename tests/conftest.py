"""Shared fixtures of several test packages: the built runtime."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PATIENT = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
"""A busy machine is no reason for a property to fail, nor is a fixture that all examples share."""

# Examples are the same in each run; HYPOTHESIS_PROFILE=searching looks for new ones.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=PATIENT)
settings.register_profile("searching", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

REPOSITORY = Path(__file__).resolve().parent.parent

MARKED = {
    "mpi": ("tests/mpi/", "tests/builds/test_recipes.py::test_mpi"),
    "editor": ("tests/lsp/test_neovim.py", "tests/lsp/test_session.py"),
    "slow": (
        "tests/agreement/",
        "tests/barriers/",
        "tests/builds/",
        "tests/causes/test_programs.py",
        "tests/forms/",
        "tests/mpi/",
        "tests/random_programs/",
        "tests/robust/",
        "tests/runtime/test_sanitizers.py",
        "tests/stepping/",
    ),
    "timed": (
        "tests/agreement/",
        "tests/barriers/",
        "tests/causes/",
        "tests/driver/",
        "tests/mpi/",
        "tests/offload/test_kernel_waits.py",
        "tests/random_programs/",
        "tests/robust/",
        "tests/runtime/",
    ),
}
"""Markers, and the beginnings of the ids of their tests. `browser` marks all that use Chromium;
`slow` marks tests that build and run many programs: half of the suite's processor time. `timed`
marks tests that hold times of programs as they run, which others on the machine can delay.
"""

DELAYED = pytest.mark.flaky(reruns=2, only_rerun=["AssertionError", "Failed"])
"""A timed test that fails is run again, at most twice; the summary names each such run. A defect
of the product fails all three.
"""


def pytest_configure(config: pytest.Config) -> None:
    for name in ("browser", *MARKED):
        config.addinivalue_line("markers", f"{name}: see MARKED in tests/conftest.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name, beginnings in MARKED.items():
            if item.nodeid.startswith(beginnings):
                item.add_marker(name)
        if "timed" in item.keywords:
            item.add_marker(DELAYED)
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


def _installed() -> Path:
    """Return the runtime that the installed package carries."""
    runtime = Path(sysconfig.get_path("platlib")) / "pomp_clang" / "runtime"
    if not (runtime / "lib" / "libpomp.so").is_file():
        pytest.skip("the runtime is not installed, and cmake is not here to build it")
    return runtime


def build_runtime(name: str, *options: str) -> Path:
    """Build the changed parts of runtime/ in a folder of this name, which all processes of a run
    and later runs share. Return the install folder.
    """
    build = REPOSITORY / "build" / "tests" / name
    build.mkdir(parents=True, exist_ok=True)
    with open(build / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_folder = build / "build"
        configure = ["cmake", "-S", str(REPOSITORY / "runtime"), "-B", str(build_folder)]
        configure += [f"-DCMAKE_INSTALL_PREFIX={build}", *options]
        if subprocess.run(configure, capture_output=True).returncode:
            shutil.rmtree(build_folder)  # left by another cmake, or for another place
            subprocess.run(configure, check=True, capture_output=True)
        install = ["cmake", "--build", str(build_folder), "--target", "install"]
        install += ["--parallel", str(os.cpu_count() or 1)]
        subprocess.run(install, check=True, capture_output=True)
    return build / "runtime"


@pytest.fixture(scope="session")
def pomp_runtime() -> Path:
    """Return a folder with include/ and lib/, as it is installed."""
    if not shutil.which("cmake"):
        return _installed()
    return build_runtime("runtime")
