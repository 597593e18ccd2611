"""Filling all that a carrier declares once, in each of its themes, to tell its faults before a seed meets them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import ValidationError

from askfirst.catalog.carriers import calls_of, effects_of
from askfirst.catalog.load import Catalog
from askfirst.catalog.specs import OWN_KEYWORDS, tables_of
from askfirst.documents import pointer_to, texts_in
from askfirst.errors import AskfirstError
from askfirst.models.carrier import Carrier, RowGroup
from askfirst.models.task import World
from askfirst.stages.authoring.cast import make_cast
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.rows import column_types, generate, patches
from askfirst.stages.authoring.stream import Stream
from askfirst.stages.scenario.levers import ORDER
from askfirst.world.build import Blank

Fault = tuple[str, str]
"""A JSON pointer into the carrier, and what is wrong there."""


def probe_carrier(carrier: Carrier, catalog: Catalog) -> Iterator[Fault]:
    """Yield what cannot be filled, with its place as a JSON pointer. A sound carrier yields nothing."""
    for theme in range(len(carrier.themes)):
        probe = _Probe(carrier, catalog, theme)
        probe.run()
        if probe.faults:
            yield from probe.faults
            return


class _Probe:
    """One theme of a carrier. What cannot be filled is noted, and the next part is tried."""

    def __init__(self, carrier: Carrier, catalog: Catalog, theme: int) -> None:
        self.carrier = carrier
        self.theme = theme
        self.services = catalog.of(carrier)
        self.tools = {name: tool for service in self.services for name, tool in service.tools.items()}
        stream = Stream(f"probe/{carrier.carrier}")
        self.names = Names(make_cast(carrier.cast, stream), carrier.now, stream)
        self.faults: list[Fault] = []

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Note a fault of what is declared at a place."""
        try:
            yield
        except Exception as fault:  # noqa: BLE001 - whatever goes wrong in filling, what is filled is what can be mended
            self.faults.append((place, _said(fault)))

    def run(self) -> None:
        """Go through all parts in the order in which a task takes them."""
        self.objects()
        if not self.faults:
            self.rows()
        if self.faults:
            return  # all else refers to them
        self.names.values["slot"] = {}
        self.levers()
        self.texts()
        for place, call in calls_of(self.carrier):
            for name, value in call.args.items():
                with self.at(pointer_to(f"{place}/args", name)):
                    _must_fit(self.names.fill(value, call.tool), self.tools[call.tool].parameters[name])
        for place, effect in effects_of(self.carrier):
            with self.at(place):
                self.names.effect(effect)

    def objects(self) -> None:
        for name, value in self.carrier.themes[self.theme].objects.items():
            with self.at(f"/themes/{self.theme}/objects/{name}"):
                self.names.values[name] = self.names.fill(value, f"object/{name}")

    def rows(self) -> None:
        """Generate the rows and put them into a world; when that fails, find the first group at fault."""
        with self.at("/rows"):
            self.world(self.carrier.rows)
        if not self.faults:
            return
        so_far: dict[str, tuple[RowGroup, ...]] = {}
        for table in column_types(self.services):
            for number, group in enumerate(self.carrier.rows.get(table, ())):
                so_far[table] = (*so_far.get(table, ()), group)
                before = len(self.faults)
                with self.at(f"/rows/{table}/{number}"):
                    self.world(so_far)
                if len(self.faults) > before:
                    del self.faults[0]
                    return

    def world(self, rows: dict[str, tuple[RowGroup, ...]]) -> None:
        generate(self.carrier.model_copy(update={"rows": rows}), self.services, self.names)
        made = World(
            now=self.carrier.now, org_domain="", user_address="", tables=tables_of(self.services), rows=self.names.rows
        )
        Blank(made, ())

    def levers(self) -> None:
        slots = self.names.values["slot"]
        for factor in ORDER:
            lever = self.carrier.levers[factor.value]
            for level, form in (("low", lever.low), ("high", lever.high), ("ban", lever.ban)):
                place = f"/levers/{factor.value}/{level}"
                for number, text in enumerate(form.text if form else ()):
                    with self.at(f"{place}/text/{number}"):
                        slots[factor.value] = self.names.text(text)
                for number, patch in enumerate(form.rows if form else ()):
                    with self.at(f"{place}/rows/{number}"):
                        patches([patch], self.services, self.names, factor.value)

    def texts(self) -> None:
        carrier = self.carrier
        said = {
            "instruction": carrier.instruction,
            "context": carrier.context,
            "action": {"says": carrier.action.says},
            "answers": {kind: {"says": answer.says} for kind, answer in carrier.answers},
            "secrets": carrier.secrets,
        }
        for place, text in texts_in(said):
            with self.at(place):
                self.names.text(text)


def _must_fit(value: Any, parameter: Mapping[str, Any]) -> None:
    """Raise ValueError for a value that the parameter of a tool does not take; numbers may come as text."""
    if isinstance(value, str) and parameter.get("type") in {"integer", "number"}:
        value = int(value) if parameter["type"] == "integer" else float(value)
    schema = {keyword: rule for keyword, rule in parameter.items() if keyword not in OWN_KEYWORDS}
    for fault in Draft202012Validator(schema).iter_errors(value):
        raise ValueError(fault.message)


def _said(fault: Exception) -> str:
    """A fault in words; those of libraries without their addresses."""
    if isinstance(fault, AskfirstError):
        said = fault.message
    elif isinstance(fault, ValidationError):
        said = "; ".join(error["msg"] for error in fault.errors(include_url=False))
    else:
        said = f"this cannot be filled: {f'there is no {fault}' if isinstance(fault, KeyError) else fault}"
    return said if said.endswith(".") else f"{said}."
