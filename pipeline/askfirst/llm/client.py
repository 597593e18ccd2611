"""Asking models: kept answers first, then paid requests, each reserved before it is sent and recorded after.

A question costs at most two rounds: the second only where the answer to the first was invalid. Each round is tried as
often as the provider's limits allow, for what the wire did to it alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from pydantic import ValidationError

from askfirst.characters import GARBLING, UNSTORABLE, escaped
from askfirst.errors import LlmError
from askfirst.llm import content
from askfirst.llm.adapters.registry import ADAPTERS
from askfirst.llm.adapters.replay import Recorder, Replay
from askfirst.llm.answer_key import answer_key
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.llm.budget import Purse, Spend, worst_of
from askfirst.llm.flights import Flights, alone
from askfirst.llm.kept import Kept, KeptAnswer, Served, Usage
from askfirst.llm.lanes import Lane
from askfirst.llm.prices import cost_of
from askfirst.llm.requests import NOTHING, Adapter, Again, Outcome, Request
from askfirst.llm.scribe import Scribe
from askfirst.llm.turns import characters, shown, texts_of
from askfirst.llm.waiting import Sleep, patiently
from askfirst.models.base import Model, canonical_json
from askfirst.settings.form import Limits, ModelSettings, Settings
from askfirst.settings.keys import key_for, key_variable
from askfirst.settings.providers import PROVIDERS, provider_of
from askfirst.settings.roles import model_for

F = TypeVar("F", bound=Model)

_KEPT = {Ending.ANSWERED, Ending.REFUSED, Ending.TRUNCATED, Ending.INVALID}
"""What was an answer, and so is not asked for twice."""
_RUN_ON = "Then run the same command again; what was answered is kept."


@dataclass(frozen=True)
class Means:
    """What a client works with."""

    settings: Settings
    environ: Mapping[str, str] = field(repr=False)
    """Where the keys are."""
    kept: Kept
    purse: Purse
    root: Path
    """The workspace."""
    locks: Path | None = None
    """Folder of the locks that keep two processes from asking the same; without one there is one process only."""
    record: Path | None = None
    """Folder into which every answer is written for `replay`."""
    replay: Path | None = None
    """File or folder of recorded answers, which then stand for the model of every role."""
    again: bool = False
    """Whether what was answered before this run is asked again."""
    sleep: Sleep = asyncio.sleep


@dataclass
class _Desk:
    """One model, opened."""

    model: ModelSettings
    adapter: Adapter
    lane: Lane
    closed: tuple[str, str] | None = None
    """Why it is not asked any more, and what to do."""

    def check(self) -> None:
        """Raise LlmError when it is not asked any more."""
        if self.closed:
            raise LlmError(self.closed[0], hint=self.closed[1])

    def shut(self, message: str, hint: str) -> LlmError:
        """Ask it no more, for this reason."""
        self.closed = message, hint
        return LlmError(message, hint=hint)


@dataclass
class _Tally:
    """What one question has cost."""

    requests: int = 0
    cost_usd: float | None = 0.0

    def add(self, cost: float | None) -> None:
        """One more request."""
        self.cost_usd = None if self.cost_usd is None or cost is None else self.cost_usd + cost


class Client:
    """All models of the settings; belongs to one event loop."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._desks: dict[str, _Desk] = {}
        self._lanes: dict[str, Lane] = {}
        self._flights = Flights[tuple[Outcome, _Tally]]()
        self._scribe = Scribe(means.kept)
        self._asked: set[str] = set()
        """Keys of what was answered in this run."""

    async def ask(self, question: Question[F]) -> Reply[F]:
        """Ask, and give what came of it. Raises LlmError where nothing more can be asked."""
        desk = self._desk(question.role)
        request = Request(question.role, question.prompt, question.form, question.about)
        if told := _unsendable(request):
            return Reply(Ending.BAD_REQUEST, why=told, model=desk.model.model)
        key = answer_key(desk.model, desk.adapter, request)
        (outcome, tally), ours = await self._flights.share(key, lambda: self._settled(desk, request, key))
        value = None if outcome.data is None else question.form.model_validate_json(outcome.data)
        paid = tally if ours else _Tally()
        return Reply(outcome.ending, value, outcome.why, paid.requests, paid.cost_usd, desk.model.model)

    async def ask_all(self, questions: list[Question[F]]) -> list[Reply[F]]:
        """Ask all at once; all are asked to their end before an error of one of them is raised."""
        replies = await asyncio.gather(*map(self.ask, questions), return_exceptions=True)
        errors = [reply for reply in replies if isinstance(reply, BaseException)]
        for error in sorted(errors, key=lambda error: isinstance(error, LlmError)):
            raise error  # a fault of ours before one of the run
        return [reply for reply in replies if not isinstance(reply, BaseException)]

    async def close(self) -> None:
        """Stop what is under way and let go of connections."""
        await self._flights.call_off()
        await self._scribe.close()
        for desk in self._desks.values():
            await desk.adapter.close()
        self._desks.clear()

    def _desk(self, role: str) -> _Desk:
        model = _RECORDED if self._means.replay else model_for(self._means.settings, role)
        if model is None:
            raise LlmError(f"no model is set for the role {role}.", hint="Name one in askfirst.yaml.")
        name = canonical_json(model.plain())
        if name not in self._desks:
            self._desks[name] = self._opened(model)
        return self._desks[name]

    def _opened(self, model: ModelSettings) -> _Desk:
        means, provider = self._means, provider_of(model)
        adapter: Adapter
        if means.replay:
            adapter = Replay(means.replay)
        else:
            adapter = ADAPTERS[PROVIDERS[provider].protocol](model, key_for(model, means.environ), means.root)
        if means.record:
            adapter = Recorder(adapter, model, means.record)
        if provider not in self._lanes:
            self._lanes[provider] = Lane(means.settings.providers.get(provider, Limits()))
        return _Desk(model, adapter, self._lanes[provider])

    async def _settled(self, desk: _Desk, request: Request, key: str) -> tuple[Outcome, _Tally]:
        """The outcome of a question after at most two rounds."""
        tally = _Tally()
        async with alone(None if desk.adapter.free else self._means.locks, key):
            outcome = await self._round(desk, request, key, tally)
            if outcome.ending is Ending.INVALID:
                second = replace(request, again=Again(outcome.said, outcome.why))
                outcome = await self._round(desk, second, answer_key(desk.model, desk.adapter, second), tally)
        return outcome, tally

    async def _round(self, desk: _Desk, request: Request, key: str, tally: _Tally) -> Outcome:
        """What was kept, or else what is answered now, after as many tries as it takes."""
        if known := self._found(desk, request, key):
            return known
        async with desk.lane.slots:
            outcome = await patiently(
                lambda: self._sent(desk, request, key, tally), desk.lane.limits, self._means.sleep
            )
        if outcome.ending is Ending.RATE_LIMITED:
            raise desk.shut(f"{desk.model.model} takes no more requests: {outcome.why}", _when_busy(outcome))
        if outcome.ending is Ending.UNAUTHENTICATED:
            raise desk.shut(f"{desk.model.model} cannot be asked: {outcome.why}", _when_refused(desk.model))
        return outcome

    def _found(self, desk: _Desk, request: Request, key: str) -> Outcome | None:
        """The outcome that was kept under a key, if it still fits its form."""
        if desk.adapter.free or (self._means.again and key not in self._asked):
            return None
        kept = self._means.kept.find(key)
        if kept is None:
            return None
        if kept.ending is not Ending.ANSWERED:
            said = json.loads(kept.data) if kept.data else ""
            return Outcome(kept.ending, why=kept.why, said=str(said), usage=kept.usage)
        try:
            request.form.model_validate_json(kept.data or "")
        except ValidationError:
            return None
        return _judged(Outcome(kept.ending, data=kept.data, said=kept.data or "", usage=kept.usage))

    async def _sent(self, desk: _Desk, request: Request, key: str, tally: _Tally) -> Outcome:
        """One request, reserved before and recorded after."""
        desk.check()
        await desk.lane.turn()
        reserved = await self._means.purse.reserve(_worst(desk, request))
        spent = reserved
        try:
            desk.check()
            started = perf_counter()
            outcome = _judged(await desk.adapter.send(request))
            spent = _spent(desk, outcome, reserved)
            # Nothing waits before it is with the scribe, so that nothing can be called off in between.
            await self._write(desk, request, key, outcome, tally, perf_counter() - started)
        except LlmError:
            spent = Spend(0.0, 0, 0)  # nothing was sent
            raise
        finally:
            self._means.purse.settle(reserved, spent)
        return outcome

    async def _write(
        self, desk: _Desk, request: Request, key: str, outcome: Outcome, tally: _Tally, seconds: float
    ) -> None:
        cost = _cost(desk, outcome)
        tally.requests += 1
        tally.add(cost)
        self._asked.add(key)
        served = Served(
            about=request.about,
            model=desk.model.model,
            provider=provider_of(desk.model),
            key=key,
            number=tally.requests,
            ending=outcome.ending,
            usage=outcome.usage,
            cost_usd=cost,
            seconds=seconds,
            characters=characters(request),
            why=outcome.why,
        )
        await self._scribe.write(served, None if desk.adapter.free else _to_keep(outcome))


