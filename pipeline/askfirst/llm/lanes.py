"""How fast a provider is asked: so many requests at once, so many begun in a minute."""

from __future__ import annotations

import asyncio

from askfirst.settings.form import Limits


class Lane:
    """The way to one provider; belongs to one event loop."""

    def __init__(self, limits: Limits) -> None:
        from aiolimiter import AsyncLimiter

        self.limits = limits
        self.slots = asyncio.Semaphore(limits.at_once)
        """Held by a question from its first try to its last, so that a busy provider is not asked by ever more."""
        # One in each part of the minute: a limiter of the whole minute would let twice as many through in its first.
        self._pace = AsyncLimiter(1, 60 / limits.per_minute) if limits.per_minute else None

    async def turn(self) -> None:
        """Wait until a request may begin."""
        if self._pace:
            await self._pace.acquire()
