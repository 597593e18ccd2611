"""Where a seed goes next: pure functions of its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from askfirst.graph.state import Outcome, State
from askfirst.models.rendition import Writer
from askfirst.models.review import Choice

After = Literal["next", "critics", "repair", "queue", "finish"]
Anywhere = Literal["admit", "contract", "scenario", "blueprint", "realize", "publish", "wait", "finish"]
FOLLOWS: dict[str, Literal["scenario", "blueprint", "realize", "publish"]] = {
    "contract": "scenario",
    "scenario": "blueprint",
    "blueprint": "realize",
    "task": "publish",
}
"""Stage to the node behind its gate."""
WRITES: dict[str, Literal["contract", "scenario", "blueprint"]] = {
    "contract": "contract",
    "scenario": "scenario",
    "blueprint": "blueprint",
    "task": "blueprint",
}
"""Stage to the node whose author mends its faults; a task is computed from its blueprint."""
BLIND = "C5."
"""How the codes of the critic begin that decides blind."""


def after_admit(state: State) -> Literal["contract", "queue", "finish"]:
    """A seed at fault ends at once; one that nothing can carry waits; any other is compiled."""
    if state.get("outcome") in {Outcome.REJECTED, Outcome.FAILED}:
        return "finish"
    return "queue" if state.get("reason") else "contract"


def after_stage(stage: str, limit: int) -> Callable[[State], Literal["gate", "repair", "queue", "finish"]]:
    """Behind an author: a stage that could not write its artifact has failed; a draft at fault is repaired."""

    def route(state: State) -> Literal["gate", "repair", "queue", "finish"]:
        if state.get("outcome") == Outcome.FAILED:
            return "finish"
        if state.get("stuck"):
            return "queue"
        if state.get("faults"):
            return "repair" if _can_repair(state, stage, limit) else "queue"
        return "queue" if state.get("reason") else "gate"

    return route


def after_gate(stage: str, limit: int, *, has_critics: bool = True) -> Callable[[State], After]:
    """Behind the gate of a stage.

    Only a fault that was found can be repaired, and only by an author that can write anew; what could not be judged
    spends no repair. Everything else that is no pass waits for a person. A gate that failed itself ends the seed.
    """

    def route(state: State) -> After:
        if state.get("outcome") == Outcome.FAILED:
            return "finish"
        verdict = state.get("gates", {}).get(stage)
        if verdict == "pass":
            asked = has_critics and state.get("judged") and stage not in state.get("approved", [])
            return "critics" if asked else _onward(state, stage)
        return "repair" if verdict == "fail" and _can_repair(state, stage, limit) else "queue"

    return route


def after_critics(stage: str, limit: int) -> Callable[[State], After]:
    """Behind the critics of a stage: as behind its gate, and where the panel is split a person decides."""

    def route(state: State) -> After:
        if state.get("outcome") == Outcome.FAILED:
            return "finish"
        verdict = state.get("critics", {}).get(stage)
        if verdict == "pass":
            return _onward(state, stage)
        return "repair" if verdict == "fail" and _can_repair(state, stage, limit) else "queue"

    return route


def _onward(state: State, stage: str) -> After:
    """To the next stage, or to a person who wants to see the task first."""
    wanted = stage == "task" and state.get("to_review") and stage not in state.get("approved", [])
    return "queue" if wanted else "next"


def _can_repair(state: State, stage: str, limit: int) -> bool:
    return state.get("by") == Writer.LLM and state.get("repairs", {}).get(stage, 0) < limit


def mended_at(state: State) -> Literal["contract", "scenario", "blueprint"]:
    """The stage whose author mends what stopped the thread.

    What is held against a task lies in its wording where a blind reader misread it, or where the finding's place is in
    the prompts or in the user's answers; the author of the blueprint could change none of these.
    """
    stage = state.get("stage", "contract")
    if stage == "task" and any(map(_in_the_wording, state.get("findings", []))):
        return "scenario"
    return WRITES[stage]


def _in_the_wording(line: str) -> bool:
    """Whether a finding, told as `code: place: message`, is about a text of the scenario."""
    code, place, *_ = [*line.split(": ", 2), ""]
    return code.startswith(BLIND) or place.removeprefix("/task").split("/")[1:2] in (["prompts"], ["user"])


def after_queue(state: State) -> Literal["wait", "finish"]:
    """A seed whose item could not be written cannot wait for it."""
    return "finish" if state.get("outcome") == Outcome.FAILED else "wait"


def after_review(state: State) -> Anywhere:
    """Where a person's decision leads; without one the thread goes on waiting."""
    stage, decision = state.get("stage", "seed"), state.get("decision")
    if not decision:
        return "wait"
    if decision == Choice.REJECT or state.get("outcome") == Outcome.FAILED:
        return "finish"
    if decision == Choice.APPROVE:
        return FOLLOWS[stage]
    if decision == Choice.SEND_BACK and (stage == "seed" or state.get("by") != Writer.LLM):
        return "admit"
    if decision == Choice.EDIT:  # what a person edits is the draft that was shown
        return WRITES[stage]
    return mended_at(state)