_RECORDED = ModelSettings(model="replay/recorded")


def _unknown(outcome: Outcome) -> bool:
    """Whether nobody says what a request used: it timed out and may have been billed, or the server does not count."""
    counted = outcome.usage != NOTHING or outcome.ending not in {Ending.ANSWERED, Ending.TRUNCATED, Ending.INVALID}
    return outcome.ending is Ending.TIMED_OUT or not counted


def _cost(desk: _Desk, outcome: Outcome) -> float | None:
    """What a request has cost, or None where that is not known."""
    if desk.adapter.free:
        return 0.0
    if outcome.usage != NOTHING:
        return cost_of(desk.model, outcome.usage)
    nothing_is_paid = cost_of(desk.model, Usage(1, 0, 1)) == 0
    return None if _unknown(outcome) and not nothing_is_paid else 0.0


def _worst(desk: _Desk, request: Request) -> Spend:
    """What a request may cost; recorded answers are no requests to anybody."""
    return Spend(0.0, 0, 0) if desk.adapter.free else worst_of(desk.model, texts_of(request))


def _spent(desk: _Desk, outcome: Outcome, reserved: Spend) -> Spend:
    """What is taken from the budget for a request; where nobody says what it used, what was set aside for it."""
    if desk.adapter.free:
        return reserved
    used = outcome.usage.input_tokens + outcome.usage.output_tokens
    return Spend(_cost(desk, outcome), reserved.tokens if _unknown(outcome) else used)


