"""The browser that the exports are opened in."""

from __future__ import annotations

from tests.report.conftest import chromium

__all__ = ["chromium"]
