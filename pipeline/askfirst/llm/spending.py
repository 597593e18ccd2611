"""What a request costs, and what it may cost at its worst."""

from __future__ import annotations

from askfirst.llm.adapters.anthropic import MAX_TOKENS
from askfirst.llm.asking import Ending
from askfirst.llm.budget import Spend
from askfirst.llm.kept import Usage
from askfirst.llm.requests import Outcome, Request
from askfirst.llm.turns import characters
from askfirst.settings.form import ModelSettings, Price

_PER_TOKEN = 3
"""Characters to a token at the least, in the mix of English and JSON that is sent."""

_LIMITS = ("max_completion_tokens", "max_tokens")
_MILLION = 1_000_000


def cost_of(usage: Usage, price: Price | None) -> float | None:
    """US dollars for what was used; None where the price is not known."""
    if price is None:
        return None
    cached = price.input if price.cached_input is None else price.cached_input
    fresh = usage.input_tokens - usage.cached_tokens
    return (fresh * price.input + usage.cached_tokens * cached + usage.output_tokens * price.output) / _MILLION


def worst_of(request: Request, model: ModelSettings, price: Price | None) -> Spend:
    """What a request may cost: nothing of it cached, and an answer as long as may be.

    Where no limit of tokens is set, the limit that Anthropic's requests have stands in for it.
    """
    limits = [limit for name in _LIMITS if isinstance(limit := model.parameters.get(name), int)]
    used = Usage(-(-characters(request) // _PER_TOKEN), 0, limits[0] if limits else MAX_TOKENS)
    return Spend(cost_of(used, price), used.input_tokens + used.output_tokens)


def spent_on(outcome: Outcome, reserved: Spend, price: Price | None) -> Spend:
    """What a request has cost. One that timed out may have been billed, so what was reserved for it counts."""
    if outcome.ending is Ending.TIMED_OUT:
        return reserved
    return Spend(cost_of(outcome.usage, price), outcome.usage.input_tokens + outcome.usage.output_tokens)
