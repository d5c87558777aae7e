"""Headers with which several units begin are parsed once, and no unit reads differently for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c import preamble_store
from pomp_clang.frontend.c.preamble_store import KEY_BYTES, PreambleStore
from pomp_clang.frontend.unit import Instrumented
from pomp_clang.rewrite.instrument import instrument
from tests.compilers import first
from tests.frontend.c.conftest import FIRST_USE, Used, instrumented, temporary_folder

LONG = "".join(f"struct base{n} {{ int member{n}; }};\n" for n in range(2000))
BASE = f"#ifndef BASE_H\n#define BASE_H\n#include <stdio.h>\n{LONG}typedef struct base1 base_t;\n#endif\n"
NO_GUARD = BASE.replace("#ifndef BASE_H\n#define BASE_H\n", "#if 1\n")
LOOP = "void run{n}(base_t *x, int n) {{\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    x[i].member1 += {n};\n}}\n"
DIRECT = '/* unit {n} */\n#include "base.h"\n' + LOOP
OF_ITS_OWN = '// unit {n}\n#include "own{n}.h"\n' + LOOP
OWN = '#ifndef OWN{n}_H\n#define OWN{n}_H\n\n#include "base.h"\nvoid run{n}(base_t *x, int n);\n#endif\n'
UNITS = 4
WITH_CONSTRUCTS = """\
#ifdef __cplusplus
extern "C" {
#endif
void omp_set_lock(void *), omp_unset_lock(void *);
#include "inner.h"
#ifdef __cplusplus
}
#endif
#if 0
static void dead(void) {
#pragma omp barrier
}
#endif
static inline int guarded(base_t *x, void *lock) {
  omp_set_lock(lock);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < x->member1; i++) {
#pragma omp atomic
      x->member1++;
    }
    if (x->member1)
