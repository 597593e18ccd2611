"""G10, deep: verdicts do not depend on the date, the machine's zone and locale, or the hash seed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.smoke.digest import verdict_digest

SHIFTS = (-200, 200)
"""Days by which the task is moved; both cross a change of clocks and a turn of the year."""
ELSEWHERE = (
    {"TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {"TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "4711"},
)
_DATE = re.compile(r"(?<!\d)(20\d{2})-(\d{2})-(\d{2})(?!\d)")


def shifted(task: Task, days: int) -> Task:
    """The task with every ISO date in it moved: rows, arguments, checks, paths and the frozen clock alike."""

    def move(match: re.Match[str]) -> str:
        return (date(*map(int, match.groups())) + timedelta(days=days)).isoformat()

    return Task.model_validate_json(_DATE.sub(move, task.model_dump_json()))


def run(subject: Subject) -> Iterator[Finding]:
    """Run all paths at other dates here, and as they are in processes elsewhere."""
    for level, task in subject.tasks.items():
        wanted = verdict_digest(task)
        for days in SHIFTS:
            if verdict_digest(shifted(task, days)) != wanted:
                yield found("G10.date_matters", "/world/now", f"{level.value} gets other verdicts {days} days later.")
        for env in ELSEWHERE:
            done = subprocess.run(
                [sys.executable, "-m", "askfirst.smoke.digest"],
                input=task.model_dump_json(),
                env={**os.environ, **env},
                capture_output=True,
                text=True,
                check=True,
                timeout=120,
            )
            if done.stdout.strip() != wanted:
                yield found("G10.machine_matters", "/paths", f"{level.value} gets other verdicts elsewhere.", str(env))


CHECK = Check(
    name="clock",
    gate="G10",
    stage=Stage.TASK,
    says="Verdicts are the same at other dates, in other zones and locales, and under other hash seeds.",
    run=run,
    deep=True,
)
