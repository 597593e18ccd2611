"""The compile graph, wired in one place."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, get_args

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from askfirst.checks.base import Stage
from askfirst.critics.registry import CRITICS
from askfirst.graph import judging, nodes, waiting
from askfirst.graph.guarding import Node, guarded
from askfirst.graph.routing import (
    FOLLOWS,
    WRITES,
    Anywhere,
    after_admit,
    after_critics,
    after_gate,
    after_queue,
    after_review,
    after_stage,
    mended_at,
)
from askfirst.graph.state import Context, State

Graph = CompiledStateGraph[State, Context, State, State]
REPAIRS = 2
"""Rounds of repair for each stage, where no settings say."""
_JUDGED = {critic.stage.value for critic in CRITICS.values()}
"""Stages whose artifact critics look at."""
_STAGE_NODES: dict[str, Node] = {
    "contract": nodes.contract,
    "scenario": nodes.scenario,
    "blueprint": nodes.blueprint,
}


def build_graph(saver: BaseCheckpointSaver[Any] | None = None, repairs: int = REPAIRS) -> Graph:
    """The compile graph; with a saver it is checkpointed after every node. `repairs` is for each stage."""
    graph: StateGraph[State, Context, State, State] = StateGraph(State, context_schema=Context)
    _add_nodes(graph)
    graph.add_edge(START, "admit")
    graph.add_conditional_edges("admit", after_admit, {name: name for name in ("contract", "queue", "finish")})
    for stage, follower in FOLLOWS.items():
        _add_stage(graph, stage, follower, repairs)
    graph.add_edge("realize", "smoke")
    graph.add_edge("publish", "finish")
    graph.add_conditional_edges("queue", after_queue, {"wait": "wait", "finish": "finish"})
    graph.add_conditional_edges("wait", after_review, {name: name for name in get_args(Anywhere)})
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=saver)


def _add_stage(graph: StateGraph[State, Context, State, State], stage: str, follower: str, repairs: int) -> None:
    """A stage's artifact goes through its gate, then its critics; each can lead on, to a repair, or to a person."""
    gate, critics, repair = f"gate_{stage}", f"critics_{stage}", f"repair_{stage}"
    ends: dict[Hashable, str] = {"repair": repair, "queue": "queue", "finish": "finish"}
    if stage == "task":
        graph.add_conditional_edges("smoke", after_stage(stage, repairs), {"gate": gate, "finish": "finish"})
    else:
        graph.add_conditional_edges(stage, after_stage(stage, repairs), {"gate": gate, **ends})
    onward: dict[Hashable, str] = {"next": follower, **ends}
    if stage in _JUDGED:
        graph.add_conditional_edges(critics, after_critics(stage, repairs), onward)
        onward = {**onward, "critics": critics}
    graph.add_conditional_edges(gate, after_gate(stage, repairs, has_critics=stage in _JUDGED), onward)
    if stage == "task":
        graph.add_conditional_edges(repair, mended_at, {name: name for name in ("scenario", "blueprint")})
    else:
        graph.add_edge(repair, WRITES[stage])


def _add_nodes(graph: StateGraph[State, Context, State, State]) -> None:
    found: dict[str, Node] = {"admit": nodes.admit}
    for stage in Stage:
        if stage is Stage.BUNDLE:
            continue
        if stage.value in _STAGE_NODES:
            found[stage.value] = _STAGE_NODES[stage.value]
        else:
            found |= {"realize": nodes.realize, "smoke": nodes.smoke}
        found[f"gate_{stage.value}"] = judging.gate(stage)
        if stage.value in _JUDGED:
            found[f"critics_{stage.value}"] = judging.critics(stage)
        found[f"repair_{stage.value}"] = judging.repair(stage)
    found |= {"publish": nodes.publish, "queue": waiting.enqueue, "wait": waiting.wait, "finish": nodes.finish}
    for name, node in found.items():
        graph.add_node(name, guarded(node, name))
