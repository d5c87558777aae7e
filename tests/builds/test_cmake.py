"""A CMake project with libraries, regions in a header, a sub-project and tests, built in each way."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.builds.harness import (
    CLANG,
    GCC,
    OUTPUT,
    REGIONS,
    SCRIPTS,
    copied,
    counts,
    environment,
    execute,
    experiments,
    needed_libraries,
    needs,
)

NINJA, MAKE = "Ninja", "Unix Makefiles"
LINES = ("find_package(PompClang REQUIRED)", "pomp_instrument(flow grid kernels parts stats)")
LAUNCHERS = [
    f"-DCMAKE_{language}_{tool}_LAUNCHER=pomp-clang;--"
    for language in ("C", "CXX")
    for tool in ("COMPILER", "LINKER")
]
PRESETS = {
    "version": 3,
    "configurePresets": [
        {"name": "base", "hidden": True, "binaryDir": "${sourceDir}/../build"},
        {
            "name": "measured",
            "inherits": "base",
            "cacheVariables": {word[2:].split("=")[0]: "pomp-clang;--" for word in LAUNCHERS},
        },
    ],
}


@pytest.fixture(autouse=True)
def _cmake() -> None:
    needs("cmake")


def configure(
    project: Path, compilers: tuple[str, str], generator: str, *options: str, **env: str
) -> Path:
    """Configure a build folder and return it."""
    if not all(compilers):
        pytest.skip("the compiler is not here")
    needs("make" if generator == MAKE else "ninja")
    build = project.parent / "build"
    words = ["cmake", "-G", generator, "-S", str(project), "-B", str(build), *options]
    if not any("CMAKE_C_COMPILER=" in word for word in options):
        words += [f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}"]
    execute([*words, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], project, 0, **env)
    return build


def build_all(build: Path, **env: str) -> str:
    return execute(["cmake", "--build", build], build, 0, **env).stdout


def ran_tests(build: Path) -> Path:
    """Run the project's only test and return its experiment, which stands where the test ran."""
    execute(["ctest"], build)
    (experiment,) = experiments(build)
    assert experiment == build / "pomp-flow-1"
    return experiment


def toolchain() -> str:
    folder = execute(["pomp-clang", "--cmake-dir"], Path.cwd()).stdout.strip()
    return f"-DCMAKE_TOOLCHAIN_FILE={folder}/PompToolchain.cmake"


def check_left_alone(build: Path) -> None:
    """Check that the project's checks used the bare compiler and that its compile commands are the
    user's.
    """
    assert "PROGRAMS_RUN:INTERNAL=1\n" in (build / "CMakeCache.txt").read_text()
    assert experiments(build) == []
    assert "pomp" not in (build / "compile_commands.json").read_text()


@pytest.mark.parametrize(("compilers", "generator"), [(CLANG, NINJA), (GCC, MAKE)])
def test_package(tmp_path: Path, compilers: tuple[str, str], generator: str) -> None:
    build = configure(copied(tmp_path, *LINES), compilers, generator)
    check_left_alone(build)
    build_all(build)
    assert counts(ran_tests(build)) == REGIONS
    assert execute([build / "flow"], tmp_path).stdout == OUTPUT
    assert "libpomp" not in needed_libraries(build / "plain")


@pytest.mark.parametrize(("compilers", "generator"), [(CLANG, MAKE), (GCC, NINJA)])
def test_toolchain_file(tmp_path: Path, compilers: tuple[str, str], generator: str) -> None:
    build = configure(copied(tmp_path), compilers, generator, toolchain())
    check_left_alone(build)
    build_all(build)
    assert counts(ran_tests(build)) == REGIONS


