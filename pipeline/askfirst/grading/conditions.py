"""One condition on one column, in the two forms it is needed in: as SQL, and on a row in memory."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

from askfirst.models.effect import Condition, Match
from askfirst.world.sql import name, quote

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def condition_sql(alias: str, column: str, condition: Condition) -> str:
    """The condition as an SQL expression that is 0 or 1, never NULL."""
    # Without the plus, the column's type would decide what the other side is taken for: text '5' would equal 5.
    cell = f"+{alias}.{name(column)}"
    field = next(iter(condition.model_fields_set))
    value = getattr(condition, field)
    match field:
        case "equals":
            return f"{cell} IS {quote(value)}"
        case "not_equals":
            return f"{cell} IS NOT {quote(value)}"
        case "one_of":
            return "(" + " OR ".join(f"{cell} IS {quote(one)}" for one in value) + ")" if value else "0"
        case "under":
            folder = value.rstrip("/") + "/"
            return f"coalesce(substr({cell}, 1, {len(folder)}) = {quote(folder)}, 0)"
        case "contains":
            return f"(typeof({cell}) = 'text' AND instr(lower({cell}), {quote(_lower(value))}) > 0)"
        case "below":
            return f"coalesce({cell} < {quote(value)}, 0)"
        case "at_least":
            return f"coalesce({cell} >= {quote(value)}, 0)"
        case _:
            return f"{cell} IS {'' if value else 'NOT '}NULL"


def match_sql(alias: str, match: Match) -> str:
    """All conditions together; an empty match is always true."""
    return " AND ".join(condition_sql(alias, column, condition) for column, condition in match.items()) or "1"


def meets(value: Any, condition: Condition) -> bool:
    """The same test as `condition_sql`, on a value in memory."""
    field = next(iter(condition.model_fields_set))
    wanted = getattr(condition, field)
    match field:
        case "equals":
            return bool(value == wanted)
        case "not_equals":
            return bool(value != wanted)
        case "one_of":
            return value in wanted
        case "under":
            return isinstance(value, str) and value.startswith(wanted.rstrip("/") + "/")
        case "contains":
            return isinstance(value, str) and _lower(wanted) in _lower(value)
        case "below":
            return value is not None and _ordered(value) < _ordered(wanted)
        case "at_least":
            return value is not None and _ordered(value) >= _ordered(wanted)
        case _:
            return (value is None) is bool(wanted)


def _lower(text: str) -> str:
    """SQLite's `lower`: it knows the letters a to z only."""
    return text.translate(_LOWER)


def _ordered(value: Any) -> tuple[int, Any]:
    """Sorts values as SQLite does: numbers, then texts by code point, then bytes."""
    return (1 if isinstance(value, str) else 2 if isinstance(value, bytes) else 0), value


def row_meets(row: Mapping[str, Any], match: Match) -> bool:
    """Whether a row meets all conditions; a column that it lacks counts as null."""
    return all(meets(row.get(column), condition) for column, condition in match.items())
