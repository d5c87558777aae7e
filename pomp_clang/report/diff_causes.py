"""What became of the causes, in a comparison of two runs that were recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pomp_clang.analysis.comparison import Compared

if TYPE_CHECKING:
    from pomp_clang.causes.changes import Changes
    from pomp_clang.causes.places import Place
    from pomp_clang.causes.tally import Statistics

_WEIGHTY = 0.01
"""Of the longer run's time: a change that is coloured."""


@dataclass(frozen=True, slots=True)
class Row:
    """A cause at a call path: seconds of all threads in either run.  `name` is the property's as
    a person reads it, `path` has those that it is a part of; `place` is where, `way` how the
    program came there; `then` and `now` are its instances in either, where they are known."""

    name: str
    path: tuple[str, ...]
    place: str
    way: str
    callpath: tuple[str, ...]
    file: str
    line: int
    a: float
    b: float
    role: str
    then: Statistics | None = None
    now: Statistics | None = None

    @property
    def delta(self) -> float:
        return self.b - self.a


@dataclass(frozen=True, slots=True)
class Causes:
    """What changed most first.  `note` is why they are not known."""

    rows: tuple[Row, ...] = ()
    note: str = ""


def causes_of(
    directories: tuple[str, ...], folders: tuple[str, ...], regions: tuple[Compared, ...]
) -> Causes | None:
    """None where not both runs have traces or saved cubes.  `folders` are those that places are
    named from."""
    from pomp_clang.causes.changes import changes_of
    from pomp_clang.causes.experiments import analysed, has_causes
    from pomp_clang.causes.registry import PropertyError, properties
    from pomp_clang.causes.sources import named_from, renamed
    from pomp_clang.experiment.errors import ExperimentError
    from pomp_clang.progress import Bar

    if not all(map(has_causes, directories)):
        return None
    bar = Bar("causes")
    try:
        kinds = properties()
        a, b = (analysed(each, kinds, bar).cube for each in directories)
    except (ExperimentError, PropertyError) as error:
        return Causes(note=" ".join(str(error).split()))
    finally:
        bar.end()
    a = renamed(named_from(a, folders[0]), _moves(regions))
    return Causes(_rows(changes_of(a, named_from(b, folders[1]))))


def _moves(regions: tuple[Compared, ...]) -> Callable[[Place], Place]:
    """Where the second run has what the first had elsewhere in the source."""
    to: dict[tuple[str, str, str, int], tuple[str, int]] = {}
    for each in regions:
        if each.moved and each.a and each.b:
            a, b = each.a.profile.region, each.b.profile.region
            to[a.kind, a.sub_name, a.file, a.begin_line1] = b.file, b.begin_line1

    def moved(place: Place) -> Place:
        file, line = to.get(
            (place.kind, place.name, place.file, place.line), (place.file, place.line)
        )
        return replace(place, file=file, line=line)

    return moved


def _rows(changes: Changes) -> tuple[Row, ...]:
    from pomp_clang.causes.show_changes import name_of
    from pomp_clang.causes.show_text import said_of

    cube = changes.after
    weighty = _WEIGHTY * max(changes.before.duration, changes.after.duration)
    rows = []
    for each in changes.found:
        way = cube.call_path(each.path)
        grown = "hot" if each.delta > 0 else "good"
        rows.append(
            Row(
                name_of(changes, each),
                tuple(cube.metric_path(each.metric)),
                said_of(cube, way[-1]),
                " > ".join(said_of(cube, row) for row in way[:-1]),
                tuple(cube.word_of(row) for row in way),
                cube.paths[each.path].file,
                cube.paths[each.path].line,
                each.before,
                each.after,
                grown if abs(each.delta) >= weighty else "",
                each.then,
                each.now,
            )
        )
    return tuple(rows)
