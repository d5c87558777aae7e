"""Reading of experiments whose programs still run: the file is mapped, and the threads write it."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import FILE_NAME, STATE_ENDED
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.open_regions import end_of
from pomp_clang.experiment.parse import load
from pomp_clang.experiment.reader import experiment_of
from pomp_clang.experiment.records import Records

_TRIES = 4
"""Copies of the file, until no thread made an event between two of them."""

_PAUSE = 0.002
"""Seconds between two tries to read a file that is being written."""

_NANOSECONDS = 1_000_000_000


class ProgramState(Enum):
    """A program's state: KILLED is any end that the measurement did not see."""

    RUNNING = "running"
    ENDED = "ended"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class RunningExperiment:
    """An experiment at one moment.

    `queued` is how many seconds its threads had work but waited for a processor, None if the system
    does not say.
    """

    experiment: Experiment
    state: ProgramState
    queued: float | None


def read_running(directory: str) -> RunningExperiment:
    """Read an experiment at this moment; open regions last up to now.

    The experiment is without the times of threads on processors: the runtime stores them at the
    program's end. Raises ExperimentError.
    """
    read_at, records = _copy(directory)
    state = _state_of(records)
    if state is ProgramState.KILLED:
        # The program may have ended regularly since the copy.
        read_at, records = _copy(directory)
        state = _state_of(records)
    runs = state is ProgramState.RUNNING
    end = max(end_of(records), _ticks_at(read_at, records)) if runs else None
    experiment = experiment_of(records, directory, end=end)
    locations = tuple(replace(location, ranT=None) for location in experiment.locations)
    experiment = replace(experiment, locations=locations)
    is_here = runs and records.texts.get("host") == socket.gethostname()
    queued = _queue_time(records.header.pid) if is_here else None
    return RunningExperiment(experiment, state, queued)


def directory_of_process(pid: int) -> str:
    """Return the directory of the experiment that a process maps.

    Raises ExperimentError if it maps none, or may not be asked.
    """
    try:
        mapped = _mapped_profiles(pid)
    except OSError as error:
        reason = "there is no such process" if isinstance(error, FileNotFoundError) else ""
        raise ExperimentError(
            f"process {pid}: {reason or error.strerror}: name the experiment directory"
        ) from None
    if not mapped:
        raise ExperimentError(
            f"process {pid}: has no experiment, or not yet: it begins with the first OpenMP "
            "construct of an instrumented program"
        )
    return str(mapped[0].parent)


def _copy(directory: str) -> tuple[int, Records]:
    """Copy the records, and again while threads make events; return the moment (ns since 1970 UTC),
    too.

    A visit that ends while it is copied may be missing or count twice. Threads which make events at
    every try have short visits.
    """
    copied_at, records = _load(directory)
    for _ in range(_TRIES - 1):
        later, again = _load(directory)
        if _newest_events(records) == _newest_events(again):
            break
        copied_at, records = later, again
    return copied_at, records


def _load(directory: str) -> tuple[int, Records]:
    """Load the records; a record that is being written is read again."""
    for _ in range(_TRIES - 1):
        loaded_at = time.time_ns()
        try:
            return loaded_at, load(directory)
        except ExperimentError:
            if not (Path(directory) / FILE_NAME).is_file():
                break
            time.sleep(_PAUSE)
    return time.time_ns(), load(directory)


def _newest_events(records: Records) -> dict[int, int]:
    """Return the ticks of each location's newest event."""
    return {number: location.last for number, location in records.locations.items()}


def _ticks_at(moment: int, records: Records) -> int:
    """Convert a moment (ns since 1970 UTC) to ticks of the program's clock."""
    header = records.header
    since = max(0, moment - header.start_wall)
    return header.start + since * header.ticks_per_second // _NANOSECONDS


def _state_of(records: Records) -> ProgramState:
    """Return the state; a process of another machine runs until its file says that it ended."""
    if records.header.state == STATE_ENDED:
        return ProgramState.ENDED
    if records.texts.get("host") != socket.gethostname():
        return ProgramState.RUNNING
    try:
        return ProgramState.RUNNING if _mapped_profiles(records.header.pid) else ProgramState.KILLED
    except PermissionError:
        return ProgramState.RUNNING
    except OSError:
        return ProgramState.KILLED


def _queue_time(pid: int) -> float | None:
    """Return the seconds that a process's threads were in a processor's queue."""
    queued = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                queued.append(int(file.read().split()[1]) / _NANOSECONDS)
    except (OSError, ValueError, IndexError):
        return None
    return sum(queued)


def _mapped_profiles(pid: int) -> list[Path]:
    """List the profiles that a process maps; none of a process that was killed or calls `exec`."""
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as file:
        paths = [line.split(maxsplit=5)[-1].rstrip("\n") for line in file]
    mapped = dict.fromkeys(path for path in paths if os.path.basename(path) == FILE_NAME)
    return [Path(path) for path in mapped]
