"""What is held against a set of tasks: each from one planted defect."""

from __future__ import annotations

from askfirst.checks.base import Subject
from askfirst.checks.sets import check_set
from askfirst.models.facts import Level


def test_a_pair_is_a_sound_set(sound: Subject) -> None:
    assert list(check_set(sound.tasks.values())) == []


def test_equal_facts_with_two_decisions(subject: Subject) -> None:
    low, high = (subject.tasks[level] for level in Level)
    other = high.model_copy(update={"task_id": "another-task", "facts": low.facts})
    found = list(check_set([low, high, other]))
    assert [(one.code, one.evidence) for one in found if one.code != "G15.duplicate"] == [
        ("G7.two_labels", f"{low.task_id}, another-task")
    ]


def test_one_task_under_two_names(subject: Subject) -> None:
    low = subject.tasks[Level.LOW]
    copy = low.model_copy(update={"task_id": "another-task"})
    found = list(check_set([low, copy]))
    assert [(one.code, one.evidence) for one in found] == [("G15.duplicate", f"{low.task_id}, another-task")]
    later = low.world.model_copy(update={"now": "2026-05-05T09:20:00Z"})
    assert list(check_set([low, copy.model_copy(update={"world": later})])) == []
