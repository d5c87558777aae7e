"""Edits of the filter file, and the commands that make them: a block of our own at its end; all other
lines stay as they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lsprotocol import types

from pomp_clang.analysis.region_matching import WITHIN_FILE, match_signatures
from pomp_clang.lsp import source_annotations
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.server import Server
from pomp_clang.selection.filter import OWN, FilterError, Rule, parse_filter
from pomp_clang.selection.patterns import escaped

HEAD = "# Chosen in the editor (pomp-clang lsp); the last line that matches counts."
_BEGIN, _END = f"{OWN}_BEGIN", f"{OWN}_END"


def with_choice(
    text: str, place: SourcePlace, folder: str, measure: bool, others: Iterable[SourcePlace]
) -> str:
    """Return the filter's text with a rule that measures a place or leaves it out.

    `others` are the places of its file. Raises `FilterError` if the text is no filter.
    """
    rest = [other.named for other in others if other.id != place.id]

    def concerns_it_alone(rule: Rule) -> bool:
        return rule.matches(place.named) and not any(map(rule.matches, rest))

    condition = f"{_conditions(place)} {_file(place, folder)}"
    return _decided(_without_rules(text, concerns_it_alone), [place], measure, condition)


def chosen_file(
    text: str, place: SourcePlace, folder: str, measure: bool, others: Sequence[SourcePlace]
) -> str:
    """Return the filter's text with a rule for all functions, or all constructs, of a place's file."""
    file = _file(place, folder)
    same_choice = [p for p in others if p.chooses and p.is_function == place.is_function]
    kinds = sorted({other.kind.replace(" ", "_") for other in same_choice})

    def concerns_the_file(rule: Rule) -> bool:
        return all(
            f"file={pattern.text}" == file for what, pattern in rule.conditions if what == "file"
        ) and any(rule.matches(other.named) for other in same_choice)

    condition = f"construct={','.join(kinds)} {file}"
    return _decided(_without_rules(text, concerns_the_file), same_choice, measure, condition)


def after_edit(
    text: str, folder: str, before: Sequence[SourcePlace], after: Sequence[SourcePlace]
) -> str:
    """Return the filter's text after a file was edited.

    Our rules for a place follow its new name: the second loop of a function may be the third now.
    Rules for a place that is gone are removed.
    """
    old, new = ([place.signature for place in places] for places in (before, after))
    partner = match_signatures(old, new, WITHIN_FILE)
    later = {before[i].id: after[j] for j, i in partner.items()}
    lines: dict[str, str | None] = {}
    for place in before:
        if place.chooses:
            line = f"{_conditions(place)} {_file(place, folder)}"
            other = later.get(place.id)
            lines[line] = f"{_conditions(other)} {_file(other, folder)}" if other else None
    return _edited(text, lambda line: _renamed(line, lines))


def _renamed(line: str, names: Mapping[str, str | None]) -> str | None:
    verb, _, conditions = line.strip().partition(" ")
    if verb not in ("INCLUDE", "EXCLUDE") or conditions not in names:
        return line
    name = names[conditions]
    return name and f"  {verb} {name}"


def _conditions(place: SourcePlace) -> str:
    """Return the conditions that select a place in its file, independent of its line."""
    parts = [f"construct={place.kind.replace(' ', '_')}"]
    if place.is_function:
        parts.append(f"name={escaped(place.label)}")
        return " ".join([*parts, f"nth={place.nth}"] if place.nth > 1 else parts)
    if place.inner:
        parts.append(f"function={escaped(place.inner)}")
    if place.sub_name:
        parts.append(f"name={escaped(place.sub_name)}")
    return " ".join([*parts, f"nth={place.nth}"])


def _file(place: SourcePlace, folder: str) -> str:
    """Return the condition for the place's file, by its path in the workspace's folder.

    A file at the top has the folder's name before it, since other folders may have a file of that
    name.
    """
    folder = os.path.realpath(folder)
    inside = os.path.relpath(os.path.realpath(place.file), folder)
    if os.sep not in inside:
        inside = os.path.join(os.path.basename(folder), inside)
    if inside.startswith(os.pardir + os.sep) or not place.file.endswith(os.sep + inside):
        return f"file={escaped(place.file)}"
    return f"file=*/{escaped(inside)}"


def _decided(text: str, places: Sequence[SourcePlace], measure: bool, condition: str) -> str:
    """Append a rule unless the text decides so already."""
    rules = parse_filter("", text)
    verdicts = [(rules.verdict(place.named), place) for place in places]
    if all((v.includes if v else place.measured) == measure for v, place in verdicts):
        return text
    return _append_rule(text, f"  {'INCLUDE' if measure else 'EXCLUDE'} {condition}")


def _without_rules(text: str, unwanted: Callable[[Rule], bool]) -> str:
    """Remove the unwanted rules of ours."""
    return _edited(text, lambda line: None if _is_unwanted(line, unwanted) else line)


def _edited(text: str, edit: Callable[[str], str | None]) -> str:
    """Edit each rule of ours; `edit` returns None to remove it.

    An empty block of ours is removed.
    """
    lines: list[str] = []
    is_own_rule = False
    for line in _lines(text):
        if line.strip() == _BEGIN and lines and lines[-1].strip() == HEAD:
            is_own_rule = True
        elif line.strip() == _END and is_own_rule:
            is_own_rule = False
            if lines[-1].strip() == _BEGIN:
                del lines[-2:]
                if lines and not lines[-1].strip():
                    lines.pop()
                continue
        elif is_own_rule:
            changed = edit(line)
            lines += [changed] if changed is not None else []
            continue
        lines.append(line)
    return "\n".join(lines) + "\n" if lines else ""


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _is_unwanted(line: str, unwanted: Callable[[Rule], bool]) -> bool:
    """Return whether a line is an unwanted rule without a comment of the user's."""
    if "#" in line.replace("\\#", ""):
        return False
    try:
        rules = parse_filter("", f"{_BEGIN}\n{line}\n{_END}\n").rules
    except FilterError:
        return False
    return len(rules) == 1 and unwanted(rules[0])


