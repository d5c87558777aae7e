"""The snippet of the documentation in a real Neovim without a terminal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builds.harness import environment
from tests.lsp.harness import (
    ATOMIC,
    FIRST,
    QUEUE,
    SECOND,
    SUM,
    build_and_run,
    fortran_workspace,
    workspace,
)

REPOSITORY = Path(__file__).resolve().parents[2]
_PAGE = REPOSITORY / "docs" / "how-to" / "editor.md"
_PATIENCE = 90.0

SHOWN = """\
function! Shown() abort
  return json_encode(luaeval('Shown()'))
endfunction
lua << END
function Shown()
  local shown = {}
  for name, number in pairs(vim.api.nvim_get_namespaces()) do
    if name:match('codelens') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, number, 0, -1, { details = true })) do
        local text = ''
        for _, chunk in ipairs(mark[4].virt_text or {}) do text = text .. chunk[1] end
        shown[tostring(mark[2])] = text
      end
    end
  end
  shown.none = ''
  return shown
end
-- Lenses that Neovim has moved along with the text.
function Forget()
  for name, number in pairs(vim.api.nvim_get_namespaces()) do
    if name:match('codelens') then vim.api.nvim_buf_clear_namespace(0, number, 0, -1) end
  end
end
function Floating()
  local text = ''
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      text = text .. table.concat(lines, '\\n')
    end
  end
  return text
end
-- As a person does who picks one of the lenses by its title.
function Pick(title)
  vim.ui.select = function(items, options, chosen)
    for _, item in ipairs(items) do
      if options.format_item(item) == title then chosen(item) end
    end
  end
  vim.lsp.codelens.run()
end
END
"""


def snippet() -> str:
    """Return the Lua code of docs/how-to/editor.md."""
    match = re.search(r"```lua\n(.*?)```", _PAGE.read_text(), re.S)
    assert match
    return match[1]


class Neovim:
    """An editor that runs, asked and typed at from outside."""

    def __init__(self, source: Path) -> None:
        self.source = source
        folder = source.parent
        own = folder / "editor"
        own.mkdir()
        (own / "init.lua").write_text(f"{snippet()}\nvim.cmd('source {own}/shown.vim')\n")
        (own / "shown.vim").write_text(SHOWN)
        self.socket = own / "socket"
        homes = {f"XDG_{kind}_HOME": str(own / kind.lower()) for kind in ("DATA", "STATE", "CACHE")}
        self.env = environment(**homes, XDG_CONFIG_HOME=str(own), HOME=str(own))
        command = ["nvim", "--headless", "-n", "-u", str(own / "init.lua")]
        self.process = subprocess.Popen(
            [*command, "--listen", str(self.socket), source.name],
            cwd=folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.until(lambda: self.socket.exists(), "Neovim listens")

    def _remote(self, *words: str) -> str:
        command = ["nvim", "--server", str(self.socket), *words]
        result = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        return result.stdout or result.stderr

    def ask(self, expression: str) -> str:
        return self._remote("--remote-expr", expression)

    def type(self, keys: str) -> None:
        self._remote("--remote-send", keys)

    def virtual_text(self) -> dict[int, str]:
        """Return the visible lenses, by line from 0."""
        document = json.loads(self.ask("Shown()"))
        return {int(line): text for line, text in document.items() if line != "none"}

    def diagnostics(self) -> list[dict[str, Any]]:
        """Return the list of problems."""
        document: list[dict[str, Any]] = json.loads(
            self.ask("json_encode(luaeval('vim.diagnostic.get(0)'))")
        )
        return document

    def warned(self, line: int) -> bool:
        """Return whether there is just one warning, on that line."""
        return [diagnostic["lnum"] for diagnostic in self.diagnostics()] == [line]

    def floating(self) -> str:
        """Return the text of the windows that lie over the buffer."""
        return self.ask("luaeval('Floating()')")

    def pick(self, line: int, title: str) -> None:
        self.type(f"{line + 1}G")
        self.ask(f"luaeval('Pick(_A)', '{title}')")

    def until(self, holds: Callable[[], object], what: str) -> None:
        until = time.monotonic() + _PATIENCE
        while not holds():
            assert self.process.poll() is None, "Neovim has ended"
            assert time.monotonic() < until, f"never: {what}"
            time.sleep(0.1)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=30)


@pytest.fixture
def neovim(tmp_path: Path) -> Iterator[Neovim]:
    if not shutil.which("nvim"):
        pytest.skip("nvim is not here (Debian: neovim)")
    editor = Neovim(workspace(tmp_path))
    yield editor
    editor.end()


def test_open_choose_build_run_and_see_the_numbers_after_an_edit_above(neovim: Neovim) -> None:
    source = neovim.source
    both = "leave out | with its file"
    neovim.until(lambda: neovim.virtual_text().get(FIRST) == both, "lenses")
    neovim.pick(SECOND, "leave out")
    neovim.until(lambda: neovim.virtual_text().get(SECOND) == "measure | with its file", "left out")
    assert "function=step nth=2" in (source.parent / "pomp.filter").read_text()
    build_and_run(source)
    neovim.until(lambda: "14 calls" in neovim.virtual_text().get(FIRST, ""), "the run")
    neovim.type("ggO// one<CR>two<CR>three<Esc>")
    neovim.until(lambda: neovim.warned(ATOMIC + 3), "the warning's line after the edit")
    neovim.ask("luaeval('Forget()')")
    neovim.type(":w<CR>")
    neovim.until(lambda: "14 calls" in neovim.virtual_text().get(FIRST + 3, ""), "moved")
    virtual_text = neovim.virtual_text()
    assert "2 calls" in virtual_text[SUM + 3] and "2 calls" in virtual_text[QUEUE + 3]
    assert virtual_text[SECOND + 3] == "measure | with its file"
    (diagnostic,) = neovim.diagnostics()
    assert diagnostic["severity"] == 2
    assert "no call may stand inside 'simd'" in diagnostic["message"]
    assert "pomp-no-call" in json.dumps(diagnostic)
    neovim.type(f"{FIRST + 4}G")
    neovim.ask("luaeval('vim.lsp.buf.hover()')")
    neovim.until(lambda: "execT" in neovim.floating(), "the report's row")


LOOP, IN_SIMD = 5, 15


def test_a_program_in_fortran_has_lenses_numbers_and_warnings(tmp_path: Path) -> None:
    if not shutil.which("nvim"):
        pytest.skip("nvim is not here")
    source = fortran_workspace(tmp_path)
    editor = Neovim(source)
    try:
        editor.until(
            lambda: "4 calls" in editor.virtual_text().get(LOOP, ""), "the numbers of the run"
        )
        editor.pick(LOOP, "leave out")
        editor.until(lambda: "measure |" in editor.virtual_text().get(LOOP, ""), "left out")
        chosen = (source.parent / "pomp.filter").read_text()
        assert "EXCLUDE construct=parallel_do" in chosen
        editor.until(lambda: editor.warned(IN_SIMD), "the construct inside simd")
    finally:
        editor.end()
