"""From an experiment directory to what is shown of its causes."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.causes import show_changes, show_json, show_text
from pomp_clang.causes.algebra import difference
from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.findings import Finding, Gain, findings
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import PropertyError, properties
from pomp_clang.causes.run import Run, gather
from pomp_clang.causes.store import load, save
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import find
from pomp_clang.progress import Bar
from pomp_clang.report.deliver import ReportError, deliver, terminal_for
from pomp_clang.trace.reader import read


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for; `directory` None is the newest experiment here, `against` the experiment
    that it is compared with."""

    directory: str | None
    format: str = "text"
    output: str | None = None
    color: str = "auto"
    properties: str | None = None
    top: int = 10
    against: str | None = None


def produce(request: Request) -> None:
    """Raises ReportError (one line) where there is nothing to show."""
    bar = Bar()
    try:
        kinds = properties(request.properties)
        directory = find(request.directory)
        run = gather(read(directory), bar)
        cube = compute(run, kinds, bar)
        saved = _saved(cube, directory)
        other = _other(request.against, kinds, bar) if request.against else None
        found = [] if other else findings(cube, request.top, _gains(run, kinds, bar))
    except (ExperimentError, PropertyError) as error:
        raise ReportError(" ".join(str(error).split())) from error
    finally:
        bar.end()
    if other is not None:
        text = _compared(request, other, cube)
    elif request.format == "json":
        text = show_json.render(cube, found)
    else:
        terminal = terminal_for(request.output, request.color)
        text = show_text.render(cube, found, terminal, (*_notes(run), *saved))
    deliver(text, request.output)


def _gains(run: Run, kinds: list[type[Property]], bar: Bar) -> Gain:
    def gain(found: Finding) -> float | None:
        bar(f"predicting {kinds[found.metric].name}", 0)
        return gain_of(run, kinds[found.metric], found.path)

    return gain


def _other(directory: str, kinds: list[type[Property]], bar: Bar) -> Cube:
    """Of its trace, or of what was saved where that is gone."""
    try:
        return compute(gather(read(directory), bar), kinds, bar)
    except ExperimentError:
        return load(directory)


def _compared(request: Request, before: Cube, after: Cube) -> str:
    change = difference(before, after)
    if request.format == "json":
        return show_json.render(change, [])
    terminal = terminal_for(request.output, request.color)
    return show_changes.render(before, after, change, terminal, request.top)


def _saved(cube: Cube, directory: str) -> tuple[str, ...]:
    """What there is to say of it; an experiment that cannot be written to can be read."""
    try:
        save(cube, directory)
    except OSError as error:
        return (f"The causes were not saved beside the trace: {error.strerror}.",)
    return ()


def _notes(run: Run) -> tuple[str, ...]:
    lost = sum(each.unrecorded for each in run.records.locations.values())
    if not lost:
        return ()
    return (f"{lost} events were not recorded: times after them are those of what was open then.",)
