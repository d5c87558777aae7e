"""The export formats, a row each, and the writing of a requested export, complete or not at all."""

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

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import find
from pomp_clang.progress import Bar, ProgressCallback


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    `module` has `write(directory, output, progress)`: it writes the file, or the folder if `suffix` is
    "", and returns what it wrote in a few words. `progress` takes the share done. It raises
    ExperimentError, ExportError or OSError.
    """

    name: str
    module: str
    suffix: str
    opened_by: str


_FORMATS = (
    Format("otf2", "pomp_clang.export.otf2.write_archive", "", "Vampir, Scalasca, otf2-print"),
    Format("cube", "pomp_clang.export.cube.profile_cube", ".cubex", "CUBE, Scalasca, pycubexr"),
    Format(
        "causes", "pomp_clang.export.cube.causes_cube", ".causes.cubex", "CUBE, Scalasca, pycubexr"
    ),
    Format("perfetto", "pomp_clang.export.perfetto_json", ".json", "Perfetto, chrome://tracing"),
    Format("speedscope", "pomp_clang.export.speedscope", ".speedscope.json", "speedscope"),
    Format("hatchet", "pomp_clang.export.hatchet", ".hatchet.json", "Hatchet (from_literal)"),
)

FORMATS = {format_.name: format_ for format_ in _FORMATS}


class ExportError(Exception):
    """Why there is no export, in one line."""


Writer = Callable[[str, Path, ProgressCallback], str]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A requested export.

    Without `directory` it is of the newest experiment, without `output` its name is made of the
    experiment's.
    """

    directory: str | None
    format: str
    output: str | None


def write_export(request: ExportRequest) -> str:
    """Write an export; return a line that says what and where. Raises ExportError (one line)."""
    output, summary = written(request)
    return f"{output}: {summary}"


def written(request: ExportRequest) -> tuple[Path, str]:
    """Write an export; return its path and its content in a few words. Raises ExportError (one
    line)."""
    format_ = FORMATS[request.format]
    bar = Bar("export")
    try:
        directory = find(request.directory)
        output = Path(request.output or _name(directory, format_))
        write: Writer = importlib.import_module(format_.module).write
        progress = partial(bar, f"exporting to {output}")
        return output, _write(write, directory, output, format_, progress)
    except ExperimentError as error:
        raise ExportError(" ".join(str(error).split())) from error
    finally:
        bar.end()


def _name(directory: str, format_: Format) -> str:
    """Return the output's default name, from the experiment's directory."""
    place = Path(directory)
    place = place.parent if place.is_file() and place.suffix == ".pomp" else place
    return f"{place.resolve().name}{format_.suffix or '-' + format_.name}"


def _write(
    write: Writer, directory: str, output: Path, format_: Format, progress: ProgressCallback
) -> str:
    if not format_.suffix and output.exists():
        raise ExportError(f"{output}: is there already: remove it or name another with -o")
    try:
        with _temporary_output(output) as place:
            summary = write(directory, place, progress)
            os.replace(place, output)
            return summary
    except OSError as error:
        raise ExportError(f"cannot write {output}: {error.strerror or error}") from error


@contextmanager
def _temporary_output(output: Path) -> Iterator[Path]:
    """Yield a path with the output's name in a temporary folder beside it, and remove the folder
    afterwards."""
    folder = tempfile.mkdtemp(prefix=".pomp-export-", dir=output.parent)
    try:
        yield Path(folder) / output.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)
