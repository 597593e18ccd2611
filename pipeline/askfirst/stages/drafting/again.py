"""A draft that has to be written anew: with what is held against it beside the places where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from askfirst.documents.json_pages import json_page
from askfirst.documents.json_reader import lines_of
from askfirst.models.blueprint import Blueprint
from askfirst.models.drafts import BlueprintDraft, Draft
from askfirst.models.finding import Finding
from askfirst.stages.drafting.places import InDraft, place_in_draft

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
    above: dict[int, list[str]] = {}
    for finding in again.findings:
        found = _place(finding, again)
        here = found.stage == again.stage
        where = "" if here else f" {finding.path or 'the whole'}:"
        said = " ".join(f"// {finding.code}:{where} {finding.message} {finding.evidence}".split())
        told = above.setdefault(_line(lines, found.pointer) if here else 1, [])
        if said not in told:
            told.append(said)
    page = [[*above.get(number, ()), line] for number, line in enumerate(text.splitlines(), start=1)]
    return "\n".join(line for part in page for line in part)


def _place(finding: Finding, again: Again) -> InDraft:
    if finding.code.startswith(_OF_DRAFTS):
        return InDraft(again.stage, finding.path)
    draft = again.draft if isinstance(again.draft, BlueprintDraft) else None
    return place_in_draft(finding.path, draft, again.blueprint)


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
