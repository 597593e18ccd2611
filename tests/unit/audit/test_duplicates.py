"""Planted duplicates are found; arms of a pair and mere neighbours are none."""

from __future__ import annotations

import pytest

from askfirst.audit.duplicates.near import NEAR, likeness, shingles
from askfirst.audit.duplicates.registry import MEASURES
from askfirst.audit.entries import Entry
from askfirst.audit.lines import DuplicateLine, Standing
from askfirst.audit.run import count
from askfirst.models.facts import Level
from tests.support.suites import renamed, saying, suite, told, with_rows


def counted(name: str, entries: list[Entry], limit: int = 0) -> DuplicateLine:
    return count(MEASURES[name], entries, limit)


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return suite(carriers=3, pairs=2)


def test_a_suite_without_duplicates_holds(entries: list[Entry]) -> None:
    for name in ("exact", "prompts", "texts"):
        line = counted(name, entries)
        assert (line.standing, line.number, line.limit) == (Standing.HOLDS, 0, 0)


def test_the_same_task_under_another_name(entries: list[Entry]) -> None:
    task = entries[0].task.model_copy(update={"task_id": "copy", "seed": "other"})
    copies = [renamed(entries[0], name, task=task) for name in ("copy", "copy-2")]
    line = counted("exact", [*entries, *copies])
    assert (line.standing, line.number) == (Standing.FAILED, 2)
    assert [repeat.tasks for repeat in line.repeats] == [(entries[0].name, "copy", "copy-2")]
    assert counted("exact", [*entries, *copies], limit=2).standing is Standing.HOLDS


def test_another_world_another_prompt_or_another_gold_is_another_task(entries: list[Entry]) -> None:
    task = entries[0].task
    candidate = task.candidate_call.model_copy(update={"args": {"paths": []}})
    others = [
        saying(task, "more"),
        with_rows(task, "files_items", []),
        task.model_copy(update={"candidate_call": candidate}),
    ]
    copies = [renamed(entries[0], f"copy-{number}", task=other) for number, other in enumerate(others)]
    assert counted("exact", [*entries, *copies]).number == 0


@pytest.mark.parametrize("measure", ["prompts", "texts"])
@pytest.mark.parametrize(("carrier", "standing"), [("other", Standing.FAILED), (None, Standing.HOLDS)])
def test_one_changed_word(measure: str, carrier: str | None, standing: Standing, entries: list[Entry]) -> None:
    first = entries[0]
    words = first.task.prompts.context[0].split()
    changed = told(first.task, first.task.prompts.instruction, (" ".join([*words[:9], "tulip", *words[10:]]),))
    changed = changed.model_copy(update={"seed": "another-seed"})
    line = counted(measure, [*entries, renamed(first, "copy", carrier=carrier, task=changed)])
    (repeat,) = line.repeats
    assert (line.standing, repeat.counts) == (standing, standing is Standing.FAILED)
    assert repeat.tasks == (first.name, "copy")
    assert NEAR <= repeat.likeness < 1


def test_the_arms_of_a_pair_are_alike_by_design() -> None:
    entries = suite(lambda task, _: told(task, "all the same words in both of them", ()), carriers=2, pairs=1)
    line = counted("prompts", entries)
    assert [repeat.tasks for repeat in line.repeats] == [(entries[0].name, entries[2].name)]
    assert line.number == 1


def test_worlds_that_are_alike_show_only_in_the_whole_text(entries: list[Entry]) -> None:
    rows = [{"id": f"f_{number}", "name": f"a sentence of the row number {number} here"} for number in range(99)]
    first, other = (
        renamed(entries[at], name, task=with_rows(entries[at].task, "files_items", rows))
        for at, name in ((0, "first"), (4, "other"))
    )
    assert counted("prompts", [*entries[2:4], first, other]).number == 0
    assert counted("texts", [*entries[2:4], first, other]).number == 1


def test_likeness_is_the_share_of_common_runs_of_three_words() -> None:
    # a b c, b c d, c d e against a b c, b c d, c d f: two of four.
    assert likeness(shingles(["a b c d e"]), shingles(["A b, c d f"])) == pytest.approx(0.5)
    assert shingles(["one two", ""]) == {"one two"}
    assert likeness(frozenset(), frozenset()) == 0.0


def test_the_same_facts_in_one_carrier_are_told_and_not_judged(entries: list[Entry]) -> None:
    line = counted("facts", entries)
    assert (line.standing, line.limit, line.number) == (Standing.TOLD, None, 3)
    assert {len(repeat.tasks) for repeat in line.repeats} == {2}
    assert {one.task.facts.scope for one in entries} == set(Level)


def test_what_is_alone_has_no_duplicates_to_find(entries: list[Entry]) -> None:
    assert counted("exact", entries[:2]).reason == "there are fewer than two pairs"
    assert counted("texts", entries[:4]).reason == "there are fewer than two carriers"
    assert counted("exact", entries[:4]).standing is Standing.HOLDS
    assert {counted(name, entries[:2]).standing for name in ("exact", "prompts")} == {Standing.UNJUDGED}


@pytest.mark.parametrize("measure", ["prompts", "texts"])
def test_two_renditions_of_a_seed_in_one_carrier_are_alike_by_design(measure: str, entries: list[Entry]) -> None:
    line = counted(measure, [*entries, renamed(entries[0], "copy")])
    assert line.repeats == ()
