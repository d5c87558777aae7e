"""Charts as files of their own: drawings that any viewer shows."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from pomp_clang.report.charts.file import NO_PNG, lone, png, svg
from pomp_clang.report.output import ReportError
from tests.handmade import figure_1
from tests.jobs import job, process

_SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("chart", ["radar", "pies"])
@pytest.mark.parametrize("size", [1, 2, 8, 300])
def test_a_drawing_is_well_formed_and_needs_nothing_else(chart: str, size: int) -> None:
    text = svg(job(size), chart)
    drawing = ET.fromstring(text)
    assert drawing.tag == f"{_SVG}svg"
    assert "var(" not in text and "href" not in text and "url(" not in text
    bottom = max(float(element.get("y") or 0) for element in drawing.iter(f"{_SVG}text"))
    assert bottom < float(drawing.get("height") or 0)
    classes = {element.get("class") for element in drawing.iter() if element.get("class")}
    known = text.split("<style>")[1].split("</style>")[0]
    for name in {part for class_ in classes for part in str(class_).split()}:
        assert f".{name}" in known, name


def test_names_cannot_break_a_drawing() -> None:
    hostile = replace(process(0, 2), program="</svg><script>&\x07\udcff")
    drawing = ET.fromstring(svg(lone(hostile), "radar").encode("utf-8", "backslashreplace"))
    assert not [element for element in drawing.iter() if "script" in element.tag]
    assert (drawing.findtext(f"{_SVG}title") or "").startswith("</svg><script>&")


def test_a_program_without_mpi_has_its_threads_and_one_pie() -> None:
    job = lone(figure_1())
    assert "4 threads" in svg(job, "radar")
    assert svg(job, "pies").count("the process") == 1


@pytest.mark.parametrize("chart", ["radar", "pies"])
def test_png(chart: str) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    drawing = svg(job(8), chart)
    image = png(drawing)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    root = ET.fromstring(drawing)
    assert (width, height) == (2 * int(root.get("width") or 0), 2 * int(root.get("height") or 0))
    assert len(image) > 10_000


def test_without_the_library_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ReportError, match="pomp-clang\\[png\\]") as raised:
        png("<svg/>")
    assert str(raised.value) == NO_PNG
