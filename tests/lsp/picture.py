"""The pictures in docs/how-to/editor.md: the example in a real Neovim, with the documentation's
snippet, and in a real VS Code, with the extension.

    make pictures

pyte lays out Neovim's terminal output; Chromium takes both.
"""

from __future__ import annotations

import base64
import fcntl
import html
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from string import hexdigits

import pyte

from tests.lsp.code import code
from tests.lsp.test_neovim import snippet
from tests.report.html.browser import Browser, browser

REPOSITORY = Path(__file__).resolve().parents[2]
COLUMNS, LINES = 132, 34
WIDTH, HEIGHT = 1140, 620
_PATIENCE = 120.0

_PAPER, _INK = "#333333", "#ffffff"  # of the colour scheme
_STYLE = (
    f"body {{ margin: 0; background: {_PAPER}; color: {_INK} }} "
    "pre { margin: 12px; font: 14px/1.25 'DejaVu Sans Mono', monospace }"
)
_LOOK = (
    "set termguicolors background=dark number laststatus=0 noruler noshowcmd signcolumn=no\n"
    "colorscheme desert\n"
    "highlight LspCodeLens guifg=#8aa5c4 gui=italic\n"
    "highlight DiagnosticVirtualTextWarn guifg=#d7af5f\n"
)


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as own:
        folder = Path(own) / "stommel"
        folder.mkdir()
        _prepare(folder)
        page = Path(own) / "editor.html"
        page.write_text(_as_page(_in_neovim(folder)), encoding="utf-8")
        with browser(Path(own) / "chromium") as tab:
            tab.open(page, WIDTH)
            tab.call(
                "Emulation.setDeviceMetricsOverride",
                width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False,
            )  # fmt: skip
            _take(tab, "editor.png")
        if shutil.which("code-server"):
            _in_code(folder)
        else:
            print("docs/images/vscode.png stays as it is: code-server is not here")


def _in_code(folder: Path) -> None:
    with code(folder / "stommel.c", WIDTH, HEIGHT, line=78) as window:
        window.until(window.lenses, lambda seen: any("calls" in text for _, text in seen), "run")
        window.ask_at("    #pragma omp for schedule(dynamic")
        window.until(window.hover, lambda item: "execT" in item, "the report's row")
        _take(window.tab, "vscode.png")


def _take(tab: Browser, name: str) -> None:
    shot = tab.call("Page.captureScreenshot", format="png")
    (REPOSITORY / "docs" / "images" / name).write_bytes(base64.b64decode(shot["data"]))


def _prepare(folder: Path) -> None:
    """Prepare the example and a run with two threads."""
    shutil.copy(REPOSITORY / "examples" / "stommel.c", folder)
    pomp = str(Path(sys.executable).parent / "pomp-clang")
    compiler = next(c for c in ("clang", "clang-19", "gcc") if shutil.which(c))
    build = [pomp, "--", compiler, "-fopenmp", "-O2", "stommel.c", "-lm", "-o", "stommel"]
    subprocess.run(build, cwd=folder, check=True)
    env = {**os.environ, "OMP_NUM_THREADS": "2"}
    subprocess.run(["./stommel", "1000", "300"], cwd=folder, env=env, check=True)


def _in_neovim(folder: Path) -> pyte.Screen:
    """Return the screen once it shows the numbers."""
    home = folder.parent / "home"
    home.mkdir()
    (home / "look.vim").write_text(_LOOK)
    (home / "init.lua").write_text(f"vim.cmd('source {home}/look.vim')\n{snippet()}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    homes = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("DATA", "STATE", "CACHE", "CONFIG")}
    env = {**os.environ, **homes, "PATH": path, "TERM": "xterm-256color", "HOME": str(home)}
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    master_end, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    command = ["nvim", "-n", "-u", str(home / "init.lua"), "+67", "+normal zt", "stommel.c"]
    process = subprocess.Popen(
        command, cwd=folder, env=env, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    try:
        _feed(master_end, stream, screen)
    finally:
        process.kill()
        process.wait()
    return screen


def _feed(terminal: int, stream: pyte.ByteStream, screen: pyte.Screen) -> None:
    until = time.monotonic() + _PATIENCE
    is_visible = False
    while time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 2.0)
        if ready:
            stream.feed(os.read(terminal, 65536))
        elif is_visible:
            return
        is_visible = any("calls" in line for line in screen.display)
    raise SystemExit("the numbers did not come")


def _as_page(screen: pyte.Screen) -> str:
    lines = "\n".join("".join(_spans(screen, line)) for line in range(LINES))
    head = f'<meta charset="utf-8"><title>editor</title><style>{_STYLE}</style>'
    return f"<!DOCTYPE html><html><head>{head}</head><body><pre>{lines}</pre></body></html>"


def _spans(screen: pyte.Screen, line: int) -> Iterator[str]:
    cells = (screen.buffer[line][column] for column in range(COLUMNS))
    for look, run in groupby(cells, key=lambda c: (c.fg, c.bg, c.bold, c.italics, c.reverse)):
        text = html.escape("".join(cell.data for cell in run))
        yield f'<span style="{_css(*look)}">{text}</span>'


def _css(fg: str, bg: str, bold: bool, italics: bool, reverse: bool) -> str:
    fore, back = _colour(fg, _INK), _colour(bg, _PAPER)
    if reverse:
        fore, back = back, fore
    parts = [f"color: {fore}", f"background: {back}" if back != _PAPER else ""]
    parts += ["font-weight: bold" if bold else "", "font-style: italic" if italics else ""]
    return "; ".join(filter(None, parts))


def _colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return f"#{name}" if len(name) == 6 and set(name) <= set(hexdigits) else name


if __name__ == "__main__":
    main()
