"""Where experiments come from and reports go to, and how either fails: in one line."""

from __future__ import annotations

import os
import sys

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.terminal import Terminal, terminal_of


class ReportError(Exception):
    """Why there is no report, in one line for a person."""


def experiment_at(directory: str | None) -> Experiment:
    """The experiment there; of None the newest here."""
    from pomp_clang.experiment.reader import ExperimentError, find, read

    try:
        return read(find(directory))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def job_at(directory: str | None) -> list[str]:
    """The directories of a job's processes; none where the experiment is of a lone process."""
    from pomp_clang.experiment.find import processes
    from pomp_clang.experiment.reader import ExperimentError, find

    try:
        return processes(find(directory))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def is_stdout(output: str | None) -> bool:
    return output in (None, "-")


def terminal_for(output: str | None, color: str) -> Terminal:
    """What can be shown where the report goes."""
    if is_stdout(output):
        return terminal_of(sys.stdout, color)
    return Terminal(color=color == "always", unicode=True)


def deliver(report: str | bytes, output: str | None) -> None:
    """Print the report, or save it."""
    # Names in a report are bytes of somebody's file system: no encoding refuses them.
    encoding = (sys.stdout.encoding or "utf-8") if is_stdout(output) else "utf-8"
    data = report if isinstance(report, bytes) else report.encode(encoding, "backslashreplace")
    try:
        if is_stdout(output):
            _print(data)
        else:
            _save(data, str(output))
    except OSError as error:
        where = "standard output" if is_stdout(output) else output
        raise ReportError(f"cannot write {where}: {error.strerror}") from error


def _print(data: bytes) -> None:
    """A reader that has seen enough (`| head`) is no error."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        forget_unwritten()
    except OSError:
        forget_unwritten()
        raise


def forget_unwritten() -> None:
    """Of standard output: what Python still holds it would write, and complain of, at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _save(data: bytes, path: str) -> None:
    with open(path, "wb") as file:
        file.write(data)
