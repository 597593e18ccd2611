"""Answers from a script, for tests: a callable, or answers by the name of the prompt.

    SCRIPTS["mine"] = {"contract": {...}, "critic_natural": [first, second]}      # then the model is scripted/mine

An answer is plain data, a value of the form, an ending, or a whole outcome. Data goes through the same form as what a
provider says, so a script can be wrong, too.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from askfirst.errors import LlmError
from askfirst.llm.asking import Ending
from askfirst.llm.forms import data_of, faults_of
from askfirst.llm.requests import Outcome, Request
from askfirst.models.base import Model, canonical_json
from askfirst.settings.form import ModelSettings

Answer = Mapping[str, Any] | Model | Ending | Outcome
Script = Callable[[Request], Answer] | Mapping[str, Answer | Sequence[Answer]]

SCRIPTS: dict[str, Script] = {}
"""What `scripted/NAME` answers with; whoever runs the program in their own process puts it here."""


class Scripted:
    """One script as a model."""

    free: ClassVar[bool] = False

    def __init__(self, script: Script, name: str = "") -> None:
        self.base = ""
        self.shaped_by: Mapping[str, str] = {}
        self.asked: list[Request] = []
        """Every request, in the order they came."""
        self._script = script
        self._name = name
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    async def send(self, request: Request) -> Outcome:
        """Answer from the script. Raises LlmError where it has no answer."""
        with self._lock:
            self.asked.append(request)
            answer = self._answer(request)
        return _outcome(answer, request.form)

    async def close(self) -> None:
        """Nothing is held."""

    def _answer(self, request: Request) -> Answer:
        if callable(self._script):
            return self._script(request)
        name = request.prompt.name
        found = self._script.get(name)
        if isinstance(found, Sequence) and not isinstance(found, str):
            self._counts[name] += 1
            found = found[self._counts[name] - 1] if self._counts[name] <= len(found) else None
        if found is None:
            raise LlmError(f"scripted/{self._name} has no answer to the prompt {name} of {request.about.unit}.")
        return found


def _outcome(answer: Answer, form: type[Model]) -> Outcome:
    if isinstance(answer, Outcome):
        return answer
    if isinstance(answer, Ending):
        return Outcome(answer, why="as the script has it")
    said = data_of(answer) if isinstance(answer, Model) else canonical_json(answer)
    try:
        return Outcome(Ending.ANSWERED, data=data_of(form.model_validate_json(said)), said=said)
    except ValidationError as error:
        return Outcome(Ending.INVALID, why=f"It does not fit the form: {faults_of(error)}.", said=said)


def open_adapter(model: ModelSettings, key: str, root: Path) -> Scripted:  # noqa: ARG001 - every adapter is opened alike
    """The adapter for one script. Raises LlmError where there is none of the name."""
    name = model.model.partition("/")[2]
    if name not in SCRIPTS:
        raise LlmError(f"there is no script {name!a}.", hint="Scripts are for tests; name another model.")
    return Scripted(SCRIPTS[name], name)
