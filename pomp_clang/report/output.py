"""Input and output of reports: experiments read, reports written, errors in one line."""

from __future__ import annotations

import os
import sys

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.phrases import with_ascii_units
from pomp_clang.report.terminal import Terminal, terminal_of

NO_PAGER = "pomp_clang.no_pager"
"""The key of a click context in which no pager is wanted."""


class ReportError(Exception):
    """Why there is no report, in one line for a person."""


def experiment_at(directory: str | None) -> Experiment:
    """Read the experiment; None is the newest one in the current folder."""
    from pomp_clang.experiment.reader import ExperimentError, find, read

    try:
        return read(find(directory))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def job_at(directory: str | None) -> list[str]:
    """List the directories of a job's processes; none if the experiment has one process."""
    from pomp_clang.experiment.find import processes
    from pomp_clang.experiment.reader import ExperimentError, find

    try:
        return processes(find(directory))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def is_stdout(output: str | None) -> bool:
    return output in (None, "-")


def terminal_for(output: str | None, color: str) -> Terminal:
    """Describe what the destination of the report can show."""
    if is_stdout(output):
        return terminal_of(sys.stdout, color)
    return Terminal(color=color == "always", unicode=True)


def deliver(report: str | bytes, output: str | None) -> None:
    """Print the report, in a pager if the terminal is too small, or save it."""
    encoding = (sys.stdout.encoding or "utf-8") if is_stdout(output) else "utf-8"
    data = report if isinstance(report, bytes) else encoded(report, encoding)
    try:
        if is_stdout(output) and isinstance(report, str) and _needs_pager(report):
            _show_in_pager(data.decode(encoding))
        elif is_stdout(output):
            _print(data)
        else:
            _save(data, str(output))
    except OSError as error:
        destination = "standard output" if is_stdout(output) else output
        raise ReportError(f"cannot write {destination}: {error.strerror}") from error


def encoded(report: str, encoding: str) -> bytes:
    """Encode the report; units that the encoding lacks become ASCII.

    File names are bytes of any encoding: a character that cannot be shown becomes its escape.
    """
    try:
        "µ".encode(encoding)
    except UnicodeEncodeError:
        report = with_ascii_units(report)
    return report.encode(encoding, "backslashreplace")


def _needs_pager(text: str) -> bool:
    """Return whether a text is longer than the terminal, and a pager is not ruled out."""
    import click

    context = click.get_current_context(silent=True)
    unwanted = os.environ.get("NO_PAGER") or os.environ.get("TERM") == "dumb"
    if unwanted or (context is not None and NO_PAGER in context.meta):
        return False
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        return False
    return text.count("\n") >= os.get_terminal_size(sys.stdout.fileno()).lines > 0


def _show_in_pager(text: str) -> None:
    import click

    click.echo_via_pager(text.removesuffix("\n"), color=True)


def _print(data: bytes) -> None:
    """Print the bytes; a reader that closes the pipe early (`| head`) is no error."""
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
    """Discard the unwritten rest of standard output: Python would write it, and complain, at
    exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _save(data: bytes, path: str) -> None:
    with open(path, "wb") as file:
        file.write(data)
