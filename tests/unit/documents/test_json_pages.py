"""JSON for pages: what fits stands on one line, and it is the same data."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from askfirst.documents.json_pages import json_page
from askfirst.documents.json_reader import lines_of
from tests.unit.documents.test_json_reader import VALUES


@given(VALUES, st.integers(1, 200))
def test_it_is_the_same_data(value: object, width: int) -> None:
    assert json.loads(json_page(value, width=width)) == value


def test_rows_stand_on_lines_of_their_own() -> None:
    rows = {"items": [{"path": f"/{number}", "bytes": number} for number in range(30)]}
    page = json_page(rows)
    assert '  {"path": "/7", "bytes": 7},' in page.splitlines()
    assert lines_of(page)["/items/7/bytes"] == page.splitlines().index('  {"path": "/7", "bytes": 7},') + 1
