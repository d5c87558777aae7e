"""Analysis of a document: the places of a unit, as `pomp-clang list` has them, of a text in an
editor; and estimates of functions' costs for `auto`.

The estimates come from the code of the text that was saved last, at the lines of the current text.
"""

from __future__ import annotations

import os
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.driver.unit.unit_bitcode import UnitBitcode
from pomp_clang.frontend.constructs import Construct, Constructs, FoundConstructs
from pomp_clang.frontend.source import bytes_of, decoded, encoded
from pomp_clang.frontend.unit import Note, Unit, UnitError
from pomp_clang.lsp.place import (
    AnalysisRequest,
    DocumentAnalysis,
    Remark,
    SourcePlace,
    line_numbers,
)
from pomp_clang.record import replace
from pomp_clang.report.constructs import words
from pomp_clang.rewrite.instrument import language_named
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.cost.estimates import Estimates
from pomp_clang.selection.filter import Filter, FilterError, filter_subject, parse_filter
from pomp_clang.selection.plan import Decision, PlanEntry, plan
from pomp_clang.selection.selection import ConstructSelection, selection_of_options

_KEPT_UNITS = 4


class CostEstimator:
    """Estimates of the units that were compiled last; a text changes more often than it is saved."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], Estimates | None] = OrderedDict()

    def estimates(self, request: AnalysisRequest, unit: Unit) -> Estimates | None:
        """Return the estimated costs of calls; None if there is no bitcode to read."""
        saved = _read(unit.path)
        key = (request.directory, request.source, request.command, request.generation, saved)
        if key not in self._known:
            self._known[key] = UnitBitcode([unit]).estimates()
            if len(self._known) > _KEPT_UNITS:
                self._known.popitem(last=False)
        known = self._known[key]
        if known is None or saved == request.text:
            return known
        base, numbers = os.path.basename(unit.path), line_numbers(saved, request.text)
        return Estimates(
            {
                (file, numbers[line - 1] + 1 if file == base else line): estimates
                for (file, line), estimates in known.by_line.items()
                if file != base or line - 1 in numbers
            }
        )


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return ""


_KEPT = 4
_CHOOSES = (Decision.INSTRUMENTED, Decision.DISABLED, Decision.UNABLE)


class DocumentAnalyzer:
    """The analysis of documents; the parses of the last units are kept for other filters."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], tuple[Unit, FoundConstructs]] = OrderedDict()
        self._judges = CostEstimator()

    def survey(self, request: AnalysisRequest) -> DocumentAnalysis:
        """Find the places of a unit; an error in the source is part of the result."""
        try:
            os.chdir(request.directory)
            unit, result = self._find_constructs(request)
            rules, filter_error = _filter(request)
            bare = selection_of_options(request.disable, request.functions)
            if request.functions == "auto":
                known = self._judges.estimates(request, unit)
                bare = replace(bare, auto=Auto(lambda _: known))
        except UnitError as error:
            return DocumentAnalysis(
                error=f"line {error.line}: {error}" if error.line else str(error)
            )
        except (DriverError, ValueError) as error:
            return DocumentAnalysis(error=str(error))
        except OSError as error:
            return DocumentAnalysis(error=f"{request.source}: {error.strerror}")
        choice = bare if rules is None else replace(bare, filter=rules)
        files: dict[str, tuple[SourcePlace, ...]] = {}
        remarks: list[Remark] = []
        for constructs in result.files:
            decided = plan(constructs, choice)
            for path, entries in _by_file(constructs, decided.entries):
                files[path] = tuple(_places(constructs, entries, bare))
            remarks += [_remark(note) for note in decided.notes()]
        remarks += [
            _remark(n) for n in result.notes if choice.finds_functions or not _of_functions(n)
        ]
        return DocumentAnalysis(files, tuple(remarks), filter_error=filter_error)

    def _find_constructs(self, request: AnalysisRequest) -> tuple[Unit, FoundConstructs]:
        key = (request.directory, request.source, request.text, request.command, request.generation)
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        text = encoded(request.text)
        command = list(request.command)
        unit = unit_of(request.source, command, functions=True, edited=bytes_of(text))
        if unit.language != "fortran":
            unit = replace(unit, directives=not command or parse(command).openmp)
        self._known[key] = unit, language_named(unit.language).find(unit)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known[key]


def _filter(request: AnalysisRequest) -> tuple[Filter | None, str]:
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


def _by_file(
    constructs: Constructs, entries: Sequence[PlanEntry]
) -> Iterator[tuple[str, Sequence[PlanEntry]]]:
    """Yield the files of a text, with the entries in each; a Fortran text has its included files as well."""
    path_ = os.path.realpath(constructs.path)
    if constructs.language != "fortran":
        yield path_, entries
        return
    by_file: dict[str, list[PlanEntry]] = {path_: []}
    for entry in entries:
        file, _ = constructs.source.place(entry.construct.begin.start)
        by_file.setdefault(os.path.realpath(file), []).append(entry)
    yield from by_file.items()


def _line(constructs: Constructs, offset: int) -> int:
    """Return the line of an offset in its file, from 0."""
    source = constructs.source
    if constructs.language == "fortran":  # its text is preprocessed
        return source.line(offset) - 1
    return source.physical_line(offset) - 1


def _places(
    constructs: Constructs, entries: Sequence[PlanEntry], bare: ConstructSelection
) -> Iterator[SourcePlace]:
    names = Counter(item.sub_name for item in constructs.items if item.function)
    for entry in entries:
        nth = constructs.ordinals[entry.construct.index]
        if entry.construct.control is None or entry.construct.control.control.named:
            yield _place(constructs, entry, bare, names, nth)


def _place(
    constructs: Constructs,
    entry: PlanEntry,
    bare: ConstructSelection,
    names: Mapping[str, int],
    nth: int,
) -> SourcePlace:
    construct, source = entry.construct, constructs.source
    named = filter_subject(constructs, construct, nth)
    around = next((outer for outer in constructs.around(construct) if outer.function), None)
    clauses = construct.reading.clauses if construct.reading else ()
    return SourcePlace(
        kind=construct.kind,
        words=words(construct),
        sub_name=construct.sub_name,
        first=_line(constructs, construct.begin.start),
        column=source.column(construct.begin.start) - 1,
        head=_line(constructs, construct.begin.end - 1),
        last=_line(constructs, construct.extent.end - 1),
        function=construct.declaration_site.function,
        clauses=decoded(" ".join(map(str, clauses))),
        state=entry.decision.value,
        why=entry.why,
        reason=entry.reason,
        measured=bare.left_out(constructs, construct, bare.judged(constructs, construct)) is None,
        chooses=entry.decision in _CHOOSES and _heeds_rules(construct),
        names=named.names,
        mangled=named.mangled,
        functions=named.functions,
        innermost=named.innermost,
        file=named.file,
        line=named.line,
        nth=named.nth,
        inner=_short_name(around, names) if around else construct.declaration_site.function,
        label=_short_name(construct, names) if construct.function else "",
    )


def _short_name(function: Construct, names: Mapping[str, int]) -> str:
    """Return a function's name, with its parameters if the file has several of that name."""
    assert function.function is not None
    return function.function.signature if names[function.sub_name] > 1 else function.sub_name


def _heeds_rules(construct: Construct) -> bool:
    """Return whether a rule can select the construct by itself.

    A section shares the decision on its sections construct, and the end of a region that on its
    begin.
    """
    control = construct.control
    return construct.kind != "section" and (control is None or control.control.words != "inst end")
