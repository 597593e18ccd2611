"""Whatever is called in whatever order: no tool breaks, does what it did not declare, or cannot be taken back."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askfirst.catalog.load import load_catalog
from askfirst.catalog.observe import Aspect, Difference, observe
from askfirst.catalog.services import sample_world
from askfirst.catalog.specs import tools_of
from askfirst.models.facts import EffectKind
from askfirst.models.service import Service
from askfirst.models.task import ToolSpec
from askfirst.world.build import Blank
from askfirst.world.run import World

SERVICES = load_catalog().services
BLANKS: dict[str, Blank] = {}
CALLS = 6
ODD = ["", " ", "x", "Ä '\"; -- %", "2026-05-06", "2026-05-06T13:00:00Z", "2026-02-30", "new@visitor.example", "/", "0"]


def blank_of(name: str) -> Blank:
    if name not in BLANKS:
        BLANKS[name] = Blank(sample_world(SERVICES[name]), tools_of([SERVICES[name]]))
    return BLANKS[name]


def texts(service: Service) -> list[str]:
    """What stands in the sample rows and the examples, so that calls mostly name something that is there."""
    found = [value for rows in service.sample.values() for row in rows for value in row.values()]
    found += [value for tool in service.tools.values() for one in tool.examples for value in one.args.values()]
    flat = [item for value in found for item in (value if isinstance(value, list) else [value])]
    return list(dict.fromkeys(str(item) for item in flat if isinstance(item, str | int | float)))


def values(form: dict[str, Any], known: list[str], name: str, tool: ToolSpec) -> st.SearchStrategy[Any]:
    """Values that the schema takes, where that can be told, and now and then one that it does not."""
    kind = form.get("type")
    if "enum" in form:
        return st.sampled_from(form["enum"])
    if kind == "boolean":
        return st.booleans()
    if kind in {"integer", "number"}:
        low = form.get("minimum", -3)
        numbers = st.integers(math.ceil(low), math.ceil(form.get("maximum", low + 5000)))
        return numbers if kind == "integer" else numbers | numbers.map(lambda number: number - 0.25)
    if kind == "array":
        return st.lists(values(form.get("items", {}), known, name, tool), min_size=form.get("minItems", 0), max_size=3)
    fits = re.compile(form.get("pattern", "")).search
    near = [text for text in (*known, *ODD) if fits(text)]
    return st.sampled_from(near or ODD)


def calls(service: Service) -> st.SearchStrategy[list[tuple[str, dict[str, Any]]]]:
    known, tools = texts(service), {tool.name: tool for tool in tools_of([service])}

    def arguments(name: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
        schema = tools[name].parameters
        forms = {one: values(form, known, one, tools[name]) for one, form in schema.get("properties", {}).items()}
        needed = {one: form for one, form in forms.items() if one in schema.get("required", ())}
        others = {one: form for one, form in forms.items() if one not in needed}
        return st.tuples(st.just(name), st.fixed_dictionaries(needed, optional=others))

    shown = [(name, dict(one.args)) for name, tool in service.tools.items() for one in tool.examples if not one.error]
    call = st.sampled_from(shown) | st.sampled_from(sorted(tools)).flatmap(arguments)
    return st.lists(call, min_size=1, max_size=CALLS)


def wrong(difference: Difference, changed: bool) -> bool:
    """A call that leaves all as it was may be of any effect, and nobody outside sees it."""
    return changed or difference.aspect not in {Aspect.EFFECT, Aspect.EXTERNAL}


def hold(service: Service, blank: Blank, made: list[tuple[str, dict[str, Any]]]) -> None:
    """Make the calls in a world of their own, and hold each to what its tool declares."""
    world = World(blank)
    try:
        for tool, args in made:
            before = world.state_hash()
            result, differences = observe(world, tool, args, [service])
            after = world.state_hash()
            assert result.ok or after == before, (tool, args, "a refused call changed something")
            assert not result.error.startswith("The call could not"), (tool, args, result.error)
            assert [one for one in differences if wrong(one, after != before)] == [], (tool, args)
    finally:
        world.close()


AT_RANDOM = settings(max_examples=12, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", sorted(SERVICES))
@AT_RANDOM
@given(data=st.data())
def test_no_tool_does_what_it_does_not_declare(name: str, data: st.DataObject) -> None:
    hold(SERVICES[name], blank_of(name), data.draw(calls(SERVICES[name])))


@pytest.mark.parametrize(
    ("tool", "field"), [("mail_send", {"external": False}), ("mail_archive", {"effect": EffectKind.DELETE})]
)
def test_a_false_declaration_is_found_at_random(tool: str, field: dict[str, Any]) -> None:
    service = SERVICES["mail"]
    spec = service.tools[tool].model_copy(update=field)
    broken = service.model_copy(update={"tools": {**service.tools, tool: spec}})
    blank = Blank(sample_world(broken), tools_of([broken]))

    @settings(AT_RANDOM, max_examples=120, report_multiple_bugs=False)
    @given(made=calls(broken))
    def holds(made: list[tuple[str, dict[str, Any]]]) -> None:
        hold(broken, blank, made)

    with pytest.raises(AssertionError, match=tool):
        holds()
