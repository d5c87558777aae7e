"""The constructs of a unit: records that all phases share, for any source language."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from pomp_clang.frontend.directive_text import hides_calls, may_generate_tasks
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.directive_lookup import directive_named
from pomp_clang.openmp.directives import Directive
from pomp_clang.openmp.pomp_api import ControlReading, Routine
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.directive_text import ClauseText, DirectiveReading, DirectiveText
    from pomp_clang.frontend.fortran.places import ConstructPlaces, ProgramUnit
    from pomp_clang.frontend.inclusion import InclusionGraph
    from pomp_clang.frontend.source import SourceText
    from pomp_clang.frontend.unit import Note, SourceForm


@record
class DeclarationSite:
    """The place in its unit at which a construct's declarations can stand."""

    function: str
    """the name of the innermost function around the construct, or \"\""""
    declared_at: int
    """the offset for the declarations that the construct needs at file scope"""
    function_at: int
    """the offset where the function begins"""
    from_directive: DirectiveText | None = None
    """the directive at `declared_at`, which is rewritten together with the declarations"""
    external_inline: bool = False
    """whether the function is an inline function of external linkage"""
    untouchable: str = ""
    """why no call may stand in the function"""


@record
class FunctionCandidates:
    """Functions that may be measured though they hold no construct.

    `lines` are those of their names, by the file's name without its folder.
    """

    lines: Mapping[str, frozenset[int]]

    def are_in(self, file: str) -> bool:
        """Return True if a file has one of them."""
        return os.path.basename(file) in self.lines

    def has(self, file: str, line: int) -> bool:
        """Return True if one of them is at a place."""
        return line in self.lines.get(os.path.basename(file), ())


@record
class SharedBeginning:
    """Headers with which a unit begins, as other units may: a text that includes them, its length when
    it is preprocessed, and a key for what they are.
    """

    text: str
    length: int
    key: bytes


Candidates = Callable[[Sequence[SharedBeginning]], FunctionCandidates | None]
"""Returns the functions that may be measured, once they are needed; None if all may be.

The first call has the unit's beginnings, the longest first.
"""


def all_functions(_: Sequence[SharedBeginning]) -> None:
    """Return None: every function may be measured."""


@record
class Enclosure:
    """The place at which a file is included inside a declaration.

    `file` is the file that has the outermost declaration, `site` the place in it for declarations
    at file scope, and the function around the #include directive. `places` are the file and line
    of that directive, and of the directives that include its file, outwards; () if only namespaces
    are around it. `error` says why libclang's tree is doubtful there.
    """

    file: str
    site: DeclarationSite
    places: tuple[tuple[str, int], ...]
    error: str = ""


@record
class SourceFunction:
    """The facts about a function that other constructs do not have."""

    enter: int
    """the offset of its first event"""
    signature: str
    """its name with the types of its parameters"""
    mangled: str
    """the linker's name"""
    handlers: bool = False
    """whether its body is a try block that can be wrapped as a whole"""
    declined: str = ""
    """the user's word that asks for no measurement"""
    program: bool = False
    """whether it is a Fortran main program"""


@record
class LoopBody:
    """The place of the event of an iteration, and the loop variable that it passes.

    `closes` is True if the event opens a block that ends with the construct's own. `why` tells why
    there can be no event.
    """

    at: int = 0
    variable: str = ""
    closes: bool = False
    why: str = ""


@record
class Construct:
    """An OpenMP directive with its structured block, a lock call, a user region's
    begin or end, a control directive, or a function.

    `begin` is the directive, the routine's name, or a function's head from its name on. `block`
    is the structured block, the call's arguments with their parentheses, or a function's body.
    `separators` are the section directives that divide the block. `outer` is the index of the
    innermost construct around it. `pair` is the index of the last `inst end` for an `inst begin`,
    and that of the begin for an end. `scope` is the block in whose list of statements an
    `inst begin` stands.
    """

    index: int
    kind: str
    begin: Extent
    block: Extent | None
    declaration_site: DeclarationSite
    listed: bool
    after_empty_loop: bool = False
    directive: Directive | None = None
    reading: DirectiveReading | None = None
    pragma: DirectiveText | None = None
    control: ControlReading | None = None
    routine: Routine | None = None
    separators: tuple[DirectiveText, ...] = ()
    implicit_first_section: bool = False
    may_be_refused: bool = False
    """whether its block is a declaration or a lone directive, or a section is no single statement:
    not every compiler takes them"""
    outer: int | None = None
    pair: int | None = None
    cancelled: bool = False
    sub_name: str = ""
    scope: Extent | None = None
    obstacle: tuple[str, str] = ("", "")
    """why the block may differ from the one in the tree, and the tag of the note about it"""
    function: SourceFunction | None = None
    loop: LoopBody | None = None
    """the body of a worksharing loop, if iterations may be recorded in the unit"""
    end_directive: DirectiveText | None = None
    """the END directive behind the block, in Fortran"""
    places: ConstructPlaces | None = None
    """where lines are inserted, in Fortran"""
    readings: tuple[int, ...] = ()
    """the numbers of its file's enclosures in which the compiler reads the construct"""
    reading_functions: tuple[str, ...] = ()
    """the function around it in each of these readings"""
    optional: bool = False
    """whether the compiler reads the block without the directive in some enclosures"""

    @property
    def extent(self) -> Extent:
        """From the directive to the end of its block, with the END directive."""
        if self.end_directive is not None:
            return Extent(self.begin.start, self.end_directive.end)
        return Extent(self.begin.start, self.block.end if self.block else self.begin.end)

    @property
    def leaf(self) -> Directive | None:
        """The innermost directive of a combined one, or the directive itself."""
        if self.directive is None or not self.directive.leaves:
            return self.directive
        return directive_named(self.directive.leaves[1])

    def is_separated_at(self, offset: int) -> bool:
        """Return True if one of the section directives begins at the offset."""
        at = bisect_left(self.separators, offset, key=_begin)
        return at < len(self.separators) and self.separators[at].start == offset

    @property
    def untied(self) -> bool:
        """True if another thread may resume the task after a scheduling point."""
        return self.reading is not None and self.reading.clause("untied") is not None

    @property
    def generates_tasks(self) -> bool:
        """True if its block belongs to other tasks, explicit or implicit, or may do so."""
        if self.directive is None or self.reading is None:
            return False
        if self.kind == "metadirective":
            return may_generate_tasks(self.reading)
        return self.directive.generates_tasks

    @property
    def opaque(self) -> bool:
        """True if no call may stand inside its block."""
        if self.directive is None or self.reading is None:
            return False
        if self.kind == "metadirective":
            return hides_calls(self.reading)
        order = self.reading.clause("order")
        return self.directive.opaque or (order is not None and "concurrent" in str(order))


