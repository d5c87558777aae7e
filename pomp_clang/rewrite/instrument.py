"""Instrument one translation unit: find its constructs, plan, rewrite."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from pomp_clang.frontend.constructs import Construct, Constructs, Extent, Function
from pomp_clang.frontend.find import find
from pomp_clang.frontend.inclusion import with_copies
from pomp_clang.frontend.unit import Instrumented, Refused, Unit
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.rewrite.calls import calls_in
from pomp_clang.rewrite.descriptors import (
    MOST_REGISTRATIONS,
    Named,
    declarations,
    definitions,
    group,
    named,
    prologue,
    registration,
)
from pomp_clang.rewrite.edits import EditSet
from pomp_clang.rewrite.guards import asked_later, guarded, may_be_guarded
from pomp_clang.rewrite.hidden import may_hide
from pomp_clang.rewrite.outlined import addressed_apart, may_outline, outlined, outlined_in
from pomp_clang.rewrite.rules import Wrapped, entered, measured, pragma, section, valued
from pomp_clang.rewrite.untied import with_keepers
from pomp_clang.selection.choice import CONSTRUCTS, Choice
from pomp_clang.selection.plan import Decision, Entry, Plan, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.rewrite.lines import Lines


def instrument(
    unit: Unit,
    choice: Choice = CONSTRUCTS,
    refused: Refused = MappingProxyType({}),
) -> Instrumented:
    """The unit with the calls of the POMP API.

    `choice` says what is left out, `refused` holds the constructs that the compiler refuses.
    Raises `pomp_clang.frontend.tree.UnitError` if the unit cannot be parsed.
    """
    found = find(unit)
    plans = [plan(constructs, choice, refused) for constructs in found.files]
    texts = _texts(plans, unit)
    notes = {note for each in plans for note in each.notes()} | set(found.notes)
    new = {p.constructs.path: t for p, t in zip(plans, texts, strict=True) if t}
    in_headers = {path: text for path, text in new.items() if path != found.graph.main}
    named_by_line = unit.named_by_line and bool(new)
    headers, includes = with_copies(found.graph, in_headers, named_by_line)
    return Instrumented(
        text=texts[0],
        notes=tuple(sorted(notes, key=lambda n: (n.file, n.line, n.text))),
        headers=headers,
        includes=includes,
        sites=tuple(site for each in plans for site in each.sites()),
        hiding=any(may_hide(each, unit.warns) for each in plans),
    )


def _texts(plans: list[Plan], unit: Unit) -> list[str | None]:
    """The text of each plan's file with its edits made, or None if there are none; what a
    header may not define each time that it is included stands at the end of the first."""
    crowded = outlined(plans, unit)
    rewritings = [
        _Rewriting(each, len(plans) > 1, unit, own, registers)
        for each, own, registers in zip(plans, crowded, _registering(plans), strict=True)
    ]
    main, *headers = [each.text() for each in rewritings]
    ends = [each.end for each in rewritings if each.end]
    if ends:
        text = main if main is not None else plans[0].constructs.source.text
        main = "\n".join([text, *ends, ""])
    return [main, *headers]


def _registering(plans: list[Plan]) -> Iterator[bool]:
    """Yield for each file whether it registers the descriptors of the unit."""
    number = 0
    for each in plans:
        number += any(entry.decision is Decision.INSTRUMENTED for entry in each.entries)
        yield number <= MOST_REGISTRATIONS


def _lines(constructs: Constructs) -> Lines:
    from pomp_clang.rewrite.lines import Lines  # seldom needed

    return Lines(constructs)


class _Rewriting:
    def __init__(
        self,
        decided: Plan,
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
        self._named: dict[int, Named] = {}
        self.end = ""

    def text(self) -> str | None:
        for entry in self._plan.entries:
            self._name(entry)
        self._named = with_keepers(self._constructs, self._named)
        for entry in self._plan.entries:
            self._rewrite(entry)
        if not self._written:
            return None
        self._declare()
        return self._edits.apply(self._source.text)

    def _name(self, entry: Entry) -> None:
        construct = entry.construct
        if entry.decision is not Decision.INSTRUMENTED or construct.kind == "section":
            return
        if construct.control is not None and construct.control.control.call == "POMP_End":
            return
        number = len(self._named) + 1
        self._named[construct.index] = named(
            self._constructs,
            number,
            construct,
            self._unit.barriers,
            self._unit.inlines,
            guarded=bool(self._unit.thread)
            and not self._empty
            and may_be_guarded(self._constructs, construct),
            outlined=construct.index in self._outlined,
            apart=construct.index in self._addressed_apart,
            dissolves=may_outline(self._unit),
            steps=self._unit.steps and not self._unit.inlines,
        )

    def _rewrite(self, entry: Entry) -> None:
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
                self._directive(construct)

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
        marked = self._lines.behind(text, construct) if self._lines else text
        self._edits.insert(construct.block.end, f" {marked}", rank)
        self._written.append(text)

    def _directive(self, construct: Construct) -> None:
        name = self._named[construct.index]
        begin, block = construct.begin, construct.block
        text = self._source.text[block.start : block.end] if block is not None else ""
        wrapped = measured(construct, name, text, self._cplusplus)
        # So that -Wempty-body does not take the brace for the body of a `while (x);` before it.
        opening = f"; {wrapped.opening}" if construct.after_empty_loop else wrapped.opening
        if block is None:
            self._replace(begin.start, begin.end, f"{opening} {wrapped.closing}")
            return
        self._replace(begin.start, begin.end, opening, construct)
        # An empty statement keeps -Wmisleading-indentation from taking what follows an
        # unbraced loop on its line for a part of it.
        braced = self._source.text[block.start] == "{"
        self._close(construct, wrapped.closing if braced else f"; {wrapped.closing}")
        if construct.separators or construct.implicit_first_section:
            self._sections(construct, block, section(name))

    def _sections(self, construct: Construct, block: Extent, each: Wrapped) -> None:
        opened = construct.implicit_first_section
        if opened:
            text = f" {each.opening}"
            marked = self._lines.inserted(text, block.start + 1) if self._lines else text
            self._edits.insert(block.start + 1, marked)
            self._written.append(text)
        for separator in construct.separators:
            text = f"{each.closing} {each.opening}" if opened else each.opening
            self._replace(separator.start, separator.end, text)
            opened = True
        self._insert(block.end - 1, f"{each.closing} ")

    def _routine(self, construct: Construct) -> None:
        assert construct.routine is not None and construct.block is not None
        reach = self._named[construct.index].reach
        begin = construct.begin
        self._edits.replace(begin.start, begin.end, construct.routine.replacement)
        self._written.append(construct.routine.replacement)
        self._insert(construct.block.end - 1, f", {reach}")

    def _function(self, construct: Construct, function: Function) -> None:
        assert construct.block is not None
        name = self._named[construct.index]
        text = entered(name)
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
        """The call for the beginning or an end of a user region."""
        begins = construct.index in self._named
        owner = construct.index if begins else construct.pair
        assert owner is not None
        name = self._named[owner]
        made = f"{name.called(function.removeprefix('POMP_'))}({name.reach});"
        if construct.control is not None and construct.control.type:
            value = valued(construct.control, name, self._cplusplus)
            made = f"{{ {made} {value} }}" if begins else f"{{ {value} {made} }}"
        if not name.guarded:
            return made
        made = guarded(made, name.flag)
        if begins and construct.scope is not None:
            first, asked = asked_later(name.flag)
            self._insert(construct.scope.start + 1, f" {first}")
            made = f"{asked} {made}"
        return made

    def _declare(self) -> None:
        """Put the descriptors before the declarations whose constructs they describe."""
        groups: dict[int, list[Named]] = {}
        for name in self._named.values():
            groups.setdefault(name.construct.home.declared_at, []).append(name)
        own = outlined_in(self._written)
        calls = calls_in(self._written) | {f"POMP_{event}" for event in own}
        if not groups and calls:
            controls = [e.construct for e in self._plan.entries if e.construct.control]
            groups[min(c.home.declared_at for c in controls if c.block or c.home.function)] = []
        if self._constructs.repeated:
            self.end = self._definitions(set(), own, list(self._named.values()), first=True)
        for order, at in enumerate(sorted(groups)):
            if self._constructs.repeated:
                tag = self._constructs.tag
                text = declarations(calls, groups[at], self._cplusplus, own, tag)
            else:
                text = self._definitions(calls, own, groups[at], first=order == 0)
            self._insert_declarations(at, text, groups[at])

    def _definitions(
        self, calls: set[str], own: list[str], members: list[Named], first: bool
    ) -> str:
        parts = []
        if first:
            asks = any(name.guarded for name in self._named.values())
            thread = self._unit.thread if asks else ""
            tag = self._constructs.tag
            early = self._unit.barriers is Barriers.OMPT
            parts.append(prologue(calls, self._cplusplus, tag, self._shared, thread, self._empty))
            if self._registers:
                parts.append(registration(self._cplusplus, tag, self._shared, self._empty, early))
            parts += [definitions(own, tag)] if own else []
        if members:
            number = members[0].number
            parts.append(group(self._constructs, members, number, self._cplusplus))
        return " ".join(parts)

    def _insert_declarations(self, at: int, text: str, members: list[Named]) -> None:
        attached = next((m.construct.home.from_directive for m in members), None)
        if attached is not None:
            breaks = "\n" * self._source.text.count("\n", attached.start, attached.end)
            self._edits.replace(
                attached.start, attached.end, f"{text} {pragma(attached.body)}{breaks}"
            )
        else:
            before = " " if at and not self._source.text[at - 1].isspace() else ""
            after = "" if self._source.text[at : at + 1] in ("\n", "\r", "") else " "
            self._edits.insert(at, f"{before}{text}{after}")
