"""`pomp-clang lsp` where its package is not installed."""

from __future__ import annotations

import subprocess
import sys

_WITHOUT = "import sys; sys.modules['pygls'] = None; from pomp_clang.cli import main; "


def test_what_is_missing_is_said_in_one_line() -> None:
    command = [sys.executable, "-c", _WITHOUT + "sys.exit(main(['lsp']))"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("pomp-clang: the language server needs pygls: install pomp-clang[lsp]\n")
