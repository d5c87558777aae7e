"""The report of `pomp-clang analyze`: from experiments to text, JSON or a page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from pomp_clang.causes.cube.algebra import Selection, SelectionError, cut, difference, merge, select
from pomp_clang.causes.cube.cube import Cube, named_from_common_folder
from pomp_clang.causes.cube.store import save
from pomp_clang.causes.findings.analyze_experiments import Analysed, analysed
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import changes_of, findings
from pomp_clang.causes.findings.predictions import (
    Gains,
    Predicts,
    main_threads_of,
    predicting,
    remedies_of,
)
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import PropertyError, properties
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.causes.run.run_warnings import (
    bound_too_narrowly,
    oversubscribed,
    unrecorded_taskloops,
)
from pomp_clang.causes.run.serial_parts import MainThreads
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import find, processes
from pomp_clang.experiment.layout import FILE_NAME
from pomp_clang.experiment.parse import load
from pomp_clang.progress import Bar
from pomp_clang.report.json import causes as show_json
from pomp_clang.report.json.causes import devices
from pomp_clang.report.output import ReportError, deliver, terminal_for
from pomp_clang.report.page.causes import (
    Causes,
    JobRuns,
    conditions_of_profiles,
    measurement_in,
    of_all,
    processor_waits_in,
)
from pomp_clang.report.run_conditions import RunCondition, plain_notes
from pomp_clang.report.sections import check_names
from pomp_clang.report.text import cause_changes as show_changes
from pomp_clang.report.text import causes as show_text
from pomp_clang.report.text.cause_screen import cause_screen
from pomp_clang.report.text.first_screen import LEAST
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.mpi.workers import ALONE, MpiError, UnderMpi, Workers, communicator


@dataclass(frozen=True, slots=True)
class AnalyzeRequest:
    """The arguments of `pomp-clang analyze`. Without `directories` it reads the newest experiment
    in the current folder; several are processes of one program. `top` None is the format's own number
    of findings. `against` is the experiment to compare with, `saved` a file for the cube. With `mpi`
    several processes share the work. Text is one screen unless `sections` names sections, or
    `everything` asks for all of them."""

    directories: tuple[str, ...]
    format: str = "text"
    output: str | None = None
    color: str = "auto"
    properties: str | None = None
    top: int | None = None
    against: str | None = None
    selection: Selection = field(default_factory=Selection)
    saved: str | None = None
    mpi: bool = False
    sections: tuple[str, ...] = ()
    everything: bool = False

    @property
    def is_screen(self) -> bool:
        """Whether the report is one screen, without findings that are not notable."""
        return self.format == "text" and not self.sections and not self.everything

    @property
    def most(self) -> int:
        """The number of findings; the first screen shows the first of them."""
        if self.top is not None:
            return self.top
        return _ALL if self.everything and self.format == "text" else _MOST


_MOST = 10
_ALL = 50


@dataclass(frozen=True, slots=True)
class _Analyzed:
    """The analyzed experiments `places`. `runs` are this worker's by the cube's processes, empty if
    a job is one of several experiments; `run` is the run of a single traced process. `notes` are
    sentences about the whole report."""

    places: tuple[str, ...]
    cube: Cube
    runs: dict[int, Run]
    run: Run | None
    predicts: Predicts | None
    main: MainThreads | None
    notes: tuple[RunCondition, ...]
    of_job: JobRuns | None = None


def write_causes(request: AnalyzeRequest, bar: Bar) -> None:
    """Analyze the experiments of a request and write the report. `bar` ends before anything is
    written. Raises ReportError (one line) if there is nothing to show."""
    if request.against is not None and request.format == "html":
        raise ReportError("a page shows one run: see pomp-clang diff A B --format html for two")
    check_names(show_text.SECTIONS, request.sections)
    workers = _workers(request) if request.mpi else ALONE
    if workers is None:
        return
    with bar:
        text = _text(request, workers, bar)
    if text is not None:
        deliver(text, request.output)


def _text(request: AnalyzeRequest, workers: Workers, bar: Bar) -> str | None:
    """Return the report's text; None in the workers that only help the first one."""
    try:
        kinds = properties(request.properties)
        analyzed = _analyze_together(
            request.directories, kinds, bar if workers.is_first else silent, workers
        )
        if not workers.is_first:
            _answer(request, analyzed, kinds, workers)
            return None
        cube = select(analyzed.cube, request.selection)
        other = _other_cube(request, kinds, bar)
        findings_ = [] if other else _find_causes(cube, request, analyzed, kinds, bar, workers)
    except (ExperimentError, PropertyError, SelectionError) as error:
        if isinstance(workers, UnderMpi):
            workers.give_up(str(error))
        raise ReportError(" ".join(str(error).split())) from error
    if request.saved is not None:
        _save(cube, request.saved)
    if other is not None:
        return _compared(request, other, cube)
    if request.format == "json":
        return show_json.render(cube, findings_, _devices(analyzed.places))
    if request.format == "html":
        return _page(_page_content(request, analyzed, cube, findings_, kinds), analyzed.places)
    terminal = terminal_for(request.output, request.color)
    place = _with_time_line(analyzed)
    if request.is_screen:
        return cause_screen(cube, findings_, terminal, analyzed.notes, place, request.top)
    return show_text.render(cube, findings_, terminal, analyzed.notes, place, request.sections)


