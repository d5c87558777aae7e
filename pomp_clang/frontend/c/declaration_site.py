"""The offsets where a construct's file-scope declarations can go, what its function allows, and
the rules for the constructs of a project's headers.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from pomp_clang.frontend.c.file_view import FileView, Position
from pomp_clang.frontend.c.files import UnitFile, UnitFiles
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.source import SPLICE, CSourceText, without_comments
from pomp_clang.frontend.constructs import DeclarationSite
from pomp_clang.frontend.directive_text import DirectiveText, read_directive
from pomp_clang.frontend.source import (
    IDENTIFIER,
    Extent,
    OffsetRanges,
    bytes_of,
    decoded,
    mapped,
    text_of,
)
from pomp_clang.record import replace

_PIECE = re.compile(
    rf"(?P<directive>^[ \t]*(?:#|%:)(?:{SPLICE}|[^\n])*)|(?P<word>\w+)|(?P<end>;)|(?P<other>\S)",
    re.M,
)
_ATTACHES = ("declare simd", "declare variant")
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*", re.M)
_OUTSIDE = "it stands outside any function"
NO_CALLS = ("constexpr", "consteval", "naked", "__naked__")
"""Words of a function's head that say that no call may stand in its body."""


class DeclarationSites:
    """The declaration sites of one file; `pragmas` are its live directives."""

    def __init__(
        self,
        source: CSourceText,
        view: FileView,
        language: str,
        pragmas: Sequence[DirectiveText],
        device: bool,
        device_names: frozenset[str],
        no_calls: Mapping[str, str],
    ) -> None:
        """Index the file's directives; `device` is True if the file is included among device code.

        `device_names` are the unit's functions that are device code by their name. `no_calls` are the
        words of `NO_CALLS` by themselves and by the macros that hold them.
        """
        self._no_calls = no_calls
        self._no_call = _any_word(frozenset(no_calls))
        self._source = source
        self._view = view
        self._language = language
        self._attaching = list(_attaching(pragmas))
        self._device = list(device_extents(pragmas, len(source.text)))
        self._variants = list(_variants(pragmas))
        self._on_device = _intervals(self._device)
        self._for_device = _intervals(
            extent for begin, extent in self._variants if _is_for_target(begin)
        )
        self._in_variants = _intervals(extent for _, extent in self._variants)
        self._apart = [*self._device, *(extent for _, extent in self._variants)]
        self._around = _intervals(self._apart)
        self._places: dict[SyntaxNode, tuple[int, DirectiveText | None]] = {}
        self._heads: dict[SyntaxNode, str] = {}
        self._all_device = device
        self._device_names = device_names

    def of(self, position: Position) -> DeclarationSite:
        """Return the declaration site of a position within a function or an initializer."""
        function = position.function
        top = position.path[0]
        if top not in self._places:
            self._places[top] = self._declared_at(top)
        declared_at, directive = self._places[top]
        return DeclarationSite(
            position.function_name,
            declared_at,
            function.start if function is not None else 0,
            directive,
            function is not None and self._is_external_inline(function),
            self._untouchable(position),
        )

    def within(self, position: Position, around: DeclarationSite) -> DeclarationSite:
        """Return the declaration site of a position in a file that is included at the site `around`.

        The site's offset for declarations is of another file.
        """
        function = position.function
        if function is None:
            return replace(around, function_at=0)
        outer = "" if around.untouchable == _OUTSIDE else around.untouchable
        return replace(
            around,
            function=position.function_name or around.function,
            function_at=function.start,
            untouchable=outer or self._untouchable(position),
        )

    def nowhere(self) -> DeclarationSite:
        """Return the site of a directive that needs no call, wherever it stands."""
        return DeclarationSite("", 0, 0)

    def _declared_at(self, top: SyntaxNode) -> tuple[int, DirectiveText | None]:
        """Return the offset for declarations that the constructs in `top` need, and the directive
        there.

        The offset is right behind the declaration before `top`. If that declaration is device code
        or belongs to a declare variant, the offset is in front of everything that belongs to `top`.
        """
        around = self._in_variants.holding(top.start)
        variant = self._variants[around[0]][0] if around else None
        limit = variant.start if variant else top.start
        before = self._ended_before(limit)
        at = self._after(before, limit) if before else 0
        inside = [end for n in self._around.holding(at) if (end := self._apart[n].end) <= limit]
        if before and not inside:
            return at, None
        at = max((at, *inside))
        first = bisect_left(self._attaching, at, key=_start)
        for pragma in self._attaching[first : first + 1]:
            if pragma.start < limit:
                return pragma.start, pragma
        if variant:
            return variant.start, variant
        return self._first_token(at, limit), None

    def _ended_before(self, limit: int) -> int:
        """Return the end of the last declaration that ends before an offset, or 0."""
        root = self._view.root
        last = root.extents.ended(limit)
        if last is not None and root.children[last].start == limit:  # an empty one
            last = root.extents.ended(limit - 1)
        return root.children[last].end if last is not None else 0

    def _after(self, end: int, limit: int) -> int:
        """Return the offset behind the semicolon of the declaration whose extent ends at `end`."""
        for at, kind in self._pieces(end, limit):
            if kind == "end":
                return at + 1
            if self._source.text[at] == "{":
                break
        return end

    def _first_token(self, start: int, limit: int) -> int:
        return next((at for at, _ in self._pieces(start, limit)), limit)

    def _pieces(self, start: int, limit: int) -> Iterator[tuple[int, str]]:
        """Yield the live tokens from `start` up to `limit` with their kinds, without directives."""
        at = self._source.skip_blank(start)
        while at < limit:
            blank = _blank_before(self._source.text, at)
            blank_before = not blank or self._source.text[blank - 1] == "\n"
            match = _PIECE.match(self._source.text, blank if blank_before else at)
            if match is None or match.lastgroup != "directive":
                match = _PIECE.match(self._source.text, at)
            if match is None or match.lastgroup is None:
                return
            if match.lastgroup != "directive" and self._view.is_live(at):
                yield at, match.lastgroup
            at = self._source.skip_blank(match.end())

    def _is_external_inline(self, function: SyntaxNode) -> bool:
        if self._language != "c" or function.kind != CursorKind.FUNCTION_DECL:
            return False
        head = self._head(function)
        return bool(re.search(r"\b(?:__)?inline(?:__)?\b", head)) and not re.search(
            r"\bstatic\b", head
        )

    def _head(self, function: SyntaxNode) -> str:
        if function not in self._heads:
            self._heads[function] = self._read_head(function)
        return self._heads[function]

    def _read_head(self, function: SyntaxNode) -> str:
        """Return the text in front of the function's body.

        libclang's extent of a template lacks the first words, so the text of a template begins
        behind the statement before it.
        """
        text, start = self._source.text, function.start
        body = next(
            (n.start for n in function.children if n.kind == CursorKind.COMPOUND_STMT), start
        )
        if function.kind == CursorKind.FUNCTION_TEMPLATE:
            start = max(text.rfind(mark, 0, start) for mark in ";{}") + 1
        return _DIRECTIVE_LINE.sub("", without_comments(text[start:body]))

    def _untouchable(self, position: Position) -> str:
        if position.function is None:
            return _OUTSIDE
        for node in position.functions:
            if match := self._no_call.search(self._head(node)):
                word = self._no_calls[match[0]].strip("_")
                return f"no call may stand in a {word} function"
        inner = position.path[-1]
        holding = self._on_device.holding(inner.start)
        if self._all_device or any(inner.end <= self._device[n].end for n in holding):
            return "the function is device code (declare target)"
        if self._for_device.holding(inner.start):
            return "the function is device code (declare variant for target)"
        if position.function_name in self._device_names:
            return "the function is device code (declare target)"
        return ""


