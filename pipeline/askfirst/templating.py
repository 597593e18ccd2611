"""Templates of carriers: sandboxed Jinja in which an unknown name is an error."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from askfirst.errors import DeclarationError


def _moment(value: object) -> datetime:
    try:
        return datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except ValueError as fault:
        raise ValueError(f"'{value}' is not a time such as 2026-05-04T09:20:00Z") from fault


def spoken(value: str) -> str:
    """An ISO time as people say it: `Thursday 7 May at 15:00`."""
    return f"{day(value)} at {hour(value)}"


def day(value: str) -> str:
    """An ISO time or date as a day: `Thursday 7 May`."""
    moment = _moment(value)
    return f"{_DAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]}"


def hour(value: str) -> str:
    """The time of day of an ISO time: `15:00`."""
    moment = _moment(value)
    return f"{moment.hour:02}:{moment.minute:02}"


# Not strftime: its names follow the machine's locale.
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """The one environment that all carrier templates run in."""
    made = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)
    made.globals.clear()
    made.filters = {
        name: made.filters[name]
        for name in ("lower", "upper", "title", "capitalize", "replace", "length", "join", "first", "last", "default")
    }
    made.filters |= {"spoken": spoken, "day": day, "hour": hour}
    return made


@lru_cache(maxsize=20_000)
def _compiled(text: str) -> Template:
    return environment().from_string(text)


def render(text: str, names: Mapping[str, Any]) -> str:
    """Fill one template. Raises DeclarationError for a syntax error, an unknown name and whatever fails inside it."""
    if "{" not in text:
        return text
    try:
        return _compiled(text).render(names)
    except (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise DeclarationError(f"the template '{text[:120]}' cannot be filled: {fault}.") from fault


def names_used(text: str) -> set[str]:
    """The names that a template refers to. Raises DeclarationError for a syntax error."""
    try:
        tree = environment().parse(text)
        if all(isinstance(part, nodes.Output) for part in tree.body):  # nothing in it can make a name: no need to ask
            return {name.name for name in tree.find_all(nodes.Name)}
        return meta.find_undeclared_variables(tree)
    except TemplateError as fault:
        raise DeclarationError(f"the template '{text[:120]}' is not valid: {fault}.") from fault
