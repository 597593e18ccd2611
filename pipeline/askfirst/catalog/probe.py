"""Trying every tool of a service on its sample rows, and comparing what it declares with what changes."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator

from askfirst.catalog.observe import observe
from askfirst.catalog.services import sample_world
from askfirst.catalog.specs import tools_of
from askfirst.models.service import Example, Service
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import World

Found = Iterator[tuple[str, str]]


def probe_service(service: Service) -> Found:
    """Yield what is not as declared, with its place as a JSON pointer. A sound service yields nothing."""
    blank = Blank(sample_world(service), tools_of([service]))
    for name, tool in service.tools.items():
        if not any(not example.error for example in tool.examples):
            yield f"/tools/{name}/examples", "no example shows a call that works."
        if tool.errors and sum(example.error for example in tool.examples) < len(tool.errors):
            yield f"/tools/{name}/examples", "not every declared error has an example."
        for number, example in enumerate(tool.examples):
            world = World(blank)
            for message in _probe(world, service, name, example):
                yield f"/tools/{name}/examples/{number}", message
            world.close()


def _probe(world: World, service: Service, name: str, example: Example) -> Iterator[str]:
    try:
        result, differences = observe(world, name, example.args, [service])
    except (sqlite3.Error, ArithmeticError, LookupError, TypeError, ValueError) as fault:
        yield f"the call, or what is declared of it, cannot be worked out: {fault}."
        return
    if result.ok is example.error:
        yield f"the call was {'carried out' if result.ok else f'refused: {result.error}'}."
        return
    if example.error and result.error.startswith(("Invalid arguments", "The call could not")):
        yield f"the call was refused for another reason than a declared error: {result.error}"
    seen = _counts(world.changes())
    if seen != {table: dict(counts) for table, counts in example.changes.items()}:
        yield f"it changed {seen or 'nothing'}, not {example.changes or 'nothing'}."
    for difference in differences:
        yield f"{difference.message} {difference.evidence}".rstrip()


def _counts(changes: list[RowChange]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for change in changes:
        if change.change is not None:
            found.setdefault(change.table, Counter())[change.change.value] += 1
    return {table: dict(counts) for table, counts in found.items()}
