"""Answers that were paid for, and the ledger of every request, in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, astuple, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from askfirst.characters import UNSTORABLE, escaped
from askfirst.errors import WorkspaceError
from askfirst.llm.asking import About, Ending
from askfirst.models.base import digest
from askfirst.settings.secrets import without_keys

FILE = "calls.sqlite"
"""Its name in the workspace's `.askfirst/`."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one request, as the provider counts them."""

    input_tokens: int = 0
    """All of them: those from the provider's prompt cache and those written to it included."""
    cached_tokens: int = 0
    """Those that came from the provider's prompt cache."""
    output_tokens: int = 0
    written_tokens: int = 0
    """Those that were written to the provider's prompt cache, where it counts them."""


@dataclass(frozen=True)
class Served:
    """One request that was sent, however it ended. Holds neither key nor prompt."""

    about: About
    model: str
    provider: str
    key: str
    """Key of the answer, as `Kept.find` takes it."""
    number: int
    """1 for the first request of the question."""
    ending: Ending
    usage: Usage
    cost_usd: float | None
    """None where it is not known: without a price, or after a time-out that may have been billed."""
    seconds: float
    characters: int
    """Sent with it."""
    why: str = ""
    """What was wrong, where it was not answered."""


@dataclass(frozen=True)
class KeptAnswer:
    """What a provider answered, whatever it is worth; a failure of the wire is no answer."""

    ending: Ending
    data: str | None
    """Canonical JSON of the value, where there is one."""
    why: str
    usage: Usage


@dataclass(frozen=True)
class Row:
    """One line of the ledger."""

    at: str
    """ISO time, UTC."""
    served: Served


@dataclass(frozen=True)
class Stats:
    """What lies in the store."""

    answers: dict[tuple[str, str], int]
    """How many by model and ending."""
    characters: int
    """Of all answers together."""
    oldest: str
    newest: str
    damaged: int
    """Rows that cannot be read any more; what they answered is asked again."""
    requests: int
    """Lines of the ledger."""
    file_bytes: int


_FORM = 1
"""Version of the tables. A file of a newer form is left alone: what it holds was paid for."""
_ANSWER = ("key", "at", "model", "ending", "answer", "digest")
_SERVED = (
    "at", "role", "stage", "unit", "seed", "attempt", "detail", "vote", "model", "provider", "key", "number", "ending",
    "input", "cached", "output", "written", "cost", "seconds", "characters", "why",
)  # fmt: skip
_TABLES = f"""
CREATE TABLE answers ({", ".join(_ANSWER)}, PRIMARY KEY (key));
CREATE TABLE served (id INTEGER PRIMARY KEY, {", ".join(_SERVED)});
PRAGMA user_version = {_FORM};
"""
_LONGEST_WHY = 2000
_ABOUT = tuple(field.name for field in fields(About))
_ROW = TypeAdapter(Row)


