"""gcc's dependency files with a copy's name put back."""

from __future__ import annotations

from pomp_clang.driver.place.gcc_copy import munged, restored_rules


def test_lines_are_broken_as_gcc_does() -> None:
    text = "a.o: /tmp/x/a.c /usr/include/stdc-predef.h x.h \\\n /usr/include/stdio.h\nx.h:\n"
    expected = "a.o: a.c /usr/include/stdc-predef.h x.h /usr/include/stdio.h\nx.h:\n"
    assert restored_rules(text, {"/tmp/x/a.c": "a.c"}) == expected
    assert restored_rules(expected, {"/tmp/x/a.c": "a.c"}) == expected


def test_names() -> None:
    assert munged("./a b$c#d") == "a\\ b$$c\\#d"
    text = "o: /t/a\\ b.c\n"
    assert restored_rules(text, {"/t/a b.c": "./a b.c"}) == "o: a\\ b.c\n"


def test_a_relative_name_behind_a_copys_folder_is_written_as_gcc_writes_it() -> None:
    text = "a.o: a.c /tmp/names/./b.h /tmp/names/../c.h\n/tmp/names/./b.h:\n/tmp/names/../c.h:\n"
    assert restored_rules(text, {"/tmp/names/": ""}) == "a.o: a.c b.h ../c.h\nb.h:\n../c.h:\n"
