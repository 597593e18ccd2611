"""What a carrier's templates can name, and how their values are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from askfirst.errors import DeclarationError
from askfirst.grading.conditions import row_meets
from askfirst.models.carrier import EffectForm
from askfirst.models.effect import Change, Condition, Effect, Match
from askfirst.models.service import Rows
from askfirst.stages.authoring.cells import cast, cell, left_out
from askfirst.stages.authoring.stream import Stream
from askfirst.templating import render

_BARE_NAME = re.compile(r"\s*\{\{\s*([a-z_]+(?:\.[a-z_]+)*)\s*\}\}\s*")
_WORDS = (
    "draft final notes summary budget plan review outline figures report schedule overview minutes update list brief"
    " checklist proposal timeline memo"
).split()


class Names:
    """The names of one task: cast, objects, slots, rows, and the helper functions over its stream."""

    def __init__(self, values: dict[str, Any], now: str, stream: Stream) -> None:
        self.values = {**values, "now": now}
        self.now = datetime.fromisoformat(now.replace("Z", "+00:00"))
        self.stream = stream
        self.rows: Rows = {}
        self.column_types: dict[str, dict[str, str]] = {}

    def copy(self) -> Names:
        """The same names with slots and a list of rows of their own; the rows themselves are shared, never edited."""
        other = Names({**self.values, "slot": {}}, self.values["now"], self.stream)
        other.rows = dict(self.rows)
        other.column_types = self.column_types
        return other

    def text(self, template: str, label: str = "", **more: Any) -> str:
        """Fill one template; draws inside it are made under `label`."""
        if "{" not in template:
            return template
        helpers = {} if "pick" in more else self.helpers(label or template)
        return render(template, {**self.values, **helpers, **more})

    def helpers(self, label: str) -> dict[str, Any]:
        """The helper functions, drawing under a label; given on as `**more`, they serve several templates."""
        draw = self.stream.generator(label)

        def moment(days: float, at: str | None, sign: int) -> str:
            when = self.now + sign * timedelta(days=days)
            if at is None:
                when += sign * timedelta(minutes=draw.randrange(0, 600))
                return when.strftime("%Y-%m-%dT%H:%M:00Z")
            return f"{when:%Y-%m-%d}T{at}:00Z"

        return {
            "pick": lambda items: items[draw.randrange(len(items))],
            "integer": draw.randint,
            "ago": lambda days, at=None: moment(days, at, -1),
            "ahead": lambda days, at=None: moment(days, at, 1),
            "count": lambda table, where: len(self.select(table, where)),
            "someone": lambda: self.values["_people"][draw.randrange(len(self.values["_people"]))],
            "words": lambda count=2: " ".join(draw.sample(_WORDS, count)),
        }

    def fill(self, value: Any, label: str = "", **more: Any) -> Any:
        """Fill every template inside a value.

        A text that is one bare name gives that name's value as it is; `{every: {...}}` and `{one: {...}}` take a
        column of the rows that match.
        """
        if isinstance(value, str):
            bare = _BARE_NAME.fullmatch(value)
            if bare and not isinstance(found := self._lookup(bare[1], more), str):
                return found
            return self.text(value, label, **more)
        if isinstance(value, list | tuple):
            return [self.fill(item, label, **more) for item in value]
        if isinstance(value, dict):
            if set(value) <= {"every", "one"} and value:
                return self._column(value, label, **more)
            return {key: self.fill(item, label, **more) for key, item in value.items()}
        return value

    def _lookup(self, dotted: str, more: Mapping[str, Any]) -> Any:
        value: Any = {**self.values, **more}
        for part in dotted.split("."):
            value = value.get(part, "") if isinstance(value, Mapping) else ""
        return str(value) if isinstance(value, Mapping) else value

    def _column(self, form: Mapping[str, Any], label: str, **more: Any) -> Any:
        many = "every" in form
        wanted = form["every" if many else "one"]
        if not isinstance(wanted, dict) or {"table", "column", "where"} != set(wanted):
            raise DeclarationError(f"`{'every' if many else 'one'}` takes `table`, `column` and `where`.")
        if wanted["column"] not in self.column_types.get(wanted["table"], {}):
            raise DeclarationError(f"there is no column {wanted['table']}.{wanted['column']}.")
        found = [row[wanted["column"]] for row in self.select(wanted["table"], wanted["where"], label, **more)]
        if not found:
            raise DeclarationError(f"no row of {wanted['table']} matches {self.fill(wanted['where'], label, **more)}.")
        return found if many else found[0]

    def select(self, table: str, where: Mapping[str, Any], label: str = "", **more: Any) -> list[dict[str, Any]]:
        """The rows generated so far that match."""
        match = self.match(table, where, label, **more)
        return [row for row in self.rows.get(table, []) if row_meets(row, match)]

    def match(self, table: str, form: Mapping[str, Any], label: str = "", **more: Any) -> Match:
        """Conditions on columns, filled; a plain value means equality."""
        found: Match = {}
        for column, value in form.items():
            filled = self.fill(value, label, **more)
            if not isinstance(filled, dict):
                filled = {"is_null": True} if filled is None else {"equals": filled}
            form_of = self._form(table, column)
            typed = {op: cast(form_of, v) if op != "is_null" else v for op, v in filled.items()}
            found[column] = Condition.model_validate(typed)
        return found

    def cell(self, table: str, column: str, value: Any, label: str = "", **more: Any) -> Any:
        """One cell of a row, filled and of the column's type."""
        return cell(self._form(table, column), self.fill(value, label, **more))

    def _form(self, table: str, column: str) -> str:
        return self.column_types.get(table, {}).get(column, "text")

    def effect(self, form: EffectForm) -> Effect:
        """An effect with its templates filled.

        What a call can leave out of an added row stays left out: the columns that have a default, or may be null, hold
        just that, those aside that the form names in `match`, or leaves open in `incidental`.
        """
        match = self.match(form.table, form.match)
        if form.change == Change.ADDED:
            left = left_out(self.column_types.get(form.table, {}), {*match, *form.incidental})
            match = {**match, **self.match(form.table, left)}
        return Effect(
            table=form.table,
            change=Change(form.change),
            match=match,
            to=self.match(form.table, form.to),
            count=form.count,
            incidental=form.incidental,
        )