def _devices(places: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the devices of all processes that have a trace of pomp-clang."""
    directories = [directory for place in places for directory in processes(place) or [place]]
    return [
        device
        for number, directory in enumerate(directories)
        if (Path(directory) / FILE_NAME).is_file()
        for device in devices(load(directory), number)
    ]


def _with_time_line(analyzed: _Analyzed) -> str | None:
    """Return the experiment whose page has a timeline; None for several, and for traces of other
    tools."""
    if len(analyzed.places) > 1 or not analyzed.runs:
        return None
    (place,) = analyzed.places
    is_ours = processes(place) or (Path(place) / FILE_NAME).is_file()
    return place if is_ours else None


def _workers(request: AnalyzeRequest) -> UnderMpi | None:
    """Return the workers under MPI, or None if there are more of them than processes in the job.
    Raises ReportError if there is no work for several."""
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


def _analyze_together(
    directories: tuple[str, ...], kinds: list[type[Property]], bar: Progress, workers: Workers
) -> _Analyzed:
    places = tuple(find(directory) for directory in directories or (None,))
    parts = [analysed(place, kinds, bar, workers) for place in places]
    part_runs = [run for part in parts for run in part.runs]
    job = parts[0].job if len(parts) == 1 else None
    numbers = workers.own_numbers(len(job.processes) if job else len(part_runs))
    runs = dict(zip(numbers, part_runs, strict=True))
    crowded = oversubscribed(runs, workers) or bound_too_narrowly(runs, workers)
    texts = [*crowded, *unrecorded_taskloops(runs, workers)]
    main = main_threads_of(runs, workers) if all(part.runs for part in parts) else None
    if not workers.is_first:
        return _Analyzed(places, parts[0].cube, runs, None, predicting(parts, workers), None, ())
    notes = []
    for place, part in zip(places, parts, strict=True):
        notes += plain_notes(_notes(part, place))
    notes += [*conditions_of_profiles(places, is_told=bool(texts)), *plain_notes(texts)]
    cube = parts[0].cube if len(parts) == 1 else merge(part.cube for part in parts)
    notes += measurement_in(cube)
    run = parts[0].run if len(parts) == 1 else None
    of_job = of_all(parts[0]) if len(parts) == 1 else None
    if len(parts) > 1 and any(part.job for part in parts):
        runs = {}
    predicts = predicting(parts, workers)
    return _Analyzed(places, cube, runs, run, predicts, main, tuple(notes), of_job)


def _answer(
    request: AnalyzeRequest, analyzed: _Analyzed, kinds: list[type[Property]], workers: Workers
) -> None:
    """Compute the predictions that the first worker asks of this one."""
    if analyzed.predicts is not None and request.against is None:
        Gains(analyzed.predicts, kinds, workers).answer()


def _find_causes(
    cube: Cube,
    request: AnalyzeRequest,
    analyzed: _Analyzed,
    kinds: list[type[Property]],
    bar: Progress,
    workers: Workers,
) -> list[Finding]:
    processors = processor_waits_in(analyzed.places)
    if analyzed.predicts is None:
        return findings(cube, request.most, processors=processors)
    gains = Gains(analyzed.predicts, kinds, workers)
    remedies = remedies_of(analyzed.run, kinds) if request.selection == Selection() else None
    findings_ = findings(
        cube,
        request.most,
        partial(gains.of, progress=bar),
        remedies,
        processors,
        analyzed.main,
        LEAST if request.is_screen else 0.0,
    )
    gains.end()
    return findings_


def _other_cube(request: AnalyzeRequest, kinds: list[type[Property]], bar: Progress) -> Cube | None:
    """Return the cube to compare with, cut by the request's selection; it is empty where the
    selection selects nothing."""
    if request.against is None:
        return None
    cube = analysed(request.against, kinds, bar).cube
    try:
        return select(cube, request.selection)
    except SelectionError:
        return cut(cube, metrics=())


def _compared(request: AnalyzeRequest, before: Cube, after: Cube) -> str:
    before, after = named_from_common_folder(before), named_from_common_folder(after)
    if request.format == "json":
        return show_json.render(difference(before, after), [])
    terminal = terminal_for(request.output, request.color)
    return show_changes.render(changes_of(before, after), terminal, request.most)


def _notes(part: Analysed, place: str) -> list[str]:
    """Save the cube beside its trace, and return the notes; a failure to save becomes a note."""
    if part.notes is None:
        return []
    notes = [*part.notes]
    try:
        save(part.cube, str(Path(place) if Path(place).is_dir() else Path(place).parent))
    except OSError as error:
        notes.append(f"The causes were not saved beside the trace: {error.strerror}.")
    return notes


def _page_content(
    request: AnalyzeRequest,
    analyzed: _Analyzed,
    cube: Cube,
    findings_: list[Finding],
    kinds: list[type[Property]],
) -> Causes:
    """Return the content of the page. A selected part of a run has no timeline, as its rows are not
    the run's."""
    texts = tuple(note.text for note in analyzed.notes)
    if request.selection != Selection():
        return Causes(cube, tuple(findings_), texts)
    return Causes(cube, tuple(findings_), texts, analyzed.run, tuple(kinds), analyzed.of_job)


def _page(causes: Causes, places: tuple[str, ...]) -> str:
    from pomp_clang.experiment.reader import read
    from pomp_clang.report.page.render import render_causes
    from pomp_clang.report.page.timeline.content import tabs_of

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
