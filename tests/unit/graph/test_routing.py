"""Routing is a pure function of the state."""

from __future__ import annotations

import pytest

from askfirst.graph.routing import REPAIR_LIMIT, after_admit, after_gate, after_queue, after_review, after_stage
from askfirst.graph.state import State


@pytest.mark.parametrize(
    ("state", "goes"),
    [
        ({"outcome": "rejected", "reason": "private data"}, "finish"),
        ({"outcome": "failed"}, "finish"),
        ({"reason": "no carrier"}, "queue"),
        ({"carrier": "storage_cleanup", "reason": ""}, "contract"),
    ],
)
def test_after_admit(state: State, goes: str) -> None:
    assert after_admit(state) == goes


@pytest.mark.parametrize(
    ("author", "verdict", "spent", "goes"),
    [
        ("carrier", "pass", 0, "next"),
        ("carrier", "fail", 0, "queue"),
        ("llm", "fail", 0, "repair"),
        ("llm", "fail", REPAIR_LIMIT - 1, "repair"),
        ("llm", "fail", REPAIR_LIMIT, "queue"),
        ("llm", "unjudged", 0, "queue"),
        ("llm", "pass", REPAIR_LIMIT, "next"),
        ("hand", "fail", 0, "queue"),
    ],
)
def test_after_gate(author: str, verdict: str, spent: int, goes: str) -> None:
    state: State = {"author": author, "gates": {"scenario": verdict}, "repairs": {"scenario": spent}}
    assert after_gate("scenario")(state) == goes


def test_a_gate_that_left_no_verdict_is_no_pass() -> None:
    assert after_gate("task")({"author": "carrier", "gates": {"scenario": "pass"}}) == "queue"


def test_a_node_that_failed_ends_its_seed_wherever_it_stands() -> None:
    failed: State = {"outcome": "failed", "author": "llm", "gates": {"task": "pass"}}
    assert after_gate("task")(failed) == after_queue(failed) == after_stage(failed) == after_admit(failed) == "finish"
    assert after_queue({"outcome": "waiting"}) == "wait"


def test_after_stage_and_review() -> None:
    assert after_stage({"outcome": "failed"}) == "finish"
    assert after_stage({}) == "gate"
    assert after_review({"decision": "send_back"}) == "admit"
    assert after_review({"decision": "reject"}) == "finish"