def test_toolchain_file_with_options_before_the_projects_own(tmp_path: Path) -> None:
    own = tmp_path / "own.cmake"
    own.write_text('set(CMAKE_C_FLAGS_INIT "-DOWN_TOOLCHAIN")\n')
    (tmp_path / "filter").write_text("POMP_RULES_BEGIN\nEXCLUDE name=smooth\nPOMP_RULES_END\n")
    options = [
        f"-DPOMP_CHAINLOAD_TOOLCHAIN_FILE={own}",
        "-DPOMP_FUNCTIONS=all",
        f"-DPOMP_FILTER={tmp_path / 'filter'}",
        "-DPOMP_TRACE=ON",
        "-DPOMP_OPTIONS=--pomp-disable=master;--pomp-runtime=static",
    ]
    lines = (LINES[0], "pomp_instrument(grid FUNCTIONS none)")
    build = configure(copied(tmp_path, *lines), GCC, NINJA, toolchain(), *options)
    assert "-DOWN_TOOLCHAIN" in (build / "compile_commands.json").read_text()
    build_all(build)
    experiment = ran_tests(build)
    chosen = {key: number for key, number in REGIONS.items() if key[1] != "master"}
    functions = {("main.cpp", "main"), ("grid.h", "in_header"), ("kernels.cpp", "kernel")}
    functions |= {("parts.c", "part"), ("stats.c", "count_all")}
    measured = counts(experiment)
    assert {key: measured[key] for key in chosen} == chosen
    assert measured.keys() - chosen.keys() == functions
    assert "libpomp" not in needed_libraries(build / "flow")
    assert list(experiment.glob("trace-*"))


def test_launchers(tmp_path: Path) -> None:
    lines = (LINES[0], "pomp_instrument(grid OPTIONS --pomp-disable=critical)")
    build = configure(copied(tmp_path, *lines), GCC, NINJA, *LAUNCHERS)
    check_left_alone(build)
    build_all(build)
    chosen = {key: number for key, number in REGIONS.items() if key != ("grid.c", "critical")}
    assert counts(ran_tests(build)) == chosen


def test_launchers_from_the_environment_see_no_checks(tmp_path: Path) -> None:
    env = dict(word[2:].split("=") for word in LAUNCHERS)
    build = configure(copied(tmp_path), GCC, MAKE, **env)
    check_left_alone(build)
    build_all(build)
    assert counts(ran_tests(build)) == REGIONS


def test_preset(tmp_path: Path) -> None:
    project = copied(tmp_path)
    (project / "CMakePresets.json").write_text(json.dumps(PRESETS))
    needs("ninja")
    env = {"CC": CLANG[0] or GCC[0], "CXX": CLANG[1] or GCC[1], "CMAKE_GENERATOR": NINJA}
    execute(["cmake", "--preset", "measured"], project, 0, **env)
    build_all(tmp_path / "build")
    assert counts(ran_tests(tmp_path / "build")) == REGIONS


def test_one_word_as_the_compiler(tmp_path: Path) -> None:
    options = ["-DCMAKE_C_COMPILER=pomp-cc", "-DCMAKE_CXX_COMPILER=pomp-c++"]
    env = {"POMP_CC": GCC[0], "POMP_CXX": GCC[1]}
    lines = (*LINES, "pomp_instrument(kernels FUNCTIONS all)")
    build = configure(copied(tmp_path, *lines), GCC, MAKE, *options, **env)
    assert "PROGRAMS_RUN:INTERNAL=1\n" in (build / "CMakeCache.txt").read_text()
    commands = (build / "compile_commands.json").read_text()
    assert "/pomp-cc " in commands
    assert "pomp-clang" not in commands and "--pomp" not in commands
    build_all(build, **env)
    functions = {("kernels.cpp", "kernel"): 1, ("smooth.cpp", "smooth"): 1}
    assert counts(ran_tests(build)) == REGIONS | functions


@pytest.mark.parametrize("compilers", [CLANG, GCC], ids=["clang", "gcc"])
def test_unity_build(tmp_path: Path, compilers: tuple[str, str]) -> None:
    build = configure(copied(tmp_path, *LINES), compilers, NINJA, "-DCMAKE_UNITY_BUILD=ON")
    assert "unity_0" in (build / "compile_commands.json").read_text()
    build_all(build)
    assert counts(ran_tests(build)) == REGIONS


