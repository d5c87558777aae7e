"""The export that was asked for: whole, or not there."""

from __future__ import annotations

import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import find
from pomp_clang.export.errors import ExportError
from pomp_clang.export.formats import FORMATS, Format
from pomp_clang.progress import Bar, Told

Writer = Callable[[str, Path, Told], str]


@dataclass(frozen=True, slots=True)
class Request:
    """None as directory is the newest experiment here, as output a name made of the
    experiment's."""

    directory: str | None
    format: str
    output: str | None


def produce(request: Request) -> str:
    """A line that says what was written, and where.  Raises ExportError, with a line."""
    format_ = FORMATS[request.format]
    bar = Bar("export")
    try:
        directory = find(request.directory)
        output = Path(request.output or _name(directory, format_))
        write: Writer = importlib.import_module(format_.module).write
        told = partial(bar, f"exporting to {output}")
        return f"{output}: {_write(write, directory, output, format_, told)}"
    except ExperimentError as error:
        raise ExportError(" ".join(str(error).split())) from error
    finally:
        bar.end()


def _name(directory: str, format_: Format) -> str:
    """Beside the experiment, which may be named by the file in it."""
    place = Path(directory)
    place = place.parent if place.is_file() and place.suffix == ".pomp" else place
    return f"{place.resolve().name}{format_.suffix or '-' + format_.name}"


def _write(write: Writer, directory: str, output: Path, format_: Format, told: Told) -> str:
    if not format_.suffix and output.exists():
        raise ExportError(f"{output}: is there already: remove it or name another with -o")
    try:
        with _aside(output) as place:
            said = write(directory, place, told)
            os.replace(place, output)
            return said
    except OSError as error:
        raise ExportError(f"cannot write {output}: {error.strerror or error}") from error


@contextmanager
def _aside(output: Path) -> Iterator[Path]:
    """Of its name, in a folder of its own beside it, which is gone afterwards."""
    folder = tempfile.mkdtemp(prefix=".pomp-export-", dir=output.parent)
    try:
        yield Path(folder) / output.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)
