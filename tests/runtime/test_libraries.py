"""Loaded libraries, and the measuring libraries that can stand in for ours."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.runtime.harness import PROGRAMS, Build, counts, run


def test_loaded_and_closed(build: Build, tmp_path: Path) -> None:
    """Keep a library's regions when it is closed, and reuse them when it is loaded again."""
    plugin = build.compile("plugin.c", tmp_path / "plugin.so", "-shared", "-fPIC")
    options = ("-Wl,--export-dynamic", "-ldl")
    loader = build.compile("loader.c", tmp_path / "loader", *options)
    result = run(loader, str(plugin), folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert sorted(r.begin_line1 for r in measured.regions) == [10, 10, 20]
    (plugged,) = [r for r in measured.regions if r.sub_name == "plugged"]
    assert measured.profile[plugged.id, 0].execC == 3


def test_only_the_plugin_is_instrumented(build: Build, tmp_path: Path) -> None:
    """Begin a new experiment each time: a static runtime is unloaded with its library."""
    plugin = build.compile("plugin.c", tmp_path / "plugin.so", "-shared", "-fPIC")
    source = tmp_path / "plain.c"
    text = (PROGRAMS / "loader.c").read_text()
    text = text.replace('#include "pomp_test.h"', "#include <stdio.h>")
    plain = [line for line in text.splitlines() if "FUNCTION(" not in line and "POMP_" not in line]
    source.write_text("\n".join(plain))
    program = tmp_path / "plain"
    subprocess.run([build.compiler, str(source), "-o", str(program), "-ldl"], check=True)
    result = run(program, str(plugin), folder=tmp_path)
    assert result.status == 0
    assert result.experiment().complete
    assert counts(result.experiment(), 10) == {0: 1 if build.linkage == "static" else 3}


@pytest.mark.parametrize("loads", ["at-run-time", "at-start"])
def test_experiment_that_was_asked_for_is_not_kept_if_a_library_is_loaded_later_and_not_used(
    build: Build, tmp_path: Path, loads: str
) -> None:
    """An interpreter's child may only look at an extension, and the next process has the name."""
    plugin = build.compile("plugin.c", tmp_path / "plugin.so", "-shared", "-fPIC")
    later = loads == "at-run-time"
    source, program = tmp_path / "plain.c", tmp_path / "plain"
    load = f'!dlopen("{plugin}", RTLD_NOW)' if later else "0"
    source.write_text(f"#include <dlfcn.h>\nint main(void) {{ return {load}; }}\n")
    linked = ["-ldl"] if later else ["-Wl,--no-as-needed", str(plugin)]
    subprocess.run([build.compiler, str(source), "-o", str(program), *linked], check=True)
    result = run(program, folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    assert (tmp_path / "exp").exists() == (not later)


def test_log(build: Build, tmp_path: Path) -> None:
    log = replace(build, library="pomp-log")
    program = log.compile("endings.c", tmp_path / "endings")
    result = run(program, "control", folder=tmp_path)
    assert (result.status, result.stdout) == (3, "output\n")
    file = PROGRAMS / "endings.c"
    work = [f"0 Begin region(work) {file}:40", f"0 End region(work) {file}:40"]
    main = [f"0 Begin region(main) {file}:30", f"0 End region(main) {file}:30"]
    expected = [*work, main[0], "0 Off", *work, work[0], "0 On", work[1], main[1], *work]
    expected += ["0 Init", "0 Finalize", *work, "0 Init", *work]
    assert result.stderr.splitlines() == expected


def test_log_order_of_each_thread(build: Build, tmp_path: Path) -> None:
    program = replace(build, library="pomp-log").compile("nesting.c", tmp_path / "nesting")
    run(program, "nested", folder=tmp_path, POMP_LOG_FILE="log")
    lines = (tmp_path / "log").read_text().splitlines()
    events: dict[str, list[str]] = {}
    for line in lines:
        thread, event, *_ = line.split()
        events.setdefault(thread, []).append(event)
    inner = ["Parallel_begin", "Barrier_enter", "Barrier_exit", "Parallel_end"]
    outer = ["Parallel_begin", "Parallel_fork", "Parallel_join", *inner[1:]]
    assert events == {
        "0": ["Parallel_fork", *outer, "Parallel_join"],
        "1": outer,
        **{f"{i}.{j}": inner for i in range(2) for j in range(3)},
    }


def test_log_counts(build: Build, tmp_path: Path) -> None:
    program = replace(build, library="pomp-log").compile("constructs.c", tmp_path / "constructs")
    result = run(program, folder=tmp_path, POMP_LOG="count")
    actual = {
        tuple(line.rsplit(" ", 2)[:2]): line.rsplit(" ", 1)[1] for line in _lines(result.stderr)
    }
    file = PROGRAMS / "constructs.c"
    assert actual[f"atomic() {file}:100", "Atomic_enter"] == "40"
    assert actual[f"critical(named) {file}:70", "Critical_begin"] == "4"
    assert actual["total", "Single_begin"] == "1"
    assert actual["total", "For_enter"] == "12"


def _lines(text: str) -> list[str]:
    return text.splitlines()


def test_log_and_null_do_the_locking(build: Build, tmp_path: Path) -> None:
    for library in ("pomp-log", "pomp-null"):
        program = replace(build, library=library).compile("locks.c", tmp_path / library)
        result = run(program, "nestable", folder=tmp_path)
        assert (result.status, result.stdout) == (0, "nest 3\n")


def test_null(build: Build, tmp_path: Path) -> None:
    program = replace(build, library="pomp-null").compile("constructs.c", tmp_path / "constructs")
    result = run(program, folder=tmp_path)
    assert (result.status, result.stdout, result.stderr) == (0, "", "")
    assert not (tmp_path / "exp").exists()


@pytest.mark.parametrize("kind", ["object", "archive", "shared"])
def test_partial_library_is_completed(gcc_or_clang: Build, tmp_path: Path, kind: str) -> None:
    """Call the functions of another library in any form; ours fill the gaps."""
    compiler, include = gcc_or_clang.compiler, f"-I{gcc_or_clang.runtime / 'include'}"
    null = replace(gcc_or_clang, library="pomp-null", linkage="static")
    partial = tmp_path / {"object": "p.o", "archive": "libp.a", "shared": "libp.so"}[kind]
    compile_ = [compiler, "-fPIC", include, str(PROGRAMS / "partial.c"), "-o"]
    if kind == "shared":
        subprocess.run([*compile_, str(partial), "-shared"], check=True)
    else:
        subprocess.run([*compile_, str(tmp_path / "p.o"), "-c"], check=True)
    if kind == "archive":
        subprocess.run(["ar", "rc", str(partial), str(tmp_path / "p.o")], check=True)
    program = null.compile("constructs.c", tmp_path / "main", str(partial))
    result = run(program, folder=tmp_path)
    assert result.status == 0
    assert result.stdout.count("enter parallel for") == 4
    assert result.stdout.count("exit for") == 8


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not here")
def test_wholly_static_program(pomp_runtime: Path, tmp_path: Path) -> None:
    """Link what the archive needs of a static libgomp."""
    program = Build("gcc", pomp_runtime, "static").compile("locks.c", tmp_path / "locks", "-static")
    result = run(program, "contended", folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    assert counts(result.experiment(), 20) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert result.experiment().openmp_runtime == "libgomp"


def test_what_is_inlined_for_the_null_library_is_all_of_it(
    pomp_runtime: Path, tmp_path: Path
) -> None:
    source, object_file = pomp_runtime / "inline" / "null.c", tmp_path / "null.o"
    subprocess.run(["cc", "-w", "-c", str(source), "-o", str(object_file)], check=True)
    library = pomp_runtime / "lib" / "libpomp-null.so"
    assert _functions(object_file) == _functions(library) > {"POMP_Register", "POMP_Begin"}


def _functions(file: Path) -> set[str]:
    command = ["nm", "--defined-only", str(file)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r" [TW] (POMP_\w+)$", output, re.M))
