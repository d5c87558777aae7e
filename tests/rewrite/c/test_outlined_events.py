"""Places at which the events of a unit are inlined, and at which they are calls of its own
functions.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import replace
from pomp_clang.rewrite.c.outlined_events import MOST_ADDRESSES, MOST_IN_FUNCTION, MOST_IN_UNIT
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.selection import ConstructSelection
from tests.compilers import first
from tests.forms.running import SETTINGS, run

ATOMIC = "#pragma omp atomic\n  x += 1;\n"
CRITICAL = "#pragma omp critical\n  x += 1;\n"
REGION = "#pragma pomp inst begin(r)\n  x++;\n#pragma pomp inst end(r)\n"
LOOP = "#pragma omp for\n  for (int i = 0; i < 9; i++)\n    ;\n"
CLANG, CLANGXX = first("clang-19", "clang"), first("clang++-19", "clang++")
needs_clang = pytest.mark.skipif(not CLANGXX, reason="no clang with libomp on the PATH")
OPTIMISED = "-O2"


def function(name: str, body: str, head: str = "void") -> str:
    return f"{head} {name}(int x) {{\n{body}}}\n"


def unit(text: str) -> Unit:
    preprocess = ("gcc", "-fopenmp", "-x", "c")
    return Unit("a.c", text, "c", ("-D_OPENMP=201511",), preprocess=preprocess, inlines=True)


def calls(unit: Unit, functions: bool = False) -> dict[str, Counter[str]]:
    """Return the events that each function of the text calls; the unit's own are by their names."""
    text = instrument(unit, ConstructSelection(functions=functions)).text
    assert text is not None
    result = {}
    for name, body in re.findall(r"^[^\n]*\bvoid (\w+)\(int x\) \{(.*?)^\}", text, re.M | re.S):
        result[name] = Counter(re.findall(r"\b((?:POMP|__pomp_own)_[A-Z]\w*)\(", body))
    return result


@pytest.mark.parametrize(
    ("body", "pairs", "event"),
    [(ATOMIC, 1, "Atomic_enter"), (CRITICAL, 2, "Critical_begin"), (REGION, 2, "Begin")],
    ids=["atomic", "critical", "region"],
)
def test_a_crowded_function_calls_the_files_own(body: str, pairs: int, event: str) -> None:
    most = MOST_IN_FUNCTION // pairs
    text = function("few", body * most) + function("many", body * (most + 1))
    actual = calls(unit(text))
    assert actual["few"][f"POMP_{event}"] == most
    assert actual["few"][f"__pomp_own_{event}"] == 0
    assert actual["many"][f"POMP_{event}"] == 0
    assert actual["many"][f"__pomp_own_{event}"] == most + 1


@pytest.mark.parametrize(("language", "own"), [("c", False), ("c++", True)])
def test_a_function_of_cxx_calls_the_files_own_as_its_body_is_copied(
    language: str, own: bool
) -> None:
    """A template has a copy for each instance, and a small function one for each call."""
    preprocess = ("gcc", "-fopenmp", "-x", language)
    source = replace(
        unit(function("f", "  x++;\n")), language=language, preprocess=preprocess, functions=True
    )
    text = instrument(source, ConstructSelection(functions=True)).text
    assert text is not None
    assert ("__pomp_own_Begin(" in text) is own


def test_events_that_are_never_inlined_crowd_nothing() -> None:
    actual = calls(unit(function("f", LOOP * (2 * MOST_IN_UNIT) + ATOMIC)))
    assert actual["f"]["POMP_Atomic_enter"] == 1 and actual["f"]["__pomp_own_Atomic_enter"] == 0


def test_of_a_crowded_function_the_other_events_are_the_librarys() -> None:
    actual = calls(unit(function("f", ATOMIC * (MOST_IN_FUNCTION + 1) + LOOP)))
    assert actual["f"]["POMP_For_enter"] == 1 and actual["f"]["POMP_Atomic_enter"] == 0


@pytest.mark.parametrize("over", [0, 1])
def test_in_a_crowded_unit_every_function_calls_its_own(over: int) -> None:
    actual = calls(unit("".join(function(f"f{i}", ATOMIC) for i in range(MOST_IN_UNIT + over))))
    events = Counter({name: n for columns in actual.values() for name, n in columns.items()})
    assert set(events) == (
        {"__pomp_own_Atomic_enter", "__pomp_own_Atomic_exit"}
        if over
        else {"POMP_Atomic_enter", "POMP_Atomic_exit"}
    )


def test_measured_functions_crowd_a_unit() -> None:
    text = "".join(function(f"f{i}", "  x++;\n") for i in range(MOST_IN_UNIT + 1))
    rewritten_text = instrument(unit(text), ConstructSelection(functions=True)).text
    assert rewritten_text is None  # the front end has not looked for functions
    rewritten_text = instrument(
        replace(unit(text), functions=True), ConstructSelection(functions=True)
    ).text
    assert rewritten_text is not None
    assert len(re.findall(r"= \(__pomp_own_Begin\(", rewritten_text)) == MOST_IN_UNIT + 1
    assert (
        len(re.findall(r"\{ \(void\)__pomp_at; __pomp_own_End\(", rewritten_text))
        == MOST_IN_UNIT + 1
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"inlines": False},
        {"thread": "pomp_self_x"},
        {"thread": "pomp_self_x", "empty": True},
    ],
    ids=["gcc", "guarded", "nothing"],
)
def test_where_nothing_is_inlined_nothing_is_outlined(changed: dict[str, object]) -> None:
    unit_ = replace(unit(function("f", ATOMIC * (MOST_IN_UNIT + 1))), **changed)
    assert "__pomp_own" not in (instrument(unit_).text or "__pomp_own")


