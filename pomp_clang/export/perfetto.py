"""A trace as JSON of the Trace Event Format: Perfetto and chrome://tracing show it.

Regions are slices, a fork is an arrow to each member of its team, locks that are got and tasks
that are created are marks.  Of a job each process is one of Perfetto's, MPI's calls are slices,
and an arrow is a message.
"""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from pomp_clang.export.job_lines import is_job
from pomp_clang.export.lines import Lines
from pomp_clang.export.perfetto_line import LineWriter, names_of
from pomp_clang.progress import Told
from pomp_clang.trace.reader import read


def write(directory: str, output: Path, told: Told) -> str:
    with open(output, "w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        if is_job(directory):
            from pomp_clang.export import perfetto_job

            said = perfetto_job.write(directory, file, told)
        else:
            said = _write(directory, file, told)
        file.write("\n]}\n")
    return said


def _write(directory: str, file: TextIO, told: Told) -> str:
    trace = read(directory)
    lines = Lines(trace, told)
    pid = trace.records.header.pid
    about = {"name": trace.records.texts.get("program", "") or "program"}
    file.write(",\n".join(names_of(pid, about, lines)))
    slices = 0
    for line in lines:
        writer = LineWriter(pid, lines, line, lines.nanoseconds)
        for _, text in writer:
            file.write(text)
        slices += writer.slices
    return f"{slices} slices of {lines.count} threads"