def test_functions_and_link_time_optimization(tmp_path: Path) -> None:
    needs("llvm-ar-19")  # an older llvm-ar cannot read the objects
    lines = (LINES[0], LINES[1].replace(")", " FUNCTIONS auto)"))
    options = ("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
    build = configure(copied(tmp_path, *lines), CLANG, NINJA, *options)
    assert "-flto" in (build / "compile_commands.json").read_text()
    build_all(build)
    measured = counts(ran_tests(build))
    assert {key: measured[key] for key in REGIONS} == REGIONS
    assert (measured["main.cpp", "main"], measured["smooth.cpp", "smooth"]) == (1, 1)


def test_precompiled_headers(tmp_path: Path) -> None:
    lines = (*LINES, "target_precompile_headers(flow PRIVATE <cstdio> <vector>)")
    build = configure(copied(tmp_path, *lines), GCC, NINJA)
    build_all(build)
    assert counts(ran_tests(build)) == REGIONS


def test_several_configurations_behind_the_projects_own_launcher(tmp_path: Path) -> None:
    needs("ccache")
    lines = (*LINES, "set_target_properties(flow grid PROPERTIES CXX_COMPILER_LAUNCHER ccache)")
    build = configure(copied(tmp_path, *lines), GCC, "Ninja Multi-Config")
    rules = (build / "CMakeFiles" / "impl-Release.ninja").read_text()
    rules += (build / "CMakeFiles" / "rules.ninja").read_text()
    assert re.search(r"pomp-clang -- \S*ccache \S*g\+\+", rules)
    execute(["cmake", "--build", build, "--config", "Release"], build)
    execute(["ctest", "-C", "Release"], build)
    (experiment,) = experiments(build)
    assert counts(experiment) == REGIONS


def test_a_library_alone_brings_the_runtime_to_what_it_is_linked_into(tmp_path: Path) -> None:
    lines = ("find_package(PompClang REQUIRED)", "pomp_instrument(stats)")
    build = configure(copied(tmp_path, *lines), CLANG, NINJA)
    build_all(build)
    assert counts(ran_tests(build)) == {k: v for k, v in REGIONS.items() if k[0] == "stats.c"}


def test_trace_is_recorded_unless_the_run_says_no(tmp_path: Path) -> None:
    lines = (
        "find_package(PompClang REQUIRED)",
        "pomp_instrument(kernels)",
        "pomp_instrument(flow TRACE)",
    )
    build = configure(copied(tmp_path, *lines), GCC, NINJA)
    build_all(build)
    words = execute(["pomp-clang", "trace", ran_tests(build)], build).stdout
    assert "kernels.cpp" in words
    execute([build / "flow"], tmp_path, POMP_TRACE="0")
    (silent,) = (
        experiment for experiment in experiments(tmp_path) if experiment.parent == tmp_path
    )
    assert {path.name for path in silent.iterdir()} == {"profile.pomp"}


@pytest.mark.parametrize(("unity", "sources"), [("OFF", "grid.c.o"), ("ON", "unity_0_c.c.o")])
def test_changed_options_and_filters_make_the_objects_anew(
    tmp_path: Path, unity: str, sources: str
) -> None:
    rules = "POMP_RULES_BEGIN\n  EXCLUDE construct={}\nPOMP_RULES_END\n"
    lines = ("find_package(PompClang REQUIRED)", "pomp_instrument(grid ${MORE} FILTER some.filter)")
    project = copied(tmp_path, *lines)
    (project / "some.filter").write_text(rules.format("critical"))
    build = configure(project, GCC, MAKE, "-DMORE=", f"-DCMAKE_UNITY_BUILD={unity}")
    build_all(build)
    (build / "flow").unlink()
    build_all(build)
    (project / "some.filter").write_text(rules.format("parallel_for"))
    assert sources in build_all(build)
    measured = counts(ran_tests(build))
    assert measured["grid.c", "critical"] == 10
    assert ("grid.c", "parallel for") not in measured or not measured["grid.c", "parallel for"]
    execute(["cmake", "-DMORE=FUNCTIONS;all", build], build)
    assert sources in build_all(build)
    assert sources not in build_all(build)


def test_what_is_installed_names_us_nowhere_and_is_used_without_us(tmp_path: Path) -> None:
    build = configure(copied(tmp_path, *LINES), GCC, NINJA)
    build_all(build)
    prefix = tmp_path / "prefix"
    execute(["cmake", "--install", build, "--prefix", prefix], build)
    for exported in (build / "flowTargets.cmake", *(prefix / "lib" / "cmake" / "flow").iterdir()):
        assert "flow" in exported.read_text()
        assert not re.search("pomp[-_]|libpomp", exported.read_text(), re.I)

    assert execute([prefix / "bin" / "flow"], tmp_path).stdout == OUTPUT
    assert counts(tmp_path / "pomp-flow-1") == REGIONS

    user = tmp_path / "user"
    user.mkdir()
    (user / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(user CXX C)\nfind_package(OpenMP REQUIRED)\n"
        "find_package(flow REQUIRED)\nadd_executable(user user.cpp)\n"
        "target_link_libraries(user PRIVATE flow::kernels)\n"
    )
    (user / "user.cpp").write_text("int kernel(int);\nint main() { return kernel(3) != 2; }\n")
    path = environment()["PATH"].split(":", 1)[1]
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={GCC[1]}", "-B", "build"]
    execute(["cmake", "-G", NINJA, *options], user, PATH=path)
    execute(["cmake", "--build", "build"], user, PATH=path)
    execute(["build/user"], user, PATH=path)
    assert counts(user / "pomp-user-1")["kernels.cpp", "for"] == 2


def test_found_by_its_folder_where_it_is_not_on_the_path(tmp_path: Path) -> None:
    folder = execute(["pomp-clang", "--cmake-dir"], tmp_path).stdout.strip()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(x NONE)\n"
        "find_package(PompClang REQUIRED)\nmessage(STATUS found=${POMP_CLANG}.)\n"
    )
    path = environment()["PATH"].split(":", 1)[1]
    for option in (f"-DCMAKE_PREFIX_PATH={folder}", f"-DPompClang_DIR={folder}"):
        shutil.rmtree(tmp_path / "build", ignore_errors=True)
        output = execute(["cmake", "-B", "build", option], tmp_path, PATH=path).stdout
        assert f"found={SCRIPTS / 'pomp-clang'}." in output


