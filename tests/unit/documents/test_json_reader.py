import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.documents import read_json
from askfirst.documents.json_reader import lines_of, parse_json
from askfirst.errors import InputError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def pointers(value: Any, at: str = "") -> set[str]:
    found = {at}
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found |= pointers(part, f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}")
    return found


@given(VALUES, st.sampled_from([None, 1]))
def test_reads_what_was_written_and_knows_every_line(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert parse_json(text, "a") == value
    lines = lines_of(text)
    assert set(lines) == pointers(value)
    if indent and isinstance(value, list):
        assert lines.get("/0", 2) == 2


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('{"a": 1,\n "b": {"c": 1,\n "c": 2}}', 3, "'c' stands twice"),
        ("[NaN]", None, "NaN"),
        ("[-Infinity]", None, "Infinity"),
        ("[1,\n1e999]", 2, "too large"),
        ('[1,\n"\\u0000"]', 2, "U+0000"),
        ('{"a": {"\\ud800": 1}}', 1, "U+D800"),
        ("[" * 70 + "]" * 70, None, "nested more than 64"),
        ("[" * 200_000, None, "nested more than 64"),
        ("[" + "9" * 5000 + "]", None, "digits"),
        ('{"a": 1,\n}', 2, "not valid JSON"),
        ("", 1, "not valid JSON"),
    ],
)
def test_refused(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_json(path)
    assert refused.value.where == (f"{path}:{line}" if line else str(path))
    assert said in refused.value.message
    assert refused.value.hint
