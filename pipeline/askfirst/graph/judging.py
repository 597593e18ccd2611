"""The gates: all checks of a stage, and behind them its critics."""

from __future__ import annotations

from langgraph.runtime import Runtime

from askfirst.checks.base import Stage, run_checks
from askfirst.checks.registry import for_stage
from askfirst.critics.run import ask_panel, judge, panel_verdict_of
from askfirst.graph.artifacts import subject_of
from askfirst.graph.guarding import Node
from askfirst.graph.state import Context, Spent, State
from askfirst.models.finding import CheckResult, CheckStatus, Severity

WANTED = "a person is to see it before it is published"
"""Why a task waits that nothing is held against."""


def gate(stage: Stage) -> Node:
    """The gate of one stage: all its checks, reported together."""

    def run(state: State, runtime: Runtime[Context]) -> State:
        context = runtime.context
        results = run_checks(for_stage(stage), subject_of(state, context))
        verdict = verdict_of(results)
        kept = _kept(state, context, f"gate-{stage.value}", results)
        # What critics said was of the artifact before this one.
        kept["hashes"].pop(f"critics-{stage.value}", None)
        told = _told(state, stage, results, verdict, last=not state.get("judged"))
        return {"gates": {**state.get("gates", {}), stage.value: verdict}, **told, **kept}

    return run


def critics(stage: Stage) -> Node:
    """The critics of one stage, all asked at once. They see what passed the checks, and nothing else."""

    def run(state: State, runtime: Runtime[Context]) -> State:
        context, subject = runtime.context, subject_of(state, runtime.context)
        assert context.models is not None, "critics are asked only where there are models"
        attempt = state.get("repairs", {}).get(stage.value, 0)
        panel = context.models.panel
        asked = ask_panel(stage, subject, panel, context.models.gateway, state["unit"], attempt)
        results = judge(stage, *asked, panel, subject)
        verdict = panel_verdict_of(results)
        kept = _kept(state, context, f"critics-{stage.value}", results)
        spent: State = {"spent": Spent.of(state).plus(asked[1]).plain()}
        told = _told(state, stage, results, verdict, last=True)
        return {"critics": {**state.get("critics", {}), stage.value: verdict}, **told, **kept, **spent}

    return run


def repair(stage: Stage) -> Node:
    """Count one round of repair; the author then writes the stage anew from the findings."""

    def run(state: State, runtime: Runtime[Context]) -> State:  # noqa: ARG001 - every node has this form
        spent = state.get("repairs", {})
        return {"repairs": {**spent, stage.value: spent.get(stage.value, 0) + 1}}

    return run


def verdict_of(results: list[CheckResult]) -> str:
    """`fail` if a fault was found, else `unjudged` if a check could not run, else `pass`."""
    found = {result.status for result in results}
    if CheckStatus.FAILED in found:
        return "fail"
    return "unjudged" if CheckStatus.UNJUDGED in found else "pass"


def _kept(state: State, context: Context, kind: str, results: list[CheckResult]) -> State:
    kept = context.store.put_plain(state["thread"], kind, [result.plain() for result in results])
    return {"hashes": {**state["hashes"], kind: kept}}


def _told(state: State, stage: Stage, results: list[CheckResult], verdict: str, *, last: bool) -> State:
    """The findings as lines; where the thread stops, the stage and the reason.

    `last` says that nothing else is held against the stage's artifact, so that a person may be wanted now.
    """
    lines = lines_of(results)
    told: State = {"findings": lines}
    if verdict != "pass":
        return {**told, "stage": stage.value, "reason": lines[0]}
    if last and stage is Stage.TASK and state.get("to_review"):
        return {**told, "stage": stage.value, "reason": WANTED}
    return told


def lines_of(results: list[CheckResult]) -> list[str]:
    """Findings as lines: `code: place: message`."""
    lines = [
        f"{finding.code}: {finding.path}: {finding.message}"
        for result in results
        for finding in result.findings
        if finding.severity is Severity.ERROR
    ]
    return lines + [f"{r.gate}.unjudged: {r.check}: {r.reason}" for r in results if r.status is CheckStatus.UNJUDGED]
