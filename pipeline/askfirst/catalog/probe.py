"""Trying every tool of a service on its sample rows, and comparing what it declares with what changes."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from askfirst.catalog.load import Catalog
from askfirst.catalog.observe import Difference, observe
from askfirst.catalog.services import sample_world
from askfirst.catalog.specs import tools_of
from askfirst.documents import quoted
from askfirst.errors import WorldError
from askfirst.models.service import Example, Service
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import Result, World, said

Found = Iterator[tuple[str, str]]


def probe_catalog(catalog: Catalog) -> Iterator[str]:
    """Yield what is not as declared in any service, with file, line and place."""
    for name, service in catalog.services.items():
        for pointer, message in probe_service(service):
            yield f"{catalog.place('service', name, pointer)}: {message}"


def probe_service(service: Service) -> Found:
    """Yield what is not as declared, with its place as a JSON pointer. A sound service yields nothing."""
    blank = Blank(sample_world(service), tools_of([service]))
    for name, tool in service.tools.items():
        if not any(not example.error for example in tool.examples):
            yield f"/tools/{name}/examples", "no example shows a call that works."
        shown: set[int] = set()
        for number, example in enumerate(tool.examples):
            world = World(blank)
            try:
                result, differences = observe(world, name, example.args, [service])
            except (WorldError, sqlite3.Error, ArithmeticError, LookupError, TypeError, ValueError) as fault:
                message = f"the call, or what is declared of it, cannot be worked out: {fault}."
                yield f"/tools/{name}/examples/{number}", message
                world.close()
                continue
            for message in _probe(world, example, result, differences):
                yield f"/tools/{name}/examples/{number}", message
            shown |= {place for place, error in enumerate(tool.errors) if said(error.say, example.args) == result.error}
            world.close()
        for place, error in enumerate(tool.errors):
            if place not in shown:
                yield f"/tools/{name}/errors/{place}", f"no example is refused with this error: {quoted(error.say)}."


def _probe(world: World, example: Example, result: Result, differences: Iterable[Difference]) -> Iterator[str]:
    if result.ok and example.error:
        yield "it says `error: true`, but the call was carried out."
        return
    if not result.ok and not example.error:
        yield f"it does not say `error: true`, but the call was refused: {result.error}"
        return
    if example.error and result.error.startswith(("Invalid arguments", "The call could not")):
        yield f"the call was refused for another reason than a declared error: {result.error}"
    seen = _counts(world.changes())
    if seen != {table: dict(counts) for table, counts in example.changes.items()}:
        yield f"the call changed {_told(seen)}, and `changes` says {_told(example.changes)}."
    for difference in differences:
        yield f"{difference.message} {difference.evidence}".rstrip()


def _told(counts: Mapping[str, Mapping[str, int]]) -> str:
    parts = [f"{table} {change} {count}" for table, one in counts.items() for change, count in one.items()]
    return ", ".join(parts) or "nothing"


def _counts(changes: list[RowChange]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for change in changes:
        if change.change is not None:
            found.setdefault(change.table, Counter())[change.change.value] += 1
    return {table: dict(counts) for table, counts in found.items()}
