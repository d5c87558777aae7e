"""Places: the constructs and functions of an open document, as the worker sends them, and
their lines after an edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

from pomp_clang.analysis.region_matching import RegionSignature
from pomp_clang.selection.filter import FilterSubject


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A construct or function in a document.

    `first` to `head` are the lines of its directive or head, `last` is the line of its end, from 0.
    `column` is that of its beginning, in bytes. `inner` is the function around it, `label` the
    function's own name; both are as short as is unique in the file. A filter compares `file` and
    `line`. `measured` is True if the place is measured without a filter, `chooses` if a rule can
    select it.
    """

    kind: str
    words: str
    sub_name: str
    first: int
    column: int
    head: int
    last: int
    function: str
    clauses: str
    state: str
    why: str
    reason: str
    measured: bool
    chooses: bool
    names: tuple[str, ...]
    mangled: str
    functions: tuple[str, ...]
    innermost: tuple[str, ...]
    file: str
    line: int
    nth: int
    inner: str = ""
    label: str = ""

    @property
    def is_function(self) -> bool:
        return self.kind == "function"

    @property
    def instrumented(self) -> bool:
        return self.state == "instrumented"

    @property
    def id(self) -> str:
        """The place's identity while lines move."""
        return "|".join((self.kind, self.inner, self.label or self.sub_name, str(self.nth)))

    @property
    def signature(self) -> RegionSignature:
        """The properties by which the place is matched with a region or an earlier place."""
        return RegionSignature(
            self.kind,
            self.function,
            self.sub_name,
            self.words if self.kind == "lock" else "",
            self.clauses,
            self.first,
            self.last - self.first,
            is_measured=self.instrumented,
        )

    @property
    def named(self) -> FilterSubject:
        """The place's names, as a filter compares them."""
        return FilterSubject(
            self.kind,
            self.names,
            self.mangled,
            self.functions,
            self.file,
            self.line,
            self.nth,
            self.innermost,
        )

    @property
    def title(self) -> str:
        """A title for people: "parallel for", "critical (queue)", "function main"."""
        if self.is_function:
            return f"function {self.label}"
        return f"{self.words} ({self.sub_name})" if self.sub_name else self.words


@dataclass(frozen=True, slots=True)
class Remark:
    """A construct that cannot be instrumented; `line` is from 0, `reason` the tag without `pomp-`."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class DocumentAnalysis:
    """The places of a unit by the real path of their file.

    `error` says why there are none, `filter_error` why no filter was applied.
    """

    files: Mapping[str, tuple[SourcePlace, ...]] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    error: str = ""
    filter_error: str = ""

    def as_json(self) -> dict[str, Any]:
        files = {path: [_as_json(place) for place in rows] for path, rows in self.files.items()}
        remarks = [asdict(remark) for remark in self.remarks]
        return {**_as_json(self), "files": files, "remarks": remarks}

    @staticmethod
    def of_json(values: dict[str, Any]) -> DocumentAnalysis:
        files = {path: tuple(map(_place, rows)) for path, rows in values["files"].items()}
        remarks = tuple(Remark(**remark) for remark in values["remarks"])
        return DocumentAnalysis(files, remarks, values["error"], values["filter_error"])


def _as_json(record: SourcePlace | DocumentAnalysis) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _place(row: dict[str, Any]) -> SourcePlace:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return SourcePlace(**values)


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A request to the worker: a source with its compile command, its text in the editor, and the
    selection.

    A new `generation` invalidates all that is known of the unit.
    """

    directory: str
    source: str
    text: str
    command: tuple[str, ...] = ()
    disable: str = ""
    functions: str = "none"
    filter_path: str = ""
    filter_text: str = ""
    generation: int = 0


def relocate(places: Sequence[SourcePlace], old: str, new: str) -> tuple[SourcePlace, ...]:
    """Move places to their lines in the new text; drop those whose first line is gone."""
    if old == new:
        return tuple(places)
    numbers = line_numbers(old, new)
    return tuple(
        _at_line(place, numbers[place.first]) for place in places if place.first in numbers
    )


def _at_line(place: SourcePlace, first: int) -> SourcePlace:
    distance = first - place.first
    return replace(place, first=first, head=place.head + distance, last=place.last + distance)


def line_numbers(before: str, after: str) -> dict[int, int]:
    """Return the new number, from 0, of each line that both texts have in the same order.

    Most edits change one stretch of lines. So lines that agree from the beginning and from the end
    are paired first, and difflib pairs the lines between them.
    """
    old, new = before.split("\n"), after.split("\n")
    head = _equal_lines(old, new)
    tail = _equal_lines(old[head:][::-1], new[head:][::-1])
    numbers = {line: line for line in range(head)}
    numbers |= {len(old) - 1 - line: len(new) - 1 - line for line in range(tail)}
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    for first, start, size in matcher.get_matching_blocks():
        numbers |= {head + first + line: head + start + line for line in range(size)}
    return numbers


def _equal_lines(first: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning."""
    pairs = zip(first, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
