"""B3: the provenance says what is so, as far as that can be computed again."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.bundles.files import PROVENANCE
from askfirst.bundles.provenance import WRITTEN, Making, Told, provenance_of
from askfirst.checks.at_hand import drafts_of, inputs_now, lacks_carrier, matched, other_inputs, other_version
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.finding import CheckStatus, Finding
from askfirst.models.provenance import NO_CRITIC, Provenance
from askfirst.models.rendition import Writer
from askfirst.models.review import Choice

FIELDS = {
    "carrier_match": ("B3.other_match", "The carrier takes the seed for another reason."),
    "paths_run": ("B3.other_count", "The two tasks have another number of paths."),
    "sources": ("B3.other_sources", "The sources are not those of the seed."),
    "rounds_of_repair": ("B3.other_repairs", "The rounds listed have another number of repairs."),
    "licence": ("B3.other_licence", "Bundles are published under another licence."),
}
"""What is simply compared. Times, costs and what models said cannot be computed again; the model holds their form."""


def run(subject: Subject) -> Iterator[Finding]:
    """Put together each provenance again and compare."""
    shared = {name: artifact.content_hash() for name, artifact in subject.artifacts().items()}
    for level, there in subject.provenances.items():
        task = subject.tasks[level]
        making = _making(subject, there)
        hashes = {**shared, "task.json": task.content_hash()}
        again = provenance_of(task, subject.texts(level), hashes, making, there.compiled_at)
        yield from _inputs(there, again, subject)
        yield from _origins(there, again)
        yield from _checks(there, again)
        yield from _models_and_people(there, making.by)
        for name, (code, message) in FIELDS.items():
            said, right = getattr(there, name), getattr(again, name)
            if said != right:
                yield found(code, pointer(PROVENANCE, name), message, f"{there.task_id}: {said!r}, not {right!r}")


def _making(subject: Subject, there: Provenance) -> Making:
    by = subject.scenario.by if subject.scenario else Writer.CARRIER
    return Making(
        inputs=inputs_now(subject, there),
        match=matched(subject).why,
        checks=subject.results,
        paths=sum(len(task.paths) for task in subject.tasks.values()),
        sources=subject.seed.sources,
        by=by,
        drafts={} if by is Writer.CARRIER else drafts_of(there),
        edited=_edited(there) if by is Writer.LLM else (),
        told=Told(there.critics, there.judgements, there.rounds, there.reviewed, there.requests, there.cost_usd),
    )


def _edited(there: Provenance) -> set[str]:
    """The kinds that a person edited, as far as a decision of theirs stands behind it."""
    if not any(one.choice == Choice.EDIT for one in there.reviewed):
        return set()
    return {WRITTEN[one.file] for one in there.artifacts if one.file in WRITTEN and one.author == "hand"}


def _models_and_people(there: Provenance, by: Writer) -> Iterator[Finding]:
    """What is told of models and people, as far as it must fit together."""
    place = pointer(PROVENANCE, "judgements")
    if (there.critics == NO_CRITIC) != (not there.judgements):
        message = "Either critics judged, and what they said is listed, or no critic ran."
        yield found("B3.other_critics", pointer(PROVENANCE, "critics"), message, f"{there.task_id}: {there.critics}")
    held = [one.check for one in there.judgements if one.status is not CheckStatus.PASSED]
    if held and not any(one.choice == Choice.APPROVE for one in there.reviewed):
        message = "A critic did not pass it, and nobody approved it all the same."
        yield found("B3.not_approved", place, message, f"{there.task_id}: {held[0]}")
    if by is not Writer.LLM and there.rounds:
        message = "No model wrote this task, so there are no rounds."
        yield found("B3.no_rounds", pointer(PROVENANCE, "rounds"), message, there.task_id)


def _inputs(there: Provenance, again: Provenance, subject: Subject) -> Iterator[Finding]:
    if message := other_version(there):
        yield found("B3.other_version", pointer(PROVENANCE, "askfirst_version"), message, there.task_id)
    if there.inputs_hash != again.inputs_hash or lacks_carrier(subject):
        yield found("B3.other_inputs", pointer(PROVENANCE, "inputs_hash"), other_inputs(subject), there.task_id)


def _origins(there: Provenance, again: Provenance) -> Iterator[Finding]:
    """The list of files, their authors and content hashes; that the bytes are those listed is `integrity`'s."""
    files, right = ([origin.file for origin in one.artifacts] for one in (there, again))
    if files != right:
        message = "The provenance must list every other file of the bundle once, in its order, and nothing besides."
        odd = next((file for number, file in enumerate(files) if right[number : number + 1] != [file]), "none")
        yield found("B3.other_files", pointer(PROVENANCE, "artifacts"), message, f"{there.task_id}: {odd}")
        return
    for number, (origin, wanted) in enumerate(zip(there.artifacts, again.artifacts, strict=True)):
        place = pointer(PROVENANCE, "artifacts", number)
        if origin.author != wanted.author:
            message = f"{origin.file} can only be by {wanted.author}."
            yield found("B3.other_author", f"{place}/author", message, f"{there.task_id}: {origin.author}")
        if bool(origin.draft) != (wanted.author in {"hand", "llm"}):
            message = f"{origin.file} is by {wanted.author}; only what a person or a model wrote has a draft."
            yield found("B3.other_draft", f"{place}/draft", message, f"{there.task_id}: {origin.draft or 'none'}")
        if origin.content_hash != wanted.content_hash:
            message = f"This is not the content hash of {origin.file}."
            yield found("B3.other_hash", f"{place}/content_hash", message, f"{there.task_id}: {origin.content_hash}")


def _checks(there: Provenance, again: Provenance) -> Iterator[Finding]:
    """What was tested, against what the same gates have just found; a gate that fails now tells so itself."""
    place = pointer(PROVENANCE, "checks")
    listed, wanted = ([result.check for result in one.checks] for one in (there, again))
    if listed != wanted:
        message = "The checks listed are not those of this version, each once; compile the seed again."
        odd = next((name for name in dict.fromkeys((*wanted, *listed)) if listed.count(name) != 1), "another order")
        yield found("B3.other_checks", place, message, f"{there.task_id}: {odd}")
        return
    for number, (said, now) in enumerate(zip(there.checks, again.checks, strict=True)):
        if now.status in {CheckStatus.PASSED, CheckStatus.SKIPPED} and said != now:
            message = "This is not how the check ends when it is run."
            evidence = f"{there.task_id}: {said.check} {said.status.value}"
            yield found("B3.other_result", f"{place}/{number}", message, evidence)


CHECK = Check(
    name="provenance_true",
    gate="B3",
    stage=Stage.BUNDLE,
    says="What the provenance says of version, inputs, authors, hashes, sources and checks is so.",
    run=run,
)
