"""What may be spent is set aside before it is spent."""

from __future__ import annotations

import asyncio
import random

import pytest

from askfirst.errors import EXIT_BUDGET, BudgetError
from askfirst.llm.budget import DEFAULT_MAX_TOKENS, Purse, Spend, max_tokens_of, worst_of
from askfirst.settings.form import Budget, ModelSettings, Price

PRICED = ModelSettings(model="openai/x", price=Price(input=1, output=10, cache_write=2), parameters={"max_tokens": 100})


def run(purse: Purse, requests: int, worst: Spend, spent: Spend, seed: int = 1) -> tuple[int, int]:
    """So many tasks at once, each of one request; how many were sent, and how many refused."""
    order = random.Random(seed)

    async def one(turns: int) -> bool:
        try:
            reserved = await purse.reserve(worst)
        except BudgetError:
            return False
        for _ in range(turns):
            await asyncio.sleep(0)
        purse.settle(reserved, spent)
        return True

    async def all_of_them() -> list[bool]:
        return await asyncio.gather(*(one(order.randrange(20)) for _ in range(requests)))

    done = asyncio.run(asyncio.wait_for(all_of_them(), 30))
    return done.count(True), done.count(False)


def test_without_limits_everything_fits() -> None:
    purse = Purse(Budget())
    assert run(purse, 16, Spend(None, 1000), Spend(None, 400)) == (16, 0)
    assert purse.spent == Spend(0.0, 6400, 16)


@pytest.mark.parametrize(
    "budget", [Budget(max_cost=1.0), Budget(max_tokens=10_000), Budget(max_calls=10)], ids=["cost", "tokens", "calls"]
)
@pytest.mark.parametrize("seed", range(5))
def test_sixteen_at_once_never_spend_more_than_the_limit(budget: Budget, seed: int) -> None:
    """Each takes what it set aside: a tenth of every limit."""
    purse = Purse(budget)
    assert run(purse, 16, Spend(0.1, 1000), Spend(0.1, 1000), seed) == (10, 6)
    assert purse.spent.calls == 10
    assert purse.spent.cost_usd == pytest.approx(1.0)


def test_a_limit_that_is_a_sum_of_fractions_is_reached() -> None:
    assert 0.1 + 0.1 + 0.1 > 0.3
    assert run(Purse(Budget(max_cost=0.3)), 5, Spend(0.1, 1), Spend(0.1, 1)) == (3, 2)


@pytest.mark.parametrize("seed", range(5))
def test_those_that_do_not_fit_wait_for_what_comes_back(seed: int) -> None:
    """All 16 fit by what they take, though only three fit at once by what they might."""
    purse = Purse(Budget(max_cost=1.0))
    assert run(purse, 16, Spend(0.3, 9), Spend(0.04, 1), seed) == (16, 0)
    assert purse.spent.cost_usd == pytest.approx(0.64)


@pytest.mark.parametrize("seed", range(5))
def test_one_that_takes_more_than_its_worst_is_all_that_can_go_over(seed: int) -> None:
    purse = Purse(Budget(max_cost=1.0))
    sent, _ = run(purse, 16, Spend(0.6, 9), Spend(0.7, 9), seed)
    assert sent == 1
    assert run(Purse(Budget(max_cost=1.0)), 16, Spend(1.0, 9), Spend(1.2, 9), seed) == (1, 15)


def test_what_is_not_taken_is_not_spent() -> None:
    purse = Purse(Budget(max_calls=3))
    assert run(purse, 16, Spend(0.1, 10), Spend(0.0, 0, 0)) == (16, 0)
    assert purse.spent == Spend(0.0, 0, 0)


def test_a_cost_that_is_not_known_counts_as_it_was_set_aside() -> None:
    """As of a request that timed out and may have been billed."""
    purse = Purse(Budget(max_cost=1.0))
    assert run(purse, 16, Spend(0.25, 9), Spend(None, 0)) == (4, 12)
    assert purse.spent.cost_usd == pytest.approx(1.0)


def test_the_message_says_what_is_spent_of_what_and_what_to_do() -> None:
    purse = Purse(Budget(max_cost=1.5, max_tokens=100_000))

    async def spend() -> None:
        purse.settle(await purse.reserve(Spend(1.0, 4000)), Spend(0.9, 2500))
        await purse.reserve(Spend(0.75, 4000))

    with pytest.raises(BudgetError) as caught:
        asyncio.run(spend())
    assert caught.value.exit_code == EXIT_BUDGET == 4
    told = str(caught.value)
    assert "$0.9000 of $1.5000 (--max-cost), and the next request may take $0.7500" in told
    assert "same command with a larger --max-cost goes on" in told
    with pytest.raises(BudgetError, match="2,500 tokens of 100,000 tokens"):
        asyncio.run(purse.reserve(Spend(0.0, 98_000)))
    with pytest.raises(BudgetError, match=r"0 requests of 0 requests \(--max-calls\)\."):
        asyncio.run(Purse(Budget(max_calls=0)).reserve(Spend()))


def test_one_that_can_never_fit_is_told_at_once() -> None:
    purse = Purse(Budget(max_tokens=100))

    async def first_and_too_large() -> None:
        await purse.reserve(Spend(0.0, 10))
        await purse.reserve(Spend(0.0, 101))

    with pytest.raises(BudgetError):
        asyncio.run(asyncio.wait_for(first_and_too_large(), 5))


def test_one_that_is_given_up_while_it_waits_takes_nothing() -> None:
    purse = Purse(Budget(max_calls=1))

    async def work() -> None:
        first = await purse.reserve(Spend())
        waiting = asyncio.create_task(purse.reserve(Spend()))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        purse.settle(first, Spend(0.0, 0, 0))
        purse.settle(await purse.reserve(Spend()), Spend(0.0, 5))

    asyncio.run(work())
    assert purse.spent == Spend(0.0, 5, 1)


def test_a_reservation_is_settled_once() -> None:
    purse = Purse(Budget(max_calls=9))

    async def twice() -> None:
        reserved = await purse.reserve(Spend())
        await purse.reserve(Spend())
        purse.settle(reserved, Spend())
        purse.settle(reserved, Spend())

    with pytest.raises(ValueError, match="settled already"):
        asyncio.run(twice())


@pytest.mark.parametrize(
    ("parameters", "limit"),
    [
        ({}, DEFAULT_MAX_TOKENS),
        ({"max_tokens": 5}, 5),
        ({"max_completion_tokens": 6}, 6),
        ({"max_tokens": "many"}, DEFAULT_MAX_TOKENS),
    ],
)
def test_the_length_of_an_answer_has_a_limit(parameters: dict[str, object], limit: int) -> None:
    assert max_tokens_of(ModelSettings(model="openai/x", parameters=parameters)) == limit


def test_the_worst_is_a_token_a_byte_written_to_the_cache_and_the_longest_answer() -> None:
    worst = worst_of(PRICED, ["a" * 4000, "é" * 500])
    assert worst.tokens == 5000 + 1000 + 100
    assert worst.cost_usd == pytest.approx((6000 * 2 + 100 * 10) / 1e6)
    assert worst.calls == 1
    assert worst_of(ModelSettings(model="openai/no-such-model"), ["a\ud83d"]).cost_usd is None
