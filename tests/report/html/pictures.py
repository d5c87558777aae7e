"""The pictures in docs/: pages of the example's profile, taken by Chromium.

    make pictures

    python -m tests.report.html.pictures [FOLDER]

compiles and runs the example in FOLDER, whose name is in the pictures.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.report.html.browser import Browser, browser

REPOSITORY = Path(__file__).resolve().parents[3]
WIDTH = 1000


@dataclass(frozen=True)
class Picture:
    """`top` is the element that the picture begins with, `open` one to be unfolded before."""

    name: str
    height: int
    top: str
    open: str = ""


PICTURES = (
    Picture("page.png", 1000, "body"),
    Picture("page-callpaths.png", 430, "#callpaths"),
    Picture("page-region.png", 900, "[data-region=R00003]", "[data-region=R00003]"),
)


def profile(folder: Path) -> Path:
    """The example's page, two threads."""
    pomp = str(Path(sys.executable).parent / "pomp-clang")
    shutil.copy(REPOSITORY / "examples" / "stommel.c", folder)
    compiler = next(c for c in ("clang", "clang-19", "gcc") if shutil.which(c))
    build = [pomp, "--", compiler, "-fopenmp", "-O2", "stommel.c", "-lm", "-o", "stommel"]
    subprocess.run(build, cwd=folder, check=True)
    own = {**os.environ, "OMP_NUM_THREADS": "2", "POMP_EXPERIMENT_DIR": "pomp-stommel-1"}
    subprocess.run(["./stommel", "1000", "300"], cwd=folder, env=own, check=True)
    report = [pomp, "report", "pomp-stommel-1", "--format", "html", "-o", "page.html"]
    subprocess.run(report, cwd=folder, check=True)
    return folder / "page.html"


def take(tab: Browser, page: Path, picture: Picture) -> bytes:
    tab.open(page, WIDTH)
    tab.call("Emulation.setScrollbarsHidden", hidden=True)
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=WIDTH, height=picture.height, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    if picture.open:
        tab.value(f"document.querySelector('{picture.open}').open = true")
    # What was out of sight gets its height when it comes into sight, and moves what follows.
    for _ in range(3):
        tab.value(f"document.querySelector('{picture.top}').scrollIntoView()")
        time.sleep(0.5)
    shot = tab.call("Page.captureScreenshot", format="png")
    return base64.b64decode(shot["data"])


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as own:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else own)
        page = profile(folder)
        with browser(Path(own) / "chromium") as tab:
            for picture in PICTURES:
                (REPOSITORY / "docs" / picture.name).write_bytes(take(tab, page, picture))


if __name__ == "__main__":
    main()
