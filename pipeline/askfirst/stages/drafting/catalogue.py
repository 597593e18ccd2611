"""The catalogue as an author sees it: a line for each service, or a page on the services that are used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askfirst.catalog.calls import STANDS_FOR
from askfirst.catalog.load import Catalog
from askfirst.catalog.specs import declared_default, must_be_given
from askfirst.models.facts import EffectKind
from askfirst.models.service import Service, Table, Tool

_SENTENCE = re.compile(r"(?<=[.!?])\s")
_CLAUSE = re.compile(r"[;:(]|, (?:for example|as|so|if|or)\b|\. ")
_JSON = re.compile(r"text\b[^(]*\bcheck \((\w+) = json\(\1\)\)")
_NOT_NULL = re.compile(r"\s*\bnot null\b|\s*\bprimary key\b|\s*\bdefault\s+(?:'(?:[^']|'')*'|-?[\d.]+)", re.IGNORECASE)


def service_lines(catalog: Catalog, effect: EffectKind) -> str:
    """One line a service: what it is, and the tools that have the effect of the step."""
    return "\n".join(_line(service, effect) for service in catalog.services.values())


def _line(service: Service, effect: EffectKind) -> str:
    fitting = [name for name, tool in service.tools.items()
               if effect is tool.effect or effect in STANDS_FOR.get(tool.effect, ())]  # fmt: skip
    about = _SENTENCE.split(" ".join(service.about.split()))[0]
    return f"- {service.service} ({service.title}): {about} {effect.value}: {', '.join(fitting) or 'nothing'}"


def service_pages(services: Iterable[Service]) -> str:
    """The tables and tools of some services, compactly."""
    return "\n\n".join("\n".join(_page(service)) for service in services)


def _page(service: Service) -> Iterator[str]:
    yield f"### {service.service}: {' '.join(service.about.split())}"
    yield "Tables:"
    for name, table in service.tables.items():
        yield from _table(name, table)
    yield "Tools:"
    for name, tool in service.tools.items():
        yield from _tool(name, tool)


def _table(name: str, table: Table) -> Iterator[str]:
    columns = ", ".join(_column(column, form) for column, form in table.columns.items())
    live = "" if table.live == "1" else f" Live while {table.live}."
    yield f"- {name}({columns}).{live} {' '.join(table.about.split())}".rstrip()


def _column(name: str, form: str) -> str:
    """`*` marks the key, `?` what may be null, `=` a default."""
    kind = " ".join(_JSON.sub("json", _NOT_NULL.sub("", form)).split())
    if "primary key" in form.lower():
        return f"*{name} {kind}"
    if must_be_given(form):
        return f"{name} {kind}"
    default = declared_default(form)
    return f"{name} {kind}?" if default is None else f"{name} {kind} = {default!r}"


def _tool(name: str, tool: Tool) -> Iterator[str]:
    parameters = ", ".join(_parameter(one, form) for one, form in tool.parameters.items())
    yield f"- {name}({parameters}) {tool.effect.value}: {' '.join(tool.description.split())}"
    if tool.effect is EffectKind.READ:
        return
    for statement in tool.do:
        yield f"    does: {' '.join(statement.split())}"
    if tool.errors:
        yield f"    refuses: {' | '.join(_SENTENCE.split(error.say)[0].rstrip('.') for error in tool.errors)}"


def _parameter(name: str, form: Mapping[str, Any]) -> str:
    """`?` marks what may be left out, `~` text that the agent words itself."""
    mark = ("?" if form.get("optional") else "") + ("~" if form.get("composed") else "")
    what = _CLAUSE.split(str(form.get("description", "")))[0]
    return f"{name}{mark}: {_type(form)} ({what})"


def _type(form: Mapping[str, Any]) -> str:
    if "enum" in form:
        return "|".join(map(str, form["enum"]))
    if form.get("type") == "array":
        return f"[{_type(form.get('items', {}))}]"
    limits = {key: form[key] for key in ("pattern", "minimum", "maximum", "properties", "anyOf") if key in form}
    if "instant" in str(form.get("canonical")):
        limits = {"format": "ISO 8601"}
    return f"{form.get('type', 'any')} {json.dumps(limits, ensure_ascii=False)}" if limits else str(form.get("type"))
