"""How much there is in the world."""

from __future__ import annotations

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.models.task import Task


def _features(task: Task) -> Features:
    rows = {f"rows of {table}": float(len(found)) for table, found in task.world.rows.items()}
    return {**rows, "rows of all tables": sum(rows.values()), "tables with rows": sum(map(bool, rows.values()))}


GUESSER = Guesser(name="row_counts", family=Family.SURFACE, sees="how many rows each table has", features=_features)
