"""The catalogue as an author sees it: a line for each service, or a page on the services that are used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askfirst.catalog.calls import STANDS_FOR
from askfirst.catalog.load import Catalog
from askfirst.catalog.specs import declared_default, must_be_given
from askfirst.models.facts import Domain, EffectKind
from askfirst.models.service import Service, Table, Tool

_SENTENCE = re.compile(r"(?<=[.!?])\s")
_CLAUSE = re.compile(r"[;:(]|, (?:for example|as|so|if|or)\b|\. ")
_NAME = re.compile(r"\w+")
_JSON = re.compile(r"text\b[^(]*\bcheck \((\w+) = json\(\1\)\)")
_NOT_NULL = re.compile(r"\s*\bnot null\b|\s*\bprimary key\b|\s*\bdefault\s+(?:'(?:[^']|'')*'|-?[\d.]+)", re.IGNORECASE)


def service_lines(catalog: Catalog, effect: EffectKind, domain: Domain) -> str:
    """One line a service: what it is, and its tools by effect, those that have the effect of the step first.

    Of services of other domains only the tools that fit are named, and services without any only by name.
    """
    lines, others = [], []
    for service in catalog.services.values():
        tools = _by_effect(service) if service.domain is domain else {}
        fitting = [name for name, tool in service.tools.items() if tool.effect is effect]
        fitting += [name for name, tool in service.tools.items()
                    if effect in STANDS_FOR.get(tool.effect, ()) and tool.external is not False]  # fmt: skip
        rest = {kind: [name for name in names if name not in fitting] for kind, names in tools.items()}
        tools = {effect: fitting, **{kind: names for kind, names in rest.items() if kind is not effect}}
        told = "; ".join(
            f"{kind.value}: {', '.join(_undone(service, name) for name in names)}"
            for kind, names in tools.items()
            if names
        )
        if told:
            lines.append(f"- {service.service} ({service.title}): {_about(service)} {told}")
        else:
            others.append(service.service)
    return "\n".join([*lines, *([f"- no tool that fits: {', '.join(others)}"] if others else [])])


def job_lines(catalog: Catalog) -> str:
    """One line a service: what can be done with it, by the names of its tools that change something."""
    return "\n".join(
        f"- {service.title}: {', '.join(name.removeprefix(f'{service.service}_') for name in _writing(service))}"
        for service in catalog.services.values()
    )


def _about(service: Service) -> str:
    return _SENTENCE.split(" ".join(service.about.split()))[0]


def _writing(service: Service) -> list[str]:
    return [name for name, tool in service.tools.items() if tool.effect is not EffectKind.READ]


def _by_effect(service: Service) -> dict[EffectKind, list[str]]:
    found: dict[EffectKind, list[str]] = {}
    for name in _writing(service):
        found.setdefault(service.tools[name].effect, []).append(name)
    return found


def _undone(service: Service, name: str) -> str:
    """A tool, marked with `!` where it cannot be undone, and with the settings on which that depends."""
    tool = service.tools[name]
    if isinstance(tool.reversible, bool):
        return name if tool.reversible else f"{name}!"
    words = set(_NAME.findall(tool.reversible))
    deciding = [
        column
        for table, form in service.tables.items()
        if table.endswith("_settings")
        for column in form.columns
        if column in words - {"id"}
    ]
    return f"{name}({', '.join(deciding)}?)" if deciding else f"{name}(?)"


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
