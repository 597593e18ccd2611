"""Routing is a pure function of the state."""

from __future__ import annotations

import pytest

from askfirst.graph.routing import (
    after_admit,
    after_critics,
    after_gate,
    after_queue,
    after_review,
    after_stage,
    mended_at,
)
from askfirst.graph.state import State

REPAIR_LIMIT = 2


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
    state: State = {"by": author, "gates": {"scenario": verdict}, "repairs": {"scenario": spent}}
    assert after_gate("scenario", REPAIR_LIMIT)(state) == goes


def test_a_gate_that_left_no_verdict_is_no_pass() -> None:
    assert after_gate("task", REPAIR_LIMIT)({"by": "carrier", "gates": {"scenario": "pass"}}) == "queue"


def test_a_node_that_failed_ends_its_seed_wherever_it_stands() -> None:
    failed: State = {"outcome": "failed", "by": "llm", "gates": {"task": "pass"}}
    assert (
        after_gate("task", REPAIR_LIMIT)(failed)
        == after_queue(failed)
        == after_stage("task", REPAIR_LIMIT)(failed)
        == after_admit(failed)
        == "finish"
    )
    assert after_queue({"outcome": "waiting"}) == "wait"


@pytest.mark.parametrize(
    ("state", "goes"),
    [
        ({"outcome": "failed"}, "finish"),
        ({}, "gate"),
        ({"faults": [{"code": "D1.unknown_table"}], "by": "llm"}, "repair"),
        ({"faults": [{"code": "D1.unknown_table"}], "by": "llm", "repairs": {"scenario": REPAIR_LIMIT}}, "queue"),
        ({"faults": [{"code": "D1.unknown_table"}], "by": "hand"}, "queue"),
        ({"faults": [{"code": "D1.unknown_table"}], "by": "llm", "stuck": "scenario"}, "queue"),
        ({"reason": "the model refused to write it", "by": "llm"}, "queue"),
    ],
)
def test_after_stage(state: State, goes: str) -> None:
    assert after_stage("scenario", REPAIR_LIMIT)(state) == goes


@pytest.mark.parametrize(
    ("author", "verdict", "spent", "goes"),
    [
        ("llm", "pass", 0, "next"),
        ("llm", "fail", 0, "repair"),
        ("llm", "fail", REPAIR_LIMIT, "queue"),
        ("llm", "split", 0, "queue"),
        ("llm", "unjudged", 0, "queue"),
        ("carrier", "fail", 0, "queue"),
        ("carrier", "pass", 0, "next"),
        ("hand", "split", 0, "queue"),
    ],
)
def test_after_critics(author: str, verdict: str, spent: int, goes: str) -> None:
    state: State = {"by": author, "critics": {"scenario": verdict}, "repairs": {"scenario": spent}}
    assert after_critics("scenario", REPAIR_LIMIT)(state) == goes


def test_critics_are_asked_only_where_there_are_any_and_nobody_has_approved() -> None:
    passed: State = {"by": "llm", "gates": {"scenario": "pass"}, "judged": True}
    assert after_gate("scenario", REPAIR_LIMIT)(passed) == "critics"
    assert after_gate("scenario", REPAIR_LIMIT)({**passed, "judged": False}) == "next"
    assert after_gate("scenario", REPAIR_LIMIT)({**passed, "approved": ["scenario"]}) == "next"
    assert after_gate("scenario", REPAIR_LIMIT)({**passed, "gates": {"scenario": "fail"}}) == "repair"


def test_a_task_that_a_person_wants_to_see_waits_once() -> None:
    wanted: State = {"by": "carrier", "gates": {"task": "pass"}, "critics": {"task": "pass"}, "to_review": True}
    assert after_gate("task", REPAIR_LIMIT)(wanted) == after_critics("task", REPAIR_LIMIT)(wanted) == "queue"
    assert after_gate("task", REPAIR_LIMIT)({**wanted, "approved": ["task"]}) == "next"
    assert after_gate("scenario", REPAIR_LIMIT)({**wanted, "gates": {"scenario": "pass"}}) == "next"


@pytest.mark.parametrize(
    ("decision", "stage", "author", "goes"),
    [
        ("", "scenario", "llm", "wait"),
        ("reject", "scenario", "llm", "finish"),
        ("approve", "contract", "llm", "scenario"),
        ("approve", "scenario", "carrier", "blueprint"),
        ("approve", "blueprint", "hand", "realize"),
        ("approve", "task", "llm", "publish"),
        ("edit", "scenario", "llm", "scenario"),
        ("edit", "task", "llm", "blueprint"),
        ("send_back", "scenario", "llm", "scenario"),
        ("send_back", "task", "llm", "blueprint"),
        ("send_back", "seed", "llm", "admit"),
        ("send_back", "scenario", "carrier", "admit"),
        ("send_back", "task", "hand", "admit"),
    ],
)
def test_after_review(decision: str, stage: str, author: str, goes: str) -> None:
    assert after_review({"decision": decision, "stage": stage, "by": author}) == goes


@pytest.mark.parametrize(
    ("stage", "found", "goes"),
    [
        ("contract", "C1.other_step: /claim: x", "contract"),
        ("scenario", "C4.cue_in_wording: /instruction: x", "scenario"),
        ("task", "G1.stopped: /paths/0: x", "blueprint"),
        ("task", "C6.odd_rows: /world: x", "blueprint"),
        ("task", "C5.other_decision: /expected/decision: x", "scenario"),
        ("task", "C7.work_unclear: /prompts/instruction: x", "scenario"),
        ("task", "C7.answer_unclear: /user/modify: x", "scenario"),
        ("task", "C7.work_unclear: /task/prompts: x", "scenario"),
        ("task", "C7.work_unclear: : at /prompts/instruction: x", "blueprint"),
        ("task", "C7.no_way: /world/rows/user_accounts/0: x", "blueprint"),
        ("blueprint", "G0.unknown_path: /user/inform: x", "blueprint"),
    ],
)
def test_what_is_found_is_mended_where_it_lies(stage: str, found: str, goes: str) -> None:
    assert mended_at({"stage": stage, "findings": [found]}) == goes


def test_what_a_person_edits_is_the_draft_that_was_shown() -> None:
    state: State = {"decision": "edit", "stage": "task", "by": "llm", "findings": ["C5.other_decision: /x: y"]}
    assert after_review(state) == "blueprint"
    assert after_review({**state, "decision": "send_back"}) == "scenario"
