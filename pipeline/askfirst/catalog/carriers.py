"""What a carrier's declaration must fulfil, beyond its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.catalog.calls import carrier_calls, carrier_effects, check_arguments, check_kinds
from askfirst.documents import pointer_to, texts_in
from askfirst.errors import DeclarationError
from askfirst.models.carrier import Carrier, EffectForm, RowPatch, Selection
from askfirst.models.effect import Condition
from askfirst.models.facts import EffectKind, Factor
from askfirst.models.rendition import Writer
from askfirst.models.service import Service
from askfirst.templating import names_used

HELPERS = ("slot", "seq", "number", "item", "now", "pick", "integer", "ago", "ahead", "count", "someone", "words")
"""Names that every template may use besides the cast and the objects."""
_TAKEN = {"in_world", *(f"by_{writer.value}" for writer in Writer if writer is not Writer.CARRIER)}
"""Words that stand in the names of other renditions where a carrier's would."""
CAST_KINDS = ("person", "outsider", "company", "partner", "codename")
Found = Iterator[tuple[str, str]]


def check_carrier(carrier: Carrier, services: Mapping[str, Service]) -> Found:
    """Yield what is wrong, each with its place as a JSON pointer."""
    if unknown := [name for name in carrier.services if name not in services]:
        yield "/services", f"there is no service '{unknown[0]}'."
        return
    used = [services[name] for name in carrier.services]
    tools = {name: tool for service in used for name, tool in service.tools.items()}
    columns = {name: set(table.columns) for service in used for name, table in service.tables.items()}
    if carrier.carrier in _TAKEN or "__" in carrier.carrier or carrier.carrier.endswith("_"):
        taken = ", ".join(f"`{name}`" for name in sorted(_TAKEN))
        yield "/carrier", f"words are joined by one `_`, and {taken} are taken; call carrier and file otherwise."
    yield from _check_cast(carrier)
    yield from _check_levers(carrier, columns)
    if carrier.action.tool in tools and tools[carrier.action.tool].effect is EffectKind.READ:
        yield "/action/tool", "the decisive step must change something."
    yield from check_kinds(carrier, tools)
    for place, call in carrier_calls(carrier):
        if call.tool not in tools:
            yield place, f"there is no tool '{call.tool}' in {', '.join(carrier.services)}."
        elif unknown := [name for name in call.args if name not in tools[call.tool].parameters]:
            yield place, f"tool {call.tool} has no parameter '{unknown[0]}'."
        yield from _check_selections(place, call.args, columns)
    yield from check_arguments(carrier, tools)
    for place, effect in carrier_effects(carrier):
        yield from _check_effect(place, effect, columns)
    for table, groups in carrier.rows.items():
        for number, group in enumerate(groups):
            yield from _check_columns(f"/rows/{table}/{number}", table, group.set, columns)
            yield from _check_selections(f"/rows/{table}/{number}/set", group.set, columns)
    yield from _check_templates(carrier)


def _check_cast(carrier: Carrier) -> Found:
    for name in ("user", "org"):
        if name not in carrier.cast:
            yield "/cast", f"'{name}' is needed."
    for name, form in carrier.cast.items():
        if form not in CAST_KINDS:
            yield f"/cast/{name}", f"'{form}' is not one of {', '.join(CAST_KINDS)}."
    for name in sorted({*carrier.cast, *carrier.themes[0].objects} & set(HELPERS)):
        yield "/themes/0/objects", f"'{name}' is a name that templates have already; choose another."
    first = set(carrier.themes[0].objects)
    for number, theme in enumerate(carrier.themes):
        if missing := first ^ set(theme.objects):
            yield f"/themes/{number}", f"all themes need the same objects; '{sorted(missing)[0]}' is not in every one."


