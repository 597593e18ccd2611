"""Which questions the critics of a gate ask, and what follows from the replies. Only `ask_panel` asks anybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from askfirst.checks.base import Stage, Subject
from askfirst.critics.base import Critic, Decided, Kind, Seen, Sight, Vote, form_of
from askfirst.critics.panel import is_split, result_of, skipped
from askfirst.critics.prompting import prompt_of
from askfirst.critics.registry import for_stage, requests_of
from askfirst.llm.asking import About, Gateway, Question, Reply
from askfirst.models.facts import Decision, Level
from askfirst.models.finding import CheckResult, CheckStatus
from askfirst.settings.form import Panel

_JOIN, _OF = "+", "/"


@dataclass(frozen=True)
class _Request:
    """Critics that share a request, and what it shows."""

    critics: tuple[Critic, ...]
    sight: Sight

    @property
    def detail(self) -> str:
        """What the ledger calls it: its critics and its variant. It also tells which request a question belongs to."""
        names = _JOIN.join(critic.name for critic in self.critics)
        return f"{names}{_OF}{self.sight.variant}" if self.sight.variant else names

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for critic in self.critics for line in critic.ids())

    @property
    def blind(self) -> bool:
        return _is_blind(self.critics)

    def question(self, number: int, vote: int, about: About) -> Question[Any]:
        form = Decided if self.blind else form_of(self.lines)
        about = replace(about, detail=self.detail, vote=vote)
        return Question(f"critics/{number}", prompt_of(self.critics, self.sight), form, about)


def questions_of(stage: Stage, subject: Subject, panel: Panel, unit: str = "", attempt: int = 0) -> list[Question[Any]]:
    """All that is asked first at a gate: one question for each model and request; none where no model is set.

    A blind decision is asked of each of several models once, and of a single one as often as the settings say. The
    votes of a model that sits on the panel twice are numbered apart, so that its answers are two.
    """
    if not panel.models:
        return []
    about = About("critic", stage.value, unit or subject.seed.id, subject.seed.id, attempt)
    votes = _first_votes(panel)
    return [
        request.question(number, vote + panel.votes * panel.models[:number].count(settings), about)
        for request in _requests(stage, subject)
        for number, settings in enumerate(panel.models)
        for vote in range(votes if request.blind else 1)
    ]


def more_of(questions: Sequence[Question[Any]], replies: Sequence[Reply[Any]], panel: Panel) -> list[Question[Any]]:
    """The further votes on blind decisions in which the models differ; none where they agree.

    Every model that decided a variant which is open votes on it again, up to the number of the settings.
    """
    if panel.votes == 1 or len(panel.models) == 1:
        return []
    decided: dict[str, list[tuple[Question[Any], Decision]]] = {}
    for question, reply in zip(questions, replies, strict=True):
        if isinstance(reply.value, Decided):
            decided.setdefault(question.about.detail, []).append((question, reply.value.decision))
    return [
        replace(question, about=replace(question.about, vote=question.about.vote + vote))
        for given in decided.values()
        if len(given) == 1 or len({decision for _, decision in given}) > 1
        for question, _ in given
        for vote in range(1, panel.votes)
    ]


def ask_panel(
    stage: Stage, subject: Subject, panel: Panel, gateway: Gateway, unit: str = "", attempt: int = 0
) -> tuple[list[Question[Any]], list[Reply[Any]]]:
    """Ask all at once, and on where blind readers differ; every question and its reply, for `judge`.

    What ends the run is raised by the gateway.
    """
    questions = questions_of(stage, subject, panel, unit, attempt)
    replies = gateway.ask_all(questions) if questions else []
    more = more_of(questions, replies, panel)
    return [*questions, *more], [*replies, *(gateway.ask_all(more) if more else [])]


def judge(
    stage: Stage, questions: Sequence[Question[Any]], replies: Sequence[Reply[Any]], panel: Panel, subject: Subject
) -> list[CheckResult]:
    """One result for each critic of a gate, in the order of the registry, from all questions and their replies."""
    if not panel.models:
        return [skipped(critic) for critic in for_stage(stage)]
    requests = {request.detail: request for request in _requests(stage, subject)}
    seen: dict[str, list[tuple[_Request, Seen]]] = {}
    for question, reply in zip(questions, replies, strict=True):
        request = requests[question.about.detail]
        seen.setdefault(question.role, []).append((request, Seen(request.sight, request.lines, reply)))
    return [result_of(critic, list(_votes(critic, subject, panel, seen)), panel.rule) for critic in for_stage(stage)]


def panel_verdict_of(results: Sequence[CheckResult]) -> str:
    """What a gate's critics say together: `fail` before `split` before `unjudged` before `pass`; skipped is a pass."""
    found = {result.status for result in results}
    if CheckStatus.FAILED in found:
        return "fail"
    if any(map(is_split, results)):
        return "split"
    return "unjudged" if CheckStatus.UNJUDGED in found else "pass"


def calls_of(stage: Stage, panel: Panel) -> int:
    """How many questions a gate asks of a panel whose blind readers agree."""
    of_one = (len(Level) * _first_votes(panel) if _is_blind(group) else 1 for group in requests_of(stage))
    return len(panel.models) * sum(of_one)


def _first_votes(panel: Panel) -> int:
    """How often each model decides blind at first: several models vote once each, a single one as often as is set."""
    return 1 if len(panel.models) > 1 else panel.votes


def _is_blind(critics: Sequence[Critic]) -> bool:
    return critics[0].kind is Kind.BLIND


def _requests(stage: Stage, subject: Subject) -> list[_Request]:
    return [_Request(critics, sight) for critics in requests_of(stage) for sight in critics[0].sees(subject)]


def _votes(
    critic: Critic, subject: Subject, panel: Panel, seen: Mapping[str, list[tuple[_Request, Seen]]]
) -> Iterator[Vote]:
    for number, name in enumerate(names_of(panel)):
        mine = [one for request, one in seen.get(f"critics/{number}", []) if critic in request.critics]
        yield critic.vote(critic, subject, name, mine)


def names_of(panel: Panel) -> list[str]:
    """What each model is called in findings; one that sits on the panel twice is numbered."""
    models = [settings.model for settings in panel.models]
    return [
        f"{model} ({models[: place + 1].count(model)})" if models.count(model) > 1 else model
        for place, model in enumerate(models)
    ]
