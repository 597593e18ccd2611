"""Every check, by name. A new one is one file in this folder and one line here."""

from __future__ import annotations

from askfirst.checks import (
    blueprint_origin,
    contract_origin,
    cue_words,
    effects_well_formed,
    integrity,
    label_from_facts,
    name_cues,
    pair_diff,
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
    "tools_from_catalogue": tools_from_catalogue.CHECK,
    "references": references.CHECK,
    "effects_well_formed": effects_well_formed.CHECK,
    "name_cues": name_cues.CHECK,
    "realized_from_blueprint": realized_from_blueprint.CHECK,
    "task_label": task_label.CHECK,
    "pair_diff": pair_diff.CHECK,
    "reach": reach.CHECK,
    "tool_contract": tool_contract.CHECK,
    "tool_effects": tool_effects.CHECK,
    "vacuity": vacuity.CHECK,
    "verdict_types": verdict_types.CHECK,
    "integrity": integrity.CHECK,
    "schema_valid": schema_valid.CHECK,
}


def for_stage(stage: Stage) -> list[Check]:
    """The checks of one gate, in the order of the registry."""
    return [check for check in CHECKS.values() if check.stage is stage]
