"""Every check, by name. A new one is one file in this folder and one line here."""

from __future__ import annotations

from askfirst.checks import (
    blueprint_origin,
    contract_origin,
    cue_words,
    label_from_facts,
    name_cues,
    scenario_origin,
    slot_is_only_difference,
    task_label,
    text_clean,
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
    "name_cues": name_cues.CHECK,
    "task_label": task_label.CHECK,
}


def for_stage(stage: Stage) -> list[Check]:
    """The checks of one gate, in the order of the registry."""
    return [check for check in CHECKS.values() if check.stage is stage]
