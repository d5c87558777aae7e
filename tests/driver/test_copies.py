"""The places of copied headers, and what gives gcc the originals' names, in dependency files, too."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.place.gcc_copy import munged, restored_rules
from pomp_clang.driver.place.header_copies import HeaderCopies, Mirror
from pomp_clang.frontend.unit import RewrittenHeader
from tests.driver.conftest import GCC, needs_gcc

NAMES = ("a.h", "sub/a.h", "../up/a.h", "sub/../../up/b.h", "/opt/a.h", "/opt/../a.h")


def restored(mirror: Mirror, place: str) -> str:
    for copy in mirror.copies():
        if place.startswith(copy.path):
            return copy.original + place.removeprefix(copy.path)
    raise AssertionError(place)


@pytest.mark.parametrize("count", [1, 500])
def test_the_options_are_as_many_however_many_headers_there_are(tmp_path: Path, count: int) -> None:
    names = [f"include/h{number}.h" for number in range(count)]
    headers = [RewrittenHeader(name, "", changed=True, spelt=name) for name in names]
    copies = HeaderCopies(str(tmp_path), headers, (), ()).write()
    assert sum(len(copy.options) for copy in copies) == 2
    assert len(copies) == 1


def test_a_place_less_its_root_is_the_name(tmp_path: Path) -> None:
    mirror = Mirror(str(tmp_path), ())
    places = [mirror.place(name, name) for name in NAMES]
    assert [restored(mirror, place) for place in places] == list(NAMES)
    assert len(set(map(os.path.normpath, places))) == len(NAMES)
    assert all(os.path.normpath(place).startswith(f"{tmp_path}/") for place in places)


def test_two_files_of_one_normal_name_stand_apart(tmp_path: Path) -> None:
    mirror = Mirror(str(tmp_path), ())
    one, same, other = (
        mirror.place("a/../inc/h.h", "inc/h.h"),
        mirror.place("b/../inc/h.h", "inc/h.h"),
        mirror.place("link/../inc/h.h", "other/inc/h.h"),
    )
    assert os.path.normpath(one) == os.path.normpath(same) != os.path.normpath(other)
    assert restored(mirror, other) == "link/../inc/h.h"


@needs_gcc
@pytest.mark.parametrize(
    "maps",
    [
        (),
        ("-ffile-prefix-map=src=SRC", "-fdebug-prefix-map=inc=INC"),
        ("-ffile-prefix-map={}/=./", "-fmacro-prefix-map=src/..=UP"),
        ("-fmacro-prefix-map==ALL/",),
    ],
)
def test_gcc_names_the_originals(tmp_path: Path, maps: tuple[str, ...]) -> None:
    line = "{{\n#pragma omp atomic\n(*x)++;\nreturn __FILE__;\n}}\n"
    for folder, name in (("up", "a"), ("inc", "b"), ("full", "c"), ("src/sub", "d")):
        (tmp_path / folder).mkdir(parents=True)
        text = f"static const char *{name}(int *x)\n{line.format()}"
        (tmp_path / folder / f"{name}.h").write_text(text)
    includes = '#include "../up/a.h"\n#include <b.h>\n#include <c.h>\n#include "sub/d.h"\n'
    body = "int main(void)\n{\nint x;\nputs(a(&x)), puts(b(&x)), puts(c(&x)), puts(d(&x));\n}\n"
    (tmp_path / "src/main.c").write_text(f"{includes}int puts(const char *);\n{body}")
    options = [text.format(tmp_path) for text in maps]
    command = [
        GCC,
        "-fopenmp",
        "-w",
        "-MD",
        "-MF",
        "main.d",
        "-Iinc",
        f"-I{tmp_path}/full",
        *options,
        "src/main.c",
    ]
    actual = []
    for pomp_command in ([], ["pomp-clang", "--"]):
        subprocess.run([*pomp_command, *command, "-o", "main"], cwd=tmp_path, check=True)
        dependencies = (tmp_path / "main.d").read_text()
        output = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True).stdout
        actual.append((output, dependencies))
    assert actual[0] == actual[1]


def test_lines_are_broken_as_gcc_does() -> None:
    text = "a.o: /tmp/x/a.c /usr/include/stdc-predef.h x.h \\\n /usr/include/stdio.h\nx.h:\n"
    expected = "a.o: a.c /usr/include/stdc-predef.h x.h /usr/include/stdio.h\nx.h:\n"
    assert restored_rules(text, {"/tmp/x/a.c": "a.c"}) == expected
    assert restored_rules(expected, {"/tmp/x/a.c": "a.c"}) == expected


def test_lines_of_every_source_s_rule_are_broken() -> None:
    """gcc writes the rules of a command's sources to one file with `-MF -`, or for a variable."""
    text = "a.o: /tmp/x/a.c x.h\n\nx.h:\nb.o: \\\n /tmp/a/long/name/b.c \\\n x.h\n\tfile /tmp/x/a.c  1\n"
    expected = "a.o: a.c x.h\n\nx.h:\nb.o: b.c x.h\n\tfile a.c  1\n"
    names = {"/tmp/x/a.c": "a.c", "/tmp/a/long/name/b.c": "b.c"}
    assert restored_rules(text, names) == expected


def test_names() -> None:
    assert munged("./a b$c#d") == "a\\ b$$c\\#d"
    text = "o: /t/a\\ b.c\n"
    assert restored_rules(text, {"/t/a b.c": "./a b.c"}) == "o: a\\ b.c\n"


def test_a_relative_name_behind_a_copys_folder_is_written_as_gcc_writes_it() -> None:
    text = "a.o: a.c /tmp/names/./b.h /tmp/names/../c.h\n/tmp/names/./b.h:\n/tmp/names/../c.h:\n"
    assert restored_rules(text, {"/tmp/names/": ""}) == "a.o: a.c b.h ../c.h\nb.h:\n../c.h:\n"
