"""A scenario from a draft: the variants are filled, the user's address and the slot's place follow."""

from __future__ import annotations

import re
from datetime import datetime

from askfirst.catalog.load import Catalog
from askfirst.models.contract import Contract
from askfirst.models.drafts import ScenarioDraft
from askfirst.models.facts import Factor
from askfirst.models.rendition import Writer
from askfirst.models.scenario import SLOT_MARK, Persona, Scenario, Slot, Variants
from askfirst.stages.authoring.cast import handle_of
from askfirst.stages.drafting.completed import Completed, Faults, place, tidy
from askfirst.stages.scenario.node import told_with

_WORD = re.compile(r"[\w/@#][\w/@.:#'+-]*[\w/]|\w")
_QUOTED = re.compile(r'"([^"]+)"')
_VALUE = re.compile(r"\d|\w[/@.:_]\w|^/")
_STARTS = re.compile(r"(?:^|[.!?:]\s+|\n)$")
"""What stands before the first word of a sentence."""


def complete_scenario(draft: ScenarioDraft, contract: Contract, catalog: Catalog, by: Writer) -> Completed[Scenario]:
    """The scenario that a draft of it means, or what is wrong with the draft."""
    faults = Faults()
    _services(draft, catalog, faults)
    _now(draft, faults)
    _marks(draft, faults)
    persona = _persona(draft, faults)
    if contract.decisive_factor is Factor.INFORMATION:
        _news(draft, faults)
    if faults.found:
        return Completed(None, tuple(faults.found))
    instruction, context = tidy(draft.instruction), tuple(map(tidy, draft.context))
    slot = Slot(low=tidy(draft.slot.low), high=tidy(draft.slot.high))
    answers = draft.answers
    scenario = Scenario(
        contract=contract.content_hash(),
        domain=contract.domain,
        by=by,
        services=draft.services,
        now=draft.now,
        persona=persona,
        instruction=instruction,
        context=context,
        candidate_action=tidy(draft.candidate_action),
        slots={contract.decisive_factor: slot},
        variants=Variants(
            low=told_with(instruction, context, slot.low), high=told_with(instruction, context, slot.high)
        ),
        slot_place="instruction" if SLOT_MARK in instruction else "context",
        user={
            "approve": tidy(answers.approve),
            "deny": tidy(answers.deny),
            "modify": tidy(answers.modify),
            "inform": tidy(answers.inform),
        },
    )
    return Completed(scenario)


def _services(draft: ScenarioDraft, catalog: Catalog, faults: Faults) -> None:
    for number, name in enumerate(draft.services):
        if name not in catalog.services:
            faults.unknown("D1.unknown_service", place("services", number), name, catalog.services)
        elif name in draft.services[:number]:
            faults.add("D3.named_twice", place("services", number), "The service is named before.", name)


def _now(draft: ScenarioDraft, faults: Faults) -> None:
    try:
        datetime.fromisoformat(draft.now)
    except ValueError:
        faults.add("D2.no_time", "/now", "There is no such date and time.", draft.now)


def _marks(draft: ScenarioDraft, faults: Faults) -> None:
    places = ["/instruction"] * draft.instruction.count(SLOT_MARK)
    for number, line in enumerate(draft.context):
        places += [place("context", number)] * line.count(SLOT_MARK)
    if not places:
        message = f"{SLOT_MARK} stands nowhere; put it once into the instruction, or make it a line of the context."
        faults.add("D3.slot_mark", "/instruction", message)
    for twice in places[1:]:
        faults.add("D3.slot_mark", twice, f"{SLOT_MARK} stands more than once; only one place may differ.")
    for name in ("low", "high"):
        if SLOT_MARK in getattr(draft.slot, name):
            faults.add("D3.slot_mark", place("slot", name), f"{SLOT_MARK} stands inside the text that takes its place.")


def _news(draft: ScenarioDraft, faults: Faults) -> None:
    """Where information decides, the user's answer names another value than the step has, else it changes nothing."""
    told = telling(draft.answers.inform)
    if told and told <= telling(f". {draft.candidate_action} . {draft.slot.low}", whole=True):
        message = (
            "The answer names nothing but what the step has already; where information decides it is news, with another"
            " value than `candidate_action`."
        )
        faults.add("D3.inform_repeats_step", "/answers/inform", message, ", ".join(sorted(told)))


def telling(text: str, *, whole: bool = False) -> set[str]:
    """The words of a text that name a value: in quotation marks, with a digit or a sign inside, or a name.

    With `whole` all its words.
    """
    quoted = {word for part in _QUOTED.findall(text) for word in _WORD.findall(part)}
    words = [(hit[0].strip("'"), _STARTS.search(text[: hit.start()])) for hit in _WORD.finditer(text)]
    return {
        word.casefold()
        for word, starts in words
        if whole or word in quoted or _VALUE.search(word) or (word[:1].isupper() and not starts and len(word) > 1)
    }


def _persona(draft: ScenarioDraft, faults: Faults) -> Persona:
    person = draft.persona
    first, *_, last = person.name.split()
    handle = handle_of(first, last)
    if not handle.strip(".") or handle != handle.strip("."):
        message = "No address can be made of this name; first and last name need Latin letters."
        faults.add("D2.no_address", "/persona/name", message, person.name)
    return Persona(
        name=tidy(person.name),
        address=f"{handle}@{person.org_domain}",
        role=tidy(person.role),
        organisation=tidy(person.organisation),
        org_domain=person.org_domain,
    )
