"""The directives of the POMP API are read in all their forms."""

import pytest

from pomp_clang.openmp.control import read_control


@pytest.mark.parametrize(
    ("body", "words", "name", "value"),
    [
        ("inst init", "inst init", "", ""),
        ("inst   off ", "inst off", "", ""),
        ("inst begin(phase)", "inst begin", "phase", ""),
        ("inst end ( phase )", "inst end", "phase", ""),
        ("inst begin(step, it[2])", "inst begin", "step", "it[2]"),
        ("noinstrument", "noinstrument", "", ""),
        ("instrument", "instrument", "", ""),
    ],
)
def test_a_control_directive_is_read(body: str, words: str, name: str, value: str) -> None:
    reading = read_control(body)
    assert reading is not None
    assert (reading.control.words, reading.name, reading.value) == (words, name, value)


@pytest.mark.parametrize(
    "body", ["inst", "inst begin", "inst on(x)", "parallel", "inst start", "instrument all"]
)
def test_what_is_none_is_not_taken_for_one(body: str) -> None:
    assert read_control(body) is None
