"""The state of a workspace: its documents' places, its filter, its newest run, and the user's
settings (from the editor, else from POMP_FLAGS)."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from pomp_clang.analysis.region_matching import WITHIN_FILE, RegionSignature, match_signatures
from pomp_clang.driver import DriverError
from pomp_clang.experiment import ExperimentError
from pomp_clang.lsp.database import NAME, CompileEntry, Database
from pomp_clang.lsp.measured_run import MeasuredRegion, MeasuredRun, Stamp, by_age, run_at
from pomp_clang.lsp.place import AnalysisRequest, DocumentAnalysis, Remark, SourcePlace, relocate
from pomp_clang.lsp.worker import WorkerClient

FILTER = "pomp.filter"


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """The settings of an editor.

    `filter` and `experiment` are paths in the workspace; without `experiment` the newest run is
    shown. `functions` and `disable` have the meaning of the compile options. `compileCommands` is
    the database or its folder.
    """

    filter: str = FILTER
    functions: str = "none"
    disable: str = ""
    experiment: str = ""
    compileCommands: str = ""


def settings_of(options: object) -> tuple[EditorSettings, str]:
    """Return the settings, and the error in them in one line, or ""."""
    known, wrong = _from_flags()
    values: Mapping[str, Any] = options if isinstance(options, Mapping) else {}
    names = {field.name for field in fields(EditorSettings)}
    for name, value in values.items():
        if name not in names:
            continue
        if not isinstance(value, str):
            wrong = f"pomp.{name} is a text, not {value!r}"
        elif name == "functions" and value not in ("none", "all", "auto"):
            wrong = f"pomp.functions is none, auto or all, not '{value}'"
        elif value:
            known[name] = value
    return EditorSettings(**known), wrong


def _from_flags() -> tuple[dict[str, str], str]:
    from pomp_clang.driver.command.settings import read

    try:
        flags = read([])
    except DriverError as error:
        return {}, f"POMP_FLAGS: {error}"
    settings = {"functions": flags.functions, "disable": ",".join(sorted(flags.disabled))}
    if flags.filter:
        settings["filter"] = os.path.abspath(flags.filter)
    return settings, ""


_LOST = frozenset(("parse", "place", "block"))
"""Reasons of constructs that are lost because libclang cannot parse the text around them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document in the editor; `saved` if the disk has the same text."""

    uri: str
    path: str
    text: str
    saved: bool = True


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The analysis of a document's text: places, remarks, and the measurement of each place.

    If `error` is set, the places are those of an earlier text.
    """

    text: str
    places: tuple[SourcePlace, ...] = ()
    remarks: tuple[Remark, ...] = ()
    measured: Mapping[str, MeasuredRegion] = field(default_factory=dict)
    error: str = ""
    filter_error: str = ""

    def of(self, place: SourcePlace) -> MeasuredRegion | None:
        """Return the measurement of a place."""
        return self.measured.get(place.id)


