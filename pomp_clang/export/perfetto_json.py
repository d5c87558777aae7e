"""Export of a trace, or those of a job, as JSON of the Trace Event Format, for Perfetto and
chrome://tracing.

Regions are slices, a fork is an arrow to each member of its team, and acquired locks and created
tasks are marks. Each process of a job is one of Perfetto's, MPI's calls are slices, and an arrow is
a message."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from pomp_clang.export.perfetto_tracks import (
    Arrows,
    DeviceTracks,
    ThreadWriter,
    devices_phrase,
    metadata_of,
)
from pomp_clang.export.thread_events import ProcessEvents, events_of_job, is_job
from pomp_clang.mpi.variants import NAMES
from pomp_clang.progress import ProgressCallback
from pomp_clang.report.phrases import number as counted
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import NONE, Job
from pomp_clang.trace.mpi.read_job import read as read_job
from pomp_clang.trace.reader import read


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    with open(output, "w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        if is_job(directory):
            summary = write_job(directory, file, progress)
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


_OFTEN = 1 << 16


def write_job(directory: str, file: TextIO, progress: ProgressCallback) -> str:
    job = read_job(directory)
    details = _JobCallDetails(job)
    names: list[str] = []
    writers: list[ThreadWriter] = []
    all_tracks: list[DeviceTracks] = []
    teams = 0
    for pid, process_events in zip(_pids(job), events_of_job(job), strict=True):
        about = {"name": process_events.name, "sort_index": process_events.process.rank}
        names += metadata_of(
            pid, about | _labels(process_events.process.host), process_events.shared
        )
        tracks = DeviceTracks(pid, process_events.shared, process_events.nanoseconds_at)
        names += tracks.metadata()
        all_tracks.append(tracks)
        for thread in process_events.threads:
            calls = _ThreadCallDetails(details, thread.location, thread.top)
            writers.append(
                ThreadWriter(
                    pid, process_events.shared, thread.thread, thread.nanoseconds, calls, teams
                )
            )
        teams += len(process_events.shared.survey.members)
    file.write(",\n".join(names))
    lanes = [lane for tracks in all_tracks for lane in tracks.writers()]
    total = max(1, sum(len(s.op) for process in job.processes for s in process.trace.streams))
    for number, (_, text) in enumerate(heapq.merge(*writers, *lanes, key=itemgetter(0))):
        file.write(text)
        if number % _OFTEN == 0:
            progress(min(1.0, number / total))
    slices = sum(writer.slices for writer in writers)
    return (
        f"{slices} slices of {len(writers)} threads in {counted(len(job.processes), 'process')}, "
        f"{counted(len(job.messages.send), 'message')}{devices_phrase(all_tracks)}"
    )


def _pids(job: Job) -> list[int]:
    """Return a process number for each process; those of several machines may be equal, and are
    replaced then."""
    pids = [process.trace.records.header.pid for process in job.processes]
    return pids if len(set(pids)) == len(pids) else [max(pids) + 1 + n for n in range(len(pids))]


def _labels(host: str) -> dict[str, object]:
    return {"labels": host} if host else {}


class _JobCallDetails:
    """The arguments and the messages of a job's calls, by their rows."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.args: dict[int, dict[str, Any]] = defaultdict(dict)
        self.begun: dict[int, Arrows] = defaultdict(list)
        self.ended: dict[int, Arrows] = defaultdict(list)
        self.first = np.searchsorted(job.calls.location, np.arange(len(job.locations)))
        self.names = {
            communicator.number: communicator.name or f"communicator {communicator.number}"
            for communicator in job.communicators
        }
        self._messages()
        self._collectives()
        self._one_sided()

    def _messages(self) -> None:
        messages = self.job.messages
        source = self.job.rank_of(messages.send).tolist()
        target = self.job.rank_of(messages.receive).tolist()
        columns = (
            messages.send,
            messages.received,
            messages.communicator,
            messages.tag,
            messages.bytes,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, (send, received, group, tag, size) in enumerate(rows):
            about = {"communicator": self.names.get(group, str(group)), "tag": tag, "bytes": size}
            self._say(send, "sent", {"to": target[number], **about})
            self._say(received, "received", {"from": source[number], **about})
            self.begun[send].append(f"{number:x}")
            self.ended[received].append(f"{number:x}")

    def _say(self, call: int, text: str, about: dict[str, Any]) -> None:
        """Add a numbered argument to a call, which may send or receive several messages."""
        args = self.args[call]
        args[f"{text} {1 + sum(arg.startswith(text) for arg in args)}"] = about

    def _collectives(self) -> None:
        parts = self.job.collectives
        columns = (
            parts.instance, parts.call, parts.completed, parts.communicator, parts.root,
            parts.bytes_out, parts.bytes_in, parts.function,
        )  # fmt: skip
        for instance, call, completed, group, root, out, in_, function in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            about: dict[str, Any] = {
                "operation": NAMES[function] if function >= 0 else "unknown",
                "instance": instance,
                "communicator": self.names.get(group, str(group)),
            }
            if root != NONE:
                about["root"] = root
            self.args[call]["collective"] = about
            self.args[completed]["collective"] = {**about, "bytes out": out, "bytes in": in_}

    def _one_sided(self) -> None:
        parts = self.job.one_sided
        columns = (parts.call, parts.window, parts.target, parts.bytes)
        for call, window, target, size in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            about: dict[str, Any] = {"window": self.names.get(window, str(window))}
            if target != NONE:
                about |= {"target": target, "bytes": size}
            self.args[call]["window"] = about


@dataclass(frozen=True, slots=True, eq=False)
class _ThreadCallDetails:
    """The call details of one location, of which `top` are slices."""

    details: _JobCallDetails
    location: int
    top: Ints

    def details_of(self, number: int) -> tuple[dict[str, Any], Arrows, Arrows]:
        if number >= len(self.top):
            return {}, [], []
        row = int(self.details.first[self.location] + self.top[number])
        details = self.details
        return details.args.get(row, {}), details.begun.get(row, []), details.ended.get(row, [])
