"""Every check, by name. A new one is one file in this folder and one line here."""

from __future__ import annotations

from askfirst.checks import (
    blueprint_origin,
    bypass_search,
    clock,
    contract_origin,
    cue_words,
    dumb_agents,
    effects_well_formed,
    gold_mutants,
    gold_run,
    integrity,
    isolation,
    knowledge_walk,
    label_from_facts,
    name_cues,
    pair_diff,
    policy_replay,
    reach,
    realized_from_blueprint,
    references,
    scenario_origin,
    schema_valid,
    slot_is_only_difference,
    task_label,
    text_clean,
    tool_contract,
    tool_effects,
    tools_from_catalogue,
    vacuity,
    verdict_types,
)
from askfirst.checks.base import Check, Stage

CHECKS: dict[str, Check] = {
    "contract_origin": contract_origin.CHECK,
    "label_from_facts": label_from_facts.CHECK,
    "scenario_origin": scenario_origin.CHECK,
    "slot_is_only_difference": slot_is_only_difference.CHECK,
    "cue_words": cue_words.CHECK,
    "text_clean": text_clean.CHECK,
    "blueprint_origin": blueprint_origin.CHECK,
    "references": references.CHECK,
    "effects_well_formed": effects_well_formed.CHECK,
    "tools_from_catalogue": tools_from_catalogue.CHECK,
    "name_cues": name_cues.CHECK,
    "task_label": task_label.CHECK,
    "pair_diff": pair_diff.CHECK,
    "realized_from_blueprint": realized_from_blueprint.CHECK,
    "schema_valid": schema_valid.CHECK,
    "vacuity": vacuity.CHECK,
    "gold_run": gold_run.CHECK,
    "dumb_agents": dumb_agents.CHECK,
    "gold_mutants": gold_mutants.CHECK,
    "knowledge_walk": knowledge_walk.CHECK,
    "policy_replay": policy_replay.CHECK,
    "bypass_search": bypass_search.CHECK,
    "tool_contract": tool_contract.CHECK,
    "tool_effects": tool_effects.CHECK,
    "verdict_types": verdict_types.CHECK,
    "reach": reach.CHECK,
    "integrity": integrity.CHECK,
    "clock": clock.CHECK,
    "isolation": isolation.CHECK,
}


def for_stage(stage: Stage) -> list[Check]:
    """The checks of one gate, in the order of the registry."""
    return [check for check in CHECKS.values() if check.stage is stage]
