"""From experiments to what is shown of their causes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pomp_clang.causes import show_changes, show_json, show_text
from pomp_clang.causes.algebra import cut, difference, merge
from pomp_clang.causes.changes import changes_of
from pomp_clang.causes.crowded import crowded
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.experiments import Analysed, analysed
from pomp_clang.causes.findings import Finding, findings
from pomp_clang.causes.predicting import Gains, Predicts, predicting
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import PropertyError, properties
from pomp_clang.causes.run import Progress, Run, silent
from pomp_clang.causes.select import Selection, SelectionError, select
from pomp_clang.causes.sources import named_from_common_folder
from pomp_clang.causes.store import save
from pomp_clang.causes.untold import untold
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import find, processes
from pomp_clang.experiment.layout import FILE_NAME
from pomp_clang.progress import Bar
from pomp_clang.report.deliver import ReportError, deliver, terminal_for
from pomp_clang.report.presenter.causes import Causes, OfJob, of_all
from pomp_clang.trace.mpi.launched import MpiError, communicator
from pomp_clang.trace.mpi.workers import ALONE, UnderMpi, Workers


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for; no `directories` are the newest experiment here, several the processes of
    one program.  `against` is the experiment that it is compared with; `saved` is a file that
    the cube is written to.  With `mpi` this is one of several processes that do it together."""

    directories: tuple[str, ...]
    format: str = "text"
    output: str | None = None
    color: str = "auto"
    properties: str | None = None
    top: int = 10
    against: str | None = None
    selection: Selection = field(default_factory=Selection)
    saved: str | None = None
    mpi: bool = False


@dataclass(frozen=True, slots=True)
class _Whole:
    """`places` are the experiments, `runs` this worker's by the cube's processes (none where some
    are a job's among others), `run` that of a sole one with a trace, `notes` what there is to say
    of it all."""

    places: tuple[str, ...]
    cube: Cube
    runs: dict[int, Run]
    run: Run | None
    predicts: Predicts | None
    notes: tuple[str, ...]
    of_job: OfJob | None = None


def produce(request: Request, bar: Bar) -> None:
    """What `bar` tells ends before anything is written.  Raises ReportError (one line) where there
    is nothing to show."""
    if request.against is not None and request.format == "html":
        raise ReportError("a page shows one run: see pomp-clang diff A B --format html for two")
    workers = _workers(request) if request.mpi else ALONE
    if workers is None:
        return
    with bar:
        text = _text(request, workers, bar)
    if text is not None:
        deliver(text, request.output)


def _text(request: Request, workers: Workers, bar: Bar) -> str | None:
    """None at those that worked for the first."""
    try:
        kinds = properties(request.properties)
        whole = _whole(request.directories, kinds, bar if workers.is_first else silent, workers)
        if not workers.is_first:
            _answer(request, whole, kinds, workers)
            return None
        cube = select(whole.cube, request.selection)
        other = _other(request, kinds, bar)
        found = [] if other else _found(cube, request.top, whole, kinds, bar, workers)
    except (ExperimentError, PropertyError, SelectionError) as error:
        if isinstance(workers, UnderMpi):
            workers.give_up(str(error))
        raise ReportError(" ".join(str(error).split())) from error
    if request.saved is not None:
        _save(cube, request.saved)
    if other is not None:
        return _compared(request, other, cube)
    if request.format == "json":
        return show_json.render(cube, found)
    if request.format == "html":
        return _page(_shown(request, whole, cube, found, kinds), whole.places)
    terminal = terminal_for(request.output, request.color)
    return show_text.render(cube, found, terminal, whole.notes, _with_time_line(whole))


def _with_time_line(whole: _Whole) -> str | None:
    """The experiment, where its page has one: not that of what another tool recorded."""
    if len(whole.places) > 1 or not whole.runs:
        return None
    (place,) = whole.places
    is_ours = processes(place) or (Path(place) / FILE_NAME).is_file()
    return place if is_ours else None


