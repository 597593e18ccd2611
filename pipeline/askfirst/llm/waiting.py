"""The one layer that tries again, for what the wire does to a request: busy, broken, or silent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from askfirst.llm.asking import Ending
from askfirst.llm.requests import Outcome
from askfirst.settings.form import Limits

if TYPE_CHECKING:
    from tenacity import RetryCallState

Sleep = Callable[[float], Awaitable[None]]

PASSING = {Ending.RATE_LIMITED, Ending.UNREACHABLE, Ending.TIMED_OUT}
"""What may be otherwise a moment later."""

_LONGEST = 60.0
"""Seconds between two tries where the provider does not say."""


async def patiently(send: Callable[[], Awaitable[Outcome]], limits: Limits, sleep: Sleep) -> Outcome:
    """Send until something other than the wire speaks, or tries or patience run out; gives the last outcome.

    What the provider wants waited is waited; else the wait grows and is drawn at random, so that many do not come back
    at the same moment.
    """
    from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt, wait_random_exponential

    drawn = wait_random_exponential(multiplier=1, max=_LONGEST)

    def wait(state: RetryCallState) -> float:
        wanted = _outcome(state).wait
        return drawn(state) if wanted is None else wanted

    def out_of_patience(state: RetryCallState) -> bool:
        # Both, because a sleep that is passed in need not take the time that it says.
        passed = max(state.seconds_since_start or 0.0, state.idle_for)
        return passed + state.upcoming_sleep > limits.patience

    trying = AsyncRetrying(
        sleep=sleep,
        wait=wait,
        stop=lambda state: stop_after_attempt(limits.tries)(state) or out_of_patience(state),
        retry=retry_if_result(lambda outcome: outcome.ending in PASSING and not outcome.final),
        retry_error_callback=_outcome,
    )

    async def once() -> Outcome:  # tenacity awaits what it can see to be a coroutine function
        return await send()

    return await trying(once)


def _outcome(state: RetryCallState) -> Outcome:
    assert state.outcome is not None, "asked only after a try"
    outcome: Outcome = state.outcome.result()
    return outcome
