"""A page admits its own style and script and nothing else, and has no markup of others."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from pomp_clang.report.html import document
from pomp_clang.report.html.profile_page import render
from pomp_clang.report.options import Options
from tests.handmade import experiment, ocean, region

_ASSETS = Path(document.__file__).parent


def test_the_policy_is_of_hashes_alone() -> None:
    text = render(ocean(), Options())
    policy = re.search(r'Security-Policy" content="([^"]*)"', text)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].replace("&#39;", "'").split("; "))
    assert rules["default-src"] == "'none'"
    for name, kind in (("style", "css"), ("script", "js")):
        raw = (_ASSETS / f"page.{kind}").read_bytes()
        digest = base64.b64encode(hashlib.sha256(raw).digest()).decode()
        assert rules[f"{name}-src"] == f"'sha256-{digest}'"
    assert "unsafe" not in policy[1]


def test_nothing_is_loaded_and_no_attribute_is_style_or_code() -> None:
    class Check(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            for name, value in attrs:
                assert not name.startswith("on") and name != "style", (tag, name)
                if name in ("src", "href"):
                    assert (value or "").startswith(("#", "data:,")), (tag, value)

    Check().feed(render(ocean(), Options()))


def test_the_tabs_of_a_source_are_kept_and_no_other_control_character(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_bytes(b"\t\tint a\x08;\n")
    made = experiment([region("R1", "for", 1, file=str(source))], {})
    assert "<code>\t\tint a\\x08;</code>" in render(made, Options())


def test_style_and_script_cannot_end_early() -> None:
    for name in ("page.css", "page.js"):
        assert "</" not in (_ASSETS / name).read_text(encoding="utf-8")


def test_every_style_of_a_part_has_a_colour() -> None:
    style = (_ASSETS / "page.css").read_text(encoding="utf-8")
    for part in ("work", "serial", "tasks", "sync", "imbal", "limpar", "mgmt", "idle", "rest"):
        assert f".{part} {{ fill: var(--{part}); }}" in style
