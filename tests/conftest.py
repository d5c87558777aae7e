"""What tests of several phases share: the built runtime."""

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

# What is tried is the same each time; HYPOTHESIS_PROFILE=searching looks for what is new.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=PATIENT)
settings.register_profile("searching", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

REPOSITORY = Path(__file__).resolve().parent.parent


def _installed() -> Path:
    """The runtime that the installed package carries."""
    runtime = Path(sysconfig.get_path("platlib")) / "pomp_clang" / "runtime"
    if not (runtime / "lib" / "libpomp.so").is_file():
        pytest.skip("the runtime is not installed, and cmake is not here to build it")
    return runtime


def build_runtime(name: str, *options: str) -> Path:
    """Builds what is new of runtime/ in a folder of this name, which all processes of a run
    and the runs after it share; returns where it was installed."""
    build = REPOSITORY / "build" / "tests" / name
    build.mkdir(parents=True, exist_ok=True)
    with open(build / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = build / "build"
        configure = ["cmake", "-S", str(REPOSITORY / "runtime"), "-B", str(made)]
        configure += [f"-DCMAKE_INSTALL_PREFIX={build}", *options]
        if subprocess.run(configure, capture_output=True).returncode:
            shutil.rmtree(made)  # left by another cmake, or for another place
            subprocess.run(configure, check=True, capture_output=True)
        install = ["cmake", "--build", str(made), "--target", "install"]
        install += ["--parallel", str(os.cpu_count() or 1)]
        subprocess.run(install, check=True, capture_output=True)
    return build / "runtime"


@pytest.fixture(scope="session")
def pomp_runtime() -> Path:
    """A folder with include/ and lib/, as it is installed."""
    if not shutil.which("cmake"):
        return _installed()
    return build_runtime("runtime")
