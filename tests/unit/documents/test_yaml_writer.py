from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from askfirst.documents import dump_yaml
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.errors import InputError

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
TRICKY = st.text(st.sampled_from("ab -:#'\"\n\t|>&*!%@`?,[]{}\\0.e~=<\u2028\x85\ufeffé🙂"))
LONG = st.lists(TRICKY.filter(lambda t: len(t) < 9), max_size=60).map(" ".join)
TAKEN_FOR_OTHERS = "yes no on off true null ~ 1 1.5 007 0x1f 1e5 1.0e+5 .inf .nan 2025-12-25 2025-12 12:30 - --- ... <<"
WORDS = st.sampled_from(TAKEN_FOR_OTHERS.split())
TEXT = ANY_TEXT | TRICKY | LONG | WORDS
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)


def same(left: Any, right: Any) -> bool:
    """Equal, with equal types and equal order of keys."""
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


@given(VALUES)
@example({"k" * 600: {"a": 1}})
@example([[[[]]], [{}], {"a": [[1, {"b": [{"c": "x\ny"}]}]]}])
@example({"a": "x " * 80, "b": {"c": ["word " * 60 + "end"]}})
def test_our_reader_gives_back_exactly_what_was_written(value: Any) -> None:
    assert same(parse_yaml(dump_yaml(value), "a"), value)


@given(st.dictionaries(TEXT.filter(lambda t: len(t) < 100), TEXT | st.lists(TEXT, max_size=3), max_size=4))
def test_other_readers_take_text_for_text(value: dict[str, Any]) -> None:
    assert yaml.safe_load(dump_yaml(value)) == value


@given(VALUES)
def test_lines_hold_nothing_that_moves_the_cursor(value: Any) -> None:
    assert all(c.isprintable() or c in "\n\t" or ord(c) >= 0xA0 for c in dump_yaml(value))


def test_layout() -> None:
    class Word(StrEnum):
        ASK = "ASK"

    data = {
        "id": "a-b",
        "date": "2025-12-25",
        "word": Word.ASK,
        "list": ["x", ("v", "w"), {"a": 1, "b": []}],
        "none": None,
        "ratio": 0.5,
        "note": "first\nsecond\n",
        "quote": "it's: so",
        "bell": "\a",
    }
    assert dump_yaml(data) == (
        "id: a-b\n"
        "date: '2025-12-25'\n"
        "word: ASK\n"
        "list:\n"
        "- x\n"
        "- - v\n"
        "  - w\n"
        "- a: 1\n"
        "  b: []\n"
        "none: null\n"
        "ratio: 0.5\n"
        "note: |\n"
        "  first\n"
        "  second\n"
        "quote: 'it''s: so'\n"
        'bell: "\\x07"\n'
    )


def test_long_lines_are_folded_between_words() -> None:
    lines = dump_yaml({"a": "some words " * 40}).splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("bad", [{1: "a"}, [float("nan")], [float("inf")], ["\0"], ["\ud800"], {"\ud800": 1}])
def test_what_the_reader_would_refuse_is_not_written(bad: Any) -> None:
    with pytest.raises(InputError):
        dump_yaml(bad)


def test_too_deep_is_not_written() -> None:
    deep: Any = []
    for _ in range(64):
        deep = [deep]
    with pytest.raises(InputError, match="nested"):
        dump_yaml(deep)
    assert parse_yaml(dump_yaml(deep[0]), "a") == deep[0]


def test_shipped_seeds_come_back_unchanged() -> None:
    for path in sorted((Path(__file__).parents[3] / "seeds").glob("*.yaml")):
        data = parse_yaml(path.read_text(encoding="utf-8"), path.name)
        assert same(parse_yaml(dump_yaml(data), path.name), data)
