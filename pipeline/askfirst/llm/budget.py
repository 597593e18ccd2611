"""What a run may spend: every request is reserved at its worst before it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from askfirst.settings.form import Budget


@dataclass(frozen=True)
class Spend:
    """What one request may cost, or has cost."""

    cost_usd: float | None = 0.0
    """None where the price is not known."""
    tokens: int = 0
    """Input and output together."""
    calls: int = 1


class Purse:
    """The budget of one run; safe for many tasks on one event loop."""

    def __init__(self, budget: Budget) -> None:
        raise NotImplementedError

    async def reserve(self, worst: Spend) -> Spend:
        """Set aside what a request may cost at its worst, and give it back to be settled.

        Waits while what others have set aside may still come back. Raises BudgetError when it cannot fit any more.
        """
        raise NotImplementedError

    def settle(self, reserved: Spend, spent: Spend) -> None:
        """Put what was spent in the place of what was set aside; to be called once for every reservation."""
        raise NotImplementedError
