"""`pomp-clang lsp` where its package is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

_WITHOUT = "import sys; sys.modules['pygls'] = None; from pomp_clang.cli import main; "


@pytest.mark.parametrize("words", [["lsp"], ["lsp", "--check"]])
def test_what_is_missing_is_said_in_one_line(words: list[str]) -> None:
    command = [sys.executable, "-c", _WITHOUT + f"sys.exit(main({words}))"]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "pomp-clang: the language server needs pygls: install pomp-clang[lsp]\n"
    )


def test_a_check_that_finds_nothing_says_nothing() -> None:
    pytest.importorskip("pygls")
    command = [sys.executable, "-m", "pomp_clang", "lsp", "--check"]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.PIPE)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
