"""The worker, as the server sees it: one question at a time, a new process where one ended."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from pomp_clang.lsp.place import Request, Survey

_LONGEST_ANSWER = 1 << 28


@dataclass
class _Turn:
    """A question, and of each who waits for its answer whether it is still wanted."""

    wanted: list[Callable[[], bool]] = field(default_factory=list)
    task: asyncio.Task[Survey | None] | None = None


class Analyst:
    """Asks the worker; it is started at the first question."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()
        self._turns: dict[Request, _Turn] = {}

    async def ask(self, request: Request, wanted: Callable[[], bool]) -> Survey | None:
        """The survey of a unit; who asks the same meanwhile gets the same answer.  None if it
        was not `wanted` any longer when its turn came."""
        turn = self._turns.get(request)
        if turn is None:
            turn = self._turns[request] = _Turn()
            turn.task = asyncio.create_task(self._in_turn(request, turn))
        assert turn.task is not None
        turn.wanted.append(wanted)
        try:
            # An answer that nobody waited for would be that to the next question.
            return await asyncio.shield(turn.task)
        finally:
            turn.wanted.remove(wanted)

    async def _in_turn(self, request: Request, turn: _Turn) -> Survey | None:
        async with self._busy:
            try:
                if not any(wanted() for wanted in turn.wanted):
                    return None
                return await self._answer(request)
            finally:
                del self._turns[request]

    async def _answer(self, request: Request) -> Survey:
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
            return Survey(error=f"{request.source}: libclang could not read it")
        return Survey.of_json(json.loads(answer))

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
        """No process is left behind."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
