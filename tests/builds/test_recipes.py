"""Every recipe of docs/how-to/builds.md, other-build-systems.md and ci.md, run as it is written."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.builds.harness import CLANG, GCC, counts, execute, experiments, needs

HERE = Path(__file__).parent
NAMES = ("builds.md", "other-build-systems.md", "ci.md")
PAGES = [HERE.parent.parent / "docs" / "how-to" / name for name in NAMES]
DOCUMENT = "\n".join(page.read_text() for page in PAGES)
MEASURED = {("app.c", "parallel for"): 2, ("part.c", "parallel for"): 2, ("part.c", "critical"): 6}
OUTPUT = "90 15\n"


def blocks(heading: str, language: str = "sh") -> list[str]:
    """Return the code blocks of this language below the heading."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)


def lay(work: Path, build: str) -> Path:
    folder = work / "project"
    shutil.copytree(HERE / "recipes" / build, folder)
    for source in (HERE / "recipes").glob("*.c"):
        shutil.copy(source, folder)
    return folder


def follow(recipe: str, project: Path, **env: str) -> str:
    """Run a recipe; check that the program ran once and was measured, and that its report was
    shown.
    """
    before = set(experiments(project))
    output = execute(["sh", "-eu", "-c", recipe], project, 0, **env).stdout
    (experiment,) = set(experiments(project)) - before
    assert experiment.name.startswith("pomp-app-")
    assert counts(experiment) == MEASURED
    assert OUTPUT in output
    assert "Where the threads' time went" in output
    return output


@pytest.fixture(autouse=True)
def _gcc() -> None:
    needs("gcc", "make")


@pytest.mark.parametrize("number", [0, 1, 2], ids=["toolchain", "launchers", "preset"])
def test_cmake_from_the_command_line(tmp_path: Path, number: int) -> None:
    needs("cmake", "g++")
    project = lay(tmp_path, "cmake")
    (preset,) = blocks("CMake: from the command line", "json")
    if number == 2:
        (project / "CMakeUserPresets.json").write_text(preset)
    recipe = blocks("CMake: from the command line")[number]
    follow(recipe, project, CC=GCC[0], CXX=GCC[1])


def test_cmake_targets(tmp_path: Path) -> None:
    needs("cmake", "g++")
    project = lay(tmp_path, "cmake")
    (lines,) = blocks("CMake: targets", "cmake")
    with open(project / "CMakeLists.txt", "a") as file:
        file.write(lines.replace("app kernels", "app"))
    follow("cmake -B build\ncmake --build build\n./build/app\npomp-clang report\n", project)


def test_plain_make(tmp_path: Path) -> None:
    (recipe,) = blocks("Plain make")
    follow(recipe, lay(tmp_path, "make"))


def test_autotools(tmp_path: Path) -> None:
    needs("autoreconf", "automake", "libtoolize")
    project = lay(tmp_path, "autotools")
    execute(["autoreconf", "--install"], project)
    at_configure, at_make = blocks("Autotools")
    follow(at_configure, project, POMP_CC="gcc")
    execute(["make", "distclean"], project)
    follow(at_make, project, POMP_CC="gcc", CC="gcc")


def test_meson(tmp_path: Path) -> None:
    needs("meson", "ninja")
    (recipe,) = blocks("Meson")
    follow(recipe, lay(tmp_path, "meson"), POMP_CC="gcc")


@pytest.mark.parametrize(
    ("heading", "number", "backend"),
    [
        ("pip", 0, "setuptools"),
        ("pip", 1, "scikit_build_core"),
        ("meson-python", 0, "mesonpy"),
    ],
    ids=["setuptools", "cmake", "meson"],
)
def test_pip(tmp_path: Path, heading: str, number: int, backend: str) -> None:
    pytest.importorskip(backend)
    project = tmp_path / "project"
    shutil.copytree(HERE / "recipes" / "pip", project)
    if backend == "scikit_build_core":
        needs("cmake", "ninja")
        (project / "scikit-build.toml").rename(project / "pyproject.toml")
    if backend == "mesonpy":
        needs("meson", "ninja")
        (project / "meson-python.toml").rename(project / "pyproject.toml")
    installed = str(tmp_path / "installed")
    pip = {
        "POMP_CC": "gcc",
        "PYTHONPATH": installed,
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_INDEX": "1",
        "PIP_TARGET": installed,
    }
    recipes = blocks("pip") if heading == "pip" else blocks("meson-python")
    output = execute(["sh", "-eu", "-c", recipes[number]], project, 0, **pip).stdout
    assert counts(project / "pomp-python-1") == {("parts.c", "parallel for"): 2}
    assert "\n45\n" in output and "Where the threads' time went" in output


