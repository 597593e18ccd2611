"""Recorded answers, found by their prompts, and the recorder that writes them.

A recording is found by the hash over the rendered prompt and the form, and not by the model. So a prompt that was
edited is not answered any more: that fails, loudly. A file holds one JSON object with the answers of one unit of work:

    {"unit": "...", "recordings": [{"prompt": "contract", "hash": "...", "role": "author", "vote": 0,
                                    "model": "...", "ending": "answered", "why": "", "data": {...}}]}
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, ValidationError

from askfirst.documents import read_json, validate
from askfirst.errors import LlmError
from askfirst.llm.asking import Ending
from askfirst.llm.forms import data_of
from askfirst.llm.requests import Adapter, Outcome, Request
from askfirst.llm.turns import prompt_hash
from askfirst.models.base import Model, digest
from askfirst.settings.form import ModelSettings
from askfirst.workspace import name_fault, write_atomic

_LARGEST = 50_000_000
"""Bytes of a file of recordings."""

_AGAIN = "Record the answers again, or check out the version that they were recorded with."


class Recording(Model):
    """One answer."""

    prompt: str
    """Name of the prompt."""
    hash: str
    """Over the rendered prompt and the form."""
    role: str
    vote: int = 0
    model: str = ""
    """Who answered; for readers only."""
    ending: Ending
    why: str = ""
    data: dict[str, Any] | None = None


class Recordings(Model):
    """A file of answers."""

    unit: str
    recordings: tuple[Recording, ...] = Field(min_length=1)


class Replay:
    """Recorded answers as a model."""

    free: ClassVar[bool] = True

    def __init__(self, path: Path) -> None:
        self.base = ""
        self.shaped_by: Mapping[str, str] = {}
        self._path = path
        self._found: dict[tuple[str, int, str], Recording] = {}
        self._recorded: set[tuple[str, str]] = set()
        for read in map(_read, _files(path)):
            for recording in read.recordings:
                self._recorded.add((recording.prompt, read.unit))
                self._found[recording.hash, recording.vote, recording.role] = recording
                self._found.setdefault((recording.hash, recording.vote, ""), recording)

    async def send(self, request: Request) -> Outcome:
        """The recorded answer to a prompt: that of the same role, or else any. Raises LlmError where there is none."""
        place = prompt_hash(request), request.about.vote
        found = self._found.get((*place, request.role)) or self._found.get((*place, ""))
        if found is None:
            raise self._unknown(request)
        if found.data is None:
            return Outcome(found.ending, why=found.why)
        try:
            data = data_of(request.form.model_validate_json(json.dumps(found.data)))
        except ValidationError as error:
            raise LlmError(
                f"the answer recorded for the prompt {found.prompt} of {request.about.unit} does not fit its form.",
                where=str(self._path),
                hint=_AGAIN,
            ) from error
        return Outcome(Ending.ANSWERED, data=data)

    async def close(self) -> None:
        """Nothing is held."""

    def _unknown(self, request: Request) -> LlmError:
        name, unit = request.prompt.name, request.about.unit
        vote = f" (vote {request.about.vote + 1})" if request.about.vote else ""
        if (name, unit) in self._recorded:
            message = f"the prompt {name} of {unit}{vote} is not the one that was recorded; prompts have changed since."
        else:
            message = f"no answer was recorded for the prompt {name} of {unit}{vote}."
        return LlmError(message, where=str(self._path), hint=_AGAIN)


class Recorder:
    """An adapter whose answers are written down for `Replay`."""

    free: ClassVar[bool] = False

    def __init__(self, inner: Adapter, model: ModelSettings, folder: Path) -> None:
        self.base = inner.base
        self.shaped_by: Mapping[str, str] = inner.shaped_by
        self._inner = inner
        self._model = model
        self._folder = folder

    async def send(self, request: Request) -> Outcome:
        """Ask, and keep what was answered; the answer to a second request takes the place of the first."""
        outcome = await self._inner.send(request)
        if outcome.ending in RECORDED:
            record(self._folder, request, outcome, self._model.model)
        return outcome

    async def close(self) -> None:
        """Let go of connections."""
        await self._inner.close()


RECORDED = {Ending.ANSWERED, Ending.REFUSED, Ending.TRUNCATED, Ending.INVALID}
"""What was an answer; a failure of the wire is none."""

_WRITING = threading.Lock()


def record(folder: Path, request: Request, outcome: Outcome, model: str = "") -> Path:
    """Write one answer into the file of its unit, in the place of what was recorded for the same prompt before."""
    unit = request.about.unit
    recording = Recording(
        prompt=request.prompt.name,
        hash=prompt_hash(request),
        role=request.role,
        vote=request.about.vote,
        model=model,
        ending=outcome.ending,
        why=outcome.why,
        data=None if outcome.data is None else json.loads(outcome.data),
    )
    path = folder / f"{unit if not name_fault(unit) else digest(unit)[:16]}.json"
    with _WRITING:
        kept = _read(path).recordings if path.exists() else ()
        others = [one for one in kept if _place(one) != _place(recording)]
        ordered = sorted([*others, recording], key=_place)
        told = {"unit": unit, "recordings": [one.plain() for one in ordered]}
        write_atomic(path, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    return path


def _place(recording: Recording) -> tuple[str, str, str, int]:
    return recording.prompt, recording.hash, recording.role, recording.vote


def _files(path: Path) -> list[Path]:
    found = sorted(path.glob("*.json")) if path.is_dir() else [path] if path.is_file() else []
    if not found:
        raise LlmError("there are no recorded answers here.", where=str(path), hint="Check the path in `model`.")
    return found


def _read(path: Path) -> Recordings:
    return validate(Recordings, read_json(path, limit_bytes=_LARGEST))


def open_adapter(model: ModelSettings, key: str, root: Path) -> Replay:  # noqa: ARG001 - every adapter is opened alike
    """The recordings at a path below the workspace, or anywhere if it is absolute."""
    return Replay(root / model.model.partition("/")[2])
