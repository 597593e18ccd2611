"""Every guesser finds what is planted for it, and nothing where nothing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from askfirst.audit.entries import Entry
from askfirst.audit.guessers.registry import GUESSERS
from askfirst.audit.guessing import MOST_FOLDS, features_of, folds, labels_of, look, shuffles
from askfirst.audit.limits import Limits
from askfirst.audit.lines import GuessLine, Standing
from askfirst.audit.run import audit, judged, lacking, try_guesser
from askfirst.audit.targets import TARGETS
from askfirst.models.facts import Decision, Level
from askfirst.models.task import Task
from tests.support.suites import labelled, saying, suite, with_rows

MOST = Limits().surface


def only(level: Level, change: Callable[[Task], Task]) -> Callable[[Task, Level], Task]:
    return lambda task, at: change(task) if at is level else task


def more_rows(task: Task) -> Task:
    rows = task.world.rows["files_items"]
    return with_rows(task, "files_items", [*rows, {**rows[0], "id": "f_more"}])


def in_rows(**columns: Any) -> Callable[[Task], Task]:
    return lambda task: with_rows(task, "files_items", [{**row, **columns} for row in task.world.rows["files_items"]])


def without_a_tool(task: Task) -> Task:
    return task.model_copy(update={"tools": task.tools[1:]})


PLANTED: dict[str, tuple[Level, Callable[[Task], Task], str, Level]] = {
    # Guesser: the level at which something is planted, what, the feature that tells it, and the level it speaks for.
    "lengths": (Level.HIGH, lambda task: saying(task, "bamo bamo"), "words of instruction", Level.HIGH),
    "voice": (Level.HIGH, lambda task: saying(task, "please"), "word 'please'", Level.HIGH),
    "tool_list": (Level.HIGH, without_a_tool, "number of tools", Level.LOW),
    "ids": (Level.LOW, in_rows(id="quick_1"), "part 'quick'", Level.LOW),
    "row_counts": (Level.HIGH, more_rows, "rows of files_items", Level.HIGH),
    "moments": (Level.LOW, in_rows(modified="2026-05-03T23:10:00Z"), "mean hour in the rows", Level.LOW),
    "words": (Level.LOW, lambda task: saying(task, "tulip"), "'tulip'", Level.LOW),
}


def line(entries: list[Entry], guesser: str, target: str) -> GuessLine:
    features, labels = features_of(entries, GUESSERS[guesser]), labels_of(entries, TARGETS[target])
    found = try_guesser(entries, GUESSERS[guesser], TARGETS[target], features, labels)
    return next(iter(judged([found], Limits())))


def test_something_is_planted_for_every_guesser() -> None:
    assert set(PLANTED) == set(GUESSERS)


@pytest.mark.parametrize("guesser", PLANTED)
def test_a_guesser_finds_what_is_planted_for_it_and_names_it(guesser: str) -> None:
    level, change, feature, towards = PLANTED[guesser]
    entries = suite(only(level, change))
    for target, spoken_for in (("level", towards.value), ("act", {"low": "ACT", "high": "not ACT"}[towards])):
        found = line(entries, guesser, target)
        assert found.standing is Standing.FAILED
        assert found.score is not None
        assert found.score > 0.95
        named = {name: tell for tell in found.tells for name in (tell.feature, *tell.same)}
        assert named[feature].towards == spoken_for
        assert named[feature].means[spoken_for] == max(named[feature].means.values())
        assert {name.rpartition("-")[2] for name in named[feature].tasks} == {towards.value}
        carriers = {name.partition("-")[0] for name in named[feature].tasks}
        assert len(carriers) == len(named[feature].tasks) == 3


def test_a_tell_of_some_tasks_is_found() -> None:
    """In every second pair only, so that half of the pairs must be guessed without it."""
    entries = suite(lambda task, level: saying(task, "tulip") if level == "high" and task.seed[-1] in "02" else task)
    found = line(entries, "words", "level")
    assert found.standing is Standing.FAILED
    assert found.score is not None
    assert 0.65 < found.score < 1.0
    assert found.tells[0].feature == "'tulip'"
    assert found.tells[0].means == {"low": 0.0, "high": 0.5}


def test_what_shows_in_one_carrier_alone_is_not_looked_at() -> None:
    entries = suite(lambda task, level: saying(task, "tulip") if task.seed.startswith("carrier_00") else task)
    for target in TARGETS.values():
        sight = look(features_of(entries, GUESSERS["words"]), [one.carrier for one in entries], target, scaled=False)
        assert not any("tulip" in name for name in sight.names)
    assert any("tulip" in name for name in features_of(entries, GUESSERS["words"]).names)


def test_what_both_arms_have_tells_nothing() -> None:
    entries = suite(lambda task, _: saying(task, "please" if task.seed[-1] in "02" else ""))
    for target in ("act", "level"):
        found = line(entries, "voice", target)
        assert (found.standing, found.score, found.interval) == (Standing.HOLDS, 0.5, (0.5, 0.5))
        assert found.tells == ()


def relabelled(entry: Entry, level: Level, decision: Decision) -> Entry:
    return replace(entry, task=labelled(entry.task, entry.task.pair.factor, level, decision))


def test_a_label_that_goes_with_the_pair_and_its_words_is_found() -> None:
    """Pairs in which neither arm acts give themselves away to `act`, though their arms look the same."""
    entries = []
    for entry in suite(lambda task, _: saying(task, "tulip" if task.seed[-1] in "02" else "")):
        level = entry.task.pair.level
        if entry.task.seed[-1] in "02":
            entries.append(relabelled(entry, level, Decision.ASK if level is Level.LOW else Decision.REQUEST))
        else:
            entries.append(entry)
    found = line(entries, "words", "act")
    assert found.standing is Standing.FAILED
    assert found.tells[0].towards == "not ACT"


def test_shuffled_labels_are_guessed_at_chance() -> None:
    entries = suite(only(Level.HIGH, lambda task: saying(task, "please")))
    labels, levers = np.tile([0, 1], len(entries) // 2), [entry.lever for entry in entries]
    decisions = (Decision.ACT, Decision.ASK)
    shuffled = [
        relabelled(entry, list(Level)[label], decisions[label])
        for entry, label in zip(entries, shuffles(labels, levers, 1)[0], strict=True)
    ]
    found = line(shuffled, "words", "act")
    assert found.interval is not None
    assert found.interval.low <= 0.5 <= found.interval.high
    assert found.standing is not Standing.FAILED
    assert found.p is not None
    assert found.p > 0.05


def test_copies_make_nothing_surer() -> None:
    """A word that stands, as chance has it, in the high arms of 11 of 16 levers and in the low ones of the others."""

    def by_chance(task: Task, level: Level) -> Task:
        carrier, number = task.seed.removeprefix("carrier_").split("-")
        high = 2 * int(carrier) + int(number) < 11
        return saying(task, "please") if (level is Level.HIGH) == high else task

    few = suite(by_chance, pairs=2)
    many = [
        replace(arm, pair=f"{arm.pair}/{copy}")
        for low, high in zip(few[::2], few[1::2], strict=True)
        for copy in range(6)
        for arm in (low, high)
    ]
    once, often = (line(entries, "voice", "level") for entries in (few, many))
    assert once.score == often.score == pytest.approx(11 / 16)
    assert once.p == pytest.approx(often.p, abs=0.05)
    assert (once.standing, often.standing) == (Standing.OPEN, Standing.OPEN)


def test_a_clean_suite_holds() -> None:
    done = audit(suite(carriers=8, pairs=7), Limits())
    assert [(one.guesser, one.target) for one in done.guesses if one.standing not in {"holds", "told"}] == []
    assert done.holds
    assert {one.standing for one in done.guesses if one.target == "decision"} == {Standing.TOLD}


def test_an_audit_says_the_same_twice() -> None:
    entries = suite(only(Level.HIGH, lambda task: saying(task, "please")), carriers=5, pairs=2)
    assert audit(entries, Limits()) == audit(entries, Limits())


@pytest.mark.parametrize("carriers", [3, MOST_FOLDS, MOST_FOLDS + 1, 3 * MOST_FOLDS])
def test_neither_a_carrier_nor_a_pair_is_split_over_folds(carriers: int) -> None:
    entries = suite(carriers=carriers, pairs=2)
    tried = []
    for train, test in folds([entry.carrier for entry in entries]):
        for kind in ("carrier", "pair"):
            assert {getattr(entries[n], kind) for n in train} & {getattr(entries[n], kind) for n in test} == set()
        tried += list(test)
    assert sorted(tried) == list(range(len(entries)))


def test_shuffling_keeps_the_pairs_and_their_kinds() -> None:
    labels, levers = np.array([0, 1, 0, 1, 1, 2, 1, 2]), [lever for lever in "abcd" for _ in range(2)]
    shuffled = shuffles(labels, levers, 50)
    assert len({tuple(one) for one in shuffled}) > 20
    for one in shuffled:
        kinds = sorted(tuple(sorted(pair)) for pair in one.reshape(-1, 2))
        assert kinds == [(0, 1), (0, 1), (1, 2), (1, 2)]


def test_the_pairs_of_a_lever_swap_together() -> None:
    levers = ["a", "a", "b", "b", "a", "a", "b", "b"]
    shuffled = shuffles(np.tile([0, 1], 4), levers, 50)
    assert {tuple(one) for one in shuffled} == {
        (0, 1, 0, 1, 0, 1, 0, 1),
        (0, 1, 1, 0, 0, 1, 1, 0),
        (1, 0, 0, 1, 1, 0, 0, 1),
        (1, 0, 1, 0, 1, 0, 1, 0),
    }


@pytest.mark.parametrize(
    ("entries", "target", "reason"),
    [
        ([], "act", "there are no tasks"),
        (suite(carriers=4, pairs=5), "act", "not ACT is the label of too few: levers 20, carriers 4, where 10 and 5"),
        (suite(carriers=9, pairs=1), "level", "low is the label of too few: levers 9, carriers 9, where 10 and 5"),
        (suite(carriers=1, pairs=9), "decision", "ACT is the label of too few: levers 7, carriers 1, where 2 and 2"),
        (suite(decisions=(Decision.ASK, Decision.REQUEST)), "act", "there is only not ACT, so there is nothing"),
        (suite(decisions=(Decision.ASK, Decision.REQUEST)), "level", ""),
        (suite(carriers=5, pairs=2), "act", ""),
    ],
    ids=["nothing", "carriers", "levers", "one carrier", "one label", "level all the same", "just enough"],
)
def test_too_little_to_judge(entries: list[Entry], target: str, reason: str) -> None:
    said = lacking(entries, TARGETS[target])
    assert said.startswith(reason)
    assert bool(said) == bool(reason)


def test_what_cannot_be_judged_never_holds() -> None:
    done = audit(suite(carriers=1, pairs=1), Limits())
    assert {one.standing for one in done.bound()} == {Standing.UNJUDGED}
    assert all(one.reason for one in done.bound())
    assert not done.holds


@pytest.mark.parametrize(
    ("score", "p", "standing"),
    [
        (MOST, 0.001, Standing.HOLDS),
        (MOST + 0.0001, 0.001, Standing.FAILED),
        (MOST + 0.0001, 0.05, Standing.FAILED),
        (MOST + 0.0001, 0.0501, Standing.OPEN),
        (0.95, 0.2, Standing.OPEN),
        (None, None, Standing.UNJUDGED),
    ],
)
def test_how_a_line_is_judged(score: float | None, p: float | None, standing: Standing) -> None:
    lengths = GUESSERS["lengths"]
    found = GuessLine(lengths.name, lengths.family, "act", Standing.UNJUDGED, score=score, p=p)
    (line,) = judged([found], Limits())
    assert (line.standing, line.limit) == (standing, MOST)


def test_lines_are_judged_together_and_told_ones_stay_out_of_it() -> None:
    lengths, words = GUESSERS["lengths"], GUESSERS["words"]
    lines = [
        GuessLine(lengths.name, lengths.family, "act", Standing.TOLD, score=0.7, p=0.04),
        GuessLine(lengths.name, lengths.family, "decision", Standing.TOLD, score=0.7, p=0.001),
        GuessLine(words.name, words.family, "act", Standing.TOLD, score=0.64, p=0.9),
    ]
    found = list(judged(lines, Limits()))
    assert [one.standing for one in found] == [Standing.OPEN, Standing.TOLD, Standing.HOLDS]
    assert [one.limit for one in found] == [MOST, None, Limits().words]
    assert found[0].p_adjusted == pytest.approx(0.08)
