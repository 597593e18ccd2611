"""From a text to the answers of the form: asked once, and once more for what does not hold."""

from __future__ import annotations

from dataclasses import dataclass, replace

from askfirst.errors import LlmError
from askfirst.llm.asking import About, Gateway, Reply
from askfirst.models.drafts import SeedDraft
from askfirst.models.finding import Finding
from askfirst.models.seed import UNKNOWN
from askfirst.stages.drafting.again import Again
from askfirst.stages.seed.author import ask_for_seed
from askfirst.stages.seed.evidence import held_against, unproven


@dataclass(frozen=True)
class Drafted:
    """What came of a text."""

    answers: dict[str, str]
    """Field of the form to its answer; what is unknown, or not shown by the text, is left out."""
    quotations: dict[str, str]
    """Field to the passage that shows its answer."""
    findings: tuple[Finding, ...]
    """What is still held against the model's answers."""
    replies: tuple[Reply[SeedDraft], ...]
    """What the model answered, for what it cost."""


def draft_seed(gateway: Gateway, text: str, about: About, rounds: int = 1) -> Drafted:
    """The facts in a text; what does not hold is asked for once again, unless there are no rounds of repair.

    Raises LlmError where the model gives no answer, and as the gateway does.
    """
    reply = gateway.ask(ask_for_seed(text, about))
    if reply.value is None:
        message = f"{reply.model or 'the model'} has drafted nothing: {reply.ending.value}. {reply.why}"
        raise LlmError(message.strip(), hint="Name another model, or write the seed with: askfirst seed new")
    draft, replies = reply.value, [reply]
    findings = held_against(draft, text)
    if findings and rounds > 0:
        again = Again("seed", draft, tuple(findings))
        second = gateway.ask(ask_for_seed(text, replace(about, attempt=1), again))
        replies.append(second)
        if second.value is not None:
            draft = second.value
            findings = held_against(draft, text)
    return _taken(draft, findings, replies)


def _taken(draft: SeedDraft, findings: list[Finding], replies: list[Reply[SeedDraft]]) -> Drafted:
    """What of the last draft holds."""
    out = unproven(findings)
    holds = {name: told for name, told in draft.facts().items() if name not in out and told[0] != UNKNOWN}
    return Drafted(
        answers={name: value for name, (value, _) in holds.items()},
        quotations={name: " ".join(quote.split()) for name, (_, quote) in holds.items()},
        findings=tuple(findings),
        replies=tuple(replies),
    )
