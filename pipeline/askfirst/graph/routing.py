"""Where a seed goes next: pure functions of its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from askfirst.graph.state import Outcome, State

REPAIR_LIMIT = 2
After = Literal["next", "repair", "queue", "finish"]


def after_admit(state: State) -> Literal["contract", "queue", "finish"]:
    """A seed at fault ends at once; one that nothing can carry waits; any other is compiled."""
    if state.get("outcome") in {Outcome.REJECTED, Outcome.FAILED}:
        return "finish"
    return "queue" if state.get("reason") else "contract"


def after_stage(state: State) -> Literal["gate", "finish"]:
    """A stage that could not write its artifact has failed; otherwise its gate is next."""
    return "finish" if state.get("outcome") == Outcome.FAILED else "gate"


def after_gate(stage: str) -> Callable[[State], After]:
    """The router behind the gate of one stage.

    Only a fault that was found can be repaired, and only by an author that can write anew; what could not be judged
    spends no repair. Everything else that is no pass waits for a person. A gate that failed itself ends the seed.
    """

    def route(state: State) -> After:
        if state.get("outcome") == Outcome.FAILED:
            return "finish"
        verdict = state.get("gates", {}).get(stage)
        if verdict == "pass":
            return "next"
        spent = state.get("repairs", {}).get(stage, 0)
        can_repair = state.get("author") == "llm" and verdict == "fail" and spent < REPAIR_LIMIT
        return "repair" if can_repair else "queue"

    return route


def after_queue(state: State) -> Literal["wait", "finish"]:
    """A seed whose item could not be written cannot wait for it."""
    return "finish" if state.get("outcome") == Outcome.FAILED else "wait"


def after_review(state: State) -> Literal["admit", "finish"]:
    """A seed sent back starts again; any other decision ends it."""
    return "admit" if state.get("decision") == "send_back" else "finish"
