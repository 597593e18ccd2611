"""Writes the ledger beside the event loop.

What comes while it writes is written together next: a disk that takes its time over each write would else hold back
every question that is under way.
"""

from __future__ import annotations

import asyncio

from askfirst.llm.kept import Kept, KeptAnswer, Served

Entry = tuple[Served, KeptAnswer | None]


class Scribe:
    """What has been served, on its way to the disk; belongs to one event loop."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, served: Served, answer: KeptAnswer | None) -> None:
        """Returns when it is on the disk. Who waits may be called off; it is written all the same."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append(((served, answer), written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await asyncio.shield(written)

    async def close(self) -> None:
        """Wait until all is written."""
        if self._writing:
            await self._writing

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            fault: Exception | None = None
            try:
                await asyncio.to_thread(self._kept.record_all, [entry for entry, _ in batch])
            except Exception as error:  # noqa: BLE001 - raised where each of them is waited for
                fault = error
            for _, written in batch:
                if fault is None:
                    written.set_result(None)
                else:
                    written.set_exception(fault)
                    written.exception()  # whoever was called off does not ask for it
