"""The plan of a unit: for each construct whether it is instrumented, and why not."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.octets import decoded
from pomp_clang.frontend.unit import Note, Refused, Site
from pomp_clang.frontend.variants import governed
from pomp_clang.openmp.clauses import CLAUSES, is_clause
from pomp_clang.openmp.directives import Form, State
from pomp_clang.record import record
from pomp_clang.selection.choice import CONSTRUCTS, Choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.pragmas import Reading


class Decision(Enum):
    """What becomes of a construct; the values are what `pomp-clang list` shows."""

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
    """and named, since nobody asked for it"""


_FROM_OUTSIDE = "measured from outside, by the thread that meets it: it holds a scan"


@record
class Entry:
    """One construct's decision, `why` if more is to be said of it, `reason` (the tag of its
    note) if it is UNABLE; `nanoseconds` is what a call of a function is estimated to cost."""

    construct: Construct
    decision: Decision
    why: str = ""
    reason: str = ""
    nanoseconds: float | None = None


@record
class Plan:
    """An entry for each construct of the unit, in the order of its text."""

    constructs: Constructs
    entries: tuple[Entry, ...]

    def notes(self) -> list[Note]:
        """One note for each construct that is not instrumented though nobody asked for it."""
        source = self.constructs.source
        notes = []
        for entry in self.entries:
            if entry.decision is Decision.UNABLE:
                path, line = source.place(entry.construct.begin.start)
                text = f"{_what(entry.construct)} is not measured: {entry.why}"
                notes.append(Note(path, line, text, entry.reason))
        return notes

    def sites(self) -> tuple[Site, ...]:
        """Where the constructs stand that are instrumented, each for itself."""
        return tuple(
            _site(self.constructs, entry.construct)
            for entry in self.entries
            if entry.decision is Decision.INSTRUMENTED and entry.construct.kind != "section"
        )


def _what(construct: Construct) -> str:
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
    choice: Choice = CONSTRUCTS,
    refused: Refused = MappingProxyType({}),
) -> Plan:
    """Decide on every construct; the compiler has refused some."""
    decided: list[Entry] = []
    for construct in constructs.items:
        entry = _decide(constructs, construct, choice, decided)
        why = refused.get(_site(constructs, construct)) if refused else None
        if why is not None and entry.decision is Decision.INSTRUMENTED:
            entry = Entry(construct, Decision.UNABLE, why.text, why.reason)
        decided.append(entry)
    return Plan(constructs, tuple(_as_its_other_half(entry, decided) for entry in decided))


def _as_its_other_half(entry: Entry, decided: list[Entry]) -> Entry:
    """The begin of a region goes with its end: a call for one alone would be worse than none."""
    pair = entry.construct.pair
    if pair is None or entry.decision is not Decision.INSTRUMENTED:
        return entry
    fate = decided[pair].decision
    return Entry(entry.construct, Decision.DISABLED if fate is Decision.UNABLE else fate)


def _decide(
    constructs: Constructs, construct: Construct, choice: Choice, decided: list[Entry]
) -> Entry:
    control = construct.control
    if control is not None and not control.control.named:
        return Entry(construct, Decision.CONTROL)
    if constructs.is_silenced(construct):
        return Entry(construct, Decision.SILENCED)
    if construct.function is not None and construct.function.declined:
        return Entry(construct, Decision.SILENCED, construct.function.declined)
    directive = construct.directive
    if directive is not None and directive.state is State.SILENT:
        return Entry(construct, Decision.SILENT)
    if construct.kind == "section":
        return _as_its_sections(constructs, construct, decided)
    judged = choice.judged(constructs, construct)
    spent = judged.nanoseconds if judged is not None else None
    rule = choice.left_out(constructs, construct)
    if rule is not None:
        return Entry(construct, Decision.DISABLED, rule, nanoseconds=spent)
    why, reason = _hindrance(constructs, construct, decided)
    if why:
        return Entry(construct, Decision.UNABLE, why, reason)
    because = judged.why if judged is not None and judged.measured else ""
    if constructs.is_whole(construct):
        because = _FROM_OUTSIDE
    return Entry(construct, Decision.INSTRUMENTED, because, nanoseconds=spent)


def _as_its_sections(constructs: Constructs, section: Construct, decided: list[Entry]) -> Entry:
    """A section shares the fate of the sections construct that it belongs to."""
    for around in constructs.around(section):
        if section.pragma is not None and around.is_separated_at(section.pragma.start):
            fate = decided[around.index].decision
            quiet = Decision.DISABLED if fate is Decision.UNABLE else fate
            return Entry(section, quiet)
    return Entry(section, Decision.UNABLE, "it stands in no sections construct", "section")


def _hindrance(
    constructs: Constructs, construct: Construct, decided: list[Entry]
) -> tuple[str, str]:
    """Why a construct is not to be instrumented, with the tag of its note; or two ""."""
    directive, reading = construct.directive, construct.reading
    if construct.kind == "metadirective" and reading is not None and governed(reading) is None:
        return "its variants do not go with the same kind of statement", "metadirective"
    home = construct.home
    if home.untouchable:
        return home.untouchable, "function"
    if any(construct.obstacle):
        return construct.obstacle
    why = _no_call(constructs, construct)
    if why:
        return why, "no-call"
    if construct.control is not None and construct.pair is None:
        words = "begin" if construct.control.control.words == "inst end" else "end"
        return f"there is no 'inst {words}({construct.sub_name})' for it in this file", "pair"
    if directive is None or reading is None or construct.block is None:
        return "", ""
    text, block = constructs.source.text, construct.block
    sections = construct.leaf is not None and construct.leaf.form is Form.SECTIONS
    if sections and (text[block.start] != "{" or text[block.end - 1] != "}"):
        return "its block is not written in braces", "block"
    if directive.leaves and not constructs.is_whole(construct):
        why = _keeps_together(reading)
        if why:
            return f"it cannot be split, {why}", "clause"
    return _block_is_left(constructs, construct, decided)


def _no_call(constructs: Constructs, construct: Construct) -> str:
    """Why no call may stand beside the construct, as to those around it; or ""."""
    for around in constructs.around(construct):
        if around.opaque:
            return f"no call may stand inside '{around.kind}'"
        leaf = around.leaf
        beside = around.block is not None and construct.begin.start <= around.block.start
        if beside and leaf is not None and leaf.form is Form.LOOP:
            return f"nothing may come between '{around.kind}' and its loop"
    return ""


def _keeps_together(reading: Reading) -> str:
    """The clause for which a combined directive has to stay one; or ""."""
    for clause in reading.clauses:
        if clause.name not in CLAUSES:
            what = "does not go with it" if is_clause(clause.name) else "is not known"
            return f"the clause '{decoded(clause.name)}' {what}"
    return ""


def _block_is_left(
    constructs: Constructs, construct: Construct, decided: list[Entry]
) -> tuple[str, str]:
    """A block that is itself a directive must be one that is rewritten: nothing can be
    put behind a directive on its line."""
    assert construct.block is not None
    for number in range(construct.index + 1, len(constructs.items)):
        other = constructs.items[number]
        if other.begin.start > construct.block.start:
            break
        if other.begin == construct.block and not other.kind.startswith(("barrier", "flush")):
            return f"its block is the directive '{other.kind}'", "block"
    return "", ""