#pragma omp single
      x->member1 = 0;
  }
  omp_unset_lock(lock);
  return x->member1;
}
"""
INNER = """\
static inline void inner(int *v) {
#pragma omp critical(inner)
  ++*v;
}
"""
TEMPLATES = """\
template <class T> struct Sum {
  T sum{};
  template <class F> auto over(int n, F f) {
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) total += f(i);
    return sum = total;
  }
  T total{};
};
namespace outer { namespace {
inline auto lambda = [](int n) {
#pragma omp task
  n++;
  return n;
};
} }
"""
OF_MACRO = """\
#define LOOP(n) _Pragma("omp parallel for") for (int i = 0; i < n; i++)
static inline void twice(int *v, int n) {
  LOOP(n) v[i] *= 2;
}
"""
WITHIN = 'static inline void within(void) {\n#include "inner.h"\n}\n'
USES = "int use{n}(base_t *x) {{\n  inner(&x->member1);\n  return guarded(x, x);\n}}\n"
USES_TEMPLATES = """\
double sum{n}() {{
  Sum<double> sum;
  return sum.over({n}, [](int i) {{
#pragma omp atomic
    *new int += i;
    return 2.0 * i;
  }}) + outer::lambda({n});
}}
"""


@pytest.fixture(params=["gcc", "clang-19", "g++", "clang++-19"])
def command(request: pytest.FixtureRequest) -> list[str]:
    compiler = first(request.param) or pytest.skip(f"no {request.param}")
    return [compiler, "-fopenmp"]


def _of_folder(
    folder: Path, command: list[str], shares: bool, functions: str = "none"
) -> list[Instrumented]:
    sources = sorted(folder.glob("unit*.c"))
    return instrumented(sources, [*command, f"-I{folder}"], shares, functions)


def _write(folder: Path, source: str, base: str = BASE, own: str = OWN) -> None:
    (folder / "base.h").write_text(base)
    for number in range(UNITS):
        (folder / f"unit{number}.c").write_text(source.format(n=number))
        (folder / f"own{number}.h").write_text(own.format(n=number))


@pytest.mark.parametrize("source", [DIRECT, OF_ITS_OWN, "#define _GNU_SOURCE\n" + DIRECT])
def test_third_unit_with_the_same_headers_has_them_parsed_once(
    source: str, command: list[str], tmp_path: Path, used: Used
) -> None:
    _write(tmp_path, source)
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]
    includers = [Path(item.inclusions[0].includer).stem for item in used if item]
    assert [name[-1] for name in includers] == [str(n) for n in range(FIRST_USE, UNITS)]
    assert all(item.text and "POMP_Parallel_fork" in item.text for item in alone)


def test_error_of_libclang_in_a_system_header_is_no_error_of_the_unit(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    """libclang refuses a function of the omp.h that clang 19 has."""
    _write(tmp_path, DIRECT.replace('h"\n', 'h"\nint value{n};\n#include <omp.h>\n'))
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]


@pytest.mark.parametrize(
    ("compiler", "functions", "folder"),
    [
        ("gcc", "none", ""),
        ("gcc", "all", ""),
        ("clang-19", "none", "../folder"),
        ("g++", "none", "."),
        ("g++", "all", ""),
        ("clang++-19", "none", ""),
        ("clang++-19", "none", "../folder"),
    ],
)
def test_constructs_of_headers_that_are_parsed_once_are_measured(
    compiler: str,
    functions: str,
    folder: str,
    tmp_path: Path,
    used: Used,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = first(compiler) or pytest.skip(f"no {compiler}")
    command = [name, "-fopenmp"]
    tmp_path /= "folder"
    working = tmp_path.parent / "other" if folder.startswith("..") else tmp_path
    for needed in {tmp_path, working}:
        needed.mkdir()
    monkeypatch.chdir(working)
    has_templates = "++" in compiler
    header = WITH_CONSTRUCTS + (TEMPLATES if has_templates else "")
    source = DIRECT + USES + (USES_TEMPLATES if has_templates else "")
    _write(tmp_path, source, BASE.replace("#endif", header + "#endif"))
    (tmp_path / "inner.h").write_text(INNER)
    place = Path(folder or tmp_path)
    alone = _of_folder(place, command, shares=False, functions=functions)
    assert _of_folder(place, command, shares=True, functions=functions) == alone
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]
    for unit in alone:
        assert not unit.notes
        text_of = {Path(header.path).name: header.text for header in unit.headers}
        assert text_of["inner.h"].count("POMP_Critical_begin(__pomp") == 1
        assert text_of["base.h"].count("POMP_Parallel_begin(__pomp") == 1 + has_templates
        assert text_of["base.h"].count("POMP_Set_lock(lock, __pomp") == 1


def test_header_that_is_included_within_a_function_is_not_parsed_ahead(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    _write(tmp_path, DIRECT, BASE.replace("#endif", WITHIN + "#endif"))
    (tmp_path / "inner.h").write_text("#pragma omp barrier\n")
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    assert used == [None] * UNITS


def test_headers_before_one_that_is_included_within_a_function_are_parsed_once(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    """Of many headers behind it, one after the other would fail."""
    more = "".join(f'#include "more{n}.h"\n' for n in range(14))
    _write(tmp_path, DIRECT.replace('h"\n', 'h"\n#include "within.h"\n' + more))
    for n in range(14):
        (tmp_path / f"more{n}.h").write_text(
            f"#ifndef MORE{n}\n#define MORE{n}\nint more{n};\n#endif\n"
        )
    (tmp_path / "within.h").write_text(f"#ifndef WITHIN_H\n#define WITHIN_H\n{WITHIN}#endif\n")
    (tmp_path / "inner.h").write_text("#pragma omp barrier\n")
    more_units = [tmp_path / f"unit{UNITS + n}.c" for n in range(3)]
    for unit in more_units:
        unit.write_text((tmp_path / "unit0.c").read_text())
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    # The longest is tried at the third unit, and the two after that make its begin known.
    assert [item is not None for item in used] == [False] * 5 + [True] * 2


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_functions_of_the_projects_headers_are_measured_behind_a_preamble(
    compiler: str, tmp_path: Path, used: Used
) -> None:
    name = first(compiler) or pytest.skip(f"no {compiler}")
    inline = "inline int twice(std::vector<int> &v) {\n  return 2 * v[0];\n}\n#endif"
    _write(tmp_path, "#include <vector>\n" + DIRECT, BASE.replace("#endif", inline))
    alone = _of_folder(tmp_path, [name, "-fopenmp"], shares=False, functions="all")
    assert any("twice" in site.text for item in alone for site in item.headers)
    shared = _of_folder(tmp_path, [name, "-fopenmp"], shares=True, functions="all")
    assert shared == alone
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]
    assert all(Path(item.headers[0]).name == "vector" for item in used if item)


@pytest.mark.parametrize(
    ("source", "base"),
    [
        (OF_ITS_OWN, NO_GUARD),
        (DIRECT, BASE.replace("#endif", OF_MACRO + "#endif")),
        ("int before{n};\n" + DIRECT, BASE),
        ("#define VALUE {n}\n" + DIRECT, BASE),
        ('#define NAME "base.h"\n#include NAME\n' + LOOP, BASE),
    ],
    ids=["no guard", "directive of a macro", "text before", "other macros", "name in a macro"],
)
def test_units_with_other_beginnings_are_parsed_whole(
    source: str, base: str, command: list[str], tmp_path: Path, used: Used
) -> None:
    _write(tmp_path, source, base)
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    assert used == [None] * UNITS


def test_header_whose_first_macro_is_no_guard_is_given_up(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    """The unit's own parse reads it again, and so shows that it was no guard."""
    _write(tmp_path, OF_ITS_OWN, BASE.replace("#ifndef BASE_H\n", "#if 1\n"))
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone
    assert [item is not None for item in used] == [n == FIRST_USE for n in range(UNITS)]


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
@pytest.mark.parametrize(
    ("more", "is_parsed_ahead"),
    [
        ("", True),
        ("#define VALUE 1\n#undef VALUE\n", True),
        ("static inline int (twice)(int n);\n", True),
        ("struct open {\n", False),
        ("#pragma omp declare simd\nint twice(int n);\n", False),
    ],
    ids=["types", "macros", "function", "open declaration", "directive"],
)
def test_source_of_c_may_begin_with_a_header_without_guard(
    compiler: str, more: str, is_parsed_ahead: bool, tmp_path: Path, used: Used
) -> None:
    """Other headers that it includes read that one again, as they do without a preamble."""
    name = first(compiler) or pytest.skip(f"no {compiler}")
    closing = "int member; }};\n" if more.endswith("{\n") else ""
    source = DIRECT.replace('h"\n', f'h"\n{closing}#include "again.h"\n')
    no_guard = "#ifdef AGAIN\nstruct again { int n; };\n#else\n" + NO_GUARD + more + "#endif\n"
    _write(tmp_path, source, no_guard)
    (tmp_path / "again.h").write_text('#define AGAIN\n#include "base.h"\n')
    alone = _of_folder(tmp_path, [name, "-fopenmp"], shares=False)
    assert _of_folder(tmp_path, [name, "-fopenmp"], shares=True) == alone
    assert any(used) == is_parsed_ahead


