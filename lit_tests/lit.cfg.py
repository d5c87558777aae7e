"""Tests from outside: RUN lines and FileCheck."""
# ruff: noqa: F821 (lit gives config and lit_config)

import os
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.name = "pomp-clang"
config.test_format = lit.formats.ShTest()
config.suffixes = [".c", ".cpp", ".f90", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "..", "build", "lit")


def first(*names):
    return next((path for path in map(shutil.which, names) if path), None)


tools = {
    "clang": first("clang-19", "clang", "clang-18", "clang-17"),
    "clangxx": first("clang++-19", "clang++", "clang++-18", "clang++-17"),
    "gcc": first("gcc"),
    "gxx": first("g++"),
    "gfortran": first("gfortran"),
    "flang": first("flang-19", "flang-new-19", "flang"),
    "pomp": first("pomp-clang"),
    "filecheck": first("FileCheck-19", "FileCheck", "FileCheck-18"),
}

for name in ("pomp", "filecheck"):
    if tools[name] is None:
        lit_config.fatal(f"{name} is not here: make test installs it, see tests/debian.sh")


def links_openmp(compiler):
    program = b"#include <omp.h>\nint main() { return omp_get_thread_num(); }"
    command = [compiler, "-fopenmp", "-x", "c", "-", "-o", os.devnull]
    return subprocess.run(command, input=program, capture_output=True).returncode == 0


for name, cxx in (("clang", "clangxx"), ("gcc", "gxx")):
    if tools[name] and tools[cxx] and links_openmp(tools[name]):
        config.available_features.add(name)
    else:
        lit_config.note(f"SKIPPED: tests that need {name} for C and C++ with OpenMP: not all here")

for name in ("gfortran", "flang"):
    if tools[name]:
        config.available_features.add(name)
    else:
        lit_config.note(f"SKIPPED: tests that need {name}: not here")

OFFLOAD = "-fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib"


def offloads(compiler):
    text = b"int omp_get_num_devices(void); int main(void) { return omp_get_num_devices() < 1; }"
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program"
        command = [compiler, "-fopenmp", *OFFLOAD.split(), "-x", "c", "-", "-o", program]
        is_built = subprocess.run(command, input=text, capture_output=True).returncode == 0
        return is_built and subprocess.run([program], capture_output=True).returncode == 0


if tools["clang"] and offloads(tools["clang"]):
    config.available_features.add("offload")
else:
    lit_config.note("SKIPPED: tests of target constructs: clang cannot offload to the host here")

if shutil.which("otf2-print"):
    config.available_features.add("otf2-print")
else:
    lit_config.note("SKIPPED: tests of OTF2: otf2-print is not here")

config.environment["HOME"] = os.environ.get("HOME", "/")
for name in ("POMP_FLAGS", "POMP_EXPERIMENT_DIR"):
    config.environment.pop(name, None)

# The check leaves out the source's comments: the expected lines are comments. Barriers are those of
# the POMP paper; lit_tests/table1/arrival.c has the default.
instrumented = "{pomp} rewrite --pomp-barriers=explicit %s -- {compiler} {flags} 2>%t.err | sed -e '\\,^ *//,d'"
config.substitutions += [
    ("%rewrite_cxx", instrumented.format(pomp=tools["pomp"], compiler=tools["clangxx"], flags="-fopenmp")),
    ("%rewrite_c", instrumented.format(pomp=tools["pomp"], compiler=tools["clang"], flags="-fopenmp")),
    ("%python", sys.executable),
    ("%offload", OFFLOAD),
    ("%pomp", tools["pomp"]),
    ("%clangxx", tools["clangxx"] or "clang++"),
    ("%clang", tools["clang"] or "clang"),
    ("%gcc", tools["gcc"] or "gcc"),
    ("%gxx", tools["gxx"] or "g++"),
    ("%gfortran", tools["gfortran"] or "gfortran"),
    ("%flang", tools["flang"] or "flang"),
    ("FileCheck", f"{tools['filecheck']} --dump-input-context=20"),
]  # fmt: skip
