"""Trying the drafts of one seed: completed and run through every gate, with each finding at its place in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from askfirst.catalog.load import Catalog
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import for_stage
from askfirst.models.facts import Level
from askfirst.models.finding import CheckResult, CheckStatus
from askfirst.models.policy import Policy
from askfirst.models.rendition import Writer
from askfirst.models.seed import Seed
from askfirst.stages.blueprint.complete import complete_blueprint
from askfirst.stages.contract.complete import complete_contract
from askfirst.stages.drafting.completed import Completed
from askfirst.stages.drafting.places import place_in_draft
from askfirst.stages.drafting.read import HandDrafts
from askfirst.stages.realize.node import realize
from askfirst.stages.scenario.complete import complete_scenario
from askfirst.trial.run import Fault


@dataclass(frozen=True)
class DraftTrial:
    """What is wrong with the drafts of a seed; as in compiling, a gate that fails is the last."""

    faults: tuple[Fault, ...]
    subject: Subject
    """All that could be made of the drafts."""


def try_drafts(seed: Seed, drafts: HandDrafts, catalog: Catalog, policy: Policy) -> DraftTrial:
    """Complete the drafts and run all gates. What is wrong with them is told, never raised."""
    subject = Subject(seed, catalog, policy)
    for stage in _stages(subject, drafts):
        if faults := tuple(stage):
            return DraftTrial(tuple(dict.fromkeys(faults)), subject)
    return DraftTrial((), subject)


def _stages(subject: Subject, drafts: HandDrafts) -> Iterator[Iterable[Fault]]:
    """The faults of one stage after the other, each only once those before have none."""
    catalog, policy = subject.catalog, subject.policy
    contract = complete_contract(subject.seed, drafts.contract, policy)
    subject.contract = contract.artifact
    yield _held_against("contract", contract, drafts)
    yield _gate(Stage.CONTRACT, subject, drafts)
    assert subject.contract is not None, "without it there was a fault"
    scenario = complete_scenario(drafts.scenario, subject.contract, catalog, Writer.HAND)
    subject.scenario = scenario.artifact
    yield _held_against("scenario", scenario, drafts)
    yield _gate(Stage.SCENARIO, subject, drafts)
    assert subject.scenario is not None, "without it there was a fault"
    blueprint = complete_blueprint(drafts.blueprint, subject.contract, subject.scenario, catalog, policy)
    subject.blueprint = blueprint.artifact
    yield _held_against("blueprint", blueprint, drafts)
    yield _gate(Stage.BLUEPRINT, subject, drafts)
    assert subject.blueprint is not None, "without it there was a fault"
    for level in Level:
        subject.tasks[level] = realize(subject.contract, subject.scenario, subject.blueprint, level, catalog, policy)
    yield _gate(Stage.TASK, subject, drafts)


def _held_against(stage: str, done: Completed[Any], drafts: HandDrafts) -> Iterator[Fault]:
    for finding in done.findings:
        where = drafts.files[stage].place(finding.path)
        yield Fault(f"{where}: {finding.path}", f"{finding.code}: {finding.message}", finding.evidence)


def _gate(stage: Stage, subject: Subject, drafts: HandDrafts) -> Iterator[Fault]:
    yield from _told(run_checks(for_stage(stage), subject), subject, drafts)


def _told(results: Iterable[CheckResult], subject: Subject, drafts: HandDrafts) -> Iterator[Fault]:
    for result in results:
        if result.status is CheckStatus.UNJUDGED:
            yield Fault(result.check, f"{result.gate}.unjudged: it could not be run: {result.reason}")
        for finding in result.findings if result.status is CheckStatus.FAILED else ():
            where = _where(finding.path, subject, drafts)
            yield Fault(where, f"{finding.code}: {finding.message}", finding.evidence)


def _where(path: str, subject: Subject, drafts: HandDrafts) -> str:
    """`file:line: pointer` in the draft that a finding follows from; its own place where it follows from none."""
    found = place_in_draft(path, drafts.blueprint, subject.blueprint)
    if not found.stage:
        return path or "/"
    where = drafts.files[found.stage].place(found.pointer)
    return f"{where}: {found.pointer}" if found.pointer else where