def _check_levers(carrier: Carrier, columns: Mapping[str, set[str]]) -> Found:
    wanted = {factor.value for factor in Factor}
    for name in sorted(wanted ^ set(carrier.levers)):
        yield "/levers", f"'{name}' is {'missing' if name in wanted else 'not a factor'}."
    for name, lever in carrier.levers.items():
        forms = lever.forms()
        if name == Factor.POLICY and lever.ban is None:
            yield f"/levers/{name}", "`ban` is needed: how a rule looks that forbids the step."
        for level in sorted({"ban", "ban_low"} & set(forms)) if name != Factor.POLICY else ():
            yield f"/levers/{name}/{level}", "only `policy` has this level; take it out."
        lengths = {len(form.text) for form in forms.values()}
        if len(lengths) > 1:
            yield f"/levers/{name}", "every level needs the same number of wordings, so that they can be paired."
        for level, form in forms.items():
            for number, patch in enumerate(form.rows):
                yield from _check_patch(f"/levers/{name}/{level}/rows/{number}", patch, columns)


def _check_patch(place: str, patch: RowPatch, columns: Mapping[str, set[str]]) -> Found:
    yield from _check_columns(place, patch.table, {**patch.match, **patch.set}, columns)
    yield from _check_conditions(pointer_to(place, "match"), patch.match)
    for field in ("match", "set", "add"):
        yield from _check_selections(pointer_to(place, field), getattr(patch, field), columns)
    for row in patch.add:
        yield from _check_columns(place, patch.table, row, columns)
    if not patch.add and not patch.match:
        yield place, "say which rows are meant, in `match`, or give rows to `add`."


def _check_columns(place: str, table: str, row: Mapping[str, Any], columns: Mapping[str, set[str]]) -> Found:
    if table not in columns:
        yield place, f"there is no table '{table}'."
    elif unknown := [name for name in row if name not in columns[table]]:
        yield place, f"table {table} has no column '{unknown[0]}'."


def _check_effect(place: str, effect: EffectForm, columns: Mapping[str, set[str]]) -> Found:
    columns_used = {**effect.match, **effect.to, **dict.fromkeys(effect.incidental)}
    yield from _check_columns(place, effect.table, columns_used, columns)
    for field, conditions in (("match", effect.match), ("to", effect.to)):
        yield from _check_conditions(pointer_to(place, field), conditions)
        yield from _check_selections(pointer_to(place, field), conditions, columns)


def _check_conditions(place: str, conditions: Mapping[str, Any]) -> Found:
    """A condition is a value, `{one: ...}` for a value taken from a row, or one operator with what it compares with."""
    known = ", ".join(Condition.model_fields)
    for column, condition in conditions.items():
        here = pointer_to(place, column)
        if isinstance(condition, list):
            yield here, "a list is no value of a column; write `{one_of: [...]}`."
        elif isinstance(condition, dict) and (unknown := set(condition) - {*Condition.model_fields, "one"}):
            yield here, f"'{sorted(unknown)[0]}' is not one of {known}."
        elif isinstance(condition, dict) and len(condition) != 1:
            yield here, f"a condition sets exactly one of {known}."


def _check_selections(place: str, value: Any, columns: Mapping[str, set[str]]) -> Found:
    """Every `{every: ...}` and `{one: ...}` inside a value says which column of which rows it takes."""
    if isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _check_selections(f"{place}/{number}", part, columns)
    elif isinstance(value, dict) and value and set(value) <= {"every", "one"}:
        kind, form = next(iter(value.items()))
        here = f"{place}/{kind}"
        try:
            wanted = Selection.model_validate(form) if len(value) == 1 else None
        except ValueError:
            wanted = None
        if wanted is None:
            yield here, f"`{kind}` stands alone and gives exactly a table, a column, and conditions in `where`."
            return
        yield from _check_columns(here, wanted.table, {**wanted.where, wanted.column: None}, columns)
        yield from _check_conditions(f"{here}/where", wanted.where)
        yield from _check_selections(f"{here}/where", wanted.where, columns)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _check_selections(pointer_to(place, key), part, columns)


def _check_templates(carrier: Carrier) -> Found:
    names = {*HELPERS, *carrier.cast, *carrier.themes[0].objects}
    document = carrier.model_dump(mode="json", exclude={"kind", "services", "words", "effects"})
    for place, text in texts_in(document):
        if "{" not in text:
            continue
        try:
            unknown = names_used(text) - names
        except DeclarationError as fault:
            yield place, fault.message
            continue
        if unknown:
            yield place, f"the template names '{sorted(unknown)[0]}', which is neither in the cast nor an object."
