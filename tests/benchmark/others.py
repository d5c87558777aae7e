"""Build the same loops with other installed tools that do the same work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.benchmark.events import Way
from tests.benchmark.timing import HERE


def others(compiler: str, bare: str, folder: str) -> list[Way]:
    """Return the other ways of measuring with one compiler; `bare` is the plain program."""
    programs = []
    if shutil.which("opari2"):
        programs.append(_opari2(compiler, folder))
    else:
        print("SKIPPED: opari2 is not here")
    if "clang" in compiler:
        programs.append(_ompt(compiler, bare, folder))
    else:
        programs.append(_functions(compiler, folder))
    return programs


def _opari2(compiler: str, folder: str) -> Way:
    """Build OPARI2's instrumentation with a library of empty functions, whose names are taken from
    the instrumented text."""
    source, rewritten = os.path.join(folder, "opari.c"), os.path.join(folder, "opari.mod.c")
    shutil.copy(HERE / "events.c", source)
    subprocess.run(
        ["opari2", "--c", source, rewritten], check=True, capture_output=True, cwd=folder
    )
    library, program = os.path.join(folder, "pomp2.c"), os.path.join(folder, "events-opari2")
    calls = set(re.findall(r"\bPOMP2_\w+(?=\s*\()", Path(rewritten).read_text()))
    calls |= set(
        re.findall(
            r"\bPOMP2_\w+(?=\s*\()", Path(rewritten.replace(".mod.c", ".c.opari.inc")).read_text()
        )
    )
    Path(library).write_text("".join(f"void {name}() {{}}\n" for name in sorted(calls)))
    shared = os.path.join(folder, "libpomp2.so")
    command = [compiler, "-w", "-O2", "-shared", "-fPIC", library, "-o", shared]
    subprocess.run(command, check=True)
    command = [compiler, "-fopenmp", "-w", "-O2", f"-I{folder}", rewritten, shared, "-o", program]
    subprocess.run(command, check=True)
    return Way("OPARI2, null library", program)


def _ompt(compiler: str, bare: str, folder: str) -> Way:
    """Build a flat profile by OpenMP's interface for tools, where atomics make no event."""
    tool = os.path.join(folder, "libompt_profile.so")
    command = [compiler, "-O2", "-w", "-shared", "-fPIC", str(HERE / "ompt_profile.c"), "-o", tool]
    subprocess.run(command, check=True)
    environment = {"OMP_TOOL_LIBRARIES": tool}
    return Way("OMPT tool, flat profile", bare, (), environment, ("master", "critical", "parallel"))


def _functions(compiler: str, folder: str) -> Way:
    """Build with -finstrument-functions and hooks that keep a flat profile; a call is part of its cost."""
    program, hooks = os.path.join(folder, "functions"), os.path.join(folder, "hooks.o")
    source = str(HERE / "functions.c")
    subprocess.run([compiler, "-O2", "-DHOOKS", "-c", source, "-o", hooks], check=True)
    command = [compiler, "-O2", "-finstrument-functions", source, hooks, "-o", program]
    subprocess.run(command, check=True)
    return Way("-finstrument-functions", program, (), {}, ("region",))
