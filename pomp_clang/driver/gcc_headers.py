"""Rewritten headers for gcc: copies, and the texts that include them made to find them.

Every file on the way from a source to such a header has a copy too.  What a copy
includes from beside its original it names in full, by way of a link to the working
directory, so that names stay relative once the link is taken out of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pomp_clang.driver.gcc_copy import BOM, Copy, line_directive
from pomp_clang.driver.mirror import Mirror, folder_copy
from pomp_clang.frontend.inclusion import redirected
from pomp_clang.frontend.octets import bytes_of
from pomp_clang.frontend.unit import Header, Include


class Headers:
    """The copies of one source's headers, inside `folder`, a private one."""

    def __init__(self, folder: str, headers: Sequence[Header], given: Sequence[str]) -> None:
        self._headers = headers
        self._given = given
        self._here = os.path.join(folder, "here")
        self._by_path = {header.path: header for header in headers}
        self._mirror = Mirror(folder, given)
        self._places = {
            header.path: self._mirror.place(header.spelt, header.path) for header in headers
        }
        self._links: dict[str, str] = {}

    def write(self) -> list[Copy]:
        """Write the copies.  Raises OSError."""
        os.symlink(os.getcwd(), self._here)
        for header in self._headers:
            data = bytes_of(self.redirected(header.text, header.includes))
            place = self._places[header.path]
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(line_directive(header.spelt, self._given))
                file.write(data.removeprefix(BOM))
        for link, place in self._links.items():
            os.makedirs(os.path.dirname(link), exist_ok=True)
            if not os.path.exists(link):
                os.symlink(place, link)
        return [folder_copy(f"{self._here}/", self._given), *self._mirror.copies()]

    def redirected(self, text: str, includes: Sequence[Include]) -> str:
        """The text with copies included where there are any.  Raises OSError."""
        return redirected(text, includes, self._instead)

    def forced(self) -> Mapping[str, str]:
        """The copies by the real paths of their originals, for what a command includes."""
        return {os.path.realpath(path): place for path, place in self._places.items()}

    def _instead(self, include: Include) -> str:
        """What a copy includes; a header by each of its names, since gcc tells them apart."""
        header = self._by_path.get(include.path)
        if header is not None and header.spelt == include.spelt:
            return self._places[include.path]
        if header is not None:
            link = self._mirror.place(include.spelt, include.path)
            self._links[link] = self._places[include.path]
            return link
        if not include.beside:
            return ""
        return os.path.join(self._here, include.spelt)