@lru_cache(maxsize=4)
def _any_word(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")


def _intervals(extents: Iterable[Extent]) -> OffsetRanges:
    return OffsetRanges((extent.start, extent.end) for extent in extents)


def _start(pragma: DirectiveText) -> int:
    return pragma.start


def _blank_before(text: str, at: int) -> int:
    """Return the offset from which on only blanks stand before `at` on its line."""
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at


def device_extents(pragmas: Sequence[DirectiveText], length: int) -> Iterator[Extent]:
    """Yield the extents of device code: from a declare target without a list to its end."""
    opened = []
    for pragma in pragmas:
        reading = read_directive(pragma.body)
        words = reading.directive.words if reading.directive else ""
        names_what = reading.argument is not None or any(
            c.name in ("enter", "to", "link") for c in reading.clauses
        )
        if words == "begin declare target" or (words == "declare target" and not names_what):
            opened.append(pragma.start)
        elif words == "end declare target" and opened:
            yield Extent(opened.pop(), pragma.end)
    for start in opened:
        yield Extent(start, length)


def _attaching(pragmas: Sequence[DirectiveText]) -> Iterator[DirectiveText]:
    """Yield the directives that belong to the declaration behind them."""
    for pragma in pragmas:
        directive = read_directive(pragma.body).directive
        if directive and directive.words in _ATTACHES:
            yield pragma


def _variants(pragmas: Sequence[DirectiveText]) -> Iterator[tuple[DirectiveText, Extent]]:
    """Yield each outermost begin declare variant, with its extent up to the end directive."""
    opened = []
    for pragma in pragmas:
        directive = read_directive(pragma.body).directive
        words = directive.words if directive else ""
        if words == "begin declare variant":
            opened.append(pragma)
        elif words == "end declare variant" and opened:
            begin = opened.pop()
            if not opened:
                yield begin, Extent(begin.start, pragma.end)


_TARGET_TRAIT = re.compile(r"\bconstruct\s*=\s*\{[^}]*\btarget\b")


def _is_for_target(begin: DirectiveText) -> bool:
    """Return whether a begin declare variant is for calls in target constructs alone."""
    match = read_directive(begin.body).clause("match")
    return match is not None and bool(_TARGET_TRAIT.search(match.argument or ""))


def device_names(files: UnitFiles, among_device: Collection[str]) -> frozenset[str]:
    """Return the functions that are device code by their name, as their definitions may stand
    elsewhere. `among_device` are the files that are included among device code."""
    names: set[str] = set()
    for path in among_device:
        names.update(node.spelling for node in _functions(files.tree.outermost(path)))
    for file in (files.main, *files.headers):
        names.update(_listed_on_device(file.pragmas))
        extents = list(device_extents(file.pragmas, len(file.source.text)))
        on_device = _intervals(extents)
        for node in _functions(file.view.root) if extents else ():
            if on_device.holding(node.start):
                names.add(node.spelling)
    return frozenset(names)


def _functions(root: SyntaxNode) -> Iterator[SyntaxNode]:
    return (node for node in root.children if node.kind == CursorKind.FUNCTION_DECL)


def _listed_on_device(pragmas: Sequence[DirectiveText]) -> Iterator[str]:
    for pragma in pragmas:
        reading = read_directive(pragma.body)
        if reading.directive is not None and reading.directive.words == "declare target":
            lists = [c.argument for c in reading.clauses if c.name in ("enter", "to")]
            for listed in (reading.argument, *lists):
                yield from map(decoded, re.findall(IDENTIFIER, listed or ""))


def header_tag(source: CSourceText, prefix_maps: tuple[str, ...]) -> str:
    """Return a tag that no other header's names have.

    The tag is the same in all units that read the same text. The preprocessor's blanks differ where
    directives are written out, so blanks do not count.
    """
    import hashlib  # dear, and most units have no such header

    text = f"{mapped(os.path.abspath(source.path), prefix_maps)}\n{_without_blanks(source.text)}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]


_BLANKS = bytes(code for code in range(128) if chr(code).isspace() and code != ord("\n"))


def _without_blanks(text: str) -> str:
    """Return a text's lines without blanks."""
    return text_of(bytes_of(text).translate(None, _BLANKS))


def header_refusal(files: UnitFiles, file: UnitFile) -> str:
    """Return why no construct of a header may be rewritten, or ""."""
    for fault in file.view.faults:
        if fault.is_missing_file:
            return f"the header cannot be parsed (line {fault.line}: {fault.text})"
    if file.path in files.tree.beneath_system:
        return "a system header includes it"
    return file.unclear


def among_device_code(files: UnitFiles) -> set[str]:
    """Return the files that are included between declare target and its end."""
    entered = files.tree.entered
    included = {
        way.path
        for file in (files.main, *files.headers)
        for extent in device_extents(file.pragmas, len(file.source.text))
        for way in entered.between(file.path, extent.start, extent.end)
    }
    return entered.beneath(included)
