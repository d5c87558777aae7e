"""The plan of a file: for each construct if it is instrumented, and why not."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.directive_text import governed, read_directive
from pomp_clang.frontend.source import decoded
from pomp_clang.frontend.unit import Note, Refused, Site
from pomp_clang.openmp.clauses import CLAUSES, is_clause
from pomp_clang.openmp.directives import DirectiveForm, DirectiveState
from pomp_clang.record import record
from pomp_clang.selection.selection import CONSTRUCTS, ConstructSelection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pomp_clang.frontend.constructs import LoopBody
    from pomp_clang.frontend.directive_text import DirectiveReading


class Decision(Enum):
    """The treatment of a construct; `pomp-clang list` shows the values."""

    INSTRUMENTED = "instrumented"
    CONTROL = "control"
    """a directive of POMP's own that is obeyed"""
    SILENT = "no events"
    """nothing to measure by its nature"""
    DISABLED = "disabled"
    """by --pomp-disable, --pomp-functions or --pomp-filter"""
    SILENCED = "noinstrument"
    """between noinstrument and instrument"""
    UNABLE = "not instrumented"
    """left out with a note, since no option asked for it"""


_FROM_OUTSIDE = "measured from outside, by the thread that meets it: it holds a scan"


@record
class PlanEntry:
    """The decision on one construct.

    `why` explains it, `reason` is the tag of the note if it is UNABLE. `nanoseconds` is the
    estimated cost of a call of a function.
    """

    construct: Construct
    decision: Decision
    why: str = ""
    reason: str = ""
    nanoseconds: float | None = None
    iterations: LoopBody | None = None
    """the body of a loop whose iterations are recorded, or that tells why they are not"""
    is_fatal: bool = False
    """whether the library takes no program without the construct's events"""

    @property
    def has_descriptor(self) -> bool:
        """True if the construct's events name a descriptor of its own.

        A section belongs to its `sections`, and the end of a user region to its begin.
        """
        construct = self.construct
        if self.decision is not Decision.INSTRUMENTED or construct.kind == "section":
            return False
        return construct.control is None or construct.control.control.call != "POMP_End"


@record
class InstrumentationPlan:
    """An entry for each construct of the unit, in the order of its text."""

    constructs: Constructs
    entries: tuple[PlanEntry, ...]

    def notes(self) -> list[Note]:
        """Return one note for each construct that is left out although no option asked for that."""
        notes = (self.note(entry) for entry in self.entries)
        return [note for note in notes if note is not None]

    def note(self, entry: PlanEntry, others: int = 0) -> Note | None:
        """Return the note on an entry, and on as many other functions; None if it has none."""
        name = _construct_name(entry.construct)
        if entry.decision is Decision.UNABLE:
            text, reason = f"{name} is not measured: {entry.why}", entry.reason
            if others:
                more = "1 other" if others == 1 else f"{others} others"
                text = f"{name} and {more} of this unit are not measured: {entry.why}"
        elif entry.iterations is not None and entry.iterations.why:
            text = f"iterations of {name} are not recorded: {entry.iterations.why}"
            reason = "iterations"
        else:
            return None
        path, line = self.constructs.source.place(entry.construct.begin.start)
        level = "error" if entry.is_fatal else "warning"
        return Note(path, line, text, reason, level)

    def sites(self) -> tuple[Site, ...]:
        """Return the sites of the constructs that are instrumented."""
        return tuple(
            _site(self.constructs, entry.construct)
            for entry in self.entries
            if entry.decision is Decision.INSTRUMENTED and entry.construct.kind != "section"
        )


def notes_of(plans: Sequence[InstrumentationPlan]) -> set[Note]:
    """Return the notes of a unit, with one for all functions that are left out for the same reason.

    Headers of C++ have hundreds of functions that no tool can measure.
    """
    notes = set()
    functions: dict[str, dict[Note, tuple[InstrumentationPlan, PlanEntry]]] = {}
    for file_plan in plans:
        for entry in file_plan.entries:
            note = file_plan.note(entry)
            if note is not None and entry.construct.function is not None:
                functions.setdefault(entry.why, {}).setdefault(note, (file_plan, entry))
            elif note is not None:
                notes.add(note)
    for group in functions.values():
        first, (file_plan, entry) = next(iter(group.items()))
        notes.add(file_plan.note(entry, len(group) - 1) or first)
    return notes


