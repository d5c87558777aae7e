"""A trace beside the same one as OTF2: what reads the archive, in millions of its events a second
of processor time: OTF2's Python bindings, otf2-print, and pomp-clang itself."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys

from tests.benchmark.timing import HERE, POMP, figures, output
from tests.benchmark.tracing import build_traces, record

SIZE = 10_000_000
_DEBIAN = "/usr/bin/python3"
"""Has Debian's python3-otf2, where that is installed."""


def archives(compiler: str, folder: str, size: int = SIZE) -> None:
    directory = record(build_traces(compiler, folder), folder, size)
    archive = os.path.join(folder, f"archive-{size}")
    export = [POMP, "export", directory, "--to", "otf2", "-o", archive]
    printed = subprocess.run(export, check=True, capture_output=True, text=True).stdout
    events = int(printed.split()[-2])
    anchor = os.path.join(archive, "traces.otf2")
    print(f"{compiler}: the trace of about {size} events as {events} of OTF2's, as they are read")
    _bindings(anchor)
    _print(anchor)
    values = figures(output([sys.executable, str(HERE / "reading.py"), "columns", anchor], folder))
    rate, memory = events / values["seconds"] / 1e6, values["bytes"] / events
    print(f"  {'pomp-clang':28}{rate:8.2f} million a second, {memory:.0f} bytes an event")


def _bindings(anchor: str) -> None:
    for python in (sys.executable, _DEBIAN):
        known = subprocess.run([python, "-c", "import otf2"], capture_output=True, cwd=HERE)
        if not known.returncode:
            break
    else:
        print("  SKIPPED: OTF2's Python bindings are not here (Debian: python3-otf2)")
        return
    command = [python, str(HERE / "otf2_bindings.py"), anchor]
    values = figures(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    rate = values["events"] / values["seconds"] / 1e6
    print(f"  {'OTF2 Python bindings':28}{rate:8.2f} million a second")


def _print(anchor: str) -> None:
    if shutil.which("otf2-print") is None:
        print("  SKIPPED: otf2-print is not here (Debian: otf2-tools)")
        return
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = 0
    with subprocess.Popen(["otf2-print", anchor], stdout=subprocess.PIPE) as printing:
        listing = printing.stdout
        assert listing
        for piece in iter(lambda: listing.read(1 << 20), b""):
            lines += piece.count(b"\n")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {'otf2-print':28}{lines / seconds / 1e6:8.2f} million a second")