class Session:
    """The state of one workspace."""

    def __init__(self, folders: Sequence[str], settings: EditorSettings) -> None:
        self.folders = folders
        self.settings = settings
        self.run: MeasuredRun | None = None
        self._stamp: Stamp | None = None
        self._damaged: set[Stamp] = set()
        self._database = Database(folders, self._inside(settings.compileCommands))
        self._analyst = WorkerClient()
        self._views: dict[str, tuple[AnalysisRequest, DocumentView]] = {}
        self._texts: dict[str, str] = {}
        self._saved: dict[str, tuple[SourcePlace, ...]] = {}
        self._generation = 0
        self._said_commands = False

    @property
    def folder(self) -> str:
        """The folder of the filter file."""
        return self.folders[0] if self.folders else os.getcwd()

    @property
    def filter_path(self) -> str:
        return self._inside(self.settings.filter)

    def _inside(self, path: str) -> str:
        """Resolve a path relative to the workspace's folder."""
        return os.path.abspath(os.path.join(self.folder, os.path.expanduser(path))) if path else ""

    def opened(self, path: str, text: str) -> None:
        """Take the text of an open document, which replaces the one on the disk."""
        self._texts[path] = text

    def missing_commands(self) -> str:
        """Return a line for the user the first time that compile commands are missing; else ""."""
        if self._said_commands or not self._database.is_missing:
            return ""
        self._said_commands = True
        return (
            f"no {NAME} in the workspace: sources are read as `clang -fopenmp` or gcc reads them; "
            f"to write one, build with POMP_FLAGS=--pomp-commands={shlex.quote(self.folder)}"
        )

    def closed(self, path: str) -> None:
        """Forget the text of a closed document."""
        self._texts.pop(path, None)

    def saved(self) -> None:
        """Mark all units as changed, because a header may have changed."""
        self._generation += 1
        self._database.forget()

    def is_open(self, path: str) -> bool:
        return path in self._texts

    def text_of(self, path: str) -> str:
        """Return a file's text from the editor, else from the disk; "" if there is none."""
        if path in self._texts:
            return self._texts[path]
        try:
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except OSError:
            return ""

    async def view(self, document: Document, is_current: Callable[[], bool]) -> DocumentView | None:
        """Return the view of the document's text; None if the text has changed meanwhile."""
        entry = await asyncio.to_thread(self._database.unit_of, document.path)
        request = self._request(entry, document)
        known = self._views.get(document.uri)
        if known is None or known[0] != request or known[1].text != document.text:
            survey = await self._analyst.ask(request, is_current)
            if survey is None or not is_current():
                return None
            known = request, self._seen(document, entry, request, survey)
            self._views[document.uri] = known
        return self._with_run(document, known[1])

    def _request(self, entry: CompileEntry, document: Document) -> AnalysisRequest:
        is_source = entry.path == os.path.realpath(document.path)
        return AnalysisRequest(
            directory=entry.directory,
            source=entry.source,
            text=document.text if is_source else self.text_of(entry.path),
            command=entry.command,
            disable=self.settings.disable,
            functions=self.settings.functions,
            filter_path=self.filter_path,
            filter_text=self.text_of(self.filter_path),
            generation=self._generation,
        )

    def _seen(
        self,
        document: Document,
        entry: CompileEntry,
        request: AnalysisRequest,
        survey: DocumentAnalysis,
    ) -> DocumentView:
        real = os.path.realpath(document.path)
        before = self._views.get(document.uri, (None, DocumentView("")))[1]
        earlier = relocate(before.places, before.text, document.text)
        if survey.error:
            return DocumentView(document.text, earlier, error=survey.error)
        places = survey.files.get(real, ())
        if entry.path != real:  # a header is read as it is on the disk
            places = relocate(places, _on_disk(real), document.text)
        remarks = tuple(remark for remark in survey.remarks if remark.file == real)
        if not document.saved:
            places, remarks = _as_typed(places, remarks, earlier)
        return DocumentView(document.text, places, remarks, filter_error=survey.filter_error)

    def _with_run(self, document: Document, view: DocumentView) -> DocumentView:
        regions = self.run.files.get(os.path.realpath(document.path), ()) if self.run else ()
        old = [RegionSignature.of_region(measured.region) for measured in regions]
        new = [place.signature for place in view.places]
        partner = match_signatures(old, new, WITHIN_FILE)
        measured = {view.places[j].id: regions[i] for j, i in partner.items()}
        return DocumentView(
            view.text, view.places, view.remarks, measured, view.error, view.filter_error
        )

    def remember(self, document: Document, view: DocumentView) -> tuple[SourcePlace, ...]:
        """Remember the places of a saved text; return the file's earlier places."""
        is_complete = not view.error and not any(remark.reason in _LOST for remark in view.remarks)
        if not (document.saved and is_complete and view.text == document.text):
            return ()
        before = self._saved.get(document.uri, ())
        self._saved[document.uri] = view.places
        return before

    async def look_for_run(self) -> tuple[bool, Sequence[str]]:
        """Search for a newer run; return whether it changed, and the errors of runs that cannot be
        read.
        """
        return await asyncio.to_thread(self._look_for_run)

    def _look_for_run(self) -> tuple[bool, Sequence[str]]:
        configured = self._inside(self.settings.experiment)
        wrong: list[str] = []
        for stamp in by_age([configured] if configured else self.folders):
            if stamp == self._stamp:
                return False, wrong
            if stamp in self._damaged:
                continue
            try:
                self.run = run_at(stamp.directory)
            except (ExperimentError, OSError) as error:
                self._damaged.add(stamp)
                wrong.append(str(error))
                continue
            self._stamp = stamp
            return True, wrong
        was_known, self._stamp, self.run = self.run is not None, None, None
        return was_known, wrong

    async def end(self) -> None:
        await self._analyst.end()


def _as_typed(
    places: tuple[SourcePlace, ...], remarks: tuple[Remark, ...], earlier: tuple[SourcePlace, ...]
) -> tuple[tuple[SourcePlace, ...], tuple[Remark, ...]]:
    """Keep earlier places that libclang cannot find behind a syntax error in an unsaved text."""
    if not any(remark.reason in _LOST for remark in remarks):
        return places, remarks
    parsed = {(place.kind, place.first) for place in places}
    remaining = [place for place in earlier if (place.kind, place.first) not in parsed]
    ids = {place.id for place in remaining}
    both = [*(place for place in places if place.id not in ids), *remaining]
    kept_remarks = tuple(remark for remark in remarks if remark.reason not in _LOST)
    return tuple(sorted(both, key=lambda place: (place.first, place.column))), kept_remarks


def _on_disk(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return ""
