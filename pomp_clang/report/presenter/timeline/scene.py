"""What a time line shows, of one process or of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pomp_clang.causes.line import ThreadLine
from pomp_clang.report.presenter.timeline.marks import Marks
from pomp_clang.report.presenter.timeline.pack import Pack
from pomp_clang.report.presenter.timeline.span import Span


def _nothing(_: Pack) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Scene:
    """`lines` are by the rows of `span.threads`; `more` is what else the page is told."""

    span: Span
    lines: tuple[ThreadLine, ...]
    marks: list[Marks]
    more: Callable[[Pack], dict[str, Any]] = _nothing
