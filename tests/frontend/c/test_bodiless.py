"""Bodies of the project's headers without constructs are not parsed, and no unit reads differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c import files
from pomp_clang.frontend.c.bodiless import BodilessHeaders
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.unit import Unit
from pomp_clang.rewrite.instrument import instrument
from tests.compilers import first

PLAIN = """\
inline int plain() { for (;;) ; }
constexpr int folded() { int n = 0; for (int i = 0; i < 3; i++) n++; return n; }
struct Member { auto deduced() { return 1L; } };
"""
REGION = "inline void {name}(int n) {{\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    ;\n}}\n"
HEADERS = {
    "plain.h": PLAIN,
    "region.hpp": '#include "beside.h"\n' + REGION.format(name="region"),
    "region.h": "inline int begin() { for (;;) ; }\n",
    "beside.h": "inline int beside() { for (;;) ; }\n",
    "above.h": "#include <region.hpp>\ninline int above() { for (;;) ; }\n",
    "around.h": "inline void around(int n) {\n#include <part.inc>\n}\n",
    "part.inc": "#pragma omp parallel\n  n++;\n",
    "both.h": "#include <middle.h>\n",
    "middle.h": "inline int middle() { for (;;) ; }\n",
}
MAIN = """\
#include <plain.h>
#include <region.h>
#include <above.h>
#include <around.h>
#include <both.h>
static_assert(folded() == 3 && sizeof(Member().deduced()) == sizeof(long), "parsed");
int main() {
#pragma omp parallel
  region(plain());
}
"""


@pytest.fixture(params=["g++", "clang++-19"])
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Unit:
    name = first(request.param) or pytest.skip(f"no {request.param}")
    (tmp_path / "include").mkdir()
    for header, text in HEADERS.items():
        (tmp_path / "include" / header).write_text(text)
    source = tmp_path / "unit.cpp"
    source.write_text(MAIN)
    return unit_of(str(source), [name, "-std=c++17", "-fopenmp", f"-I{tmp_path / 'include'}"])


def _has_body(unit_files: files.UnitFiles, header: str, function: str) -> bool:
    (path,) = {way.path for way in unit_files.tree.inclusions if Path(way.path).name == header}
    nodes = unit_files.tree.view(path, len(HEADERS[header])).root.children
    (node,) = [node for node in nodes if node.spelling == function]
    return any(inner.kind == CursorKind.COMPOUND_STMT for inner in node.children)


def test_bodies_are_skipped_in_headers_that_lead_to_no_construct(unit: Unit) -> None:
    unit_files = files.read_unit(unit)
    assert unit_files is not None
    assert not _has_body(unit_files, "plain.h", "plain")
    assert not _has_body(unit_files, "middle.h", "middle")
    assert _has_body(unit_files, "plain.h", "folded")
    assert _has_body(unit_files, "region.hpp", "region")
    assert _has_body(unit_files, "region.h", "begin")  # the option would name region.hpp, too
    assert _has_body(unit_files, "above.h", "above")
    assert _has_body(unit_files, "around.h", "around")


def test_skipped_bodies_change_neither_text_nor_inclusions(
    unit: Unit, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit_files, instrumented = files.read_unit(unit), instrument(unit)
    assert {Path(header.path).name for header in instrumented.headers} >= {"region.hpp", "part.inc"}
    monkeypatch.setattr(files, "bodiless_headers", lambda *_: BodilessHeaders())
    whole = files.read_unit(unit)
    assert unit_files is not None and whole is not None
    assert _has_body(whole, "plain.h", "plain")
    assert [way.path for way in unit_files.tree.inclusions] == [
        way.path for way in whole.tree.inclusions
    ]
    assert instrument(unit) == instrumented