def test_scons(tmp_path: Path) -> None:
    pytest.importorskip("SCons")
    project = lay(tmp_path, "scons")
    (recipe,) = blocks("SCons")
    (line,) = blocks("SCons", "python")
    assert line in (project / "SConstruct").read_text()
    assert "pomp-cc -o app.o" in follow(recipe, project, POMP_CC="gcc")
    assert "is up to date" in follow(recipe, project, POMP_CC="gcc")

    chosen = "pomp-clang --pomp-disable=critical -- gcc"
    assert "-o app.o" in execute(["scons", "-Q"], project, CC=chosen).stdout
    execute(["./app"], project)
    assert counts(experiments(project)[-1]) == {k: 2 for k in MEASURED if k[1] != "critical"}

    execute(["scons", "-c"], project)
    (project / "SConstruct").write_text(
        'env = Environment(CCFLAGS=["-fopenmp"], LINKFLAGS=["-fopenmp"], **ARGUMENTS)\n'
        'env.Program("app", ["app.c", "part.c", "other.c"])\n'
    )
    follow(recipe.replace("CC=pomp-cc scons", 'scons CC="$(command -v pomp-cc)"'), project)


def test_ninja_multi_config(tmp_path: Path) -> None:
    needs("cmake", "ninja", "g++")
    project = lay(tmp_path, "cmake")
    (recipe,) = blocks("Ninja Multi-Config")
    follow(recipe, project, CC=GCC[0], CXX=GCC[1])
    again = execute(["cmake", "--build", "build", "--config", "Release"], project).stdout
    assert "no work to do" in again


def test_superbuild(tmp_path: Path) -> None:
    needs("cmake", "g++")
    project = lay(tmp_path, "superbuild")
    lay(project, "cmake").rename(project / "app")
    (recipe,) = blocks("Superbuilds")
    compilers = {"CC": GCC[0], "CXX": GCC[1]}
    assert "app.c.o" in follow(recipe, project, **compilers)
    assert "app.c.o" not in follow(recipe, project, **compilers)


def hits(cache: Path) -> int:
    stats = execute(["ccache", "--print-stats"], cache, CCACHE_DIR=str(cache)).stdout
    return sum(
        int(n) for n in re.findall(r"^(?:direct|preprocessed)_cache_hit\t(\d+)", stats, re.M)
    )


def clean(project: Path) -> None:
    for built_file in (*project.glob("*.o"), project / "app"):
        built_file.unlink()


def test_ccache_behind(tmp_path: Path) -> None:
    needs("ccache")
    project, cache = lay(tmp_path, "make"), tmp_path / "cache"
    cache.mkdir()
    recipe, _ = blocks("ccache")
    execute(["make", "CC=ccache gcc"], project, CCACHE_DIR=str(cache))
    clean(project)
    follow(recipe, project, CCACHE_DIR=str(cache))
    assert hits(cache) == 1  # other.c, which has no OpenMP


def test_ccache_before(tmp_path: Path) -> None:
    needs("ccache")
    project, cache = lay(tmp_path, "make"), tmp_path / "cache"
    cache.mkdir()
    _, recipe = blocks("ccache")
    env = {"CCACHE_DIR": str(cache), "POMP_CC": "gcc"}
    follow(recipe, project, **env)
    clean(project)
    assert hits(cache) == 0
    follow(recipe, project, **env)
    assert hits(cache) == 3
    clean(project)

    execute(["sh", "-eu", "-c", recipe], project, 0, POMP_FLAGS="--pomp-disable=critical", **env)
    assert counts(experiments(project)[-1]) == {k: 2 for k in MEASURED if k[1] != "critical"}
    assert hits(cache) == 3
    if CLANG[0]:
        clean(project)
        follow(recipe, project, CCACHE_DIR=str(cache), POMP_CC=CLANG[0])
        assert b"clang" in (project / "app").read_bytes()


def test_mpi(tmp_path: Path) -> None:
    needs("mpicc")
    project = lay(tmp_path, "make")
    execute(["make", "CC=pomp-mpicc"], project)
    execute(["./app"], project)
    assert counts(project / "pomp-app-1") == MEASURED


def test_continuous_integration(tmp_path: Path) -> None:
    for side, parts in (("base", "part(6)"), ("new", "part(8)")):
        (tmp_path / side).mkdir()
        project = lay(tmp_path / side, "make")
        source = project / "app.c"
        source.write_text(source.read_text().replace("part(6)", parts))
        execute(["make", "CC=pomp-cc"], project)
        (tmp_path / side / "app").symlink_to("project/app")
    compared, formats = blocks("Compare two builds")
    limits = compared.replace("duration > 10%", "duration > 1000%")
    failed = execute(["sh", "-eu", "-c", limits], tmp_path, status=3)
    assert "part.c:5-6: critical (unnamed): execC > 0: execC +2 (+33.3 %)" in failed.stderr
    assert "duration" not in failed.stderr

    execute(["sh", "-eu", "-c", formats.replace("-o pomp", "--fail-on 'execC > 0' -o pomp")],
            tmp_path, status=3)  # fmt: skip
    assert (tmp_path / "summary.md").read_text().startswith("## app: ")
    document = json.loads((tmp_path / "pomp.sarif").read_text())
    error = next(result for result in document["runs"][0]["results"] if result["level"] == "error")
    physical = error["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"].endswith("part.c")
    assert physical["region"] == {"startLine": 5}


def test_every_recipe_is_run() -> None:
    own_text = Path(__file__).read_text()
    headings = re.findall(r"^## (.*)$", DOCUMENT, re.M)
    assert [h for h in headings if blocks(re.escape(h)) and f'blocks("{h}")' not in own_text] == []
