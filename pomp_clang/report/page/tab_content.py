"""The content of a tab: elements, data, script and style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TabContent:
    """`html` is trusted as it is: the program's text in it is escaped already.

    Each of `data` is an ArrayBuffer in the page, `await pomp.load(NAME)`.  `script` runs when all of
    the page is there: `pomp.selected` is what the trees have selected by then, if they have, and
    each later selection is the event `pomp:select` of the document, whose detail is the same:
    `{property, path, location}`, rows of the cube's metrics, paths and threads.  `property` and
    `path` are always rows; `location` is null where it is not a single thread.
    """

    html: str
    data: Mapping[str, bytes] = field(default_factory=dict)
    script: str = ""
    style: str = ""
