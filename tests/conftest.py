"""What tests of several phases share: the built runtime."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def _installed() -> Path | None:
    """The runtime that the installed package carries."""
    spec = importlib.util.find_spec("pomp_clang")
    for place in (spec.submodule_search_locations if spec else None) or []:
        runtime = Path(place) / "runtime"
        if (runtime / "lib" / "libpomp.so").is_file():
            return runtime
    return None


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
    return _installed() or build_runtime(tmp_path_factory.mktemp("runtime"))
