"""A fault must be told of a place that is there."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.critics.evidence import Place, Shown, locate
from askfirst.critics.tables import row_lines

ROWS: list[dict[str, Any]] = [
    {"id": "m_1", "body": 'He said "no"\nand went.', "flag": 0},
    {"id": "m_2", "body": "Stamps, then the two invoices.", "flag": 0},
    {"id": "m_3", "body": None, "flag": 1},
    {"id": "m_4", "body": None, "flag": 0},
]
TASK = Shown(
    "task", {"prompts": {"instruction": "Label both invoices, please."}, "rows": ROWS}, "\n".join(row_lines(ROWS))
)
SEED = Shown("seed", {"title": "It mailed strangers", "a/b": ["x"]}, "title: It mailed\n  strangers\na/b:\n- x\n")
SHOWN = (SEED, TASK)


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("/task/rows/1/body", Place("task", "/rows/1/body")),
        ("`/task/rows/1`", Place("task", "/rows/1")),
        ("/rows/1/body", Place("task", "/rows/1/body")),
        ("/seed/a~1b/0", Place("seed", "/a~1b/0")),
        ("/task", Place("task", "")),
        ("Label both invoices", Place("task", "/prompts/instruction")),
        ('"label  both\ninvoices"', Place("task", "/prompts/instruction")),
        ("\u201cThe two invoices\u201d", Place("task", "/rows/1/body")),
        ('He said \\"no\\"\\nand went.', Place("task", "/rows/0/body")),
        ("Stamps, then ... two invoices.", Place("task", "/rows/1/body")),
        ('in the row "then the two invoices" of the inbox', Place("task", "/rows/1/body")),
        ("It mailed strangers", Place("seed", "/title")),
        ("title: It mailed strangers", Place("seed", "")),
        ("seed: It mailed strangers", Place("seed", "/title")),
        ("`seed`: title: It mailed strangers", Place("seed", "")),
        ('task: "then the two invoices"', Place("task", "/rows/1/body")),
        ("task: It mailed strangers in the seed", None),
        ("seed: then the two invoices", Place("task", "/rows/1/body")),
        ("line 2: then the two invoices", None),
    ],
)  # fmt: skip
def test_a_place_that_is_there_is_found(where: str, place: Place | None) -> None:
    assert locate(where, SHOWN, "task") == place


@pytest.mark.parametrize(
    "where",
    [
        "", "/", "//", " ", "...", "he", "/task/rows/9", "/task/rows/-1", "/task/rows/01", "/task/rows/one", "/nothing",
        f"/task/rows/{'9' * 5000}", "the request is rude", 'it says "be careful now" somewhere', "no ... and",
    ],
)  # fmt: skip
def test_a_place_that_is_not_there_is_not_found(where: str) -> None:
    assert locate(where, SHOWN, "task") is None


def test_the_judged_artifact_is_looked_through_first() -> None:
    twice = (Shown("seed", {"a": "the same words"}, ""), Shown("task", {"b": "the same words"}, ""))
    assert locate("the same words", twice, "task") == Place("task", "/b")
    assert locate("the same words", twice, "seed") == Place("seed", "/a")
    assert locate("seed: the same words", twice, "task") == Place("seed", "/a"), "but the one that is named comes first"


def test_rows_say_once_what_most_have_in_common_and_lose_nothing() -> None:
    assert list(row_lines(ROWS)) == [
        'unless a row says otherwise: {"flag": 0}',
        '0: {"id": "m_1", "body": "He said \\"no\\"\\nand went."}',
        '1: {"id": "m_2", "body": "Stamps, then the two invoices."}',
        '2: {"id": "m_3", "body": null, "flag": 1}',
        '3: {"id": "m_4", "body": null}',
    ]
    assert list(row_lines([{"n": 1}, {"n": True}, {"n": 1.0}, {"n": 1}, {"n": 1}])) == [
        'unless a row says otherwise: {"n": 1}', "0: {}", '1: {"n": true}', '2: {"n": 1.0}', "3: {}", "4: {}",
    ]  # fmt: skip
    assert list(row_lines([])) == []
