"""What tests of several phases share: the built runtime."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def _installed() -> Path:
    """The runtime that the installed package carries."""
    runtime = Path(sysconfig.get_path("platlib")) / "pomp_clang" / "runtime"
    if not (runtime / "lib" / "libpomp.so").is_file():
        pytest.skip("the runtime is not installed, and cmake is not here to build it")
    return runtime


def build_runtime(build: Path, *options: str) -> Path:
    """Builds runtime/ in a folder; returns where it was installed."""
    configure = ["cmake", "-S", str(REPOSITORY / "runtime"), "-B", str(build / "build")]
    configure += [f"-DCMAKE_INSTALL_PREFIX={build}", *options]
    subprocess.run(configure, check=True, capture_output=True)
    install = ["cmake", "--build", str(build / "build"), "--target", "install", "--parallel"]
    subprocess.run(install, check=True, capture_output=True)
    return build / "runtime"


@pytest.fixture(scope="session")
def pomp_runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with include/ and lib/, as it is installed."""
    if not shutil.which("cmake"):
        return _installed()
    return build_runtime(tmp_path_factory.mktemp("runtime"))
