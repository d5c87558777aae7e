"""A template, styles, scripts and data become one page that may load nothing else.

Everything that is filled into a template is escaped; the styles and the scripts are the
only ones that the page's policy admits, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pomp_clang.report.html.bars import NAMES
from pomp_clang.report.phrases import place, what
from pomp_clang.report.terminal import printable

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "templates", _HERE.parent / "page" / "templates")


@dataclass(frozen=True, slots=True)
class Carried:
    """Each of the data is an element of that id, for scripts to read."""

    data: Mapping[str, bytes] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()

    def as_html(self) -> dict[str, Any]:
        with ThreadPoolExecutor() as pool:
            packed = pool.map(_packed, self.data.values())
            data = [(name, Markup(text)) for name, text in zip(self.data, packed, strict=True)]
        return {"data": data, "scripts": [Markup(script) for script in self.scripts]}


_NOTHING = Carried()


def page(
    template: str,
    *,
    styles: Iterable[str] = (),
    early: Carried = _NOTHING,
    late: Carried = _NOTHING,
    **context: Any,
) -> str:
    """Fill the template of that name and add styles and scripts to those of all pages.

    `early` data stands where the template places it, `late` data at the end.
    """
    style = "".join(((_HERE / "page.css").read_text(encoding="utf-8"), *styles))
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    late = Carried(late.data, (*late.scripts, script))
    texts = early.scripts + late.scripts
    return filled(
        template,
        style=style,
        early=early.as_html(),
        late=late.as_html(),
        policy="; ".join(
            (
                "default-src 'none'",
                f"style-src {_hash(style)}",
                f"script-src {' '.join(map(_hash, texts))}",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        ),
        **context,
    )


def merged(*dictionaries: Mapping[str, Any]) -> dict[str, Any]:
    """Merge contexts of one template; ValueError if two have the same name."""
    joined: dict[str, Any] = {}
    for part in dictionaries:
        if doubled := sorted(joined.keys() & part.keys()):
            raise ValueError(f"brought twice: {', '.join(doubled)}")
        joined |= part
    return joined


def filled(template: str, *, style: str, **context: Any) -> str:
    """Fill the template with a style of ours; everything else is escaped."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDERS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_escape_controls,
    )
    environment.filters |= {"what": what, "place": place}
    return environment.get_template(template).render(style=Markup(style), names=NAMES, **context)


def _packed(data: bytes) -> str:
    # Of byte planes, "filtered" leaves less than a higher level does, in less time.
    packer = zlib.compressobj(4, wbits=-zlib.MAX_WBITS, strategy=zlib.Z_FILTERED)
    return base64.b64encode(packer.compress(data) + packer.flush()).decode("ascii")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _escape_controls(value: Any) -> Any:
    """Escape control characters in names, which HTML does not allow; tabs of source text stay."""
    if type(value) is not str:
        return value
    return "\t".join(map(printable, value.split("\t")))
