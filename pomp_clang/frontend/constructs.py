"""What a unit's constructs are: the words that the later phases share."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from pomp_clang.frontend.variants import hides_calls, may_generate_tasks
from pomp_clang.openmp.control import ControlReading
from pomp_clang.openmp.directives import DIRECTIVES, Directive
from pomp_clang.openmp.routines import Routine
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.pragmas import ClauseText, Pragma, Reading
    from pomp_clang.frontend.source import Source


@record
class Extent:
    """Offsets into the text: start of the first character, one past the last."""

    start: int
    end: int

    def __contains__(self, other: Extent) -> bool:
        return self.start <= other.start and other.end <= self.end


@record
class Home:
    """Where a construct stands: the declaration of the unit that holds it.

    `declared_at` is the offset where what the construct needs at file scope can be
    put, `from_directive` the directive that has to be rewritten for that because it
    stands there itself.  `untouchable` names why no call may stand in the function, which
    begins at `function_at`.
    """

    function: str
    declared_at: int
    function_at: int
    from_directive: Pragma | None = None
    external_inline: bool = False
    untouchable: str = ""


@record
class Function:
    """What is particular to a function that may be measured: `enter` is where its events
    begin, `handlers` whether its body is a try block that can be wrapped as a whole.

    `signature` is its name with its parameters' types, `mangled` the linker's name;
    `declined` says which word of the user's asks for no measurement.
    """

    enter: int
    signature: str
    mangled: str
    handlers: bool = False
    declined: str = ""


@record
class Construct:
    """An OpenMP directive with its structured block, a lock call, a user region's
    begin or end, a control directive, or a function.

    `begin` is the directive (or the routine's name), `block` the structured block (or
    the call's arguments with their parentheses), `separators` the section directives
    that divide it.  Of a function they are its head from its name on, and its body.  `outer` is the index of the innermost construct around it, `pair`
    of an `inst begin` the last `inst end` that goes with it, of an `inst end` its
    begin.  `scope` is the block of whose list of statements an `inst begin` is one.
    """

    index: int
    kind: str
    begin: Extent
    block: Extent | None
    home: Home
    listed: bool
    after_empty_loop: bool = False
    directive: Directive | None = None
    reading: Reading | None = None
    pragma: Pragma | None = None
    control: ControlReading | None = None
    routine: Routine | None = None
    separators: tuple[Pragma, ...] = ()
    implicit_first_section: bool = False
    outer: int | None = None
    pair: int | None = None
    cancelled: bool = False
    sub_name: str = ""
    scope: Extent | None = None
    obstacle: tuple[str, str] = ("", "")
    """why the block need not be what the tree says, and the tag of the note that says so"""
    function: Function | None = None
    statement: int = 0
    """what kind of statement the block is, by libclang's number"""

    @property
    def extent(self) -> Extent:
        """From the directive to the end of its block."""
        return Extent(self.begin.start, self.block.end if self.block else self.begin.end)

    @property
    def leaf(self) -> Directive | None:
        """The innermost directive of a combined one, or the directive itself."""
        if self.directive is None or not self.directive.leaves:
            return self.directive
        return DIRECTIVES[self.directive.leaves[1]]

    def is_separated_at(self, offset: int) -> bool:
        """Tell if one of its section directives begins at the offset."""
        at = bisect_left(self.separators, offset, key=_begin)
        return at < len(self.separators) and self.separators[at].start == offset

    @property
    def untied(self) -> bool:
        """Whether another thread may go on with the task after a scheduling point."""
        return self.reading is not None and self.reading.clause("untied") is not None

    @property
    def generates_tasks(self) -> bool:
        """Whether its block is that of other tasks, explicit or implicit, or may be."""
        if self.directive is None or self.reading is None:
            return False
        if self.kind == "metadirective":
            return may_generate_tasks(self.reading)
        return self.directive.generates_tasks

    @property
    def opaque(self) -> bool:
        """Whether no call may stand inside its block."""
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

    source: Source
    language: str
    items: tuple[Construct, ...]
    silenced: tuple[Extent, ...]
    """between noinstrument and instrument"""
    path: str
    """libclang's name for the file"""
    tag: str = ""
    """what tells the names that a header needs from those of other files"""
    repeated: bool = False
    """whether the compiler reads some construct of the file more than once in the unit"""
    scans_alone: bool = False
    """whether the compiler takes a scan out of a combined construct rightly"""

    def is_silenced(self, construct: Construct) -> bool:
        """Tell if a construct stands between noinstrument and instrument."""
        at = bisect_right(self.silenced, construct.begin.start, key=_start)
        return at > 0 and construct.extent in self.silenced[at - 1]

    @cached_property
    def ordinals(self) -> tuple[int, ...]:
        """Of each construct which of those it is that have its kind and name and stand in the
        same function."""
        met: dict[tuple[str, str, str | int], int] = {}
        found = []
        for construct in self.items:
            key = construct.kind, construct.sub_name, self._among(construct)
            met[key] = met.get(key, 0) + 1
            found.append(met[key])
        return tuple(found)

    def _among(self, construct: Construct) -> str | int:
        """Return the function that a construct stands in; a function stands among those of
        its name."""
        if construct.function is not None:
            return construct.function.signature
        return next((each.index for each in self.around(construct) if each.function), -1)

    @cached_property
    def ends(self) -> dict[int, list[Construct]]:
        """The ends of each user region, by the number of its begin."""
        found: dict[int, list[Construct]] = {}
        for construct in self.items:
            if construct.pair is not None:
                found.setdefault(construct.pair, []).append(construct)
        return found

    def is_whole(self, construct: Construct) -> bool:
        """Return whether a combined construct is measured from outside, its directives being one.

        clang 19 computes a scan wrongly in a loop whose `parallel` is a directive of its own.
        """
        if self.scans_alone or construct.directive is None or not construct.directive.leaves:
            return False
        return construct.reading is not None and any(map(_scans, construct.reading.clauses))

    def around(self, construct: Construct) -> list[Construct]:
        """The constructs that contain this one, innermost first."""
        found = []
        outer = construct.outer
        while outer is not None:
            found.append(self.items[outer])
            outer = self.items[outer].outer
        return found


def _begin(pragma: Pragma) -> int:
    return pragma.start


def _start(extent: Extent) -> int:
    return extent.start
