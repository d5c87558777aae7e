"""Search for the constructs of a Fortran unit.

`Structure` reads the text. Here its constructs become the records that all languages share.
Procedures, main programs among them, are functions that may be measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import (
    Candidates,
    Construct,
    Constructs,
    DeclarationSite,
    FoundConstructs,
    SourceFunction,
    all_functions,
)
from pomp_clang.frontend.fortran.directives import FortranDirective, original_argument
from pomp_clang.frontend.fortran.lines import FortranSourceText
from pomp_clang.frontend.fortran.open_items import OpenConstruct, OpenUnit, rest_of_line
from pomp_clang.frontend.fortran.places import ConstructPlaces
from pomp_clang.frontend.fortran.statements import LockCall, lock_calls, renamed
from pomp_clang.frontend.fortran.structure import Structure
from pomp_clang.frontend.inclusion import InclusionGraph
from pomp_clang.frontend.nesting import nest, silenced
from pomp_clang.frontend.source import Extent, decoded
from pomp_clang.frontend.unit import Note, SourceForm, Unit, UnitError
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.record import replace

_SCOPES = "::"


def procedures(units: Sequence[OpenUnit], sites: Sequence[DeclarationSite]) -> list[Construct]:
    """Return the units that have an executable part; `sites` has the place of each unit."""
    return list(_procedures(units, sites))


def _procedures(units: Sequence[OpenUnit], sites: Sequence[DeclarationSite]) -> Iterator[Construct]:
    for unit, site in zip(units, sites, strict=True):
        if unit.enter is None or not unit.ended:
            continue
        head = unit.head or Extent(unit.start, unit.start + 1)
        tail = unit.tail if unit.tail is not None else unit.end
        name = _SCOPES.join(_scopes(units, sites, unit))
        yield Construct(
            index=-1,
            kind="function",
            begin=head,
            block=Extent(head.end, max(head.end, tail)),
            declaration_site=site,
            listed=False,
            sub_name=name,
            obstacle=(unit.obstacle, "function") if unit.obstacle else ("", ""),
            function=SourceFunction(unit.enter, name, "", program=unit.kind == "program"),
            places=ConstructPlaces(head.start, unit.enter, tail, tail, unit.index),
        )


def _scopes(
    units: Sequence[OpenUnit], sites: Sequence[DeclarationSite], unit: OpenUnit
) -> list[str]:
    """Return the names of a unit's hosts, the outermost first, and its own."""
    outer = [] if unit.outer is None else _scopes(units, sites, units[unit.outer])
    return [*outer, decoded(unit.name) or sites[unit.index].function]


FREE = SourceForm(fixed=False, columns=132)
_PURE = "no call may stand in a PURE procedure"
_MAIN = "MAIN__"
"""gfortran's and flang's name for a main program without one."""


def find(unit: Unit, _: Candidates = all_functions) -> FoundConstructs:
    """Find the constructs of the unit, and all procedures.

    Raises `UnitError` if its blocks do not end properly.
    """
    structure = Structure(unit.form or FREE, unit.directives)
    structure.read(unit.text)
    source = FortranSourceText(unit.path, unit.text)
    if structure.faults:
        offset, message = structure.faults[0]
        raise UnitError(message, source.line(offset))
    finder = _Finder(source, structure, unit)
    items = sorted(finder.items(), key=lambda item: item.begin.start)
    nested = _with_sections(nest(items))
    constructs = Constructs(
        source,
        unit.language,
        nested,
        tuple(silenced(nested, len(unit.text))),
        unit.path,
        units=tuple(unit_.record() for unit_ in structure.units),
        form=unit.form,
        prefix_maps=unit.prefix_maps,
    )
    graph = InclusionGraph(unit.path, {unit.path: unit.text}, (), ())
    return FoundConstructs(constructs, tuple(finder.notes), (), graph)


