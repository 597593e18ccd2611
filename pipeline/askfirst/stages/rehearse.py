"""Filling everything that a carrier declares, once in each theme, to tell what cannot be filled before a seed does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from jsonschema import Draft202012Validator

from askfirst.catalog.calls import carrier_calls, carrier_effects
from askfirst.catalog.load import Catalog
from askfirst.catalog.row_faults import row_faults
from askfirst.catalog.specs import parameter_schema, tables_of
from askfirst.errors import DeclarationError
from askfirst.models.blueprint import WorldPatch
from askfirst.models.carrier import Carrier
from askfirst.models.facts import Factor
from askfirst.models.task import World
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.rows import IDLE, apply, is_idle, keys, patches
from askfirst.stages.blueprint.node import filled_call, filled_effect
from askfirst.stages.scenario.levers import ORDER
from askfirst.stages.scenario.node import prepare, worded

Found = Iterator[tuple[str, str]]
STAND_IN = "rehearsal"
"""In place of a seed's id, from which people, places and numbers are drawn."""
_T = TypeVar("_T")


def rehearse_catalog(catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with any carrier, with file, line and place."""
    for name, carrier in catalog.carriers.items():
        for pointer, message in rehearse(carrier, catalog):
            yield f"{catalog.place('carrier', name, pointer)}: {message}"


def rehearse(carrier: Carrier, catalog: Catalog) -> Found:
    """Yield what cannot be filled, or makes no difference, each with its place as a JSON pointer, and each once."""
    told: set[tuple[str, str]] = set()
    for theme in range(len(carrier.themes)):
        for fault in _in_theme(carrier, theme, catalog):
            if fault not in told:
                told.add(fault)
                yield fault


def _in_theme(carrier: Carrier, theme: int, catalog: Catalog) -> Found:
    faults: list[tuple[str, str]] = []
    names = _tried(partial(prepare, carrier, STAND_IN, theme, catalog), faults)
    if names is None:
        yield from faults
        return
    yield from _rows(carrier, names, catalog)
    yield from _texts(carrier, names)
    for factor in Factor:
        yield from _lever(carrier, factor, names, catalog)
    yield from _calls(carrier, names, catalog)


def _tried(fill: Callable[[], _T], faults: list[tuple[str, str]]) -> _T | None:
    """What `fill` gives, or None, and then its fault is added to the list."""
    try:
        return fill()
    except DeclarationError as fault:
        faults.append((fault.where or "", fault.message))
        return None


def _rows(carrier: Carrier, names: Names, catalog: Catalog) -> Found:
    """Rows that their tables do not take, each told at its group."""
    user, org = names.values["user"], names.values["org"]
    tables = tables_of(catalog.of(carrier))
    world = World(
        now=carrier.now, org_domain=org["domain"], user_address=user["address"], tables=tables, rows=names.rows
    )
    for fault in row_faults(world):
        group = group_of(carrier, fault.table, fault.number)
        inside = carrier.rows[fault.table][group].set if fault.table in carrier.rows else {}
        column = f"/set/{fault.column}" if fault.column in inside else ""
        yield f"/rows/{fault.table}/{group}{column}", fault.message


def group_of(carrier: Carrier, table: str, number: int) -> int:
    """The group from which a row of a table comes, by the row's place in the table."""
    for place, group in enumerate(carrier.rows.get(table, ())):
        number -= len(group.each) or group.many
        if number < 0:
            return place
    return 0


def _texts(carrier: Carrier, names: Names) -> Found:
    """Every wording of every text, with the levers at low."""
    places = {
        "/instruction": carrier.instruction,
        "/action/says": carrier.action.says,
        **{f"/context/{number}": texts for number, texts in enumerate(carrier.context)},
        **{f"/answers/{kind}/says": answer.says for kind, answer in carrier.answers},
    }
    faults: list[tuple[str, str]] = []
    for factor in ORDER:
        for level, form in carrier.levers[factor.value].forms().items():
            place = f"/levers/{factor.value}/{level}/text"
            filled = [_wording(names, place, form.text, number, faults) for number in range(len(form.text))]
            if level == "low":
                names.values["slot"][factor.value] = filled[0] or ""
    for place, texts in places.items():
        for number in range(len(texts)):
            _wording(names, place, texts, number, faults)
    yield from faults


def _wording(
    names: Names, place: str, texts: tuple[str, ...], number: int, faults: list[tuple[str, str]]
) -> str | None:
    return _tried(partial(worded, names, place, texts, number), faults)


def _lever(carrier: Carrier, factor: Factor, names: Names, catalog: Catalog) -> Found:
    """Patches that match no row or make no difference, and rows that no longer fit once they are made."""
    services, levels = catalog.of(carrier), carrier.levers[factor.value].forms()
    key_of, faults = keys(services), list[tuple[str, str]]()
    made: dict[str, list[list[WorldPatch]]] = {}
    for level, form in levels.items():
        made[level] = []
        for number, patch in enumerate(form.rows):
            place = f"/levers/{factor.value}/{level}/rows"
            found = _tried(partial(patches, (patch,), services, names, factor.value, place), faults)
            # A single form is always told as the first of its list; here it may be a later one.
            if found is None and faults[-1][0].startswith(f"{place}/0"):
                faults[-1] = (f"{place}/{number}{faults[-1][0].removeprefix(f'{place}/0')}", faults[-1][1])
            made[level].append(found or [])
    yield from faults
    if faults:
        return
    for level, form in levels.items():
        others = [one for other, forms in made.items() if other != level for own in forms for one in own]
        for number, patch in enumerate(form.rows):
            if is_idle(patch, made[level][number], others, names.rows, key_of[patch.table]):
                yield f"/levers/{factor.value}/{level}/rows/{number}", IDLE
        yield from _patched(carrier, f"/levers/{factor.value}/{level}/rows", made[level], names, catalog)


def _patched(carrier: Carrier, place: str, made: list[list[WorldPatch]], names: Names, catalog: Catalog) -> Found:
    services = catalog.of(carrier)
    for number, own in enumerate(made):
        if not own:
            continue
        rows = {own[0].table: apply(names.rows, own, keys(services))[own[0].table]}
        user, org = names.values["user"], names.values["org"]
        world = World(
            now=carrier.now,
            org_domain=org["domain"],
            user_address=user["address"],
            tables=tables_of(services),
            rows=rows,
        )
        for fault in row_faults(world):
            yield f"{place}/{number}", fault.message


def _calls(carrier: Carrier, names: Names, catalog: Catalog) -> Found:
    """Calls that cannot be filled or that their tool's schema refuses, and effects that cannot be filled."""
    tools = {name: tool for service in catalog.of(carrier) for name, tool in service.tools.items()}
    faults: list[tuple[str, str]] = []
    for place, call in carrier_calls(carrier):
        filled = _tried(partial(filled_call, place, call, tools, names), faults)
        if filled is not None:
            refused = Draft202012Validator(parameter_schema(tools[call.tool])).iter_errors(filled.args)
            faults += [
                (place + "".join(f"/{part}" for part in fault.path), f"tool {call.tool} refuses this: {fault.message}.")
                for fault in refused
            ]
    for place, effect in carrier_effects(carrier):
        _tried(partial(filled_effect, place, effect, names), faults)
    for number, secret in enumerate(carrier.secrets):
        _wording(names, f"/secrets/{number}", (secret,), 0, faults)
    yield from faults
