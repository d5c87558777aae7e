"""Export of a trace as JSON of the Trace Event Format, for Perfetto and chrome://tracing.

Regions are slices, a fork is an arrow to each member of its team, and acquired locks and created
tasks are marks. Each process of a job is one of Perfetto's, MPI's calls are slices, and an arrow is
a message.
"""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from pomp_clang.export.perfetto.tracks import (
    DeviceTracks,
    ThreadWriter,
    devices_phrase,
    metadata_of,
)
from pomp_clang.export.thread_events import ProcessEvents, is_job
from pomp_clang.progress import ProgressCallback
from pomp_clang.trace.reader import read


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    with open(output, "w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        if is_job(directory):
            from pomp_clang.export.perfetto import job

            summary = job.write(directory, file, progress)
        else:
            summary = _write(directory, file, progress)
        file.write("\n]}\n")
    return summary


def _write(directory: str, file: TextIO, progress: ProgressCallback) -> str:
    trace = read(directory)
    shared = ProcessEvents(trace, progress)
    pid = trace.records.header.pid
    about = {"name": trace.records.texts.get("program", "") or "program"}
    tracks = DeviceTracks(pid, shared, shared.nanoseconds_at)
    file.write(",\n".join((*metadata_of(pid, about, shared), *tracks.metadata())))
    slices = 0
    for thread in shared:
        writer = ThreadWriter(pid, shared, thread, shared.nanoseconds)
        for _, text in writer:
            file.write(text)
        slices += writer.slices
    for lane in tracks.writers():
        for _, text in lane:
            file.write(text)
    return f"{slices} slices of {shared.count} threads{devices_phrase([tracks])}"
