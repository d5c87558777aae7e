"""What the server knows of a workspace: its documents' places, its filter, its newest run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.lsp.align import Spot, align
from pomp_clang.lsp.analyst import Analyst
from pomp_clang.lsp.database import Database, Entry
from pomp_clang.lsp.moved import moved
from pomp_clang.lsp.newest import Stamp, by_age
from pomp_clang.lsp.place import Place, Remark, Request, Survey
from pomp_clang.lsp.run import Measured, Run, run_at
from pomp_clang.lsp.settings import Settings

_LOST = frozenset(("parse", "place", "block"))
"""The reasons for which a construct is not found that libclang cannot make anything of."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is in the editor; `saved` if that is what the disk has."""

    uri: str
    path: str
    text: str
    saved: bool = True


@dataclass(frozen=True, slots=True)
class View:
    """What is known of a document's text: its places, what is wrong in it, and what was
    measured at each place; `error` says why the last two are those of an earlier text."""

    text: str
    places: tuple[Place, ...] = ()
    remarks: tuple[Remark, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)
    error: str = ""
    filter_error: str = ""

    def of(self, place: Place) -> Measured | None:
        """What was measured there."""
        return self.measured.get(place.id)


class Session:
    """One workspace.  `texts` are the open documents by path."""

    def __init__(self, folders: Sequence[str], settings: Settings) -> None:
        self.folders = folders
        self.settings = settings
        self.run: Run | None = None
        self._stamp: Stamp | None = None
        self._damaged: set[Stamp] = set()
        self._database = Database(folders, self._inside(settings.compileCommands))
        self._analyst = Analyst()
        self._views: dict[str, tuple[Request, View]] = {}
        self._texts: dict[str, str] = {}
        self._saved: dict[str, tuple[Place, ...]] = {}
        self._generation = 0

    @property
    def folder(self) -> str:
        """The one that the filter file stands in."""
        return self.folders[0] if self.folders else os.getcwd()

    @property
    def filter_path(self) -> str:
        return self._inside(self.settings.filter)

    def _inside(self, path: str) -> str:
        """A path that may be given from the workspace's folder on."""
        return os.path.abspath(os.path.join(self.folder, os.path.expanduser(path))) if path else ""

    def opened(self, path: str, text: str) -> None:
        """A document is open with this text, which is what counts by now."""
        self._texts[path] = text

    def closed(self, path: str) -> None:
        """What is on the disk counts again."""
        self._texts.pop(path, None)

    def saved(self) -> None:
        """Files have changed: a header may be another."""
        self._generation += 1
        self._database.forget()

    def is_open(self, path: str) -> bool:
        return path in self._texts

    def text_of(self, path: str) -> str:
        """A file's text as the editor has it, or the disk; "" if there is none."""
        if path in self._texts:
            return self._texts[path]
        try:
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except OSError:
            return ""

    async def view(self, document: Document, is_current: Callable[[], bool]) -> View | None:
        """The places of the document as its text is; None if it has another by then."""
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

    def _request(self, entry: Entry, document: Document) -> Request:
        own = entry.path == os.path.realpath(document.path)
        return Request(
            directory=entry.directory,
            source=entry.source,
            text=document.text if own else self.text_of(entry.path),
            command=entry.command,
            disable=self.settings.disable,
            functions=self.settings.functions,
            filter_path=self.filter_path,
            filter_text=self.text_of(self.filter_path),
            generation=self._generation,
        )

    def _seen(self, document: Document, entry: Entry, request: Request, survey: Survey) -> View:
        real = os.path.realpath(document.path)
        before = self._views.get(document.uri, (None, View("")))[1]
        earlier = moved(before.places, before.text, document.text)
        if survey.error:
            return View(document.text, earlier, error=survey.error)
        places = survey.files.get(real, ())
        if entry.path != real:  # a header is read as it is on the disk
            places = moved(places, _on_disk(real), document.text)
        remarks = tuple(each for each in survey.remarks if each.file == real)
        if not document.saved:
            places, remarks = _as_typed(places, remarks, earlier)
        return View(document.text, places, remarks, filter_error=survey.filter_error)

    def _with_run(self, document: Document, view: View) -> View:
        regions = self.run.files.get(os.path.realpath(document.path), ()) if self.run else ()
        spots = [Spot.of_region(each.region) for each in regions]
        measured = {id_: regions[n] for id_, n in align(spots, view.places).items()}
        return View(view.text, view.places, view.remarks, measured, view.error, view.filter_error)

    def remember(self, document: Document, view: View) -> tuple[Place, ...]:
        """The places of a text that is on the disk; those that the file had before."""
        whole = not view.error and not any(each.reason in _LOST for each in view.remarks)
        if not (document.saved and whole and view.text == document.text):
            return ()
        before = self._saved.get(document.uri, ())
        self._saved[document.uri] = view.places
        return before

    async def look_for_run(self) -> tuple[bool, Sequence[str]]:
        """Whether there is another run than before, or more of it; and what is wrong with
        newer ones."""
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
        gone, self._stamp, self.run = self.run is not None, None, None
        return gone, wrong

    async def end(self) -> None:
        await self._analyst.end()


def _as_typed(
    places: tuple[Place, ...], remarks: tuple[Remark, ...], earlier: tuple[Place, ...]
) -> tuple[tuple[Place, ...], tuple[Remark, ...]]:
    """A text that somebody is writing at: what libclang has lost behind an error stays."""
    if not any(each.reason in _LOST for each in remarks):
        return places, remarks
    found = {(each.kind, each.first) for each in places}
    kept = [each for each in earlier if (each.kind, each.first) not in found]
    ids = {each.id for each in kept}
    both = [*(each for each in places if each.id not in ids), *kept]
    said = tuple(each for each in remarks if each.reason not in _LOST)
    return tuple(sorted(both, key=lambda each: (each.first, each.column))), said


def _on_disk(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return ""