def _workers(request: Request) -> UnderMpi | None:
    """Raises ReportError where there is nothing for several to do; None where they are more than
    there are processes in the job."""
    try:
        world = communicator()
    except MpiError as error:
        raise ReportError(str(error)) from None
    if world is None:
        return None
    if len(request.directories) > 1:
        raise ReportError("--mpi is for the directory of one job: name that alone")
    try:
        count = len(processes(find(next(iter(request.directories), None))))
    except ExperimentError as error:
        raise ReportError(" ".join(str(error).split())) from error
    workers = UnderMpi(world, max(1, count))
    return workers if workers.takes_part else None


def _whole(
    directories: tuple[str, ...], kinds: list[type[Property]], bar: Progress, workers: Workers
) -> _Whole:
    places = tuple(find(each) for each in directories or (None,))
    parts = [analysed(each, kinds, bar, workers) for each in places]
    several = [run for part in parts for run in part.runs]
    job = parts[0].job if len(parts) == 1 else None
    numbers = workers.mine(len(job.processes) if job else len(several))
    runs = dict(zip(numbers, several, strict=True))
    said = [*crowded(runs, workers), *untold(runs, workers)]
    if not workers.is_first:
        return _Whole(places, parts[0].cube, runs, None, predicting(parts, workers), ())
    notes = [note for each, part in zip(places, parts, strict=True) for note in _notes(part, each)]
    notes += said
    cube = parts[0].cube if len(parts) == 1 else merge(each.cube for each in parts)
    run = parts[0].run if len(parts) == 1 else None
    of_job = of_all(parts[0]) if len(parts) == 1 else None
    if len(parts) > 1 and any(part.job for part in parts):
        runs = {}
    return _Whole(places, cube, runs, run, predicting(parts, workers), tuple(notes), of_job)


def _answer(request: Request, whole: _Whole, kinds: list[type[Property]], workers: Workers) -> None:
    """What the other workers do for what the first looks for."""
    if whole.predicts is not None and request.against is None:
        Gains(whole.predicts, kinds, workers).answer()


def _found(
    cube: Cube,
    top: int,
    whole: _Whole,
    kinds: list[type[Property]],
    bar: Progress,
    workers: Workers,
) -> list[Finding]:
    if whole.predicts is None:
        return findings(cube, top)
    gains = Gains(whole.predicts, kinds, workers)
    found = findings(cube, top, partial(gains.of, progress=bar))
    gains.end()
    return found


def _other(request: Request, kinds: list[type[Property]], bar: Progress) -> Cube | None:
    """Of what is not there it has nothing."""
    if request.against is None:
        return None
    cube = analysed(request.against, kinds, bar).cube
    try:
        return select(cube, request.selection)
    except SelectionError:
        return cut(cube, metrics=())


def _compared(request: Request, before: Cube, after: Cube) -> str:
    before, after = named_from_common_folder(before), named_from_common_folder(after)
    if request.format == "json":
        return show_json.render(difference(before, after), [])
    terminal = terminal_for(request.output, request.color)
    return show_changes.render(changes_of(before, after), terminal, request.top)


def _notes(part: Analysed, place: str) -> list[str]:
    """An experiment that cannot be written to can be read."""
    if part.notes is None:
        return []
    notes = [*part.notes]
    try:
        save(part.cube, str(Path(place) if Path(place).is_dir() else Path(place).parent))
    except OSError as error:
        notes.append(f"The causes were not saved beside the trace: {error.strerror}.")
    return notes


def _shown(
    request: Request,
    whole: _Whole,
    cube: Cube,
    found: list[Finding],
    kinds: list[type[Property]],
) -> Causes:
    """A part of a run has no time line: its rows are not the run's."""
    if request.selection != Selection():
        return Causes(cube, tuple(found), whole.notes)
    return Causes(cube, tuple(found), whole.notes, whole.run, tuple(kinds), whole.of_job)


def _page(causes: Causes, places: tuple[str, ...]) -> str:
    from pomp_clang.experiment.reader import read
    from pomp_clang.report.presenter.page import render_causes
    from pomp_clang.report.presenter.tabs import tabs_of

    experiments = []
    for place in places:
        for directory in processes(place) or [place]:
            with suppress(ExperimentError):
                experiments.append(read(directory))
    return render_causes(causes, tuple(experiments), tabs_of(causes))


def _save(cube: Cube, file: str) -> None:
    try:
        save(cube, file)
    except OSError as error:
        raise ReportError(f"cannot write {file}: {error.strerror}") from error
