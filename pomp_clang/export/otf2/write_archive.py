"""Export of a trace, or those of a job, as an OTF2 archive: a folder with the anchor file
traces.otf2."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.find import processes
from pomp_clang.export.otf2 import job_archive, process_archive
from pomp_clang.progress import ProgressCallback
from pomp_clang.trace.mpi.read_job import read as read_job
from pomp_clang.trace.otf2.archive import processes_of
from pomp_clang.trace.reader import read

ANCHOR = "traces.otf2"


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    output.mkdir()
    if processes(directory) or processes_of(directory):
        events = job_archive.write(read_job(directory), output / ANCHOR, progress)
    else:
        events = process_archive.write(read(directory), output / ANCHOR, progress)
    return f"{events} event{'s' * (events != 1)}"
