"""The pictures in docs/images: the examples in a terminal and as pages, taken by Chromium.

    make pictures

    python -m tests.report.html.pictures [FOLDER]

compiles and runs the examples in FOLDER, whose name is in the pictures.  ansi2html turns the
terminal's contents into a page.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from tests.report.html.browser import Browser, browser

REPOSITORY = Path(__file__).resolve().parents[3]
WIDTH = 1000


COLUMNS = 100
"""The width of the terminal in columns."""


@dataclass(frozen=True)
class Picture:
    """`top` is the element that the picture begins with, `open` one to be unfolded before, `act`
    what else is done."""

    name: str
    page: str
    height: int
    top: str = "body"
    open: str = ""
    width: int = WIDTH
    act: str = ""


_TO_INSTANCE = """(function go() {
  if (!document.querySelector('.tl-ready')) return setTimeout(go, 50);
  document.querySelector('a[href="#view-timeline"]').click();
  document.querySelector('[data-act=next]').click();
})()"""

_TO_TIME_LINE = """(function go() {
  if (!document.querySelector('.tl-ready')) return setTimeout(go, 50);
  document.querySelector('a[href="#view-timeline"]').click();
})()"""

PICTURES = (
    Picture("terminal.png", "terminal.html", 560),
    Picture("page.png", "page.html", 1000),
    Picture("page-callpaths.png", "page.html", 470, "#callpaths"),
    Picture("page-region.png", "page.html", 900, "[data-region=R00003]", "[data-region=R00003]"),
    Picture("causes.png", "causes.html", 900, width=1200),
    Picture("timeline.png", "causes.html", 720, width=1200, act=_TO_INSTANCE),
    Picture("diff.png", "diff.html", 1000),
    Picture("scale.png", "scale.html", 1000),
    Picture("tutorial-causes.png", "tutorial.html", 700, width=1200),
    Picture("tutorial-timeline.png", "tutorial.html", 620, width=1200, act=_TO_TIME_LINE),
    Picture("fortran.png", "fortran.html", 700, width=1200),
    Picture("ci-comment.png", "ci-comment.html", 850, width=900),
)

_STYLE = (
    "body { margin: 14px } "
    "pre { display: block; margin: 0; font: 14px/1.25 'DejaVu Sans Mono', monospace } </style>"
)


def prepare(folder: Path) -> None:
    """Prepare the example's runs with one and two threads, the tutorial's, and the pages in the
    pictures.
    """
    pomp = str(Path(sys.executable).parent / "pomp-clang")
    shutil.copy(REPOSITORY / "examples" / "stommel.c", folder)
    compiler = next(c for c in ("clang", "clang-19", "gcc") if shutil.which(c))
    build = [pomp, "--", compiler, "-fopenmp", "-O2", "stommel.c", "-lm", "-o", "stommel"]
    subprocess.run(build, cwd=folder, check=True)
    runs = []
    for threads, trace in (("1", "0"), ("2", "0"), ("2", "1")):
        runs.append(f"pomp-stommel-{threads}{'-traced' if trace == '1' else ''}")
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "POMP_EXPERIMENT_DIR": runs[-1]}
        environment["POMP_TRACE"] = trace
        subprocess.run(["./stommel", "1000", "300"], cwd=folder, env=environment, check=True)
    traced = runs.pop()
    _prepare_tutorial(folder, pomp, compiler)
    for name, verb in (
        ("page", ["report", runs[1]]),
        ("causes", ["report", traced]),
        ("diff", ["diff", *runs]),
        ("scale", ["scale", *runs]),
    ):
        written = [*verb, "--format", "html", "-o", f"{name}.html"]
        subprocess.run([pomp, *written], cwd=folder, check=True)
    screen = in_terminal([pomp, "report", runs[1]], folder)
    html = subprocess.run(
        ["ansi2html", "--scheme", "xterm"], input=screen, stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    (folder / "terminal.html").write_text(html.replace("</style>", _STYLE), encoding="utf-8")
    _prepare_comment(folder / "ci", Path(pomp).parent)


_COMMENT = """<meta charset="utf-8"><style>
body { margin: 16px; font: 14px/1.5 'DejaVu Sans', sans-serif; color: #1f2328 }
table { border-collapse: collapse; margin-bottom: 16px }
th, td { border: 1px solid #d1d9e0; padding: 4px 10px }
code { background: #eff1f3; padding: 1px 4px; border-radius: 4px }
</style>"""


def _prepare_comment(folder: Path, scripts: Path) -> None:
    """Prepare the comment of the example for continuous integration, on a change that gives all rows
    to one thread, as a host shows it."""
    shutil.copytree(REPOSITORY / "examples" / "ci", folder)
    for name in ("base", "new"):
        (folder / name).mkdir()
        shutil.copy(folder / "heat.c", folder / name)
    source = folder / "new" / "heat.c"
    slow = source.read_text().replace("reduction(max", "schedule(static, N) reduction(max")
    assert slow != source.read_text()
    source.write_text(slow)
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "PATH": f"{scripts}:{os.environ['PATH']}"}
    measure = ["sh", "measure.sh", "5", "base", "new"]
    subprocess.run(measure, cwd=folder, env=environment, check=True)
    compared = subprocess.run(["sh", "compare.sh", "new"], cwd=folder, env=environment)
    assert compared.returncode == 3
    text = (folder / "summary.md").read_text().replace(":x:", "\N{HEAVY MULTIPLICATION X}")
    html = MarkdownIt().enable("table").render(text)
    (folder.parent / "ci-comment.html").write_text(_COMMENT + html, encoding="utf-8")


def _prepare_tutorial(folder: Path, pomp: str, compiler: str) -> None:
    """Prepare the pages of the tutorial's runs, in C and in Fortran."""
    for source, built_by, page in (
        ("pairs.c", compiler, "tutorial"),
        ("pairs.f90", "gfortran", "fortran"),
    ):
        shutil.copy(REPOSITORY / "examples" / source, folder)
        build = [pomp, "--", built_by, "-fopenmp", "-O2", source, "-o", page]
        subprocess.run(build, cwd=folder, check=True)
        settings = {"OMP_NUM_THREADS": "2", "POMP_EXPERIMENT_DIR": f"before-{page}"}
        settings["POMP_TRACE"] = "1"
        subprocess.run([f"./{page}"], cwd=folder, env=os.environ | settings, check=True)
        written = ["report", f"before-{page}", "--format", "html", "-o", f"{page}.html"]
        subprocess.run([pomp, *written], cwd=folder, check=True)


def in_terminal(command: list[str], folder: Path) -> bytes:
    """Return a command's output to a terminal of `COLUMNS` columns."""
    terminal, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    quiet = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    environment = {**quiet, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_PAGER": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=its) as process:
        os.close(its)
        written = b""
        with contextlib.suppress(OSError):  # what a terminal says when its last writer has gone
            while part := os.read(terminal, 65536):
                written += part
    os.close(terminal)
    assert process.returncode == 0
    return written.replace(b"\r\n", b"\n")


def take(tab: Browser, folder: Path, picture: Picture) -> bytes:
    tab.open(folder / picture.page, picture.width)
    tab.call("Emulation.setScrollbarsHidden", hidden=True)
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=picture.width, height=picture.height, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    if picture.open:
        tab.value(f"document.querySelector('{picture.open}').open = true")
    if picture.act:
        tab.value(picture.act)
    # An element out of sight gets its height when it comes into sight, and moves the elements below
    # it.
    for _ in range(3):
        tab.value(f"document.querySelector('{picture.top}').scrollIntoView()")
        time.sleep(0.5)
    shot = tab.call("Page.captureScreenshot", format="png")
    return base64.b64decode(shot["data"])


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as own:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else own)
        prepare(folder)
        with browser(Path(own) / "chromium") as tab:
            for picture in PICTURES:
                (REPOSITORY / "docs" / "images" / picture.name).write_bytes(
                    take(tab, folder, picture)
                )


if __name__ == "__main__":
    main()
