"""A real VS Code without a window: code-server, looked at with Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from tests.builds.harness import SCRIPTS, environment
from tests.report.html.browser import Browser, browser

FOLDER = Path(__file__).resolve().parents[2] / "editors" / "vscode"
CONTROL = 2
_PATIENCE = 60.0
_SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "telemetry.telemetryLevel": "off",
    "security.workspace.trust.enabled": False,
    "editor.minimap.enabled": False,
    "editor.autoIndent": "none",
    "editor.autoClosingBrackets": "never",
    "editor.fontFamily": "DejaVu Sans Mono",
}
_LENSES = """(() => {
  const top = (e) => e.getBoundingClientRect().top;
  const lines = [...document.querySelectorAll('.view-lines .view-line')];
  return [...document.querySelectorAll('.codelens-decoration')].filter((e) => e.innerText)
    .map((lens) => {
      const below = lines.filter((line) => top(line) > top(lens) + 4)
        .sort((a, b) => top(a) - top(b))[0];
      return [below ? below.innerText : '', lens.innerText, top(lens)];
    }).sort((a, b) => a[2] - b[2]);
})()"""

T = TypeVar("T")


@dataclass(frozen=True)
class Code:
    """A window with a file in it."""

    tab: Browser

    def lenses(self) -> list[tuple[str, str]]:
        """Return the line below each lens, and the lens's text."""
        return [(_plain(line), _plain(lens)) for line, lens, _ in self.tab.value(_LENSES)]

    def line(self, start: str) -> str:
        """Return the first line of the text with this beginning, and the text shown in it."""
        lines = self.tab.value(
            "[...document.querySelectorAll('.view-lines .view-line')].map((e) => e.innerText)"
        )
        return next((text for text in map(_plain, lines) if text.startswith(start)), "")

    def says(self) -> str:
        """Return the window's notifications, and its number of problems."""
        result = self.tab.value(
            "[...document.querySelectorAll('.notification-list-item-message')]"
            ".map((e) => e.innerText).join('; ')"
        )
        problems = "document.getElementById('status.problems')"
        return f"{result} {self.tab.value(f'{problems}?.getAttribute(`aria-label`)')}"

    def ask_at(self, start: str) -> None:
        """Put the cursor on the line with this beginning, and ask for its hover text."""
        self._press(
            "[...document.querySelectorAll('.view-lines .view-line')].find((e) =>"
            f" e.innerText.replace(/\\u00a0/g, ' ').startsWith({json.dumps(start)}))?.firstChild"
        )
        self.key("k", 75, CONTROL)
        self.key("i", 73, CONTROL)

    def hover(self) -> str:
        """Return the hover text."""
        result = self.tab.value(
            "[...document.querySelectorAll('.monaco-hover')].map((e) => e.innerText).join('; ')"
        )
        return _plain(result)

    def click(self, number: int, title: str) -> None:
        """Click the lens with this title among the ones above the n-th place."""
        element = (
            "[...document.querySelectorAll('.codelens-decoration')].filter((e) => e.innerText)"
            ".sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
            f"[{number}].querySelectorAll('a')"
        )
        element = f"[...{element}].find((e) => e.innerText == {json.dumps(title)})"
        self._press(element)

    def _press(self, element: str) -> None:
        box = self.tab.value(
            f"(() => {{ const b = {element}?.getBoundingClientRect();"
            " return b ? [b.left + Math.min(20, b.width / 2), b.top + b.height / 2] : null; })()"
        )
        assert box, element
        at = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.tab.call("Input.dispatchMouseEvent", type=kind, **at)

    def key(self, name: str, number: int, modifiers: int = 0) -> None:
        code = f"Key{name.upper()}" if len(name) == 1 else name
        for kind in ("keyDown", "keyUp"):
            self.tab.call(
                "Input.dispatchKeyEvent",
                type=kind, key=name, code=code, windowsVirtualKeyCode=number, modifiers=modifiers,
            )  # fmt: skip

    def type_at_top(self, text: str) -> None:
        self.tab.value(
            "document.querySelector('.monaco-editor textarea, .native-edit-context').focus()"
        )
        self.key("Home", 36, CONTROL)
        self.tab.call("Input.insertText", text=text)

    def save(self) -> None:
        self.key("s", 83, CONTROL)

    def until(self, query: Callable[[], T], holds: Callable[[T], object], what: str) -> T:
        until = time.monotonic() + _PATIENCE
        while not holds(seen := query()):
            assert time.monotonic() < until, f"never: {what}: {seen}; {self.says()}"
            time.sleep(0.2)
        return seen


def _plain(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text.replace("\u00a0", " ")).replace(" | ", "|")


@contextmanager
def code(
    source: Path,
    width: int = 1200,
    height: int = 1500,
    *,
    line: int = 1,
    command: str = str(SCRIPTS / "pomp-clang"),
) -> Iterator[Code]:
    """Open VS Code with the packaged extension, a folder and one of its files at a line."""
    server = shutil.which("code-server")
    if server is None:
        pytest.skip("code-server is not here (npm install code-server)")
    if not (FOLDER / "node_modules" / ".bin" / "vsce").exists():
        pytest.skip("what the extension needs is not here (npm install in editors/vscode)")
    # In a folder of a short name: sockets are made in it.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder_ = Path(folder)
        started = [server, *_options(folder_, command)]
        package = FOLDER / "node_modules" / ".bin" / "vsce"
        _run(
            [package, "package", "--allow-missing-repository", "-o", folder_ / "pomp.vsix"],
            FOLDER,
            folder_,
        )
        _run([*started, "--install-extension", folder_ / "pomp.vsix"], folder_, folder_)
        with open(folder_ / "log", "wb") as log:
            process = subprocess.Popen(
                started, cwd=folder_, env=_home(folder_), stdout=log, stderr=log
            )
        try:
            address = _address(folder_ / "log", process)
            with _window(folder_, width, height) as tab:
                opened = [["openFile", f"vscode-remote://{address}{source}:{line}"]]
                payload = json.dumps([*opened, ["gotoLineMode", "true"]])
                query = urllib.parse.urlencode({"folder": source.parent, "payload": payload})
                tab.call("Page.navigate", url=f"http://{address}/?{query}")
                yield Code(tab)
        finally:
            process.terminate()
            process.wait(timeout=60)


@contextmanager
def _window(folder: Path, width: int, height: int) -> Iterator[Browser]:
    (folder / "chromium").mkdir()
    with browser(folder / "chromium") as tab:
        tab.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        yield tab


def _options(folder: Path, command: str) -> list[str]:
    data = folder / "data"
    for part, settings in (
        ("User", _SETTINGS),
        ("Machine", {"pomp.command": command}),
    ):
        (data / part).mkdir(parents=True)
        (data / part / "settings.json").write_text(json.dumps(settings))
    return [
        "--auth=none",
        "--bind-addr=127.0.0.1:0",
        "--disable-telemetry",
        "--disable-update-check",
        f"--config={folder / 'config.yaml'}",
        f"--user-data-dir={data}",
        f"--extensions-dir={folder / 'extensions'}",
    ]


def _home(folder: Path) -> dict[str, str]:
    return environment(HOME=str(folder))


def _run(command: list[str | Path], folder: Path, home: Path) -> None:
    result = subprocess.run(
        command, cwd=folder, env=_home(home), capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, f"{result.stdout}{result.stderr}"


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + _PATIENCE
    while not (result := re.search(r"listening on http://([\d.:]+)/", log.read_text())):
        assert process.poll() is None and time.monotonic() < until, log.read_text()
        time.sleep(0.1)
    return result[1]