def _judged(outcome: Outcome) -> Outcome:
    """An outcome after the look at its texts, with nothing in it that could not be kept."""
    why = outcome.why
    if outcome.ending is Ending.ANSWERED and outcome.data is not None:
        if told := content.fault(json.loads(outcome.data)):
            said = shown(outcome.said or outcome.data)
            return replace(outcome, ending=Ending.INVALID, data=None, said=said, why=f"In {told}")
        return outcome
    return replace(outcome, why=escaped(why, GARBLING), said=shown(outcome.said))


def _to_keep(outcome: Outcome) -> KeptAnswer | None:
    if outcome.ending not in _KEPT:
        return None
    data = outcome.data if outcome.ending is Ending.ANSWERED else canonical_json(outcome.said)
    return KeptAnswer(outcome.ending, data, outcome.why, outcome.usage)


def _unsendable(request: Request) -> str:
    """Why a prompt cannot be sent, or an empty text."""
    prompt = request.prompt
    hits = (UNSTORABLE.search(part) for part in (prompt.fixed, prompt.shared, prompt.own))
    found = next((hit for hit in hits if hit), None)
    return f"the prompt {prompt.name} holds U+{ord(found[0]):04X}, which cannot be sent" if found else ""


def _when_busy(outcome: Outcome) -> str:
    if outcome.final:
        return f"Look at the account. {_RUN_ON}"
    return f"Wait a while, or raise `tries` or `patience` of the provider in askfirst.yaml. {_RUN_ON}"


def _when_refused(model: ModelSettings) -> str:
    variable = key_variable(model)
    return f"Check the model's name{f' and {variable}' if variable else ''}. {_RUN_ON}"
