"""Rewritten headers for gcc: copies, and the texts that include them made to find them.

Every file on the way from a source to such a header has a copy too.  What a copy
includes from beside its original it names in full, by way of a link to the working
directory, so that names stay relative once the link is taken out of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pomp_clang.driver.gcc_copy import BOM, Copy, line_directive, name_maps
from pomp_clang.frontend.inclusion import redirected
from pomp_clang.frontend.octets import bytes_of
from pomp_clang.frontend.unit import Header, Include


class Headers:
    """The copies of one source's headers, inside `folder`, a private one."""

    def __init__(self, folder: str, headers: Sequence[Header], given: Sequence[str]) -> None:
        self._folder = folder
        self._headers = headers
        self._given = given
        self._here = os.path.join(folder, "here")
        self._count = 0
        self._by_path = {header.path: header for header in headers}
        self._places = {header.path: self._place(header.path) for header in headers}
        self._links: dict[tuple[str, str], str] = {}

    def write(self) -> list[Copy]:
        """Write the copies.  Raises OSError."""
        os.symlink(os.getcwd(), self._here)
        copies = [Copy("", f"{self._here}/", (f"-ffile-prefix-map={self._here}/=",))]
        for header in self._headers:
            data = bytes_of(self.redirected(header.text, header.includes))
            with open(self._places[header.path], "wb") as file:
                file.write(line_directive(header.spelt, self._given))
                file.write(data.removeprefix(BOM))
            copies.append(self._copy(header.spelt, self._places[header.path]))
        return copies + [self._copy(spelt, link) for (_, spelt), link in self._links.items()]

    def redirected(self, text: str, includes: Sequence[Include]) -> str:
        """The text with copies included where there are any.  Raises OSError."""
        return redirected(text, includes, self._instead)

    def forced(self) -> Mapping[str, str]:
        """The copies by the real paths of their originals, for what a command includes."""
        return {os.path.realpath(path): place for path, place in self._places.items()}

    def _copy(self, spelt: str, place: str) -> Copy:
        return Copy(spelt, place, name_maps(spelt, place, self._given))

    def _place(self, path: str) -> str:
        place = os.path.join(self._folder, f"h{self._count}")
        self._count += 1
        os.mkdir(place)
        return os.path.join(place, os.path.basename(path))

    def _instead(self, include: Include) -> str:
        """What a copy includes; a header by each of its names, since gcc tells them apart."""
        header = self._by_path.get(include.path)
        if header is not None and header.spelt == include.spelt:
            return self._places[include.path]
        if header is not None:
            key = (include.path, include.spelt)
            if key not in self._links:
                self._links[key] = self._place(include.path)
                os.symlink(self._places[include.path], self._links[key])
            return self._links[key]
        if not include.beside:
            return ""
        return os.path.join(self._here, include.spelt)
