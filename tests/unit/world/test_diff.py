"""What happened between two moments of a run, from what had changed by each of them."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.models.effect import Change
from askfirst.world.diff import RowChange, changes_between

Row = dict[str, Any] | None
OLD, NEW, NEWER = {"id": "a", "text": "old"}, {"id": "a", "text": "new"}, {"id": "a", "text": "newer"}
ADDED, REMOVED, CHANGED = Change.ADDED, Change.REMOVED, Change.CHANGED
Moment = tuple[Row, Row, Change | None] | None


def change(moment: Moment) -> list[RowChange]:
    return [RowChange("things", "a", *moment)] if moment else []


@pytest.mark.parametrize(
    ("earlier", "later", "between"),
    [
        (None, (OLD, NEW, CHANGED), (OLD, NEW, CHANGED)),
        ((OLD, NEW, CHANGED), (OLD, NEW, CHANGED), None),
        ((OLD, NEW, CHANGED), (OLD, NEWER, CHANGED), (NEW, NEWER, CHANGED)),
        # Put back: nothing differs from the start, and yet this is what was done.
        ((OLD, NEW, CHANGED), None, (NEW, OLD, CHANGED)),
        ((OLD, None, REMOVED), None, (None, OLD, ADDED)),
        ((None, NEW, ADDED), None, (NEW, None, REMOVED)),
        # Rows that count as absent, such as those in a bin.
        ((OLD, NEW, REMOVED), None, (NEW, OLD, ADDED)),
        ((OLD, NEW, REMOVED), (OLD, None, REMOVED), (NEW, None, None)),
        ((OLD, NEW, ADDED), None, (NEW, OLD, REMOVED)),
        ((None, NEW, None), (None, NEWER, ADDED), (NEW, NEWER, ADDED)),
        ((OLD, NEW, None), None, (NEW, OLD, None)),
    ],
)
def test_a_row_between_two_moments(earlier: Moment, later: Moment, between: Moment) -> None:
    assert changes_between(change(earlier), change(later)) == change(between)


def test_rows_come_in_a_stable_order() -> None:
    rows = [RowChange(table, key, None, {"id": key}, ADDED) for table, key in (("b", 2), ("a", 10), ("a", 9))]
    assert [(one.table, one.key) for one in changes_between([], rows)] == [("a", 10), ("a", 9), ("b", 2)]