def _construct_name(construct: Construct) -> str:
    if construct.function is not None:
        return f"function '{construct.sub_name}'"
    return f"'{construct.kind}'"


def _site(constructs: Constructs, construct: Construct) -> Site:
    source, begin = constructs.source, construct.begin
    file, line = source.place(begin.start)
    return Site(
        kind=construct.kind,
        file=file,
        line=line,
        column=source.column(begin.start),
        directive_end=source.line(begin.end - 1),
        last=source.line(construct.extent.end - 1),
    )


def plan(
    constructs: Constructs,
    selection: ConstructSelection = CONSTRUCTS,
    refused: Refused = MappingProxyType({}),
) -> InstrumentationPlan:
    """Decide on every construct; the compiler has refused some."""
    decided: list[PlanEntry] = []
    for construct in constructs.items:
        entry = _decide(constructs, construct, selection, decided)
        why = refused.get(_site(constructs, construct)) if refused else None
        if why is not None and entry.decision is Decision.INSTRUMENTED:
            entry = _unable(construct, why.text, why.reason, selection)
        decided.append(entry)
    return InstrumentationPlan(
        constructs, tuple(_as_its_other_half(entry, decided) for entry in decided)
    )


def _as_its_other_half(entry: PlanEntry, decided: list[PlanEntry]) -> PlanEntry:
    """Give the begin of a region the decision on its end.

    A call for one of them alone would be worse than none.
    """
    pair = entry.construct.pair
    if pair is None or entry.decision is not Decision.INSTRUMENTED:
        return entry
    fate = decided[pair].decision
    return PlanEntry(entry.construct, Decision.DISABLED if fate is Decision.UNABLE else fate)


def _decide(
    constructs: Constructs,
    construct: Construct,
    selection: ConstructSelection,
    decided: list[PlanEntry],
) -> PlanEntry:
    control = construct.control
    if control is not None and not control.control.named:
        return PlanEntry(construct, Decision.CONTROL)
    if constructs.is_silenced(construct) and not selection.must_be_measured(construct):
        return PlanEntry(construct, Decision.SILENCED)
    if construct.function is not None and construct.function.declined:
        return PlanEntry(construct, Decision.SILENCED, construct.function.declined)
    directive = construct.directive
    if directive is not None and directive.state is DirectiveState.SILENT:
        return PlanEntry(construct, Decision.SILENT)
    if construct.kind == "section":
        return _as_its_sections(constructs, construct, decided)
    judged = selection.judged(constructs, construct)
    nanoseconds = judged.nanoseconds if judged is not None else None
    rule = selection.left_out(constructs, construct, judged)
    if rule is not None:
        return PlanEntry(construct, Decision.DISABLED, rule, nanoseconds=nanoseconds)
    why, reason = _obstacle_to(constructs, construct, decided)
    if why:
        return _obstructed(construct, why, reason, selection, nanoseconds)
    because = judged.why if judged is not None and judged.measured else ""
    if constructs.is_measured_from_outside(construct):
        because = _FROM_OUTSIDE
    body = None
    if selection.treats_loops and construct.leaf is not None:
        from pomp_clang.selection.loop_treatment import treated  # seldom needed

        construct, body = treated(constructs, construct, selection)
    return PlanEntry(
        construct, Decision.INSTRUMENTED, because, nanoseconds=nanoseconds, iterations=body
    )


def _obstructed(
    construct: Construct,
    why: str,
    reason: str,
    selection: ConstructSelection,
    nanoseconds: float | None,
) -> PlanEntry:
    """Leave out what cannot be rewritten: without a note, if it is a function that `auto` may choose
    or not, and no filter asks for it."""
    if construct.function is None or selection.auto is None or selection.filter is not None:
        return _unable(construct, why, reason, selection)
    return PlanEntry(construct, Decision.DISABLED, why, nanoseconds=nanoseconds)


def _unable(
    construct: Construct, why: str, reason: str, selection: ConstructSelection
) -> PlanEntry:
    fatal = selection.must_be_measured(construct)
    return PlanEntry(construct, Decision.UNABLE, why, reason, is_fatal=fatal)