class Kept:
    """Answers by key, and one row for each request. Safe in threads and under several processes."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._finding = threading.Lock()
        with self._faults(), ExitStack() as opened:
            self._db = opened.enter_context(closing(_connection(path)))
            self._prepare()
            self._reader = opened.enter_context(closing(_connection(path)))
            opened.pop_all()

    def find(self, key: str) -> KeptAnswer | None:
        """The answer that was kept under a key; a damaged one is none. Waits for nothing that is being written."""
        with self._finding, self._faults():
            row = self._reader.execute(f"SELECT {', '.join(_ANSWER)} FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else _answer(row)

    def record(self, served: Served, answer: KeptAnswer | None) -> None:
        """Keep a request on the ledger and, if there was one, its answer: both or neither. The last answer holds."""
        self.record_all([(served, answer)])

    def record_all(self, entries: Sequence[tuple[Served, KeptAnswer | None]]) -> None:
        """As `record`, for several at once: all or none, in about the time that one takes."""
        at = self._now()
        served = [(at, *_served_cells(served)) for served, _ in entries]
        answers = [_answer_cells(served, at, answer) for served, answer in entries if answer is not None]
        with self._writing() as db:
            db.executemany(f"INSERT INTO served ({', '.join(_SERVED)}) VALUES ({_marks(_SERVED)})", served)
            db.executemany(f"INSERT OR REPLACE INTO answers ({', '.join(_ANSWER)}) VALUES ({_marks(_ANSWER)})", answers)

    def ledger(self) -> tuple[list[Row], int]:
        """Every request in the order in which they ended, and how many lines cannot be read any more."""
        with self._lock, self._faults():
            rows = self._db.execute(f"SELECT {', '.join(_SERVED)} FROM served ORDER BY id").fetchall()
        found = [_row(row) for row in rows]
        return [row for row in found if row], found.count(None)

    def stats(self) -> Stats:
        """What lies in the store."""
        with self._lock, self._faults():
            rows = self._db.execute(f"SELECT {', '.join(_ANSWER)} FROM answers").fetchall()
            requests = self._db.execute("SELECT COUNT(*) FROM served").fetchone()[0]
            pages, size = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        sound = [row for row in rows if _answer(row)]
        times = sorted(row[1] for row in sound)
        return Stats(
            answers=dict(sorted(Counter((row[2], row[3]) for row in sound).items())),
            characters=sum(len(row[4]) for row in sound),
            oldest=times[0] if times else "",
            newest=times[-1] if times else "",
            damaged=len(rows) - len(sound),
            requests=requests,
            file_bytes=pages * size,
        )

    def prune(self, older_than: timedelta | None = None) -> int:
        """Drop answers older than this, or all of them, and those that are damaged; the ledger stays.

        Gives how many went.
        """
        limit = "" if older_than is None else (self._clock() - older_than).astimezone(UTC).isoformat(timespec="seconds")
        with self._writing() as db:
            rows = db.execute(f"SELECT {', '.join(_ANSWER)} FROM answers").fetchall()
            gone = [(row[0],) for row in rows if older_than is None or not _answer(row) or row[1] < limit]
            db.executemany("DELETE FROM answers WHERE key IS ?", gone)
        # Where another process reads, the space comes back with the next prune.
        with self._lock, suppress(sqlite3.OperationalError):
            self._db.execute("VACUUM")
        return len(gone)

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()
        self._db.close()

    def _prepare(self) -> None:
        # Once an answer is paid for, not even a power cut may lose it.
        self._db.execute("PRAGMA synchronous=FULL")
        if self._form() != _FORM or self._db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            self._create()
        for table, columns in (("answers", _ANSWER), ("served", ("id", *_SERVED))):
            if tuple(row[1] for row in self._db.execute(f"PRAGMA table_info({table})")) != columns:
                raise self._unusable("this is no store of answers.")

    def _create(self) -> None:
        """Make the tables. One process at a time: SQLite waits for no other while it changes the journal's mode."""
        from filelock import FileLock, Timeout

        lock = FileLock(self._path.with_name(f"{self._path.name}.lock"), timeout=30, fallback_to_soft=False)
        try:
            with lock:
                self._create_alone()
        except (Timeout, NotImplementedError) as fault:
            raise self._unusable("this file cannot be locked.") from fault

    def _create_alone(self) -> None:
        if self._form() > _FORM:
            raise self._unusable(f"this store was written by a newer askfirst (form {self._form()}).")
        if self._form() == 0 and self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
            raise self._unusable("this is no store of answers.")
        self._db.execute("PRAGMA journal_mode=WAL")
        if self._form() == 0:
            self._db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")

    def _form(self) -> int:
        found: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        return found

    def _unusable(self, why: str) -> WorkspaceError:
        hint = "Move it away to begin a new one; the answers in it will be paid for again."
        return WorkspaceError(why, where=str(self._path), hint=hint)

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Tell a fault of the file as one message."""
        try:
            yield
        except sqlite3.Error as fault:
            raise WorkspaceError(
                f"answers of models cannot be kept: {fault}.",
                where=str(self._path),
                hint="Free some space, wait for other runs to end, or move the file away if it is damaged; "
                "then run the command again.",
            ) from fault


def _connection(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, timeout=30, isolation_level=None)
    db.text_factory = lambda raw: raw.decode(errors="replace")
    return db


def _marks(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))


def _storable(text: str) -> str:
    """A text for people, cut where it is long, without keys and without what SQLite cannot hold."""
    return escaped(without_keys(text)[:_LONGEST_WHY], UNSTORABLE)


def _served_cells(served: Served) -> tuple[Any, ...]:
    told = (_storable(cell) if isinstance(cell, str) else cell for cell in astuple(served.about))
    used = served.usage
    return (
        *told, served.model, served.provider, served.key, served.number, served.ending.value,
        used.input_tokens, used.cached_tokens, used.output_tokens, used.written_tokens,
        served.cost_usd, served.seconds, served.characters, _storable(served.why),
    )  # fmt: skip


def _answer_cells(served: Served, at: str, answer: KeptAnswer) -> tuple[str, ...]:
    # In plain letters, so that whatever a model wrote comes back as it was: what follows from it is asked by its key.
    cells = (served.key, at, served.model, answer.ending.value, json.dumps(asdict(answer)))
    return (*cells, digest(cells))


def _answer(row: Sequence[Any]) -> KeptAnswer | None:
    """An answer from the columns of its row, or None where they are not what was written."""
    *cells, written = row
    try:
        if digest(cells) != written:
            return None
        told = json.loads(cells[-1])
        return KeptAnswer(Ending(told["ending"]), told["data"], told["why"], Usage(**told["usage"]))
    except (ValueError, TypeError, KeyError):
        return None


def _row(cells: Sequence[Any]) -> Row | None:
    """A line of the ledger from the columns of its row, or None where one of them holds what was never written."""
    at, about, rest = cells[0], cells[1 : 1 + len(_ABOUT)], cells[1 + len(_ABOUT) :]
    model, provider, key, number, ending, entry, cached, output, written, cost, seconds, characters, why = rest
    usage = {"input_tokens": entry, "cached_tokens": cached, "output_tokens": output, "written_tokens": written}
    served = {
        "about": dict(zip(_ABOUT, about, strict=True)), "model": model, "provider": provider, "key": key,
        "number": number, "ending": ending, "usage": usage, "cost_usd": cost, "seconds": seconds,
        "characters": characters, "why": why,
    }  # fmt: skip
    try:
        return _ROW.validate_json(json.dumps({"at": at, "served": served}, allow_nan=False), strict=True)
    except (ValidationError, ValueError, TypeError):
        return None
