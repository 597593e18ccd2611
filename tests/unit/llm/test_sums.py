"""Sums over the ledger, by hand."""

from __future__ import annotations

from askfirst.llm.asking import About, Ending
from askfirst.llm.kept import Row, Served, Usage
from askfirst.llm.sums import Ended, grouped, summed


def row(unit: str, role: str = "author", attempt: int = 0, cost: float | None = 1.0, stage: str = "contract") -> Row:
    about = About(role, stage, unit, unit.partition(".")[0], attempt)
    ending = Ending.ANSWERED if cost is not None else Ending.TIMED_OUT
    return Row("", Served(about, "openai/x", "openai", "k", 1, ending, Usage(100, 25, 10), cost, 1.0, 400))


ENDED = {"a": Ended(True, 2), "a.world": Ended(False), "b": Ended(True, 1)}


def test_nothing_is_the_sum_of_nothing() -> None:
    found = summed([], ENDED)
    assert (found.requests, found.cost_usd, found.units) == (0, 0, 0)
    assert found.cached_share is found.acceptance is found.attempts is None
    assert found.cost_per_task is found.requests_per_task is None


def test_a_rendition_counts_once_however_often_it_was_asked_about() -> None:
    found = summed([row("a"), row("a", attempt=1), row("a", "critic"), row("a.world"), row("new")], ENDED)
    assert (found.units, found.accepted_units, found.tasks) == (2, 1, 2)
    assert found.acceptance == 0.5
    # Twice for a, once each for a.world and for new, which has not ended.
    assert found.attempts == (2 + 1 + 1) / 3
    assert (found.cost_per_task, found.requests_per_task) == (2.5, 2.5)


def test_what_is_not_known_is_not_nothing() -> None:
    found = summed([row("a"), row("a", cost=None)], ENDED)
    assert (found.cost_usd, found.known_cost_usd, found.unpriced, found.cost_per_task) == (None, 1.0, 1, None)
    assert found.endings == {"answered": 1, "timed_out": 1}


def test_a_draft_is_no_rendition() -> None:
    found = summed([row("a", "drafter")], ENDED)
    assert (found.units, found.attempts) == (0, None)


def test_groups_come_in_the_order_of_their_names_and_lose_nothing() -> None:
    rows = [row("b"), row("a"), row("a.world"), row("b", "critic")]
    found = grouped(rows, lambda one: one.served.about.seed, ENDED)
    assert {name: part.requests for name, part in found.items()} == {"a": 2, "b": 2}
    assert list(found) == ["a", "b"]
