"""What models cost: as the settings say, else as the list says that ships with genai-prices. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from askfirst.errors import LlmError
from askfirst.llm.kept import Usage
from askfirst.settings.form import Budget, ModelSettings, Price
from askfirst.settings.providers import PROVIDERS, model_name, provider_of

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot

_MILLION = 1_000_000
_FREE = Price(input=0, output=0)
_LATEST = datetime(9999, 1, 1, tzinfo=UTC)


def price_of(model: ModelSettings, *, input_tokens: int = 0) -> Price | None:
    """The price of a request with so many tokens of input, or None where it is not known.

    A model at an address of its own has the price that the list gives for that address, if it knows it. What runs
    without a provider costs nothing.
    """
    if model.price is not None:
        return model.price
    provider = PROVIDERS[provider_of(model)].prices
    if provider is None:
        return _FREE
    found = _listed(provider, model_name(model), model.base, _context(model))
    if found is None:
        return None
    entry, output = _amount(found.input_mtok, input_tokens), _amount(found.output_mtok, input_tokens)
    if entry is None or output is None:
        return None
    cached, write = _amount(found.cache_read_mtok, input_tokens), _amount(found.cache_write_mtok, input_tokens)
    return Price(input=entry, output=output, cached_input=cached, cache_write=write)


def cost_of(model: ModelSettings, usage: Usage) -> float | None:
    """US dollars for what a request used, or None where the price is not known."""
    price = price_of(model, input_tokens=usage.input_tokens)
    return None if price is None else cost_at(price, usage)


def cost_at(price: Price, usage: Usage) -> float:
    """US dollars at a price."""
    cached = price.input if price.cached_input is None else price.cached_input
    write = price.input if price.cache_write is None else price.cache_write
    fresh = max(0, usage.input_tokens - usage.cached_tokens - usage.written_tokens)
    parts = (
        fresh * price.input, usage.cached_tokens * cached, usage.written_tokens * write,
        usage.output_tokens * price.output,
    )  # fmt: skip
    return sum(parts) / _MILLION


def check_prices(models: Iterable[ModelSettings], budget: Budget) -> None:
    """Raise LlmError for the first of these models that has no known price while the cost is limited."""
    if budget.max_cost is None:
        return
    for model in models:
        if price_of(model) is None:
            raise LlmError(
                f"the price of {model.model} is not known, so that max_cost cannot be held.",
                hint="Write `price: {input: ..., output: ...}` below the model in askfirst.yaml, in US dollars per "
                "million tokens, or limit max_tokens or max_calls instead.",
            )


@cache
def _list() -> DataSnapshot | None:
    """The list as it was installed, whatever list of prices others in this process may have put in its place."""
    try:
        from genai_prices.data import providers
        from genai_prices.data_snapshot import DataSnapshot
    except ImportError:
        return None
    return DataSnapshot(providers=providers, from_auto_update=False)


def _listed(provider: str, name: str, base: str | None, context: dict[str, str]) -> Any | None:
    known = _list()
    if known is None:
        return None
    try:
        _, info = known.find_provider_model(name, None, None if base else provider, base)
    except LookupError:
        return None
    return info.get_prices(_LATEST, context)


def _context(model: ModelSettings) -> dict[str, str]:
    """What of a request the list may set prices by, such as `service_tier: priority`."""
    return {name: value for name, value in model.parameters.items() if isinstance(value, str)}


def _amount(listed: Any, input_tokens: int) -> float | None:
    """One amount of the list, which may rise for all tokens once there are more than so many of input."""
    if listed is None:
        return None
    amount = listed
    if hasattr(listed, "tiers"):
        amount = listed.base
        for tier in listed.tiers:
            amount = tier.price if input_tokens > tier.start else amount
    return float(amount)