def _append_rule(text: str, rule: str) -> str:
    """Append a rule behind all others."""
    lines = _lines(text)
    if _ends_with_ours(lines):
        return "\n".join([*lines[:-1], rule, _END]) + "\n"
    return "\n".join([*lines, *([""] if lines else []), HEAD, _BEGIN, rule, _END]) + "\n"


def _ends_with_ours(lines: Sequence[str]) -> bool:
    if not lines or lines[-1].strip() != _END:
        return False
    begin = max((at for at, line in enumerate(lines) if line.strip() == _BEGIN), default=0)
    return begin > 0 and lines[begin - 1].strip() == HEAD


@dataclass(frozen=True, slots=True)
class FilterCommand:
    """A command: whether it measures, and its edit of the filter's text."""

    measure: bool
    edit: Callable[[str, SourcePlace, str, bool, Sequence[SourcePlace]], str]


COMMANDS = {
    source_annotations.MEASURE: FilterCommand(True, with_choice),
    source_annotations.LEAVE_OUT: FilterCommand(False, with_choice),
    source_annotations.MEASURE_FILE: FilterCommand(True, chosen_file),
    source_annotations.LEAVE_OUT_FILE: FilterCommand(False, chosen_file),
}


async def choose(server: Server, command: str, uri: str, id_: str) -> None:
    """Write the selection of a place to the filter file; show an error to the user."""
    choice = COMMANDS[command]
    place_in_view = await server.place(uri, id_)
    if place_in_view is None:
        name = os.path.basename(unquote(uri))
        message = f"{name}: what was chosen is no longer in the text; choose it where it is by now"
        server.say(message, types.MessageType.Warning)
        return
    place, view = place_in_view
    session = server.session
    path = session.filter_path
    try:
        async with server.choosing:
            text = choice.edit(
                session.text_of(path), place, session.folder, choice.measure, view.places
            )
            await server.write(path, text)
    except FilterError as error:
        server.say(f"{os.path.basename(path)}{error}", types.MessageType.Error)
        return
    except OSError as error:
        server.say(f"{path}: {error.strerror}", types.MessageType.Error)
        return
    server.changed()


async def follow(server: Server, uri: str) -> None:
    """Update the filter after a document was saved: places may have other names now."""
    seen, document = await server.view(uri), server.document(uri)
    if seen is None or document is None:
        return
    session, view = server.session, seen[0]
    before = session.remember(document, view)
    if not before:
        return
    async with server.choosing:
        text = session.text_of(session.filter_path)
        try:
            parse_filter("", text)
        except FilterError:
            return
        edited = after_edit(text, session.folder, before, view.places)
        if edited != text:
            await server.write(session.filter_path, edited)
            server.changed()
