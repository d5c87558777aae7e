"""The export formats, a row each, and the error of an export."""

from __future__ import annotations

from dataclasses import dataclass


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
    Format(
        "perfetto", "pomp_clang.export.perfetto.write_json", ".json", "Perfetto, chrome://tracing"
    ),
    Format("speedscope", "pomp_clang.export.speedscope", ".speedscope.json", "speedscope"),
    Format("hatchet", "pomp_clang.export.hatchet", ".hatchet.json", "Hatchet (from_literal)"),
)

FORMATS = {format_.name: format_ for format_ in _FORMATS}


class ExportError(Exception):
    """Why there is no export, in one line."""
