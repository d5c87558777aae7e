"""The worker process, and the server's side of it: one request per line of standard input, one
answer per line of standard output.

libclang works in a process of its own, so that the server answers meanwhile, and survives a crash
of the parser. Where a process ended, the next request starts a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from pomp_clang.lsp.place import AnalysisRequest, DocumentAnalysis


def main() -> None:
    """Answer requests until the input ends: the worker process."""
    from pomp_clang.lsp.analyze_document import DocumentAnalyzer

    # Libraries and compilers print to standard output, too: their text goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape")
    os.dup2(2, 1)
    surveyor = DocumentAnalyzer()
    for line in sys.stdin:
        values = json.loads(line)
        values["command"] = tuple(values["command"])
        answers.write(json.dumps(surveyor.survey(AnalysisRequest(**values)).as_json()) + "\n")
        answers.flush()


_LONGEST_ANSWER = 1 << 28


@dataclass
class _Turn:
    """A request, and for each caller that waits for its answer whether it is still wanted."""

    is_wanted: list[Callable[[], bool]] = field(default_factory=list)
    task: asyncio.Task[DocumentAnalysis | None] | None = None


class WorkerClient:
    """A client of the worker process, which starts at the first request."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()
        self._turns: dict[AnalysisRequest, _Turn] = {}

    async def ask(
        self, request: AnalysisRequest, is_wanted: Callable[[], bool]
    ) -> DocumentAnalysis | None:
        """Return the analysis of a unit; None if it was no longer `is_wanted` when its turn came.

        Callers of equal requests share one answer.
        """
        turn = self._turns.get(request)
        if turn is None:
            turn = self._turns[request] = _Turn()
            turn.task = asyncio.create_task(self._in_turn(request, turn))
        assert turn.task is not None
        turn.is_wanted.append(is_wanted)
        try:
            # An answer without a reader would be taken for the answer to the next request.
            return await asyncio.shield(turn.task)
        finally:
            turn.is_wanted.remove(is_wanted)

    async def _in_turn(self, request: AnalysisRequest, turn: _Turn) -> DocumentAnalysis | None:
        async with self._busy:
            try:
                if not any(asks() for asks in turn.is_wanted):
                    return None
                return await self._answer(request)
            finally:
                del self._turns[request]

    async def _answer(self, request: AnalysisRequest) -> DocumentAnalysis:
        process = await self._running()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(asdict(request)).encode() + b"\n")
            await process.stdin.drain()
            answer = await process.stdout.readline()
        except ConnectionError:
            answer = b""
        if not answer:
            await process.wait()
            return DocumentAnalysis(error=f"{request.source}: libclang could not read it")
        return DocumentAnalysis.of_json(json.loads(answer))

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            # -P: nothing of the folder that the editor was started in is imported.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "pomp_clang.lsp.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_ANSWER,
            )
        return self._process

    async def end(self) -> None:
        """End the worker process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


if __name__ == "__main__":
    main()
