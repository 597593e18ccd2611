"""A draft that has to be written anew: with what is held against it beside the places where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from askfirst.documents.json_pages import json_page
from askfirst.documents.json_reader import lines_of
from askfirst.models.blueprint import Blueprint
from askfirst.models.drafts import BlueprintDraft, Draft
from askfirst.models.finding import Finding
from askfirst.stages.drafting.places import InDraft, place_in_draft

_SENTENCE = re.compile(r"(?<=[.:!?]) ")
_OF_DRAFTS = "D"
"""Letter of the codes whose places are in the draft already."""


@dataclass(frozen=True)
class Again:
    """What an author is shown of its last try."""

    stage: str
    draft: Draft | None = None
    """None where it wrote nothing, as when it refused."""
    findings: tuple[Finding, ...] = ()
    """Of the completion, the gates and the critics; their places are those of the artifacts, or of the draft."""
    blueprint: Blueprint | None = None
    """What was made of the draft of a blueprint, so that places in its paths are found."""
    advice: str = ""
    """What a person who looked at it wants."""


def marked(again: Again) -> str:
    """The draft as it was answered; above the line of a place stand the findings about it, all others at the top.

    Empty where nothing was answered.
    """
    if again.draft is None:
        return ""
    text = json_page(again.draft.as_written())
    lines = lines_of(text)
    above: dict[int, dict[str, list[Finding]]] = {}
    for finding in again.findings:
        found = place_of(finding, again.stage, again.draft, again.blueprint)
        here = found.stage == again.stage
        where = "" if here else f" {finding.path or 'the whole'}:"
        told = above.setdefault(_line(lines, found.pointer) if here else 1, {})
        told.setdefault(f"{finding.code}:{where}", []).append(finding)
    page = [
        [*(f"// {head} {_said(alike)}" for head, alike in above.get(number, {}).items()), line]
        for number, line in enumerate(text.splitlines(), start=1)
    ]
    return "\n".join(line for part in page for line in part)


def _said(alike: Sequence[Finding]) -> str:
    """What findings of one code say of one place: the sentences that they share once, then what each has of its own."""
    sentences = [_SENTENCE.split(" ".join(finding.message.split())) for finding in alike]
    shared = [same[0] for same in takewhile(lambda same: len({*same}) == 1, zip(*sentences, strict=False))]
    own = (
        " ".join([*parts[len(shared) :], *finding.evidence.split()])
        for parts, finding in zip(sentences, alike, strict=True)
    )
    return f"{' '.join(shared)} {' | '.join(filter(None, dict.fromkeys(own)))}".strip()


def place_of(finding: Finding, stage: str, draft: Draft | None, blueprint: Blueprint | None) -> InDraft:
    """The place of a finding in the draft of a stage, or in another stage's draft."""
    if finding.code.startswith(_OF_DRAFTS):
        return InDraft(stage, finding.path)
    return place_in_draft(finding.path, draft if isinstance(draft, BlueprintDraft) else None, blueprint)


def _line(lines: Mapping[str, int], pointer: str) -> int:
    """The line of a place, or of the nearest one around it."""
    while pointer and pointer not in lines:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer, 1)


def names_of(again: Again | None) -> dict[str, str]:
    """What the templates call it; empty texts for a first try."""
    return {
        "last": marked(again) if again else "",
        "advice": again.advice if again else "",
    }