def test_gcc_does_not_see_the_addresses_of_a_crowded_function() -> None:
    text = function("few", ATOMIC * MOST_ADDRESSES) + function(
        "many", ATOMIC * (MOST_ADDRESSES + 1)
    )
    rewritten_text = instrument(replace(unit(text), inlines=False)).text
    assert rewritten_text is not None
    list_ = MOST_ADDRESSES + 1
    outlined = (
        r"static __attribute__\(\(__noinline__, __const__\)\)[^;{]*__pomp_(\w+)\(int __pomp_at\) \{"
    )
    assert re.findall(outlined, rewritten_text) == [f"entry{list_}"]
    entries = re.findall(rf"POMP_Atomic_enter\(__pomp_entry{list_}\((\d+)\)\)", rewritten_text)
    assert [int(entry) for entry in entries] == list(range(MOST_ADDRESSES + 1))
    assert rewritten_text.count("__noinline__, __const__") == 1
    assert "__noinline__, __const__" not in (instrument(unit(text)).text or "")


def test_an_inline_function_of_external_linkage_calls_the_library() -> None:
    actual = calls(unit(function("f", ATOMIC * (MOST_IN_FUNCTION + 1), "inline void")))
    assert actual["f"]["POMP_Atomic_enter"] == MOST_IN_FUNCTION + 1


def relocations(path: Path) -> int:
    """Return the number of an object's references to the library's slow path, which each inlined
    event has.
    """
    result = subprocess.run(["objdump", "-r", path], check=True, capture_output=True, text=True)
    return len(re.findall(r"\bpomp_call_", result.stdout))


def compiled(text: str, folder: Path, *more: str) -> Path:
    (folder / "a.c").write_text(text)
    command = ["pomp-clang", "--", CLANG, "-fopenmp", OPTIMISED, "-Werror", "-Wall"]
    status, out, output = run([*command, *more, "-c", "a.c", "-o", "a.o"], folder)
    assert (status, out, output) == (0, "", "")
    return folder / "a.o"


@needs_clang
def test_what_is_inlined_does_not_grow_with_a_function(tmp_path: Path) -> None:
    few = relocations(compiled(function("f", ATOMIC * MOST_IN_FUNCTION), tmp_path))
    assert few >= 2 * MOST_IN_FUNCTION  # or nothing is inlined here
    more = [relocations(compiled(function("f", ATOMIC * n), tmp_path)) for n in (100, 200)]
    assert more[0] == more[1] < few


@needs_clang
def test_no_function_for_a_descriptor_is_left_to_the_optimiser(tmp_path: Path) -> None:
    """clang's pass for OpenMP goes through all functions of a unit for each of them."""
    (tmp_path / "a.c").write_text(function("f", (LOOP + ATOMIC) * 5))
    command = ["pomp-clang", f"--pomp-keep={tmp_path / 'kept'}", "--", CLANG, "-fopenmp"]
    command += [OPTIMISED, "-c", "a.c", "-o", "a.o"]
    assert run(command, tmp_path)[0] == 0
    (kept_text,) = (tmp_path / "kept").glob("*/0-a.c")
    text = kept_text.read_text()
    functions = re.findall(
        r"static __inline__ ([^{}]*?)struct ompregdescr \*__pomp_rd\d+\(void\)", text
    )
    assert len(functions) == 10 and all("__always_inline__" in text_ for text_ in functions)


COUNTED = f"""\
#include <stdio.h>
#include "crowded.h"
static int total;
static void few(void) {{
#pragma omp atomic
  total += 1;
}}
static void many(void) {{
  int x = 0;
{(ATOMIC + CRITICAL + REGION) * MOST_IN_FUNCTION}  total += x;
}}
int main() {{
  for (int i = 0; i < 3; i++) {{
    few();
    many();
    total += in_header(i);
  }}
  printf("%d\\n", total);
  return 0;
}}
"""
HEADER = f"""\
static inline int in_header(int x) {{
{ATOMIC * (MOST_IN_FUNCTION + 1)}  return x;
}}
"""


@needs_clang
@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("more", [[], ["-g", "-fPIC"], ["-flto"]], ids=["plain", "debug", "lto"])
def test_counts_of_crowded_functions_are_exact(
    tmp_path: Path, language: str, more: list[str]
) -> None:
    compiler = CLANG if language == "c" else CLANGXX
    name = "a.c" if language == "c" else "a.cpp"
    (tmp_path / name).write_text(COUNTED)
    (tmp_path / "crowded.h").write_text(HEADER)
    command = [compiler, "-fopenmp", OPTIMISED, *more, name, "-o"]
    assert run([*command, "native"], tmp_path) == (0, "", "")
    assert run(["pomp-clang", "--", *command, "measured"], tmp_path) == (0, "", "")
    native = run(["./native"], tmp_path, **SETTINGS)
    assert run(["./measured"], tmp_path, **SETTINGS, POMP_EXPERIMENT_DIR="run") == native
    experiment = read(str(tmp_path / "run"))
    kinds = {region.id: region.kind for region in experiment.regions}
    visits: Counter[str] = Counter()
    for (region, _), measured in experiment.profile.items():
        visits[kinds[region]] += measured.execC
    assert visits["atomic"] == 3 + 3 * MOST_IN_FUNCTION + 3 * (MOST_IN_FUNCTION + 1)
    assert visits["critical"] == visits["region"] == 3 * MOST_IN_FUNCTION