class _Finder:
    """Makes the records of one text's constructs."""

    def __init__(self, source: FortranSourceText, structure: Structure, unit: Unit) -> None:
        self.notes: list[Note] = []
        self._source = source
        self._structure = structure
        self._with_functions = unit.functions
        self._with_locks = unit.directives

    def items(self) -> list[Construct]:
        """Return the constructs, not nested yet, in no order."""
        structure = self._structure
        for directive in structure.unknown:
            text = f"{directive.line.sentinel} {decoded(directive.text.body)}"
            self._say(directive, f"unknown directive '{text}'", "unknown")
        items = self._functions() if self._with_functions else []
        items += [self._of_construct(construct) for construct in structure.constructs]
        items += [self._of_separator(*separator) for separator in structure.separators]
        items += [self._of_control(*control) for control in structure.controls]
        return items + self._lock_calls() if self._with_locks else items

    def _functions(self) -> list[Construct]:
        units = self._structure.units
        return procedures(units, [self._site(unit.index) for unit in units])

    def _say(self, directive: FortranDirective, text: str, reason: str) -> None:
        path, line = self._source.place(directive.text.start)
        self.notes.append(Note(path, line, text, reason))

    def _site(self, number: int) -> DeclarationSite:
        unit = self._structure.units[number]
        at = unit.declarations if unit.declarations is not None else unit.start
        pure = self._is_pure(unit)
        return DeclarationSite(
            decoded(unit.name) or (_MAIN if unit.kind == "program" else ""),
            at,
            unit.start,
            untouchable=_PURE if pure else "",
        )

    def _is_pure(self, unit: OpenUnit) -> bool:
        outer = unit.outer
        return unit.pure or (outer is not None and self._is_pure(self._structure.units[outer]))

    def _of_construct(self, opened: OpenConstruct) -> Construct:
        directive = opened.directive
        row = directive.reading.directive
        assert row is not None
        end = opened.end.text if opened.end is not None else None
        block = _block(opened)
        return Construct(
            index=-1,
            kind=row.words,
            begin=Extent(directive.text.start, directive.text.end),
            block=block,
            declaration_site=self._site(opened.unit),
            listed=True,
            directive=row,
            reading=opened.reading(),
            pragma=directive.text,
            separators=tuple(separator.text for separator in opened.separators),
            implicit_first_section=opened.implicit_first_section
            or (row.form is DirectiveForm.SECTIONS and not opened.separators),
            sub_name=decoded(original_argument(directive)) if _is_named(directive) else "",
            obstacle=opened.obstacle,
            end_directive=end,
            places=_places(opened),
        )

    def _of_separator(self, directive: FortranDirective, unit: int) -> Construct:
        row = directive.reading.directive
        assert row is not None
        line = directive.line
        return Construct(
            index=-1,
            kind=row.words,
            begin=Extent(directive.text.start, directive.text.end),
            block=None,
            declaration_site=self._site(unit),
            listed=True,
            directive=row,
            reading=directive.reading,
            pragma=directive.text,
            places=ConstructPlaces(line.start, line.end, line.end, line.end, unit),
        )

    def _of_control(self, directive: FortranDirective, unit: int) -> Construct:
        control = directive.control
        assert control is not None
        line = directive.line
        return Construct(
            index=-1,
            kind="region" if control.control.named else control.control.words,
            begin=Extent(directive.text.start, directive.text.end),
            block=None,
            declaration_site=self._site(unit),
            listed=True,
            pragma=directive.text,
            control=control,
            sub_name=decoded(control.name),
            places=ConstructPlaces(line.start, line.end, line.end, line.end, unit),
        )

    def _lock_calls(self) -> list[Construct]:
        structure = self._structure
        names: dict[str, str] = {}
        for statement in structure.uses:
            names |= renamed(statement.compact)
        return [
            self._of_lock(call, unit, statement.line.start, statement.line.end)
            for statement, unit in structure.actions
            for call in lock_calls(statement, names)
        ]

    def _of_lock(self, call: LockCall, unit: int, start: int, end: int) -> Construct:
        return Construct(
            index=-1,
            kind="lock",
            begin=call.name,
            block=call.arguments,
            declaration_site=self._site(unit),
            listed=True,
            routine=call.routine,
            sub_name=decoded(call.argument),
            places=ConstructPlaces(start, end, end, end, unit),
        )


def _is_named(directive: FortranDirective) -> bool:
    return directive.words == "critical" and directive.reading.argument is not None


def _block(opened: OpenConstruct) -> Extent | None:
    """Return the block: whole lines between the directives, or from a loop on to its end."""
    if opened.end is not None:
        return Extent(opened.first, max(opened.first, opened.end.line.start))
    if opened.last is not None:
        return Extent(opened.first, opened.last.end)
    return None


def _places(opened: OpenConstruct) -> ConstructPlaces:
    line = opened.line
    rest = None
    end = after = line.end
    if opened.end is not None:
        end, after = opened.end.line.start, opened.end.line.end
    elif opened.last is not None:
        end = after = opened.last.line.end
        rest = rest_of_line(opened.last)
    return ConstructPlaces(
        line.start,
        line.end,
        end,
        after,
        opened.unit,
        rest,
        opened.strict,
        tuple(opened.variables),
        tuple(opened.bounds),
    )


def _with_sections(items: tuple[Construct, ...]) -> tuple[Construct, ...]:
    """Give each section its block: up to the next separator or the end of the sections."""
    result = list(items)
    lines = {item.begin.start: item.places.before for item in items if item.places is not None}
    for item in items:
        ends = [lines[separator.start] for separator in item.separators[1:]]
        if item.block is not None:
            ends.append(item.block.end)
        blocks = dict(zip([separator.start for separator in item.separators], ends, strict=False))
        for other in items[item.index + 1 :] if blocks else ():
            end = blocks.get(other.begin.start)
            if end is not None:
                result[other.index] = replace(other, block=Extent(other.begin.end, end))
    return tuple(result)
