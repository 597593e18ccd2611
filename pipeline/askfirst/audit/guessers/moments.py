"""Dates and times of day, of the task and in the world's rows."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.audit.reading import cells
from askfirst.models.task import Task

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _features(task: Task) -> Features:
    """Times in the instruction and the context are left to `words`, since whether one is named may be the fact."""
    now = _moment(task.world.now)
    found = [moment for text in cells(task) if _MOMENT.fullmatch(text) and (moment := _moment(text))]
    features: dict[str, float] = {"dates in the rows": len(found)}
    if now:
        features |= {"hour now": now.hour, f"now a {_DAYS[now.weekday()]}": 1, "day of the month now": now.day}
        features["month now"] = now.month
    if found:
        features["mean hour in the rows"] = sum(one.hour for one in found) / len(found)
        features["share at the weekend in the rows"] = sum(one.weekday() > 4 for one in found) / len(found)
    if found and now:
        features["dates to come in the rows"] = sum(one > now for one in found)
        features["days back to the oldest row"] = (now - min(found)).days
        features["days back to the newest row"] = (now - max(found)).days
    return features


def _moment(text: str) -> datetime | None:
    """A date or time in ISO 8601, in UTC where it names no zone; None for a day that no calendar has."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


GUESSER = Guesser(
    name="moments",
    family=Family.SURFACE,
    sees="dates and times of day, of the task and in the world's rows",
    features=_features,
)
