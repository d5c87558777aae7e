"""Units that share the parses of preambles."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c import preamble, preamble_store
from pomp_clang.frontend.c.parse import Preamble
from pomp_clang.frontend.c.preamble_store import PreambleStore
from pomp_clang.frontend.unit import Instrumented
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.selection import selection_of_options

FIRST_USE = 2
"""The number of the first unit for which a preamble is parsed."""

Used = list[Preamble | None]


@contextmanager
def temporary_folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield folder


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Used:
    """The preambles that units begin with, in their order."""
    preambles: Used = []
    shared_preamble = preamble.shared_preamble

    def noted(*arguments: object) -> Preamble | None:
        preambles.append(shared_preamble(*arguments))  # type: ignore[arg-type]
        return preambles[-1]

    monkeypatch.setattr(preamble, "shared_preamble", noted)
    return preambles


def instrumented(
    sources: Sequence[Path], words: Sequence[str], shares: bool, functions: str = "none"
) -> list[Instrumented]:
    """Instrument sources, with a store that they share or without one."""
    choice = selection_of_options("", functions, "")
    preamble_store._stores[:] = [PreambleStore(temporary_folder)] if shares else []
    try:
        has_functions = functions != "none"
        units = [unit_of(str(source), [*words], functions=has_functions) for source in sources]
        return [instrument(unit, choice) for unit in units]
    finally:
        preamble_store._stores.clear()
