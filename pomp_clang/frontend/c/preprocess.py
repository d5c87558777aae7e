"""A run of the user's compiler with `-E -dD` on a unit.

Its output has the directives and lock calls that the compiler reads, the files that it enters, and
its macros. The run begins while Python imports what comes next.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import partial

from pomp_clang.frontend.c.parse import main_name
from pomp_clang.frontend.c.preprocessed import Preprocessed, holds_nothing, read_output
from pomp_clang.frontend.c.preprocessor import end_others, environment
from pomp_clang.frontend.inclusion import project_folders
from pomp_clang.frontend.source import bytes_of, text_of
from pomp_clang.frontend.unit import Unit

_begun: list[_PreprocessorRun] = []


class _PreprocessorRun:
    """A preprocessor under way; its output goes to a file in memory."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._output = os.memfd_create("preprocessed")
        self._child = self._start(self._output)
        self._ended = False
        self._written: bytes | None = None
        self._holds_nothing: bool | None = None

    def _start(self, output: int) -> int:
        unit = self.unit
        text = bytes_of(unit.text)
        command = [*unit.preprocess, "-E", *unit.output_options, "-dD", "-w"]
        feed = None
        if unit.path != "-" and _on_disk(unit.path) == text:
            command.append(_absolute(unit))
        else:
            feed = os.memfd_create("unit")
            with os.fdopen(os.dup(feed), "wb") as file:
                file.write(text)
            os.lseek(feed, 0, os.SEEK_SET)
            command += [f"-iquote{os.path.dirname(unit.path) or '.'}", "-"]
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
            if feed is None
            else (os.POSIX_SPAWN_DUP2, feed, 0),
            (os.POSIX_SPAWN_DUP2, output, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            return os.posix_spawnp(command[0], command, environment(), file_actions=actions)
        finally:
            if feed is not None:
                os.close(feed)

    def stop(self) -> None:
        """End the run, whether it has finished or not: a signal may come right after its end."""
        if not self._ended:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._child, signal.SIGTERM)
                self.output()

    def output(self) -> bytes | None:
        """Return what the preprocessor wrote, or None if it failed."""
        if not self._ended:
            _, status = os.waitpid(self._child, 0)
            self._ended = True
            with os.fdopen(self._output, "rb") as file:
                file.seek(0)
                self._written = file.read() if status == 0 else None
        return self._written

    def holds_nothing(self) -> bool:
        """Return True if the output, of a run that has passed, certainly has nothing to measure."""
        if self._holds_nothing is None:
            self._holds_nothing = holds_nothing(text_of(self._written or b""))
        return self._holds_nothing


def begin(unit: Unit) -> None:
    """Start the preprocessor on the unit, unless that has been done."""
    if unit.directives and not any(run.unit is unit for run in _begun):
        stop()
        _begun.append(_PreprocessorRun(unit))


def stop() -> None:
    """End the preprocessors whose output has not been read."""
    while _begun:
        _begun.pop().stop()


def preprocessed_text(unit: Unit) -> bytes | None:
    """Return what the preprocessor writes for the unit, or None if the compiler refuses the unit.

    `preprocess` reads the same run.  Raises OSError when the compiler cannot be run.
    """
    begin(unit)
    return _begun[-1].output() if _begun else None


def finds_nothing(unit: Unit) -> bool:
    """Return True if the preprocessor's output certainly has nothing to measure.

    `preprocess` reads the same run.  Raises OSError when the compiler cannot be run.
    """
    if unit.functions or preprocessed_text(unit) is None:
        return False
    return _begun[-1].holds_nothing()


def end() -> None:
    """End all preprocessors, and remove their folders: this process ends."""
    stop()
    end_others()


def preprocess(unit: Unit) -> Preprocessed | None:
    """Return what the compiler reads of the unit, or None if the compiler refuses the unit.

    Raises OSError when the compiler cannot be run.
    """
    begin(unit)
    run = _begun.pop()
    output = run.output()
    if output is None:
        return None
    display_name = "<stdin>" if unit.path == "-" else unit.path
    text = text_of(output)
    if "\\U" in text:
        from pomp_clang.frontend.c.expand import as_written  # seldom needed

        text = as_written(text, [unit.text])
    if not unit.functions and run.holds_nothing():
        return Preprocessed(main_name(unit), (), (), (), text)
    read = partial(read_output, text, main_name(unit), display_name, attributes=unit.attributes)
    preprocessed = read()
    folders = project_folders(unit.preprocess, preprocessed.system_files)
    return read(folders) if folders else preprocessed


def _absolute(unit: Unit) -> str:
    """Return the unit's path for a command that may change its working directory."""
    moves = any(word.startswith("-working-directory") for word in unit.preprocess)
    return os.path.abspath(unit.path) if moves else unit.path


def _on_disk(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None
