"""One browser for all pages that are tested."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.report.html.browser import Browser, browser


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
