"""A template, the style and the script become one page that may load nothing else.

Everything that is filled into a template is escaped; the style and the script are the
only ones that the page's policy admits, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pomp_clang.report.html.bars import NAMES
from pomp_clang.report.terminal import printable
from pomp_clang.report.wording import place, what

_HERE = Path(__file__).parent


def page(template: str, **context: Any) -> str:
    """The template of that name, filled."""
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters |= {"what": what, "place": place}
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    return environment.get_template(template).render(
        style=Markup(style),
        script=Markup(script),
        policy="; ".join(
            (
                "default-src 'none'",
                f"style-src {_hash(style)}",
                f"script-src {_hash(script)}",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        ),
        names=NAMES,
        **context,
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _shown(value: Any) -> Any:
    """No control character of anybody's names, but the tabs of a source: HTML takes no other."""
    if type(value) is not str:
        return value
    return "\t".join(map(printable, value.split("\t")))
