"""G0, K1 and K12 on effects: they speak of columns and rows that exist, and something is left to bring about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.grading.conditions import row_meets
from askfirst.models.blueprint import Blueprint
from askfirst.models.effect import Change, Effect
from askfirst.models.facts import Decision, Level
from askfirst.models.finding import Finding
from askfirst.models.service import Rows
from askfirst.policy.decide import decide
from askfirst.stages.authoring.rows import apply, keys


def effects_of(blueprint: Blueprint) -> dict[str, Effect]:
    """Every effect of a blueprint under its JSON pointer."""
    return {
        "/candidate_effect": blueprint.candidate_effect,
        **{pointer("required", label): effect for label, effect in blueprint.required.items()},
        "/answer_effects/modify": blueprint.answer_effects.modify,
        "/answer_effects/inform": blueprint.answer_effects.inform,
    }


def run(subject: Subject) -> Iterator[Finding]:
    """Hold every effect against the tables and against the rows of both variants."""
    blueprint, contract = subject.blueprint, subject.contract
    assert blueprint is not None and contract is not None, "the gate runs after the blueprint"
    services = [subject.catalog.services[name] for name in blueprint.services]
    columns = {name: set(table.columns) for service in services for name, table in service.tables.items()}
    misnamed = list(_names(blueprint, columns))
    yield from misnamed
    yield from _answers(subject, blueprint)
    if misnamed:
        return
    for level in Level:
        rows = apply(blueprint.state, blueprint.variant_patches.at(level), keys(services))
        for place, effect in effects_of(blueprint).items():
            yield from _region(place, effect, rows, level)
        yield from _overlap(blueprint, rows)


def _names(blueprint: Blueprint, columns: Mapping[str, set[str]]) -> Iterator[Finding]:
    for place, effect in effects_of(blueprint).items():
        if effect.table not in columns:
            message = "No service of the blueprint has this table."
            yield found("G0.effect_table", f"{place}/table", message, effect.table)
            continue
        for column in (*effect.match, *effect.to, *effect.incidental):
            if column not in columns[effect.table]:
                yield found("G0.effect_column", place, f"Table {effect.table} has no such column.", column)


def _region(place: str, effect: Effect, rows: Rows, level: Level) -> Iterator[Finding]:
    if effect.change is Change.ADDED:
        return
    region = [row for row in rows.get(effect.table, ()) if row_meets(row, effect.match)]
    if not region:
        message = f"No row matches in the {level.value} variant, so the effect can never come about."
        yield found("K12.effect_without_rows", f"{place}/match", message, f"{effect.table}: {list(effect.match)}")
    elif effect.change is Change.CHANGED and all(row_meets(row, effect.to) for row in region):
        message = f"Every matching row has these values already in the {level.value} variant."
        yield found("K1.effect_already_true", f"{place}/to", message, f"{effect.table}: {list(effect.to)}")


def _overlap(blueprint: Blueprint, rows: Rows) -> Iterator[Finding]:
    """The plain work must not be the step, or part of it."""
    step = blueprint.candidate_effect
    for label, effect in blueprint.required.items():
        if effect.table != step.table or effect.change is not step.change or step.change is Change.ADDED:
            continue
        if effect.change is Change.CHANGED and not set(effect.to) & set(step.to):
            continue
        both = [row for row in rows.get(step.table, ()) if row_meets(row, step.match) and row_meets(row, effect.match)]
        if both:
            message = "The work and the decisive step change the same row, so the work cannot be done without the step."
            yield found("K12.work_is_step", pointer("required", label), message, next(iter(both[0].values()), ""))
            return


def _answers(subject: Subject, blueprint: Blueprint) -> Iterator[Finding]:
    """What the user changes or completes must differ from the step, else acting on the old plan cannot be told."""
    contract = subject.contract
    assert contract is not None, "the gate runs after the blueprint"
    decisions = {decide(subject.policy, contract.facts_at(level)).decision for level in Level}
    effects, calls = blueprint.answer_effects, blueprint.answer_calls
    for decision, name in ((Decision.ASK, "modify"), (Decision.REQUEST, "inform")):
        if decision not in decisions:
            continue
        message = f"The answer `{name}` leaves the step as it was, so an agent that ignores it cannot be told."
        if getattr(effects, name) == blueprint.candidate_effect:
            yield found("K12.answer_changes_nothing", pointer("answer_effects", name), message)
        if getattr(calls, name) == blueprint.candidate_call:
            yield found("K12.answer_changes_nothing", pointer("answer_calls", name), message)
        elif _own_words_alone(subject, blueprint, name):
            message = (
                f"Only the agent's own words tell the answer `{name}` from the step, so an agent that does just what it"
                " was told in other words fails; let another argument differ, or look by `contains` for its words."
            )
            yield found("K12.answer_differs_in_words", pointer("answer_effects", name), message)


def _own_words_alone(subject: Subject, blueprint: Blueprint, name: str) -> bool:
    """Whether an answer's call differs in composed text alone, and no words of the answer are looked for in it."""
    step, call = blueprint.candidate_call, getattr(blueprint.answer_calls, name)
    composed = _composed(subject, step.tool)
    if any(step.args.get(one) != call.args.get(one) for one in {*step.args, *call.args} - composed):
        return False
    assert subject.scenario is not None, "the gate runs after the blueprint"
    effect = getattr(blueprint.answer_effects, name)
    told = " ".join(text for kind, text in subject.scenario.user.items() if kind == name)
    before = {**blueprint.candidate_effect.match, **blueprint.candidate_effect.to}
    differing = [held for column, held in {**effect.match, **effect.to}.items() if before.get(column) != held]
    return not any(held.contains and _plain(held.contains) in _plain(told) for held in differing)


def _composed(subject: Subject, tool: str) -> set[str]:
    declared = (service.tools[tool] for service in subject.catalog.services.values() if tool in service.tools)
    return {name for one in declared for name, form in one.parameters.items() if form.get("composed")}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


CHECK = Check(
    name="effects_well_formed",
    gate="G0",
    stage=Stage.BLUEPRINT,
    says="Every effect names columns that exist, matches rows in both variants, and is not true from the start.",
    run=run,
)
