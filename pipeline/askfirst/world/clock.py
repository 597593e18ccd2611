"""SQLite's date functions with the world's frozen clock in place of the machine's.

They are overridden on every connection, so that 'now', however it is put together or passed in, and a call with no
time at all mean the frozen moment, and the machine's time zone is never asked for: here it is always UTC.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any

FUNCTIONS = ("date", "time", "datetime", "julianday", "unixepoch", "strftime")
LONGEST = 200
"""Characters of the longest text that is looked at; SQLite takes none that long for a time."""

_NOW = {"now", "subsec", "subsecond"}
"""Times that SQLite reads off the machine's clock; the latter two where no other time is given."""
_ZONES = {"localtime", "utc"}
_TIME = re.compile(r"[0-9TtZzEe:.+\-\s]*", re.ASCII)
_REMEMBERED = 4_096
# A plain connection, on which the functions are SQLite's own.
_PLAIN = sqlite3.connect(":memory:", check_same_thread=False)
_ALONE = Lock()


def install(connection: sqlite3.Connection, now: str) -> None:
    """Override every function of a connection that can read a clock."""
    for function in FUNCTIONS:
        connection.create_function(function, -1, _frozen(function, now), deterministic=True)


def _frozen(function: str, now: str) -> Callable[..., Any]:
    def told(*args: Any) -> Any:
        for one in args:
            if isinstance(one, bytes) or (isinstance(one, str) and (len(one) > LONGEST or "\x00" in one)):
                return None
        return _told(function, now, args)

    return told


@lru_cache(maxsize=_REMEMBERED)
def _told(function: str, now: str, args: tuple[Any, ...]) -> Any:
    """What SQLite gives where the clock stands at `now`, in UTC. Rows repeat their times, so answers are kept."""
    formats, times = (args[:1], args[1:]) if function == "strftime" else ((), args)
    if function == "strftime" and not formats:
        return None
    time, *modifiers = times or ("now",)
    if isinstance(time, str):
        # What stands for now comes out of a file, too.
        time = now if time.strip().lower() in _NOW else time
        if not _TIME.fullmatch(time):
            return None
    kept = [one for one in modifiers if str(one).strip().lower() not in _ZONES]
    given = (*formats, time, *kept)
    with _ALONE:
        return _PLAIN.execute(f"SELECT {function}({', '.join('?' * len(given))})", given).fetchone()[0]
