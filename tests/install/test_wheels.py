"""The installed package, and the wheels of `make wheels` where they are: content, symbols, tags."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
WHEELS = sorted(REPOSITORY.glob("dist/*.whl"))
GLIBC = (2, 28)
LIBRARIES = {
    *(f"libpomp{name}.{kind}" for name in ("", "-null", "-log") for kind in ("a", "so")),
    *("libpomp-called.a", "libpomp-pomp2.a", "libpomp-traced.a", "libpomp-replay.so"),
    "libpomp-tree.so",
    "offload/libomp.so",
}
# Functions that link only with a newer glibc, only with an older one, or with a newer libgcc.
OF_SOME_LIBRARIES = re.compile(
    r"__isoc23_|__[xfl]+x?stat|_dl_find_object|__aarch64_|__ubsan_|__.*_chk$"
)
MACHINES = {"x86_64": "X86-64", "aarch64": "AArch64"}

pytestmark = pytest.mark.skipif(not shutil.which("readelf"), reason="readelf is not here")
of_each_wheel = pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.stem)


def unpacked(wheel: Path, folder: Path) -> Path:
    """Unpack a wheel; return its runtime/lib."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder / "pomp_clang" / "runtime" / "lib"


def printed(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def assert_links_everywhere(archive: Path) -> None:
    """Check that an archive has machine code, and needs what every C library has."""
    undefined = re.findall(r"^ +U (\w+)", printed("nm", "--undefined-only", archive), re.M)
    assert not [name for name in undefined if OF_SOME_LIBRARIES.match(name)]
    sections = printed("readelf", "-SW", archive)
    assert " .text" in sections or archive.name == "libpomp-traced.a"
    assert ".gnu.lto" not in sections
    assert ".llvmbc" not in sections


def test_the_installed_package_has_every_library() -> None:
    folder = Path(sysconfig.get_path("platlib")) / "pomp_clang" / "runtime" / "lib"
    assert libraries(folder) == LIBRARIES
    for archive in folder.glob("*.a"):
        assert_links_everywhere(archive)


@of_each_wheel
def test_a_wheel_has_every_library_for_its_machine(wheel: Path, tmp_path: Path) -> None:
    folder = unpacked(wheel, tmp_path)
    assert libraries(folder) == LIBRARIES
    machine = next(name for suffix, name in MACHINES.items() if wheel.stem.endswith(suffix))
    for library in LIBRARIES:
        machines = re.findall(
            r"^ +Machine: +(.*)", printed("readelf", "-h", folder / library), re.M
        )
        assert machines
        assert all(machine in wheel_name for wheel_name in machines)
    for archive in folder.glob("*.a"):
        assert_links_everywhere(archive)


@of_each_wheel
def test_a_wheel_has_the_tag_of_the_glibc_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    glibc = f"manylinux_{GLIBC[0]}_{GLIBC[1]}"
    tags = {f"pomp_clang-{project['version']}-py3-none-{glibc}_{machine}" for machine in MACHINES}
    assert wheel.stem in tags
    folder = unpacked(wheel, tmp_path)
    (client,) = tmp_path.glob("*.data/scripts/pomp-clang")
    for file in (client, *folder.rglob("*.so")):
        versions = re.findall(r"GLIBC_(\d+)\.(\d+)", printed("readelf", "-VW", file))
        assert versions
        assert max((int(major), int(minor)) for major, minor in versions) <= GLIBC


@of_each_wheel
def test_a_wheel_has_the_package_and_its_pages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "runtime/include/pomp.h",
        "runtime/include/pomp_raja.hpp",
        "cmake/PompClangConfig.cmake",
        "report/html/page.css",
    ):
        assert f"pomp_clang/{name}" in names
    scripts = {Path(name).name for name in names if ".data/scripts/" in name}
    assert {"pomp-clang", "pomp-clang-python", "pomp-cc", "pomp-mpicc", "pomp-fc"} <= scripts
    assert any(name.endswith("share/man/man1/pomp-clang.1") for name in names)
    assert not [name for name in names if re.match(r"tests/|runtime/|docs/", name)]