def _scans(clause: ClauseText) -> bool:
    """Return whether the clause names the variables of a scan."""
    modifier = (clause.argument or "").split(",")[0].strip()
    return clause.name == "reduction" and modifier == "inscan"


@record
class Constructs:
    """The constructs of one file of a unit in the order of its text."""

    source: SourceText
    language: str
    items: tuple[Construct, ...]
    silenced: tuple[Extent, ...]
    """between noinstrument and instrument"""
    path: str
    """libclang's name for the file"""
    tag: str = ""
    """the end of the names that a header needs, which no other file has"""
    repeated: bool = False
    """whether the compiler reads some construct of the file more than once in the unit"""
    scans_alone: bool = False
    """whether the compiler takes a scan out of a combined construct rightly"""
    units: tuple[ProgramUnit, ...] = ()
    """the program units of a Fortran text, in the order of their begins"""
    form: SourceForm | None = None
    """the form of a Fortran text"""
    enclosures: tuple[Enclosure, ...] = ()
    """the places of its inclusions, in their order, if the file is included inside declarations"""
    prefix_maps: tuple[str, ...] = ()
    """the unit's"""

    def is_silenced(self, construct: Construct) -> bool:
        """Return True if the construct stands between noinstrument and instrument."""
        at = bisect_right(self.silenced, construct.begin.start, key=_start)
        return at > 0 and construct.extent in self.silenced[at - 1]

    @cached_property
    def ordinals(self) -> tuple[int, ...]:
        """The number of each construct among those of its kind and name in its function."""
        counts: dict[tuple[str, str, str | int], int] = {}
        numbers = []
        for construct in self.items:
            key = construct.kind, construct.sub_name, self._among(construct)
            counts[key] = counts.get(key, 0) + 1
            numbers.append(counts[key])
        return tuple(numbers)

    def _among(self, construct: Construct) -> str | int:
        """Return the index of the innermost function around the construct; for a function, its
        name."""
        if construct.function is not None:
            return construct.function.signature
        return next((around.index for around in self.around(construct) if around.function), -1)

    @cached_property
    def ends(self) -> dict[int, list[Construct]]:
        """The ends of each user region, by the number of its begin."""
        by_begin: dict[int, list[Construct]] = {}
        for construct in self.items:
            if construct.pair is not None:
                by_begin.setdefault(construct.pair, []).append(construct)
        return by_begin

    def is_measured_from_outside(self, construct: Construct) -> bool:
        """Return whether a combined construct is measured from outside, its directives being one.

        clang 19 computes a scan wrongly in a loop whose `parallel` is a directive of its own.
        """
        if self.scans_alone or construct.directive is None or not construct.directive.leaves:
            return False
        return construct.reading is not None and any(map(_scans, construct.reading.clauses))

    def around(self, construct: Construct) -> list[Construct]:
        """Return the constructs that contain this one, innermost first."""
        containers = []
        outer = construct.outer
        while outer is not None:
            containers.append(self.items[outer])
            outer = self.items[outer].outer
        return containers


@record
class FoundConstructs:
    """The constructs of a unit's own file and of its project's headers.

    `notes` are about constructs that are not among them. `graph` has the inclusions.
    """

    constructs: Constructs
    notes: tuple[Note, ...]
    headers: tuple[Constructs, ...]
    graph: InclusionGraph

    @property
    def files(self) -> tuple[Constructs, ...]:
        """The unit's own file, then the headers."""
        return (self.constructs, *self.headers)


def _begin(pragma: DirectiveText) -> int:
    return pragma.start


def _start(extent: Extent) -> int:
    return extent.start
