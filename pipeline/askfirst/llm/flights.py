"""One request for many who want the same: in this process by sharing it, across processes by a lock on the key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Generic, TypeVar

from askfirst.workspace import disk_faults

T = TypeVar("T")

FOLDER = "asking"
"""Folder of the locks in the workspace's `.askfirst/`."""

_BUCKET = 3
"""Hex digits of a key that name its lock, so that there are few files and few who wait for another key."""


class Flights(Generic[T]):
    """What is being asked at this moment, by key; belongs to one event loop."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Task[T]] = {}

    async def share(self, key: str, start: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """The result for a key, and whether it was started by this call rather than by one that is under way."""
        task = self._under_way.get(key)
        ours = task is None
        if task is None:
            task = asyncio.ensure_future(start())
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        # Who waits may be called off; what is under way may be paid for already and is kept.
        return await asyncio.shield(task), ours

    async def call_off(self) -> None:
        """Stop all that is under way."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def alone(folder: Path | None, key: str) -> AsyncIterator[None]:
    """Keep other processes from asking for the same key; the system drops the lock when the process ends in any way.

    Without a folder there is nobody else.
    """
    if folder is None:
        yield
        return
    from filelock import AsyncFileLock

    with disk_faults(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # No soft fallback: a marker file would outlive a killed process. No executor: taking a free lock is quick.
        lock = AsyncFileLock(folder / f"{key[:_BUCKET]}.lock", fallback_to_soft=False, run_in_executor=False)
        await lock.acquire()
    try:
        yield
    finally:
        await lock.release()
