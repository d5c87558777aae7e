"""Standard output that takes nothing, and a missing package: no verb shows a traceback or says more
than a line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pomp_clang.trace.layout import Kind, Op, enter
from tests.trace.handmade import LOOP, experiment, word

SOURCE = "void f(void) {\n#pragma omp barrier\n}\n"
VERBS = (
    "report --help", "report run", "analyze run", "trace run", "doctor --settings",
    "list a.c -- cc -fopenmp", "rewrite a.c -- cc -fopenmp",
)  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    experiment(tmp_path / "run", [word(enter(Kind.WORK), LOOP, 10), word(Op.LEAVE, LOOP, 20)])
    (tmp_path / "a.c").write_text(SOURCE)
    return tmp_path


def message(verb: str, end: str, unbuffered: str, place: Path) -> str:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    script = f"(sleep 0.3; {sys.executable} -m pomp_clang {verb}) {end}"
    result = subprocess.run(
        ["sh", "-c", script], cwd=place, env=environment, stderr=subprocess.PIPE, text=True
    )
    return result.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_disk_that_is_full_is_said_in_a_line(verb: str, unbuffered: str, place: Path) -> None:
    no_space = "pomp-clang: cannot write standard output: No space left on device\n"
    assert message(verb, ">/dev/full", unbuffered, place) == no_space


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_reader_that_has_seen_enough_is_no_error(verb: str, unbuffered: str, place: Path) -> None:
    assert message(verb, "| true", unbuffered, place) == ""


def test_a_package_that_is_missing_is_said_in_a_line(place: Path) -> None:
    (place / "numpy.py").write_text("raise ModuleNotFoundError(name='numpy')\n")
    message_of = message("analyze run", "", "", place)
    assert message_of.startswith(
        "pomp-clang: cannot run: the Python package numpy is not installed"
    )
    assert message_of.count("\n") == 1