OLD = """
cmake_minimum_required(VERSION 3.2)
project(x C)
find_package(PompClang REQUIRED)
file(WRITE ${CMAKE_BINARY_DIR}/rules "")
file(WRITE ${CMAKE_BINARY_DIR}/code.c "")
add_library(plugin MODULE ${CMAKE_BINARY_DIR}/code.c)
pomp_instrument(plugin FUNCTIONS all FILTER ${CMAKE_BINARY_DIR}/rules TRACE)
pomp_instrument(plugin OPTIONS --pomp-disable=critical)
"""


def test_the_last_call_counts_in_a_project_of_any_age(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(OLD)
    old = "-DCMAKE_POLICY_VERSION_MINIMUM=3.5"
    words = ["cmake", "-G", NINJA, f"-DCMAKE_C_COMPILER={GCC[0]}", old, "-B", "build"]
    assert "CMP00" not in execute([*words, "-Wno-deprecated"], tmp_path).stderr
    assert "pomp-clang --pomp-disable=critical -- " in rules(tmp_path / "build")
    assert not re.search("--pomp-(functions|filter|trace)", rules(tmp_path / "build"))


def rules(build: Path) -> str:
    return (build / "build.ninja").read_text() + (build / "CMakeFiles" / "rules.ninja").read_text()


def test_version_of_the_package(tmp_path: Path) -> None:
    for version, is_found in (("0.1", "1"), ("99", "0")):
        (tmp_path / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(x NONE)\n"
            f"find_package(PompClang {version} QUIET)\nmessage(STATUS found=${{PompClang_FOUND}}.)\n"
        )
        shutil.rmtree(tmp_path / "build", ignore_errors=True)
        result = execute(["cmake", "-B", "build"], tmp_path)
        assert f"found={is_found}." in result.stdout


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("pomp_instrument()", "name a target"),
        ("pomp_instrument(nothing)", "there is no target nothing"),
        ("pomp_instrument(only_headers)", "nothing is compiled for only_headers"),
        ("pomp_instrument(elsewhere)", "nothing is compiled for elsewhere"),
        ("pomp_instrument(code FUNCTIONS some)", "none, all or auto, not 'some'"),
        ("pomp_instrument(code FUNCTIONS)", "FUNCTIONS needs a value"),
        ("pomp_instrument(code FILTER no.filter)", "there is no filter file"),
    ],
)
def test_wrong_use_is_named(tmp_path: Path, call: str, expected: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(x NONE)\nfind_package(PompClang REQUIRED)\n"
        "add_library(only_headers INTERFACE)\nadd_library(elsewhere SHARED IMPORTED)\n"
        f"add_library(code OBJECT IMPORTED)\n{call}\n"
        if "code" not in call
        else "cmake_minimum_required(VERSION 3.21)\nproject(x C)\nfind_package(PompClang REQUIRED)\n"
        f'file(WRITE code.c "")\nadd_library(code OBJECT code.c)\n{call}\n'
    )
    result = execute(["cmake", "-B", "build"], tmp_path, status=1)
    assert "pomp_instrument: " in result.stderr
    assert expected in " ".join(result.stderr.split())
