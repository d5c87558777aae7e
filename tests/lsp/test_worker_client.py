"""The worker receives only requests still wanted when it can answer."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from pomp_clang.lsp.place import AnalysisRequest, DocumentAnalysis
from pomp_clang.lsp.worker import WorkerClient

TEXT = "void f(void) {{\n  {}\n}}\n"


def analyses(folder: Path, *texts: tuple[str, bool]) -> list[DocumentAnalysis | None]:
    """Return the answers for texts requested at once, some of them wanted."""
    (folder / "a.c").touch()

    async def all_() -> list[DocumentAnalysis | None]:
        analyst = WorkerClient()
        requests = [AnalysisRequest(str(folder), "a.c", text) for text, _ in texts]
        asking = [
            analyst.ask(request, partial(bool, is_expected))
            for request, (_, is_expected) in zip(requests, texts, strict=True)
        ]
        try:
            return list(await asyncio.gather(*asking))
        finally:
            await analyst.end()

    return asyncio.run(all_())


def test_what_is_not_wanted_any_longer_is_not_read(tmp_path: Path) -> None:
    text, later = TEXT.format(""), TEXT.format("int x;")
    first, second, third = analyses(tmp_path, (text, True), (later, False), (text + "\n", True))
    assert second is None
    assert first is not None and third is not None


def test_one_answer_is_for_all_who_ask_the_same(tmp_path: Path) -> None:
    text = TEXT.format("")
    first, unwanted, again = analyses(tmp_path, (text, True), (text, False), (text, True))
    assert first is unwanted is again and first is not None
