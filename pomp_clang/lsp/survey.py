"""From a request to the places of a unit: what `pomp-clang list` says, of a text in an editor."""

from __future__ import annotations

import os
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from pomp_clang.driver.command import parse
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.units import unit_of
from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.find import Found, find
from pomp_clang.frontend.octets import decoded, encoded
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.lsp.judges import Judges
from pomp_clang.lsp.place import Place, Remark, Request, Survey
from pomp_clang.record import replace
from pomp_clang.report.constructs import words
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.choice import Choice, choose
from pomp_clang.selection.filter import Filter, FilterError, parse_filter, seen
from pomp_clang.selection.plan import Decision, Entry, plan

_KEPT = 4
_CHOOSES = (Decision.INSTRUMENTED, Decision.DISABLED, Decision.UNABLE)


class Surveyor:
    """Keeps what was found in the last units: another filter needs no other parse."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], tuple[Unit, Found]] = OrderedDict()
        self._judges = Judges()

    def survey(self, request: Request) -> Survey:
        """The places; raises nothing for what is wrong with the source."""
        try:
            os.chdir(request.directory)
            unit, found = self._found(request)
            rules, filter_error = _filter(request)
            bare = choose(request.disable, request.functions)
            if request.functions == "auto":
                known = self._judges.estimates(request, unit)
                bare = replace(bare, auto=Auto(lambda: known))
        except UnitError as error:
            return Survey(error=f"line {error.line}: {error}" if error.line else str(error))
        except (DriverError, ValueError) as error:
            return Survey(error=str(error))
        except OSError as error:
            return Survey(error=f"{request.source}: {error.strerror}")
        choice = bare if rules is None else replace(bare, filter=rules)
        files: dict[str, tuple[Place, ...]] = {}
        remarks: list[Remark] = []
        for constructs in found.files:
            decided = plan(constructs, choice)
            files[os.path.realpath(constructs.path)] = tuple(
                _places(constructs, decided.entries, bare)
            )
            remarks += [_remark(note) for note in decided.notes()]
        remarks += [
            _remark(n) for n in found.notes if choice.finds_functions or not _of_functions(n)
        ]
        return Survey(files, tuple(remarks), filter_error=filter_error)

    def _found(self, request: Request) -> tuple[Unit, Found]:
        key = (request.directory, request.source, request.text, request.command, request.generation)
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        unit = unit_of(request.source, list(request.command), functions=True)
        heeded = not request.command or parse(list(request.command)).openmp
        text = encoded(request.text)
        unit = replace(unit, text=text, directives=heeded)
        self._known[key] = unit, find(unit)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known[key]


def _filter(request: Request) -> tuple[Filter | None, str]:
    if not request.filter_text:
        return None, ""
    try:
        return parse_filter(request.filter_path, request.filter_text), ""
    except FilterError as error:
        return None, str(error)


def _remark(note: Note) -> Remark:
    return Remark(os.path.realpath(note.file), max(0, note.line - 1), note.text, note.reason)


def _of_functions(note: Note) -> bool:
    return note.text.startswith("its functions")


def _places(constructs: Constructs, entries: Sequence[Entry], bare: Choice) -> Iterator[Place]:
    names = Counter(each.sub_name for each in constructs.items if each.function)
    for entry, nth in zip(entries, constructs.ordinals, strict=True):
        if entry.construct.control is None or entry.construct.control.control.named:
            yield _place(constructs, entry, bare, names, nth)


def _place(
    constructs: Constructs, entry: Entry, bare: Choice, names: Mapping[str, int], nth: int
) -> Place:
    construct, source = entry.construct, constructs.source
    named = seen(constructs, construct, nth)
    around = next((each for each in constructs.around(construct) if each.function), None)
    clauses = construct.reading.clauses if construct.reading else ()
    end = construct.block or construct.begin
    return Place(
        kind=construct.kind,
        words=words(construct),
        sub_name=construct.sub_name,
        first=source.physical_line(construct.begin.start) - 1,
        column=source.column(construct.begin.start) - 1,
        head=source.physical_line(construct.begin.end - 1) - 1,
        last=source.physical_line(end.end - 1) - 1,
        function=construct.home.function,
        clauses=decoded(" ".join(map(str, clauses))),
        state=entry.decision.value,
        why=entry.why,
        reason=entry.reason,
        measured=bare.left_out(constructs, construct) is None,
        chooses=entry.decision in _CHOOSES and _heeds_rules(construct),
        names=named.names,
        mangled=named.mangled,
        functions=named.functions,
        innermost=named.innermost,
        file=named.file,
        line=named.line,
        nth=named.nth,
        inner=_short(around, names) if around else construct.home.function,
        label=_short(construct, names) if construct.function else "",
    )


def _short(function: Construct, names: Mapping[str, int]) -> str:
    """A function's name, with its parameters where the file has several of that name."""
    assert function.function is not None
    return function.function.signature if names[function.sub_name] > 1 else function.sub_name


def _heeds_rules(construct: Construct) -> bool:
    """Whether it has a fate of its own: a section shares that of its sections, the end of a
    region that of its begin."""
    control = construct.control
    return construct.kind != "section" and (control is None or control.control.words != "inst end")
