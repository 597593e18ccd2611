"""What every node is wrapped in, so that one seed's trouble is not that of all."""

from __future__ import annotations

import traceback
from typing import Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from pydantic import ValidationError

from askfirst.errors import AskfirstError, LlmError, WorkspaceError
from askfirst.graph.state import Context, Outcome, State
from askfirst.graph.store import LostArtifactError


class Node(Protocol):
    """A node: from the state to what it changes of it."""

    def __call__(self, state: State, runtime: Runtime[Context]) -> State:
        """Do the node's work."""
        ...


def guarded(node: Node, name: str) -> Node:
    """A node that tells of its start and end, and whose errors end its seed as failed instead of the whole run.

    What concerns the run and not the seed goes on up: a disk that refuses, a lost artifact, a budget that is spent, an
    interrupt.
    """

    def run(state: State, runtime: Runtime[Context]) -> State:
        tell = runtime.context.on_event
        tell(state["unit"], name, "start")
        try:
            changed = node(state, runtime)
        except (WorkspaceError, LostArtifactError, LlmError, GraphBubbleUp):
            raise
        except AskfirstError as fault:
            changed = failed(name, str(fault))
        except Exception as fault:  # noqa: BLE001 - one seed on which we have a bug must not stop the others
            changed = {**failed(name, _in_words(fault)), "bug": traceback.format_exc()}
        tell(state["unit"], name, "end")
        return changed

    return run


def _in_words(fault: Exception) -> str:
    """A fault of ours in one line, without the addresses that pydantic adds."""
    if isinstance(fault, ValidationError):
        return f"ValidationError: {fault.title}: " + "; ".join(
            f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in fault.errors(include_url=False)
        )
    return f"{type(fault).__name__}: {fault}"


def failed(name: str, why: str) -> State:
    """The end of a seed whose node could not do its work."""
    return {"outcome": Outcome.FAILED.value, "reason": f"{name}: {why}", "stage": name}
