"""The texts of a unit's files: as they stand on disk, or with directives spelt out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from pomp_clang.frontend.attributes import spelt_as_pragmas
from pomp_clang.frontend.octets import text_of
from pomp_clang.frontend.parse import main_name
from pomp_clang.frontend.source import Lexeme, Source
from pomp_clang.frontend.unit import Unit


class Texts:
    """Texts by path; a file that has several names has one text, and is read once."""

    def __init__(self, unit: Unit) -> None:
        self._main = main_name(unit)
        shown = "<stdin>" if unit.path == "-" else unit.path
        self._sources = {self._main: spelt_as_pragmas(Source(shown, unit.text))}
        self._lexemes: dict[str, tuple[Lexeme, ...]] = {}
        self._real: dict[str, str] = {self._main: self._main}
        self._changed: dict[str, str] = {}

    def real(self, path: str) -> str:
        """The one name under which a file's text is kept."""
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = os.path.realpath(path)
        return found

    def is_file(self, path: str) -> bool:
        """Whether the path names a file that can be read."""
        return path == self._main or os.path.isfile(path)

    def source(self, path: str) -> Source:
        """The text of a file.  Raises OSError."""
        real = self.real(path)
        if real not in self._sources:
            with open(path, "rb") as file:
                self._sources[real] = Source(path, text_of(file.read()))
        return self._sources[real]

    def lexemes(self, path: str) -> tuple[Lexeme, ...]:
        """The tokens of a file."""
        real = self.real(path)
        if real not in self._lexemes:
            self._lexemes[real] = tuple(self.source(path).lexemes())
        return self._lexemes[real]

    def change(self, path: str, source: Source) -> None:
        """Give a file another text."""
        real = self.real(path)
        if source.text != self.source(path).text:
            self._sources[real] = source
            self._lexemes.pop(real, None)
            if path != self._main:
                self._changed[path] = source.text

    def spell_attributes(self, paths: Iterable[str]) -> None:
        """Spell the directives that are attributes as pragmas."""
        for path in paths:
            if path != self._main:
                self.change(path, spelt_as_pragmas(self.source(path)))

    @property
    def changed(self) -> dict[str, str]:
        """The texts of headers that are not those on disk."""
        return dict(self._changed)

    def by_path(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The texts of the files among the paths, each read when it is asked for."""
        return _ByPath(self, dict.fromkeys(path for path in paths if self.is_file(path)))


class _ByPath(Mapping[str, str]):
    def __init__(self, texts: Texts, paths: dict[str, None]) -> None:
        self._texts = texts
        self._paths = paths

    def __getitem__(self, path: str) -> str:
        if path not in self._paths:
            raise KeyError(path)
        return self._texts.source(path).text

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
