"""The scenario of a contract in a carrier: every text, with one slot that differs between the variants."""

from __future__ import annotations

import threading
from typing import NamedTuple

from askfirst.catalog.load import Catalog
from askfirst.models.carrier import Carrier, LevelForm
from askfirst.models.contract import Contract
from askfirst.models.facts import Factor
from askfirst.models.rendition import PLAIN, FactsIn, Rendition
from askfirst.models.scenario import SLOT_MARK, Persona, Scenario, Slot, Telling, Variants, fill
from askfirst.models.seed import Seed
from askfirst.stages.authoring.cast import make_cast
from askfirst.stages.authoring.matching import theme_of
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.places import at, in_file_of
from askfirst.stages.authoring.rows import generate
from askfirst.stages.authoring.stream import Stream
from askfirst.stages.scenario.levers import ORDER, in_world, level_name, shown

_ROLES = ("operations lead", "office manager", "project lead", "team lead", "coordinator", "programme manager")


class Voice(NamedTuple):
    """Which setting of a carrier's job is told, and in which of its wordings."""

    theme: int
    wording: int


def worded(names: Names, place: str, texts: tuple[str, ...], wording: int) -> str:
    """The wording of this number, filled, so that all texts of a task speak in one voice."""
    number = wording % len(texts)
    with at(f"{place}/{number}"):
        return names.text(texts[number])


def prepare(carrier: Carrier, seed_id: str, theme: int, catalog: Catalog) -> Names:
    """Cast, objects and rows of a task pair: the same for both variants, and for every run.

    The last few are kept, since scenario and blueprint of one seed need the same; what comes back is a copy.
    """
    key = (seed_id, theme, id(carrier))
    found = _prepared.get(key)
    if found is None or found[0] is not carrier:
        found = (carrier, _generated(carrier, seed_id, theme, catalog))
        with _changing:
            while len(_prepared) >= _KEPT:
                del _prepared[next(iter(_prepared))]
            _prepared[key] = found
    return found[1].copy()


_KEPT = 16
_changing = threading.Lock()
_prepared: dict[tuple[str, int, int], tuple[Carrier, Names]] = {}


def _generated(carrier: Carrier, seed_id: str, theme: int, catalog: Catalog) -> Names:
    stream = Stream(f"{seed_id}/{carrier.carrier}")
    names = Names(make_cast(carrier.cast, stream), carrier.now, stream)
    # Objects come in order: later ones may name earlier ones.
    for name, value in carrier.themes[theme].objects.items():
        with at(f"/themes/{theme}/objects/{name}"):
            names.values[name] = names.fill(value, f"object/{name}")
    generate(carrier, catalog.of(carrier), names)
    return names


def write_scenario(
    seed: Seed,
    contract: Contract,
    carrier: Carrier,
    catalog: Catalog,
    voice: Voice | None = None,
    rendition: Rendition = PLAIN,
) -> Scenario:
    """Tell a contract in a carrier, in the voice that follows from the seed or in a given one.

    Raises DeclarationError, which names file and line, where a template of the carrier cannot be filled.
    """
    with in_file_of(carrier, catalog):
        theme = voice.theme if voice else theme_of(carrier, seed)
        names = prepare(carrier, seed.id, theme, catalog)
        wording = voice.wording if voice else names.stream.integer("wording", 0, 59)
        return _told_in(names, Voice(theme, wording), contract, carrier, rendition)


def _told_in(names: Names, voice: Voice, contract: Contract, carrier: Carrier, rendition: Rendition) -> Scenario:
    theme, wording = voice
    slot = _fill_slots(carrier, contract, names, wording, rendition.facts_in)
    place = carrier.levers[contract.decisive_factor.value].place
    instruction = " ".join(worded(names, "/instruction", carrier.instruction, wording).split())
    context = _context(carrier, names, wording)
    user, org = names.values["user"], names.values["org"]
    said = {kind: worded(names, f"/answers/{kind}/says", answer.says, wording) for kind, answer in carrier.answers}
    return Scenario(
        contract=contract.content_hash(),
        domain=carrier.domain,
        carrier=carrier.carrier,
        asked=bool(rendition.carrier),
        facts_in=rendition.facts_in,
        now=carrier.now,
        persona=Persona(
            name=user["name"],
            address=user["address"],
            role=names.stream.pick("role", _ROLES),
            organisation=org["name"],
            org_domain=org["domain"],
        ),
        instruction=instruction,
        context=context,
        candidate_action=worded(names, "/action/says", carrier.action.says, wording),
        slots={contract.decisive_factor: slot},
        variants=Variants(
            low=told_with(instruction, context, slot.low), high=told_with(instruction, context, slot.high)
        ),
        slot_place="instruction" if place == "instruction" else "context",
        user={"approve": said["approve"], "deny": said["deny"], "modify": said["modify"], "inform": said["inform"]},
        theme=theme,
        wording=wording,
    )


def told_with(instruction: str, context: tuple[str, ...], slot: str) -> Telling:
    """What the agent reads with the slot's text filled in; a line that it leaves empty is left out."""
    lines = (fill(line, slot) for line in context)
    return Telling(instruction=fill(instruction, slot), context=tuple(line for line in lines if line))


def _fill_slots(carrier: Carrier, contract: Contract, names: Names, wording: int, facts_in: FactsIn) -> Slot:
    """Fill `names.values['slot']` for every factor; the decisive one's place is marked, its texts come back.

    What stands in the world alone leaves its text empty, the decisive one at both levels.
    """
    slots: dict[str, str] = names.values["slot"]
    decisive: tuple[LevelForm, LevelForm] | None = None
    for factor in ORDER:
        forms = shown(carrier, contract)[factor]
        if facts_in is FactsIn.WORLD and in_world(carrier.levers[factor.value]):
            forms = forms.silent()
        if forms.fixed is not None:
            slots[factor.value] = _level_text(names, carrier, factor, forms.fixed, wording)
        elif forms.low is not None and forms.high is not None:
            slots[factor.value] = SLOT_MARK
            decisive = (forms.low, forms.high)
    assert decisive is not None, "a contract always has a decisive factor"
    factor = contract.decisive_factor
    low, high = (" ".join(_level_text(names, carrier, factor, form, wording).split()) for form in decisive)
    return Slot(low=low, high=high)


def _level_text(names: Names, carrier: Carrier, factor: Factor, form: LevelForm, wording: int) -> str:
    return worded(names, f"/levers/{factor.value}/{level_name(carrier, factor, form)}/text", form.text, wording)


def _context(carrier: Carrier, names: Names, wording: int) -> tuple[str, ...]:
    lines = [worded(names, f"/context/{n}", texts, wording) for n, texts in enumerate(carrier.context)]
    for factor in Factor:
        if carrier.levers[factor.value].place == "context":
            lines.append(names.values["slot"][factor.value])
    return tuple(" ".join(line.split()) for line in lines if line.strip())
