"""A page admits its own style and script and nothing else, and has no markup of others."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pomp_clang.report.html import document
from pomp_clang.report.html.profile import render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.handmade import experiment, ocean, region

_ASSETS = Path(document.__file__).parent


def test_the_policy_is_of_hashes_alone() -> None:
    text = render(profile_report(ocean()), Options())
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

    Check().feed(render(profile_report(ocean()), Options()))


def test_the_tabs_of_a_source_are_kept_and_no_other_control_character(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_bytes(b"\t\tint a\x08;\n")
    run = experiment([region("R1", "for", 1, file=str(source))], {})
    assert "<code>\t\tint a\\x08;</code>" in render(profile_report(run), Options())


def test_style_and_script_cannot_end_early() -> None:
    for name in ("page.css", "page.js"):
        assert "</" not in (_ASSETS / name).read_text(encoding="utf-8")


def test_every_style_of_a_part_has_a_colour() -> None:
    style = (_ASSETS / "page.css").read_text(encoding="utf-8")
    for part in ("work", "serial", "tasks", "sync", "imbal", "limpar", "mgmt", "idle", "rest"):
        assert f".{part} {{ fill: var(--{part}); }}" in style


def _luminance(colour: str) -> float:
    """Compute the luminance as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("text", ["ink", "soft", "accent", "hot", "warm", "good"])
def test_text_stands_out_from_its_ground(scheme: int, text: str) -> None:
    """Text has a contrast of at least 4.5, as WCAG requires (AA)."""
    style = (_ASSETS / "page.css").read_text(encoding="utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--(\w+): (#\w+);", block))
    for ground in ("ground", "raised", *(["mark"] if text == "ink" else [])):
        light, dark = sorted((_luminance(colours[n]) for n in (text, ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5
