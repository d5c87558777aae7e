"""The texts of a unit's files: as they are on disk, or with directives written out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from pomp_clang.frontend.c.parse import main_name
from pomp_clang.frontend.c.pragmas import with_pragma_operators
from pomp_clang.frontend.c.source import CSourceText, Lexeme
from pomp_clang.frontend.source import RealPaths, text_of
from pomp_clang.frontend.unit import Unit


class UnitTexts:
    """UnitTexts by path; a file that has several names has one text, and is read once."""

    def __init__(self, unit: Unit) -> None:
        self._main = main_name(unit)
        display_name = "<stdin>" if unit.path == "-" else unit.path
        self._sources = {self._main: with_pragma_operators(CSourceText(display_name, unit.text))}
        self._lexemes: dict[str, tuple[Lexeme, ...]] = {}
        self._real: dict[str, str] = {self._main: self._main}
        self._paths = RealPaths()
        self._changed: dict[str, str] = {}

    def real(self, path: str) -> str:
        """Return the one name under which a file's text is kept."""
        real = self._real.get(path)
        if real is None:
            real = self._real[path] = self._paths.of(path)
        return real

    def is_file(self, path: str) -> bool:
        """Return True if the path names a file that can be read."""
        return path == self._main or os.path.isfile(path)

    def source(self, path: str) -> CSourceText:
        """Return the text of a file.  Raises OSError."""
        real = self.real(path)
        if real not in self._sources:
            with open(path, "rb") as file:
                self._sources[real] = CSourceText(path, text_of(file.read()))
        return self._sources[real]

    def lexemes(self, path: str) -> tuple[Lexeme, ...]:
        """Return the tokens of a file."""
        real = self.real(path)
        if real not in self._lexemes:
            self._lexemes[real] = tuple(self.source(path).lexemes())
        return self._lexemes[real]

    def change(self, path: str, source: CSourceText) -> None:
        """Give a file another text."""
        real = self.real(path)
        if source.text != self.source(path).text:
            self._sources[real] = source
            self._lexemes.pop(real, None)
            if path != self._main:
                self._changed[path] = source.text

    def spell_attributes(self, paths: Iterable[str]) -> None:
        """Replace the attributes that are directives by _Pragma operators."""
        for path in paths:
            if path != self._main:
                self.change(path, with_pragma_operators(self.source(path)))

    @property
    def changed(self) -> dict[str, str]:
        """The texts of headers that are not those on disk."""
        return dict(self._changed)

    def by_path(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Return the texts of the files among the paths; each is read when it is asked for."""
        return _ByPath(self, dict.fromkeys(path for path in paths if self.is_file(path)))


class _ByPath(Mapping[str, str]):
    def __init__(self, texts: UnitTexts, paths: dict[str, None]) -> None:
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
