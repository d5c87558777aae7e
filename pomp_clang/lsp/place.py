"""What an open document holds that can be measured, as the worker hands it over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pomp_clang.selection.filter import Named


@dataclass(frozen=True, slots=True)
class Place:
    """A construct or function.  `first` to `head` are the lines of its directive or head,
    `last` that of its end, from 0; `column` is that of its beginning, in bytes.

    `inner` is the function that it stands in, `label` the function's own name, both as short
    as they are the file's only ones.  `file` and `line` are what a filter compares with.
    `measured` is whether it is without a filter; `chooses` if a rule is heeded for it.
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
        """What it is known by while lines move."""
        return "|".join((self.kind, self.inner, self.label or self.sub_name, str(self.nth)))

    @property
    def named(self) -> Named:
        """As a filter sees it."""
        return Named(
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
        """For a person: "parallel for", "critical (queue)", "function main"."""
        if self.is_function:
            return f"function {self.label}"
        return f"{self.words} ({self.sub_name})" if self.sub_name else self.words


@dataclass(frozen=True, slots=True)
class Remark:
    """What cannot be instrumented; `line` is from 0, `reason` the tag without `pomp-`."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Survey:
    """The places of a unit by the real path of their file.  `error` says why there are none,
    `filter_error` why no filter was heeded."""

    files: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    error: str = ""
    filter_error: str = ""

    def as_json(self) -> dict[str, Any]:
        files = {path: [_as_json(place) for place in rows] for path, rows in self.files.items()}
        remarks = [asdict(each) for each in self.remarks]
        return {**_as_json(self), "files": files, "remarks": remarks}

    @staticmethod
    def of_json(values: dict[str, Any]) -> Survey:
        files = {path: tuple(map(_place, rows)) for path, rows in values["files"].items()}
        remarks = tuple(Remark(**each) for each in values["remarks"])
        return Survey(files, remarks, values["error"], values["filter_error"])


def _as_json(record: Place | Survey) -> dict[str, Any]:
    return {each.name: getattr(record, each.name) for each in fields(record)}


def _place(row: dict[str, Any]) -> Place:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return Place(**values)


@dataclass(frozen=True, slots=True)
class Request:
    """What the worker is asked: a source under its command in a directory, its text in the
    editor, and what is to be measured of it.  Nothing is known of a `generation` before."""

    directory: str
    source: str
    text: str
    command: tuple[str, ...] = ()
    disable: str = ""
    functions: str = "none"
    filter_path: str = ""
    filter_text: str = ""
    generation: int = 0
