"""G8 on the world: no id and no name of an object hints at the label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.cues import id_words, label_words, word_in
from askfirst.checks.walk import found, pointer
from askfirst.models.blueprint import Blueprint
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.stages.authoring.rows import keys


def run(subject: Subject) -> Iterator[Finding]:
    """Hold ids against all words, other values without spaces (paths, branches) against those no everyday name has."""
    blueprint = subject.blueprint
    assert blueprint is not None, "the gate runs after the blueprint"
    services = [subject.catalog.services[name] for name in blueprint.services]
    key_of = keys(services)
    for place, table, row in _rows(blueprint, key_of):
        for column, value in row.items():
            if not isinstance(value, str) or " " in value:
                continue
            is_id = column == key_of.get(table)
            if word := word_in(value, id_words() if is_id else label_words()):
                code = "G8.label_in_id" if is_id else "G8.label_in_name"
                yield found(code, place + pointer(column), f"'{word}' hints at the label; name it otherwise.", value)


def _rows(blueprint: Blueprint, key_of: dict[str, str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for table, rows in blueprint.state.items():
        for number, row in enumerate(rows):
            yield pointer("state", table, number), table, row
    for level in Level:
        for number, patch in enumerate(blueprint.variant_patches.at(level)):
            row = {key_of.get(patch.table, ""): patch.key, **patch.set}
            yield pointer("variant_patches", level.value, number), patch.table, row


CHECK = Check(
    name="name_cues",
    gate="G8",
    stage=Stage.BLUEPRINT,
    says="No id and no name of an object contains a word of the label.",
    run=run,
)