def _as_its_sections(
    constructs: Constructs, section: Construct, decided: list[PlanEntry]
) -> PlanEntry:
    """Give a section the decision on its sections construct."""
    for around in constructs.around(section):
        if section.pragma is not None and around.is_separated_at(section.pragma.start):
            fate = decided[around.index].decision
            quiet = Decision.DISABLED if fate is Decision.UNABLE else fate
            return PlanEntry(section, quiet)
    return PlanEntry(section, Decision.UNABLE, "it stands in no sections construct", "section")


def _obstacle_to(
    constructs: Constructs, construct: Construct, decided: list[PlanEntry]
) -> tuple[str, str]:
    """Return why a construct cannot be instrumented, with the tag of its note, or two ""."""
    home = construct.declaration_site
    if home.untouchable:
        return home.untouchable, "function"
    if any(construct.obstacle):
        return construct.obstacle
    why = _no_call(constructs, construct)
    if why:
        return why, "no-call"
    if construct.control is not None and construct.pair is None:
        name = "begin" if construct.control.control.words == "inst end" else "end"
        return f"there is no 'inst {name}({construct.sub_name})' for it in this file", "pair"
    return _obstacle_of_directive(constructs, construct, decided)


def _obstacle_of_directive(
    constructs: Constructs, construct: Construct, decided: list[PlanEntry]
) -> tuple[str, str]:
    """Return why a directive or its block cannot be rewritten, with the tag, or two ""."""
    directive, reading = construct.directive, construct.reading
    if directive is None or reading is None:
        return "", ""
    if construct.kind == "metadirective" and governed(reading) is None:
        return "its variants do not go with the same kind of statement", "metadirective"
    separators = [read_directive(separator.body) for separator in construct.separators]
    if not reading.is_whole or not all(map(_is_bare, separators)):
        return "its text is more than a directive and its clauses", "clause"
    if construct.block is None:
        return "", ""
    text, block = constructs.source.text, construct.block
    sections = construct.leaf is not None and construct.leaf.form is DirectiveForm.SECTIONS
    if (
        sections
        and construct.places is None
        and (text[block.start] != "{" or text[block.end - 1] != "}")
    ):
        return "its block is not written in braces", "block"
    if directive.leaves and not constructs.is_measured_from_outside(construct):
        why = _keeps_together(reading)
        if why:
            return f"it cannot be split, {why}", "clause"
    return _block_is_left(constructs, construct, decided)


def _no_call(constructs: Constructs, construct: Construct) -> str:
    """Return why the constructs around it allow no call beside the construct, or ""."""
    for around in constructs.around(construct):
        if around.opaque:
            return f"no call may stand inside '{around.kind}'"
        leaf = around.leaf
        is_first = around.block is not None and construct.begin.start <= around.block.start
        if is_first and leaf is not None and leaf.form is DirectiveForm.LOOP:
            return f"nothing may come between '{around.kind}' and its loop"
    return ""


def _is_bare(section: DirectiveReading) -> bool:
    """Return True if a section directive has nothing but its name."""
    return section.is_whole and section.argument is None and not section.clauses


def _keeps_together(reading: DirectiveReading) -> str:
    """Return the text for which a combined directive has to stay one, or ""."""
    if reading.argument is not None:
        return f"'({decoded(reading.argument)})' does not go with it"
    for clause in reading.clauses:
        if clause.name not in CLAUSES:
            problem = "does not go with it" if is_clause(clause.name) else "is not known"
            return f"the clause '{decoded(clause.name)}' {problem}"
    return ""


def _block_is_left(
    constructs: Constructs, construct: Construct, decided: list[PlanEntry]
) -> tuple[str, str]:
    """Return why a block that is itself a directive cannot be closed, with the tag, or two "".

    Such a directive must be one that is rewritten: no text can stand behind a directive on its
    line.
    """
    assert construct.block is not None
    for number in range(construct.index + 1, len(constructs.items)):
        other = constructs.items[number]
        if other.begin.start > construct.block.start:
            break
        if other.begin == construct.block and not other.kind.startswith(("barrier", "flush")):
            return f"its block is the directive '{other.kind}'", "block"
    return "", ""
