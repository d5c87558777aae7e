"""A page with one tab alone, as `pomp_clang.report.page.render` says what it may expect."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from pomp_clang.report.page.render import TabContent
from tests.report.html.browser import Browser

_LOAD = """
const pomp = { async load(name) {
  const text = document.getElementById(name).textContent;
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(unpacked).arrayBuffer();
} };
"""

_STYLE = "body { margin: 0; padding: 12px; font: 15px/1.5 'DejaVu Sans', sans-serif }"
_DARK = "@media (prefers-color-scheme: dark) { body { background: #15181c; color: #e4e7ea } }"


def write_page(parts: TabContent, file: Path) -> Path:
    data = "".join(
        f'<script type="application/octet-stream" id="{name}">{_packed(content)}</script>'
        for name, content in parts.data.items()
    )
    file.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>tab</title>'
        f"<style>{_STYLE}{_DARK}{parts.style}</style>{parts.html}{data}"
        f"<script>{_LOAD}{parts.script}</script></html>",
        encoding="utf-8",
    )
    return file


def _packed(content: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")


def until(tab: Browser, condition: str) -> None:
    """Wait in the page for a condition."""
    is_done = tab.call(
        "Runtime.evaluate",
        expression=f"(async () => {{ for (let n = 0; n < 1500; n += 1) {{ if ({condition}) return true;"
        " await new Promise((go) => setTimeout(go, 20)); } return false; })()",
        awaitPromise=True,
        returnByValue=True,
    )
    assert is_done["result"].get("value") is True, (condition, tab.complaints())


def settled(tab: Browser) -> dict[str, Any]:
    """Return the canvas's data attributes once nothing moves any more."""
    canvas = "document.querySelector('.tl-canvas')"
    busy = " || ".join(f"{canvas}.dataset.{name}" for name in ("moving", "turn", "waiting"))
    until(tab, f"{canvas}.dataset.drawn && !({busy})")
    tab.call(
        "Runtime.evaluate", awaitPromise=True,
        expression="new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))",
    )  # fmt: skip
    return dict(json.loads(tab.value(f"JSON.stringify({canvas}.dataset)")))
