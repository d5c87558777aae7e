"""The rows of devices in a time line, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.run.run import Run
from pomp_clang.trace.devices import DeviceOperation
from tests.causes.properties.test_property_instances import everything
from tests.causes.scripts import run_of
from tests.report.html.browser import Browser
from tests.report.page.harness import settled, until
from tests.report.page.timeline.test_in_browser import drawn, page_of, place, point, text
from tests.trace.device_intervals import MadeInterval, recorded


def with_devices(run: Run) -> Run:
    second, start = run.second, run.start

    def interval(
        begin: float, end: float, operation: DeviceOperation, size: int = 0
    ) -> MadeInterval:
        since, until_ = (start + round(moment * second) for moment in (begin, end))
        return MadeInterval(since, until_, operation, path=1, bytes=size, address=4096)

    run.records.devices.append(
        recorded(
            interval(1, 2, DeviceOperation.ALLOC, 8000),
            interval(2, 3, DeviceOperation.TO, 8000),
            interval(3, 6, DeviceOperation.KERNEL),
            interval(4, 5, DeviceOperation.KERNEL),
            interval(6, 7, DeviceOperation.FROM, 4000),
        )
    )
    return run


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Browser:
    chromium.open(page_of(with_devices(run_of(tmp_path, *everything())), tmp_path))
    settled(chromium)
    return chromium


def test_each_operation_is_in_its_lane(opened: Browser) -> None:
    rows = int(settled(opened)["rows"])
    expected = {
        (rows - 2, 0.5): "idle", (rows - 2, 1.5): "memory", (rows - 2, 2.5): "transfer",
        (rows - 2, 3.5): "kernel", (rows - 2, 6.5): "transfer", (rows - 2, 8.3): "idle",
        (rows - 1, 3.5): "idle", (rows - 1, 4.5): "kernel", (rows - 1, 5.5): "idle",
    }  # fmt: skip
    assert {at: drawn(opened, *at) for at in expected} == expected
    assert opened.complaints() == []
    legend = "[...document.querySelectorAll('.tl-legend i')].map((each) => each.className)"
    assert {"tl-kernel", "tl-transfer", "tl-memory"} <= set(opened.value(legend))


def test_the_bytes_of_a_transfer_are_said(opened: Browser) -> None:
    rows = int(settled(opened)["rows"])
    point(opened, "mouseMoved", place(opened, rows - 2, 2.5))
    until(opened, "document.querySelector('.tl-under').textContent")
    status = text(opened, "under")
    assert status.startswith("to the device by ") and "8,000 bytes" in status
    assert "device 0, from 2.00 s, 1 s" in status
    point(opened, "mouseMoved", place(opened, rows - 1, 4.5))
    until(opened, "document.querySelector('.tl-under').textContent.startsWith('kernel')")
    assert "device 0, lane 2, from 4.00 s, 1 s" in text(opened, "under")


def test_threads_are_drawn_as_without_devices(opened: Browser) -> None:
    expected = {(0, 0.5): "alone", (1, 0.5): "idle", (0, 1.4): "work", (0, 2.5): "barrier"}
    assert {at: drawn(opened, *at) for at in expected} == expected
