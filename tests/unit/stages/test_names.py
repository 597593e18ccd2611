"""What a carrier's effects amount to once they are filled."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.models.carrier import EffectForm
from askfirst.models.effect import Change, Condition
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.stream import Stream

COLUMNS = {
    "id": "text primary key",
    "title": "text not null",
    "place": "text not null default ''",
    "seats": "integer not null default 4",
    "guests": "text not null default '[]' check (guests = json(guests))",
    "note": "text",
    "when": 'text check (("when" is null) = (seats = 4))',
}


@pytest.fixture
def names() -> Names:
    made = Names({}, "2026-05-04T09:20:00Z", Stream("test"))
    made.column_types = {"events": COLUMNS}
    return made


def form(change: str = "added", **more: Any) -> EffectForm:
    return EffectForm(table="events", change=Change(change), match={"title": "Talk"}, **more)


def test_what_was_left_out_of_an_added_row_stays_left_out(names: Names) -> None:
    assert names.effect(form()).match == {
        "title": Condition(equals="Talk"),
        "place": Condition(equals=""),
        "seats": Condition(equals=4),
        "guests": Condition(equals="[]"),
        "note": Condition(is_null=True),
        "when": Condition(is_null=True),
    }


def test_a_column_that_is_named_or_left_open_is_not_pinned(names: Names) -> None:
    match = {"place": "Hall", "guests": {"contains": "a"}}
    wide = form(incidental=("note", "when")).model_copy(update={"match": match})
    assert names.effect(wide).match == {
        "place": Condition(equals="Hall"),
        "guests": Condition(contains="a"),
        "seats": Condition(equals=4),
    }


@pytest.mark.parametrize(("change", "to"), [("removed", {}), ("changed", {"place": "Hall"})])
def test_only_added_rows_are_pinned(names: Names, change: str, to: dict[str, str]) -> None:
    assert names.effect(form(change, to=to)).match == {"title": Condition(equals="Talk")}
