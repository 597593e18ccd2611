"""G0 on texts: nothing unfilled, empty, doubled or unprintable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askfirst.characters import GARBLING
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.documents import texts_in
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.scenario import SLOT_MARK, Scenario

_UNFILLED = re.compile(r"\{\{|\}\}|\{%|%\}|\[\[|\]\]")
_GAPS = re.compile(r"  |^\s|\s$|\s[,.;?!](?:\s|$)|,\.|(?<!\.)\.\.(?!\.)")


def run(subject: Subject) -> Iterator[Finding]:
    """Look at every text that an agent or a user says or reads."""
    assert subject.scenario is not None, "the gate runs after the scenario"
    for place, text in _texts(subject.scenario):
        if not text.strip():
            yield found("G0.empty_text", place, "The text is empty.")
        if hit := GARBLING.search(text):
            yield found(
                "G0.unusable_character", place, "A control or half character stands in the text.", ascii(hit[0])
            )
        if hit := _UNFILLED.search(text.replace(SLOT_MARK, "")):
            yield found("G0.unfilled_template", place, "A mark of a template was left unfilled.", hit[0])
        if _GAPS.search(text):
            message = "A double or stray space, or doubled punctuation, shows that a part of the text is missing."
            yield found("G0.untidy_text", place, message, text)


def _texts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for level in Level:
        telling = scenario.variants.at(level)
        yield pointer("variants", level.value, "instruction"), telling.instruction
        yield from texts_in(telling.context, pointer("variants", level.value, "context"))
    yield "/candidate_action", scenario.candidate_action
    yield from texts_in(scenario.user, "/user")
    yield from (
        (place, text) for place, text in texts_in(scenario.persona.model_dump(), "/persona") if place != "/persona/role"
    )
    yield from texts_in(scenario.cast, "/cast")


CHECK = Check(
    name="text_clean",
    gate="G0",
    stage=Stage.SCENARIO,
    says="Every text is filled in, tidy and printable.",
    run=run,
)
