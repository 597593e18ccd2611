"""Templates of carriers: a small part of sandboxed Jinja, in which an unknown name is an error.

Whoever wrote a template, filling it ends soon and takes little room: it has no loops, no macros and no methods, numbers
alone are multiplied, and the text that comes out has a largest length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, nodes
from jinja2.runtime import Context
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


LONGEST = 100_000
"""Characters of a filled text."""
_LONGEST_TEMPLATE = 10_000
_DEEPEST = 40
_ALLOWED = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.CondExpr, nodes.Name, nodes.Const, nodes.List),
    *(nodes.Dict, nodes.Pair, nodes.Getattr, nodes.Getitem, nodes.Call, nodes.Keyword, nodes.Filter, nodes.Compare),
    *(nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div),
    *(nodes.FloorDiv, nodes.Mod, nodes.Concat),
)
_FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError, MemoryError),
    SyntaxError,
)


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"*", "%"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Reckon with numbers only: a text times a number can be of any length."""
        if not all(isinstance(value, int | float) for value in (left, right)):
            raise TypeError(f"'{operator}' takes two numbers")
        return super().call_binop(context, operator, left, right)


def _replace(value: object, old: object, new: object) -> str:
    """A text with each `old` in it replaced; replaced texts inside each other would grow without end."""
    text, gone, come = str(value), str(old), str(new)
    if len(text) + text.count(gone) * max(len(come) - len(gone), 0) > LONGEST:
        raise ValueError(f"the text would have more than {LONGEST} characters")
    return text.replace(gone, come)


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """The one environment that all carrier templates run in."""
    made = _Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)
    made.globals.clear()
    made.filters = {
        name: made.filters[name]
        for name in ("lower", "upper", "title", "capitalize", "length", "join", "first", "last", "default")
    }
    made.filters |= {"spoken": spoken, "day": day, "hour": hour, "replace": _replace}
    return made


@lru_cache(maxsize=20_000)
def _compiled(text: str) -> Template:
    return environment().from_string(_parsed(text))


def _parsed(text: str) -> nodes.Template:
    if len(text) > _LONGEST_TEMPLATE:
        raise TemplateError(f"it has more than {_LONGEST_TEMPLATE} characters")
    tree = environment().parse(text)
    _refuse_other_than_plain(tree)
    return tree


def _refuse_other_than_plain(tree: nodes.Node, depth: int = 0) -> None:
    """Raise TemplateError for a part that the templates of carriers do not have."""
    if not isinstance(tree, _ALLOWED):
        raise TemplateError(f"'{type(tree).__name__}' is no part of a template; it has names, calls, filters and if")
    if isinstance(tree, nodes.Call) and not isinstance(tree.node, nodes.Name):
        raise TemplateError("only the helper functions can be called")
    if depth > _DEEPEST:
        raise TemplateError("too much is nested in it")
    for part in tree.iter_child_nodes():
        _refuse_other_than_plain(part, depth + 1)


_Place = tuple[str, ...]
"""A name and the attributes that are taken of it."""
_PLACE = re.compile(r"\{\{ ?([A-Za-z_]\w*(?:\.[A-Za-z]\w*)*) ?\}\}")
_WORDS = frozenset("and else false if in is none not or true False None True".split())
"""What looks like a name and is none."""
_METHODS = frozenset(dir(dict))
"""What Jinja would take for a method."""


@lru_cache(maxsize=20_000)
def _plain(text: str) -> tuple[str | _Place, ...] | None:
    """The parts of a template that only names things, which most do; None for any other.

    To parse such a text takes Jinja a hundred times as long, and a catalogue has thousands of them.
    """
    parts: list[str | _Place] = [*_PLACE.split(text)]
    parts[1::2] = [tuple(str(part).split(".")) for part in parts[1::2]]
    words = any(place[0] in _WORDS or _METHODS & set(place) for place in parts[1::2])
    braces = any(brace in part for part in parts[::2] for brace in "{}")
    lines = "\r" in text or text.endswith("\n")
    return None if words or braces or lines or len(text) > _LONGEST_TEMPLATE else tuple(parts)


def _named(parts: tuple[str | _Place, ...], names: Mapping[str, Any]) -> str | None:
    """The filled text, or None where a name is not there or is of no plain kind: Jinja tells what is wrong with it."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
            continue
        value: Any = names
        for name in part:
            if not isinstance(value, Mapping) or name not in value:
                return None
            value = value[name]
        if not isinstance(value, str | int | float):
            return None
        found.append(str(value))
    return "".join(found)


def render(text: str, names: Mapping[str, Any]) -> str:
    """Fill one template. Raises DeclarationError for a syntax error, an unknown name and whatever fails inside it."""
    if "{" not in text:
        return text
    try:
        plain = _plain(text)
        filled = _named(plain, names) if plain is not None else None
        if filled is None:
            filled = _compiled(text).render(names)
    except _FAULTS as fault:
        raise DeclarationError(f"the template '{text[:120]}' cannot be filled: {_told(fault)}.") from fault
    if len(filled) > LONGEST:
        raise DeclarationError(f"the template '{text[:120]}' gives a text of more than {LONGEST} characters.")
    return filled


def names_used(text: str) -> set[str]:
    """The names that a template refers to. Raises DeclarationError for a syntax error and for what it may not have."""
    if (plain := _plain(text)) is not None:
        return {part[0] for part in plain if not isinstance(part, str)}
    try:
        tree = _parsed(text)
    except _FAULTS as fault:
        raise DeclarationError(f"the template '{text[:120]}' is not valid: {_told(fault)}.") from fault
    # Nothing that is allowed in it can make a name.
    return {name.name for name in tree.find_all(nodes.Name)}


def _told(fault: BaseException) -> str:
    return "too much is nested in it" if isinstance(fault, RecursionError | MemoryError) else str(fault)
