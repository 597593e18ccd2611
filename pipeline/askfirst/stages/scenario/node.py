"""The scenario of a contract in a carrier: every text, with one slot that differs between the variants."""

from __future__ import annotations

import threading

from askfirst.catalog.load import Catalog
from askfirst.models.carrier import Carrier, LevelForm
from askfirst.models.contract import Contract
from askfirst.models.facts import Factor
from askfirst.models.scenario import SLOT_MARK, Persona, Scenario, Slot, Telling, Variants, fill
from askfirst.models.seed import Seed
from askfirst.stages.authoring.cast import make_cast
from askfirst.stages.authoring.matching import theme_of
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.rows import generate
from askfirst.stages.authoring.stream import Stream
from askfirst.stages.scenario.levers import ORDER, shown

_ROLES = ("operations lead", "office manager", "project lead", "team lead", "coordinator", "programme manager")


def pick(texts: tuple[str, ...], wording: int) -> str:
    """The wording of this number, so that all texts of a task speak in one voice."""
    return texts[wording % len(texts)]


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
        names.values[name] = names.fill(value, f"object/{name}")
    generate(carrier, catalog.of(carrier), names)
    return names


def write_scenario(seed: Seed, contract: Contract, carrier: Carrier, catalog: Catalog) -> Scenario:
    """Tell a contract in a carrier. Raises DeclarationError where a template of the carrier cannot be filled."""
    theme = theme_of(carrier, seed)
    names = prepare(carrier, seed.id, theme, catalog)
    wording = names.stream.integer("wording", 0, 59)
    slot = _fill_slots(carrier, contract, names, wording)
    place = carrier.levers[contract.decisive_factor.value].place
    instruction = " ".join(names.text(pick(carrier.instruction, wording)).split())
    context = _context(carrier, names, wording)
    user, org = names.values["user"], names.values["org"]
    said = {kind: names.text(pick(answer.says, wording)) for kind, answer in carrier.answers}
    return Scenario(
        contract=contract.content_hash(),
        domain=carrier.domain,
        carrier=carrier.carrier,
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
        candidate_action=names.text(pick(carrier.action.says, wording)),
        slots={contract.decisive_factor: slot},
        variants=Variants(low=_told(instruction, context, slot.low), high=_told(instruction, context, slot.high)),
        slot_place="instruction" if place == "instruction" else "context",
        user={"approve": said["approve"], "deny": said["deny"], "modify": said["modify"], "inform": said["inform"]},
        theme=theme,
        wording=wording,
    )


def _told(instruction: str, context: tuple[str, ...], slot: str) -> Telling:
    lines = (fill(line, slot) for line in context)
    return Telling(instruction=fill(instruction, slot), context=tuple(line for line in lines if line))


def _fill_slots(carrier: Carrier, contract: Contract, names: Names, wording: int) -> Slot:
    """Fill `names.values['slot']` for every factor; the decisive one's place is marked, its texts come back."""
    slots: dict[str, str] = names.values["slot"]
    decisive: tuple[LevelForm, LevelForm] | None = None
    for factor in ORDER:
        forms = shown(carrier, contract)[factor]
        if forms.fixed is not None:
            slots[factor.value] = names.text(pick(forms.fixed.text, wording))
        elif forms.low is not None and forms.high is not None:
            slots[factor.value] = SLOT_MARK
            decisive = (forms.low, forms.high)
    assert decisive is not None, "a contract always has a decisive factor"
    low, high = (" ".join(names.text(pick(form.text, wording)).split()) for form in decisive)
    return Slot(low=low, high=high)


def _context(carrier: Carrier, names: Names, wording: int) -> tuple[str, ...]:
    lines = [names.text(pick(texts, wording)) for texts in carrier.context]
    for factor in Factor:
        if carrier.levers[factor.value].place == "context":
            lines.append(names.values["slot"][factor.value])
    return tuple(" ".join(line.split()) for line in lines if line.strip())
