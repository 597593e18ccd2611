"""The compile graph, wired in one place."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from askfirst.checks.base import Stage
from askfirst.graph import nodes
from askfirst.graph.routing import after_admit, after_gate, after_queue, after_review, after_stage
from askfirst.graph.state import Context, State

Graph = CompiledStateGraph[State, Context, State, State]
_STAGE_NODES: dict[str, nodes.Node] = {
    "contract": nodes.contract,
    "scenario": nodes.scenario,
    "blueprint": nodes.blueprint,
}
_NEXT = {"contract": "scenario", "scenario": "blueprint", "blueprint": "realize", "task": "publish"}


def build_graph(saver: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """The compile graph; with a saver it is checkpointed after every node."""
    graph: StateGraph[State, Context, State, State] = StateGraph(State, context_schema=Context)
    _add_nodes(graph)
    graph.add_edge(START, "admit")
    graph.add_conditional_edges("admit", after_admit, {name: name for name in ("contract", "queue", "finish")})
    for stage, follower in _NEXT.items():
        written = "smoke" if stage == "task" else stage
        gate, repair = f"gate_{stage}", f"repair_{stage}"
        targets: dict[Hashable, str] = {"next": follower, "repair": repair, "queue": "queue", "finish": "finish"}
        graph.add_conditional_edges(written, after_stage, {"gate": gate, "finish": "finish"})
        graph.add_conditional_edges(gate, after_gate(stage), targets)
        # A task is computed from its blueprint, so a fault of the task is mended there.
        graph.add_edge(repair, "blueprint" if stage == "task" else stage)
    graph.add_edge("realize", "smoke")
    graph.add_edge("publish", "finish")
    graph.add_conditional_edges("queue", after_queue, {"wait": "wait", "finish": "finish"})
    graph.add_conditional_edges("wait", after_review, {"admit": "admit", "finish": "finish"})
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=saver)


def _add_nodes(graph: StateGraph[State, Context, State, State]) -> None:
    found: dict[str, nodes.Node] = {"admit": nodes.admit}
    for stage in Stage:
        if stage is Stage.BUNDLE:
            continue
        if stage.value in _STAGE_NODES:
            found[stage.value] = _STAGE_NODES[stage.value]
        else:
            found |= {"realize": nodes.realize, "smoke": nodes.smoke}
        found[f"gate_{stage.value}"] = nodes.gate(stage)
        found[f"repair_{stage.value}"] = nodes.repair(stage)
    found |= {"publish": nodes.publish, "queue": nodes.enqueue, "wait": nodes.wait, "finish": nodes.finish}
    for name, node in found.items():
        graph.add_node(name, nodes.guarded(node, name))
