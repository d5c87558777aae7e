"""The new texts of a unit's C or C++ files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct, Constructs, LoopBody, SourceFunction
from pomp_clang.frontend.directive_text import DirectiveText
from pomp_clang.frontend.source import Extent
from pomp_clang.frontend.unit import Unit
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.rewrite.c.c_text import calls_in
from pomp_clang.rewrite.c.call_guards import asked_later, guarded_call, may_be_guarded
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames, name_descriptor, with_keepers
from pomp_clang.rewrite.c.descriptors import (
    declarations,
    definitions,
    group,
    list_suffix,
)
from pomp_clang.rewrite.c.outlined_events import addressed_apart, may_outline, outlined, outlined_in
from pomp_clang.rewrite.c.registration import MOST_REGISTRATIONS, prologue, registration
from pomp_clang.rewrite.c.repeated_headers import (
    directive_line,
    inclusion_counter,
    inclusion_number,
    keeping_macros,
    keeping_word,
    kept_text,
    number_definition,
    undefining_line,
)
from pomp_clang.rewrite.c.rules import (
    Wrapped,
    function_entry,
    iteration,
    measured,
    pragma,
    section,
    valued,
)
from pomp_clang.rewrite.descriptor import is_release
from pomp_clang.rewrite.edits import EditSet, Rewritten
from pomp_clang.selection.plan import Decision, InstrumentationPlan, PlanEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.rewrite.c.debug_lines import DebugLineMarks

OutsidePlace = tuple[str, int, "DirectiveText | None"]
"""A file, the offset for declarations in it, and the directive there."""


def rewrite_files(plans: Sequence[InstrumentationPlan], unit: Unit) -> Rewritten:
    """Return the text of each plan's file with its edits made, or None if there are none.

    Definitions that a header may not repeat with each inclusion stand at the end of the first text.
    """
    outlined_offsets = outlined(plans, unit)
    rewritings = [
        _FileRewriter(file_plan, len(plans) > 1, unit, outlined_numbers, registers)
        for file_plan, outlined_numbers, registers in zip(
            plans, outlined_offsets, _registering(plans), strict=True
        )
    ]
    by_path = {plan.constructs.path: at for at, plan in enumerate(plans)}
    texts: list[str | None] = [None] * len(plans)
    enclosed_first = sorted(range(len(plans)), key=lambda at: not plans[at].constructs.enclosures)
    for at in enclosed_first:
        texts[at] = rewritings[at].text()
        for place, text in rewritings[at].outside.items():
            rewritings[by_path[place[0]]].add_declarations(place, text)
    main, *headers = texts
    ends = [file_plan.end for file_plan in rewritings if file_plan.end]
    descriptors = sum(file_plan.descriptors for file_plan in rewritings)
    if unit.pomp2 and descriptors:
        from pomp_clang.rewrite.pomp2 import handle_initializer  # seldom needed

        cplusplus = plans[0].constructs.language == "c++"
        ends.append(handle_initializer(unit, plans, descriptors, cplusplus))
    if ends:
        text = main if main is not None else plans[0].constructs.source.text
        main = _followed(text, ends)
    macros = tuple(macro for rewriting in rewritings for macro in rewriting.macros)
    return Rewritten([main, *headers], macros=macros)


def _followed(text: str, lines: Sequence[str]) -> str:
    """Return a text with lines after it, of which compilers warn as before if no newline ends it."""
    return "\n".join((text, *lines, "") if text.endswith("\n") else (text, *lines))


def _registering(plans: Sequence[InstrumentationPlan]) -> Iterator[bool]:
    """Yield for each file whether it registers the descriptors of the unit."""
    number = 0
    for file_plan in plans:
        number += any(entry.decision is Decision.INSTRUMENTED for entry in file_plan.entries)
        yield number <= MOST_REGISTRATIONS


def _lines(constructs: Constructs) -> DebugLineMarks:
    from pomp_clang.rewrite.c.debug_lines import DebugLineMarks  # seldom needed

    return DebugLineMarks(constructs)


_LOOP = re.compile(r"(?:for|while)\s*\(")


def _is_empty_loop(statement: str) -> bool:
    """Return True for a `for` or `while` whose body is an empty statement."""
    head = _LOOP.match(statement)
    end, depth = (head.end(), 1) if head else (0, 0)
    while depth and end < len(statement):
        depth += {"(": 1, ")": -1}.get(statement[end], 0)
        end += 1
    return head is not None and statement[end:].strip() == ";"


class _FileRewriter:
    def __init__(
        self,
        decided: InstrumentationPlan,
        shared: bool,
        unit: Unit,
        outlined: frozenset[int],
        registers: bool,
    ) -> None:
        self._registers = registers
        self._outlined = outlined
        self._addressed_apart = addressed_apart(decided, unit)
        self._shared = shared
        self._unit = unit
        self._empty = unit.empty and not shared
        self._plan = decided
        self._constructs: Constructs = decided.constructs
        self._source = decided.constructs.source
        self._cplusplus = decided.constructs.language == "c++"
        self._lines = _lines(decided.constructs) if unit.marks_lines else None
        self._edits = EditSet()
        self._written: list[str] = []
        self._named: dict[int, DescriptorNames] = {}
        self._lists: dict[int, tuple[int, int]] = {}
        self._for_others: dict[int, tuple[DirectiveText | None, list[str]]] = {}
        self._is_each = unit.each_inclusion and any(
            enclosure.places for enclosure in decided.constructs.enclosures
        )
        self._is_counted = self._is_each and (
            len(decided.constructs.enclosures) > 1 or unit.shares_headers
        )
        self._optional_words: list[str] = []
        self.end = ""
        self.outside: dict[OutsidePlace, str] = {}
        """the declarations that other files need in front of the declarations that include this
        one"""

    def add_declarations(self, place: OutsidePlace, text: str) -> None:
        """Add declarations for a file that this one includes inside a declaration."""
        _, at, attached = place
        self._for_others.setdefault(at, (attached, []))[1].append(text)

    @property
    def descriptors(self) -> int:
        """The number of descriptors in the file's text, at most."""
        copies = len(self._constructs.enclosures) if self._is_each else 1
        return copies * len(self._named) if self._written else 0

    def text(self) -> str | None:
        for entry in self._plan.entries:
            if entry.has_descriptor:
                self._name(entry)
        self._named = with_keepers(self._constructs, self._named)
        for entry in self._plan.entries:
            self._rewrite(entry)
        if not self._written and not self._for_others:
            return None
        self._declare()
        text = self._edits.apply(self._source.text)
        lines = [undefining_line(word) for word in self._optional_words]
        if self._is_counted:
            tag, is_shared = self._constructs.tag, self._unit.shares_headers
            count = len(self._constructs.enclosures)
            lines.append(inclusion_counter(tag, count, is_shared))
        return _followed(text, lines) if lines else text

    @property
    def macros(self) -> Iterator[str]:
        """The definitions that the text needs on the command line."""
        return keeping_macros(self._optional_words)

    def _name(self, entry: PlanEntry) -> None:
        construct = entry.construct
        number = len(self._named) + 1
        separate = construct.index in self._addressed_apart
        listed = self._list_entry(construct, number)
        self._named[construct.index] = name_descriptor(
            self._constructs,
            number,
            construct,
            self._unit.barriers,
            self._unit.inlines,
            guarded=bool(self._unit.thread)
            and not self._empty
            and not separate
            and may_be_guarded(self._constructs, construct),
            outlined=construct.index in self._outlined,
            separate=separate,
            entry=listed if separate and not construct.declaration_site.external_inline else None,
            dissolves=may_outline(self._unit),
            steps=self._unit.steps and not self._unit.inlines,
            iterations=entry.iterations is not None and not entry.iterations.why,
            inclusion=inclusion_number(self._constructs.tag) if self._is_counted else "",
        )

    def _list_entry(self, construct: Construct, number: int) -> tuple[str, int] | None:
        """Return the list in which a descriptor stands and its index there, if it is in one.

        A file that the compiler reads repeatedly has its lists at the end.
        """
        if self._constructs.repeated:
            return None
        at = construct.declaration_site.declared_at
        first, index = self._lists.setdefault(at, (number, 0))
        if is_release(construct):
            return None
        self._lists[at] = first, index + 1
        return list_suffix(self._constructs, first), index

    def _rewrite(self, entry: PlanEntry) -> None:
        construct = entry.construct
        if entry.decision is Decision.CONTROL:
            self._control(construct)
        elif entry.decision is Decision.INSTRUMENTED:
            if construct.control is not None:
                self._control(construct)
            elif construct.routine is not None:
                self._routine(construct)
            elif construct.function is not None:
                self._function(construct, construct.function)
            elif construct.kind != "section":
                self._directive(construct, entry.iterations)

    def _replace(self, start: int, end: int, text: str, construct: Construct | None = None) -> None:
        """Put text in the place of a directive, its line breaks behind it."""
        breaks = "\n" * self._source.text.count("\n", start, end)
        marked = self._lines.before(text, start, construct) if self._lines else text
        self._edits.replace(start, end, marked + breaks)
        self._written.append(text)

    def _insert(self, at: int, text: str) -> None:
        self._edits.insert(at, self._lines.before(text, at) if self._lines else text)
        self._written.append(text)

    def _close(self, construct: Construct, text: str) -> None:
        """Put text behind a block; of blocks that end together the inner closes first."""
        assert construct.block is not None
        rank = -len(self._constructs.around(construct))
        marked = self._lines.marked_insertion(text, construct) if self._lines else text
        self._edits.insert(construct.block.end, f" {marked}", rank)
        self._written.append(text)

    def _directive(self, construct: Construct, loop: LoopBody | None = None) -> None:
        name = self._named[construct.index]
        begin, block = construct.begin, construct.block
        text = self._source.text[block.start : block.end] if block is not None else ""
        wrapped = measured(construct, name, text, self._cplusplus)
        # So that -Wempty-body does not take the brace for the body of a `while (x);` before it.
        opening = f"; {wrapped.opening}" if construct.after_empty_loop else wrapped.opening
        if block is None:
            self._replace(begin.start, begin.end, f"{opening} {wrapped.closing}")
            return
        # An empty statement keeps -Wmisleading-indentation from taking what follows an
        # unbraced loop on its line for a part of it.
        closing = wrapped.closing if text[0] == "{" else f"; {wrapped.closing}"
        # Braces keep -Wempty-body from taking it for the body of a `while (x);` that is the block.
        if opening[-1] in ";}" and _is_empty_loop(text):
            opening, closing = f"{opening} {{", f"}} {wrapped.closing}"
        if not construct.optional:
            self._replace(begin.start, begin.end, opening, construct)
        if construct.optional:
            self._optional(construct, name, block, opening, closing)
            return
        if loop is not None and name.iterations:
            closing = self._iteration(name, loop) + closing
        self._close(construct, closing)
        if construct.separators or construct.implicit_first_section:
            self._sections(construct, block, section(name))

    def _optional(
        self, construct: Construct, name: DescriptorNames, block: Extent, opening: str, closing: str
    ) -> None:
        """Wrap a block whose directive some inclusions lack."""
        word = keeping_word(name.suffix)
        begin = construct.begin
        breaks = "\n" * self._source.text.count("\n", begin.start, begin.end)
        self._edits.replace(begin.start, begin.end, directive_line(word) + breaks)
        self._edits.insert(block.start, f"{kept_text(word, opening)} ")
        rank = -len(self._constructs.around(construct))
        self._edits.insert(block.end, f" {kept_text(word, closing)}", rank)
        self._written += (opening, closing)
        self._optional_words.append(word)

    def _iteration(self, name: DescriptorNames, loop: LoopBody) -> str:
        """Put the event at the head of a loop's body, and return what closes its block."""
        event = iteration(name, loop.variable, self._cplusplus)
        self._insert(loop.at, f" {{ {event}" if loop.closes else f" {event}")
        return "} " if loop.closes else ""

    def _sections(self, construct: Construct, block: Extent, wrapped: Wrapped) -> None:
        opened = construct.implicit_first_section
        if opened:
            text = f" {wrapped.opening}"
            marked = self._lines.inserted(text, block.start + 1) if self._lines else text
            self._edits.insert(block.start + 1, marked)
            self._written.append(text)
        for separator in construct.separators:
            text = f"{wrapped.closing} {wrapped.opening}" if opened else wrapped.opening
            self._replace(separator.start, separator.end, text)
            opened = True
        self._insert(block.end - 1, f"{wrapped.closing} ")

    def _routine(self, construct: Construct) -> None:
        assert construct.routine is not None and construct.block is not None
        reach = self._named[construct.index].reach
        begin = construct.begin
        self._edits.replace(begin.start, begin.end, construct.routine.replacement)
        self._written.append(construct.routine.replacement)
        self._insert(construct.block.end - 1, f", {reach}")

    def _function(self, construct: Construct, function: SourceFunction) -> None:
        assert construct.block is not None
        name = self._named[construct.index]
        text = function_entry(name)
        self._written.append(f"{name.called('End')}(")
        if function.handlers:
            self._insert(construct.block.start, f"{{ {text} ")
            self._close(construct, "}")
        else:
            self._insert(function.enter, f" {text}")

    def _control(self, construct: Construct) -> None:
        assert construct.control is not None
        begin, control = construct.begin, construct.control.control
        if not control.call:
            self._replace(begin.start, begin.end, "")
            return
        text = f"{control.call}();"
        if control.named:
            text = self._user_event(construct, control.call)
        if construct.block is None:
            self._replace(begin.start, begin.end, text)
        else:
            self._replace(begin.start, begin.end, f"{{ {text}")
            self._close(construct, "}")

    def _user_event(self, construct: Construct, function: str) -> str:
        """Return the call for the beginning or an end of a user region."""
        begins = construct.index in self._named
        owner = construct.index if begins else construct.pair
        assert owner is not None
        name = self._named[owner]
        call = f"{name.called(function.removeprefix('POMP_'))}({name.reach});"
        if construct.control is not None and construct.control.type:
            value = valued(construct.control, name, self._cplusplus)
            call = f"{{ {call} {value} }}" if begins else f"{{ {value} {call} }}"
        if not name.guarded:
            return call
        call = guarded_call(call, name.flag)
        if begins and construct.scope is not None:
            first, condition = asked_later(name.flag)
            self._insert(construct.scope.start + 1, f" {first}")
            call = f"{condition} {call}"
        return call

    def _declare(self) -> None:
        """Put the descriptors before the declarations whose constructs they describe."""
        groups: dict[int, list[DescriptorNames]] = {}
        for name in self._named.values():
            groups.setdefault(name.construct.declaration_site.declared_at, []).append(name)
        events = outlined_in(self._written)
        calls = calls_in(self._written) | {f"POMP_{event}" for event in events}
        if not groups and calls:
            controls = [e.construct for e in self._plan.entries if e.construct.control]
            groups[
                min(
                    c.declaration_site.declared_at
                    for c in controls
                    if c.block or c.declaration_site.function
                )
            ] = []
        if self._constructs.repeated and self._written:
            self.end = self._definitions(set(), events, list(self._named.values()), first=True)
        if self._constructs.enclosures:
            members = list(self._named.values())
            text = self._declarations(calls, members, events) if self._written else ""
            for enclosure in self._constructs.enclosures if text else ():
                site = enclosure.site
                self.outside[enclosure.file, site.declared_at, site.from_directive] = text
            return
        inserted: dict[int, tuple[DirectiveText | None, list[str]]] = {
            at: (attached, list(texts)) for at, (attached, texts) in self._for_others.items()
        }
        for order, at in enumerate(sorted(groups)):
            if self._constructs.repeated:
                text = self._declarations(calls, groups[at], events)
            else:
                text = self._definitions(calls, events, groups[at], first=order == 0)
            directives = (m.construct.declaration_site.from_directive for m in groups[at])
            inserted.setdefault(at, (next(directives, None), []))[1].append(text)
        for at, (attached, texts) in inserted.items():
            self._insert_declarations(at, " ".join(texts), attached)

    def _declarations(
        self, calls: set[str], members: list[DescriptorNames], events: list[str]
    ) -> str:
        tag = self._constructs.tag
        return declarations(calls, members, self._cplusplus, events, tag, self._is_counted)

    def _definitions(
        self, calls: set[str], events: list[str], members: list[DescriptorNames], first: bool
    ) -> str:
        parts = []
        if first:
            asks = any(name.guarded for name in self._named.values())
            thread = self._unit.thread if asks else ""
            tag = self._constructs.tag
            early = self._unit.barriers is Barriers.OMPT or self._unit.offloads
            parts.append(prologue(calls, self._cplusplus, tag, self._shared, thread, self._empty))
            if self._registers:
                parts.append(registration(self._cplusplus, tag, self._shared, self._empty, early))
            parts += [definitions(events, tag)] if events else []
        if members:
            number = members[0].number
            parts.append(group(self._constructs, members, number, self._cplusplus, self._is_each))
        if self._is_counted:
            count = len(self._constructs.enclosures)
            tag, is_shared = self._constructs.tag, self._unit.shares_headers
            defined = number_definition(tag, count, is_shared)
            return "\n".join((defined, " ".join(parts)))
        return " ".join(parts)

    def _insert_declarations(self, at: int, text: str, attached: DirectiveText | None) -> None:
        if attached is not None:
            breaks = "\n" * self._source.text.count("\n", attached.start, attached.end)
            self._edits.replace(
                attached.start, attached.end, f"{text} {pragma(attached.body)}{breaks}"
            )
        else:
            before = " " if at and not self._source.text[at - 1].isspace() else ""
            after = "" if self._source.text[at : at + 1] in ("\n", "\r", "") else " "
            self._edits.insert(at, f"{before}{text}{after}")