def test_header_that_depends_on_who_includes_it_is_not_parsed_ahead(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    """Each includes the other, and the guard decides which is read first."""
    own = '#ifndef OWN_H\n#define OWN_H\n#include "base.h"\nvoid run(base_t *x, int n);\n#endif\n'
    _write(tmp_path, DIRECT.replace("base.h", "own0.h"), BASE.replace("<stdio.h>", '"own0.h"'), own)
    alone = _of_folder(tmp_path, command, shares=False)
    assert _of_folder(tmp_path, command, shares=True) == alone


def test_header_that_changes_within_a_build_is_parsed_again(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    _write(tmp_path, DIRECT)
    preamble_store._stores[:] = [PreambleStore(temporary_folder)]
    words = [*command, f"-I{tmp_path}"]
    try:
        for number in range(UNITS):
            if number == UNITS - 1:
                (tmp_path / "base.h").write_text(BASE.replace("base1 {", "base1 { int more;"))
            instrument(unit_of(str(tmp_path / f"unit{number}.c"), words))
    finally:
        preamble_store._stores.clear()
    assert [item is not None for item in used] == [*[False] * FIRST_USE, True, False]


@pytest.mark.parametrize("is_relative", [False, True])
def test_working_folder_counts_for_relative_names_alone(
    is_relative: bool,
    command: list[str],
    tmp_path: Path,
    used: Used,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _write(tmp_path, DIRECT)
    preamble_store._stores[:] = [PreambleStore(temporary_folder)]
    try:
        for number in range(UNITS):
            (tmp_path / str(number)).mkdir()
            monkeypatch.chdir(tmp_path / str(number))
            folder = ".." if is_relative else str(tmp_path)
            instrument(unit_of(f"{folder}/unit{number}.c", [*command, f"-I{folder}"]))
    finally:
        preamble_store._stores.clear()
    shared = [n >= FIRST_USE and not is_relative for n in range(UNITS)]
    assert [item is not None for item in used] == shared


def test_units_with_other_folders_for_headers_share_them(
    command: list[str], tmp_path: Path, used: Used
) -> None:
    _write(tmp_path, DIRECT)
    preamble_store._stores[:] = [PreambleStore(temporary_folder)]
    try:
        for number in range(UNITS):
            folders = "-I", f"{tmp_path}/empty{number}", f"-isystem{tmp_path}/target{number}"
            unit = unit_of(f"{tmp_path}/unit{number}.c", [*command, *folders, f"-I{tmp_path}"])
            assert instrument(unit).text
    finally:
        preamble_store._stores.clear()
    assert [item is not None for item in used] == [n >= FIRST_USE for n in range(UNITS)]


def test_no_preamble_is_parsed_where_many_have_failed(tmp_path: Path) -> None:
    store = PreambleStore(temporary_folder)
    keys = [bytes([n]) * KEY_BYTES for n in range(1, 13)]
    for key in keys:
        for _ in range(FIRST_USE + 1):
            choice = store.choose([key])
        if choice is not None:
            assert choice == (0, True)
            store.fail([key])
    assert sum(map(store.is_given_up, keys)) == 4
    (tmp_path / "parsed").write_bytes(b"parsed")
    assert store.keep(keys[-1], str(tmp_path / "parsed"), b"")
    assert store.choose([keys[-1]]) == (0, False)
    assert store.choose([keys[-2]]) == (0, True), "one success stands for as many failures again"


def test_store_keeps_a_parse_under_its_key_and_none_without_room(tmp_path: Path) -> None:
    store = PreambleStore(temporary_folder)
    keys = [bytes([number]) * KEY_BYTES for number in range(1, 30)]
    for turn in range(4):
        assert store.choose(keys[:2]) == (None if turn < FIRST_USE else (0, True))
    file = tmp_path / "parsed"
    for number, key in enumerate(keys):
        file.write_bytes(b"%d" % number)
        store.begin(key)
        kept = store.keep(key, str(file), b"[%d]" % number)
        assert kept == (number < len(store.descriptors))
    path, listing = store.parsed(keys[3]) or ("", b"")
    assert (Path(path).read_bytes(), listing) == (b"3", b"[3]")
    assert store.choose(keys[3:]) == (0, False)
    for _ in range(FIRST_USE):
        store.choose([b"longer".ljust(KEY_BYTES)])
    longer = [b"longer".ljust(KEY_BYTES), keys[3]]
    assert store.choose(longer, [10, 9]) == (1, False)  # not worth another parse
    assert store.choose(longer, [10, 5]) == (0, True)
    store.give_up(keys[3])
    assert store.parsed(keys[3]) is None
    assert store.parsed(keys[-1]) is None
