"""pomp-clang: exact, automatic performance measurement for OpenMP programs.

The way of the data through the phases, which are folders:

    command line -> translation unit -> constructs -> plan -> edits -> jobs    (build)
    program + runtime -> experiment directory                                  (run)
    experiment -> analysis -> report, export                                   (read)
    experiment with traces -> columns -> causes -> report, export              (read)

Build: `driver` reads the compiler's command line, makes its units and runs the jobs;
`frontend` finds the constructs of a unit; `selection` decides which of them are measured;
`rewrite` makes the edits.  `openmp` and `mpi` are tables of both standards.

Run: `runtime/` beside this package is the C library that is linked into programs.

Read: `experiment` reads the profile of a run, `trace` its events, `otf2` the events that another
tool recorded.  `analysis` computes on the profile, `causes` on the events.  `report` shows both,
`export` writes them for other tools, `score` forecasts the cost of a selection.

`cli` has the commands, `lsp` is the language server for editors, `api` the one for Python:
`pomp_clang.open` (docs/reference/python-api.md).

The glossary is in docs/glossary.md.

Each phase takes frozen records and returns them.  Knowledge stands in tables.  A construct that
cannot be instrumented stays as it is, and a warning names it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from pomp_clang.api.opened_comparison import OpenedComparison
    from pomp_clang.api.opened_experiment import OpenedExperiment
    from pomp_clang.api.tables import UnknownNameError
    from pomp_clang.experiment import ExperimentError

__all__ = [
    "ExperimentError",
    "OpenedComparison",
    "OpenedExperiment",
    "UnknownNameError",
    "compare",
    "open",
]

_PLACES = {
    "ExperimentError": "pomp_clang.experiment",
    "OpenedComparison": "pomp_clang.api.opened_comparison",
    "OpenedExperiment": "pomp_clang.api.opened_experiment",
    "UnknownNameError": "pomp_clang.api.tables",
}
"""The modules of names that are imported when they are read: each compile imports this package."""


def open(directory: str | os.PathLike[str] | None = None) -> OpenedExperiment:
    """Read an experiment: the directory of a run, or of a job.

    Without a directory it is the newest experiment in the current folder. Raises ExperimentError
    with a message of one line if it cannot be read.
    """
    from pomp_clang.api.open_experiment import open_experiment

    return open_experiment(directory)


def compare(
    a: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    b: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> OpenedComparison:
    """Compare the run `b` with the run `a`, each the directory of an experiment.

    Sequences of directories are repetitions. Raises ExperimentError with a message of one line if a
    run cannot be read.
    """
    from pomp_clang.api.opened_comparison import compare_experiments

    return compare_experiments(a, b)


def __getattr__(name: str) -> object:
    """Import a class of the API."""
    if name not in _PLACES:
        raise AttributeError(f"module 'pomp_clang' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
