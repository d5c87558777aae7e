"""Two runs compared, or two sides of repeated runs, with the numbers of `pomp-clang diff`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pomp_clang.api.opened_experiment import OpenedExperiment, of_one_process
from pomp_clang.api.tables import HasTables, Table
from pomp_clang.experiment import ExperimentError
from pomp_clang.report.json.comparison import diff_document
from pomp_clang.report.write_comparison import ComparisonRequest, ReportError, compared_runs

RunPath = str | os.PathLike[str]

_HEAD = ("kind", "sub_name", "function", "state", "moved")
_SIDE = ("id", "file", "begin_line1", "end_lineN", "execC", "execT", "lostT")
_DELTA = ("execC", "execT", "lostT")
_REPEATED = ("confidence", "beyond_noise")
_FINDING = ("region", "severity", "share")
_CAUSE = ("path", "callpath", "file", "line", "a", "b", "delta")


@dataclass(frozen=True)
class OpenedComparison(HasTables):
    """The changes from the run `a` to the run `b`.

    Of repeated runs, `a` and `b` are those with the median duration, and regions have medians.
    `confidence` is that of the change of the duration, and `beyond_noise` is True if it is high
    enough; both are None for two runs.
    """

    a: OpenedExperiment
    b: OpenedExperiment
    confidence: float | None
    beyond_noise: bool | None
    _document: dict[str, Any] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as the JSON of `pomp-clang diff`."""
        return deepcopy(self._document)

    def _tables(self) -> dict[str, Callable[[], Table]]:
        tables = {"regions": self._regions, "properties": self._properties}
        return tables if self._document["causes"] is None else {**tables, "causes": self._causes}

    def _regions(self) -> Table:
        rows = self._document["regions"]
        table = _columns(rows, _HEAD)
        table["name"] = table.pop("sub_name")
        for side in "ab":
            table |= _columns([row[side] for row in rows], _SIDE, f"_{side}")
        table |= _columns([row["delta"] for row in rows], _DELTA, "_delta")
        if self.confidence is not None:
            table |= _columns([row["repeated"] for row in rows], _REPEATED)
        return table

    def _properties(self) -> Table:
        rows = self._document["properties"]
        table = _columns(rows, ("name",))
        for side in "ab":
            table |= _columns([row[side] for row in rows], _FINDING, f"_{side}")
        return table

    def _causes(self) -> Table:
        table = _columns(self._document["causes"], _CAUSE)
        for name in ("path", "callpath"):
            table[name] = [" / ".join(names) for names in table[name]]
        return table


def _columns(
    rows: Iterable[dict[str, Any] | None], names: Iterable[str], suffix: str = ""
) -> Table:
    """Return the values of JSON's objects by name; None where there is no object."""
    rows = list(rows)
    return {name + suffix: [None if row is None else row[name] for row in rows] for name in names}


def compare_experiments(
    a: RunPath | Sequence[RunPath], b: RunPath | Sequence[RunPath]
) -> OpenedComparison:
    """Compare two runs, or two sides of repeated runs.

    Raises ExperimentError (one line) if a run cannot be read.
    """
    first, second = _directories(a), _directories(b)
    request = ComparisonRequest((*first, *second), "json", None, "never", first_side=len(first))
    try:
        runs = compared_runs(request)
    except ReportError as error:
        raise ExperimentError(str(error)) from None
    document = diff_document(runs.a, runs.b, runs.regions, runs.held, runs.causes, runs.repetitions)
    durations = runs.repetitions.durations if runs.repetitions else None
    return OpenedComparison(
        of_one_process(runs.a.experiment),
        of_one_process(runs.b.experiment),
        durations.confidence if durations else None,
        durations.is_beyond_noise if durations else None,
        document,
    )


def _directories(side: RunPath | Sequence[RunPath]) -> tuple[str, ...]:
    """Return the directories of a side's runs. Raises ExperimentError if there is none, or one twice."""
    paths = (side,) if isinstance(side, (str, os.PathLike)) else tuple(side)
    directories = tuple(os.fspath(path) for path in paths)
    if not directories:
        raise ExperimentError("a side of the comparison has no run")
    for directory in directories:
        if [os.path.realpath(other) for other in directories].count(
            os.path.realpath(directory)
        ) > 1:
            raise ExperimentError(
                f"{directory} is named twice: each repetition is a run of its own"
            )
    return directories
