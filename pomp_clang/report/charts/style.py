"""How charts look: by the page's style sheet, or in a file of their own."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

CHART_STYLES = (Path(__file__).parent / "charts.css").read_text(encoding="utf-8")

_PAGE = Path(__file__).parents[1] / "html" / "page.css"
_COLOUR = re.compile(r"--([a-z]+): (#[0-9a-f]{3,6});")
_USED = re.compile(r"var\(--([a-z]+)\)")
_FILLS = re.compile(r"\.[a-z]+ \{ fill: var\(--[a-z]+\); \}")


def style_of_file() -> str:
    """Return the charts' style with the page's light colors written out, because some viewers do
    not know CSS variables."""
    fills = "\n".join(dict.fromkeys(_FILLS.findall(_page())))
    return _USED.sub(lambda used: colour(used[1]), f"{fills}\n{CHART_STYLES}")


def colour(name: str) -> str:
    """Return the color of this name in a page's light style."""
    return _light_colors()[name]


@cache
def _page() -> str:
    return _PAGE.read_text(encoding="utf-8")


@cache
def _light_colors() -> dict[str, str]:
    text = _page()
    return dict(_COLOUR.findall(text[: text.index("}")]))
