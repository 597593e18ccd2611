"""What a run may spend: every request is reserved at its worst before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from askfirst.errors import BudgetError
from askfirst.llm.kept import Usage
from askfirst.llm.prices import cost_at, price_of
from askfirst.settings.form import Budget, ModelSettings

DEFAULT_MAX_TOKENS = 16_000
"""Tokens of output that a request asks for where the settings name no limit."""
_MAX_TOKENS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_FRAME_TOKENS = 1000
"""What a provider may add to a request of its own: roles, the frame of a tool."""
_DUST = 1e-9
"""Dollars that sums of fractions may be off by."""


@dataclass(frozen=True)
class Spend:
    """What one request may cost, or has cost."""

    cost_usd: float | None = 0.0
    """None where the price is not known."""
    tokens: int = 0
    """Input and output together."""
    calls: int = 1


def max_tokens_of(model: ModelSettings) -> int:
    """The limit of output tokens to be sent with every request of a model."""
    named = [model.parameters[name] for name in _MAX_TOKENS if name in model.parameters]
    return next((value for value in named if type(value) is int and value > 0), DEFAULT_MAX_TOKENS)


def limits_tokens(model: ModelSettings) -> bool:
    """Whether the settings themselves limit the tokens of output."""
    return any(name in model.parameters for name in _MAX_TOKENS)


def worst_of(model: ModelSettings, texts: Iterable[str]) -> Spend:
    """What a request with these texts, the schema among them, may cost at its worst.

    A token is at least one byte of text, nothing comes from the provider's cache, all is written to it, and the
    answer is as long as it may be.
    """
    sent = sum(len(text.encode(errors="replace")) for text in texts) + _FRAME_TOKENS
    answer = max_tokens_of(model)
    price = price_of(model, input_tokens=sent)
    if price is None:
        return Spend(None, sent + answer)
    dearest = price.model_copy(update={"input": max(price.input, price.cache_write or 0.0)})
    return Spend(cost_at(dearest, Usage(input_tokens=sent, output_tokens=answer)), sent + answer)


class Purse:
    """The budget of one run; safe for many tasks on one event loop."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._spent = Spend(0.0, 0, 0)
        self._open: list[Spend] = []
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def spent(self) -> Spend:
        """What was spent so far, reservations aside; where a price is not known, its cost is not in it."""
        return self._spent

    async def reserve(self, worst: Spend) -> Spend:
        """Set aside what a request may cost at its worst, and give it back to be settled.

        Waits while what others have set aside may still come back. Raises BudgetError when it cannot fit any more.
        """
        while not self._fits([*self._open, worst]):
            if not self._open or not self._fits([worst]):
                raise self._exhausted(worst)
            change = asyncio.get_running_loop().create_future()
            self._waiting.add(change)
            try:
                await change
            finally:
                self._waiting.discard(change)
        reserved = replace(worst)
        self._open.append(reserved)
        return reserved

    def settle(self, reserved: Spend, spent: Spend) -> None:
        """Put what was spent in the place of what was set aside; to be called once for every reservation.

        A cost that is not known counts as it was set aside.
        """
        place = next((number for number, one in enumerate(self._open) if one is reserved), None)
        if place is None:
            raise ValueError("this was not reserved here, or is settled already")
        del self._open[place]
        cost = reserved.cost_usd if spent.cost_usd is None else spent.cost_usd
        self._spent = _sum([self._spent, replace(spent, cost_usd=cost)])
        for change in self._waiting:
            if not change.done():
                change.set_result(None)

    def _fits(self, more: list[Spend]) -> bool:
        total, budget = _sum([self._spent, *more]), self._budget
        return (
            (budget.max_cost is None or (total.cost_usd or 0.0) <= budget.max_cost + _DUST)
            and (budget.max_tokens is None or total.tokens <= budget.max_tokens)
            and (budget.max_calls is None or total.calls <= budget.max_calls)
        )

    def _exhausted(self, worst: Spend) -> BudgetError:
        """Says what is spent, of which limit, and what the next request would have taken."""
        spent, budget = self._spent, self._budget
        limits = {
            "--max-cost": (spent.cost_usd or 0.0, worst.cost_usd or 0.0, budget.max_cost, "${:,.4f}"),
            "--max-tokens": (spent.tokens, worst.tokens, budget.max_tokens, "{:,} tokens"),
            "--max-calls": (spent.calls, worst.calls, budget.max_calls, "{:,} requests"),
        }
        flag, (used, next_one, limit, form) = next(
            (flag, told) for flag, told in limits.items() if told[2] is not None and told[0] + told[1] > told[2] + _DUST
        )
        more = "" if flag == "--max-calls" else f", and the next request may take {form.format(next_one)}"
        return BudgetError(
            f"the budget is spent: {form.format(used)} of {form.format(limit)} ({flag}){more}.",
            hint=f"The same command with a larger {flag} goes on; what was answered is not paid for again.",
        )


def _sum(parts: list[Spend]) -> Spend:
    return Spend(
        sum(part.cost_usd or 0.0 for part in parts),
        sum(part.tokens for part in parts),
        sum(part.calls for part in parts),
    )
