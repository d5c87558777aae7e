"""A real browser, Chromium, asked through its DevTools protocol what it makes of a page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE = 120
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--remote-debugging-port=0", "--remote-allow-origins=*",
)  # fmt: skip


class Browser:
    """One tab.  `events` has what the browser said of the page that is open."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._calls = 0
        self.events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self._calls += 1
        self._socket.send(json.dumps({"id": self._calls, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._calls:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def open(
        self, page: Path, width: int = 1200, *, dark: bool = False, script: bool = True
    ) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        deadline = time.monotonic() + _PATIENCE
        while "Page.loadEventFired" not in [event["method"] for event in self.events]:
            assert time.monotonic() < deadline
            self.value("1")

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait for something that a page does in its own time."""
        deadline = time.monotonic() + _PATIENCE
        while not self.value(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.01)

    def press(self, key: str, text: str = "") -> None:
        codes = {"Enter": 13, "Tab": 9}
        more = {"windowsVirtualKeyCode": codes.get(key, 0), "text": text}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def complaints(self) -> list[dict[str, Any]]:
        """Return errors, refusals and messages of any kind."""
        kinds = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        self.value("1")
        return [event for event in self.events if event["method"] in kinds]

    def requests(self) -> list[str]:
        """Return the addresses that the page loaded in addition to its own."""
        sent = [e["params"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        urls = [event["request"]["url"] for event in sent if event["type"] != "Document"]
        return [url for url in urls if url != "data:,"]


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start the browser; without Chromium, skip the test with the reason."""
    websocket = pytest.importorskip("websocket", reason="websocket-client is not installed")
    name = next(filter(None, map(shutil.which, NAMES)), None)
    if name is None:
        pytest.skip("no Chromium here (Debian package chromium)")
    command = [name, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
    environment = {**os.environ, "TMPDIR": str(profile)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            tab = _first_tab(profile / "DevToolsActivePort", process)
            socket = websocket.create_connection(tab, timeout=_PATIENCE)
            try:
                yield Browser(socket)
            finally:
                socket.close()
        finally:
            process.terminate()


def _first_tab(port_file: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + _PATIENCE
    while not (port_file.exists() and "\n" in port_file.read_text()):
        assert process.poll() is None and time.monotonic() < deadline, "Chromium did not start"
        time.sleep(0.05)
    port = port_file.read_text().split()[0]
    proxies = urllib.request.ProxyHandler({})
    opener = urllib.request.build_opener(proxies)
    while True:  # it answers before its tab is there
        with opener.open(f"http://127.0.0.1:{port}/json", timeout=_PATIENCE) as answer:
            tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
        if tabs:
            return str(tabs[0]["webSocketDebuggerUrl"])
        assert time.monotonic() < deadline, "Chromium opened no tab"
        time.sleep(0.05)
