"""From a request to a written report: find, read, render, write."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import Options


class ReportError(Exception):
    """Why there is no report, in one line for a person."""


@dataclass(frozen=True, slots=True)
class Request:
    """`directory` None is the newest experiment here, `output` None is standard output."""

    directory: str | None
    format: str
    output: str | None
    color: str
    options: Options


def produce(request: Request) -> None:
    """Write the report; `ReportError` where that is not possible."""
    experiment = _experiment(request.directory)
    to_stdout = request.output in (None, "-")
    text = _render(experiment, request, to_stdout)
    try:
        if to_stdout:
            _print(text)
        else:
            _save(text, str(request.output))
    except OSError as error:
        where = "standard output" if to_stdout else request.output
        raise ReportError(f"cannot write {where}: {error.strerror}") from error


def _experiment(directory: str | None) -> Experiment:
    from pomp_clang.experiment.reader import ExperimentError, find, read

    try:
        return read(find(directory))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error


def _render(experiment: Experiment, request: Request, to_stdout: bool) -> str:
    if request.format == "json":
        from pomp_clang.report import json_report

        try:
            return json_report.render(experiment, request.options)
        except ValueError as error:
            raise ReportError(f"{experiment.directory}: a time is not a number") from error
    if request.format == "csv":
        from pomp_clang.report import csv_report

        return csv_report.render(experiment, request.options)
    if request.format == "html":
        from pomp_clang.report.html import profile_page

        return profile_page.render(experiment, request.options)
    from pomp_clang.report import text
    from pomp_clang.report.terminal import Terminal, terminal_of

    if to_stdout:
        return text.render(experiment, request.options, terminal_of(sys.stdout, request.color))
    terminal = Terminal(color=request.color == "always", unicode=True)
    return text.render(experiment, request.options, terminal)


def _print(text: str) -> None:
    """A reader that has seen enough (`| head`) is no error."""
    sys.stdout.flush()
    try:
        # Names in a report are bytes of somebody's file system: no encoding refuses them.
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # What Python still holds would be written, and complained about, at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _save(text: str, path: str) -> None:
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
