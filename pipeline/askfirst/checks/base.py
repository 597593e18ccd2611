"""What a check is, what it looks at, and how a gate runs its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path as FilePath

from askfirst.bundles.files import YAML_FILES, task_texts, yaml_texts
from askfirst.catalog.load import Catalog
from askfirst.checks.arguments import Plausible
from askfirst.errors import InputError
from askfirst.models.base import Artifact
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.finding import CheckResult, CheckStatus, Finding, Severity
from askfirst.models.policy import Policy
from askfirst.models.provenance import Provenance
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.task import Task
from askfirst.smoke.run import PathResult, run_paths
from askfirst.world.build import Blank
from askfirst.world.run import World


class Stage(StrEnum):
    """The gate at which a check runs."""

    CONTRACT = "contract"
    SCENARIO = "scenario"
    BLUEPRINT = "blueprint"
    TASK = "task"
    BUNDLE = "bundle"
    """Only when a bundle is checked from its files."""


@dataclass
class Subject:
    """The artifacts of one pair as far as they exist, and what is computed from them once for all checks.

    A check looks at what its stage has; `tasks` are the realized variants.
    """

    seed: Seed
    catalog: Catalog
    policy: Policy
    contract: Contract | None = None
    scenario: Scenario | None = None
    blueprint: Blueprint | None = None
    tasks: dict[Level, Task] = field(default_factory=dict)
    folders: dict[Level, FilePath] = field(default_factory=dict)
    """Where the bundles lie, for checks that look at files."""
    provenances: dict[Level, Provenance] = field(default_factory=dict)
    """What the bundles say of their making."""
    made_otherwise: str = ""
    """What the bundles were made with that is another now, as a sentence; empty when nothing is."""
    held_back: str = ""
    """Why nothing of the tasks may be run; empty when it may."""
    results: tuple[CheckResult, ...] = ()
    """What the gates before that of the bundle found, deep checks skipped as they are in compiling."""
    _blanks: dict[Level, Blank] = field(default_factory=dict)
    _smoked: dict[Level, list[PathResult]] = field(default_factory=dict)
    _worlds: dict[Level, World] = field(default_factory=dict)
    _plausible: dict[Level, Plausible] = field(default_factory=dict)

    _texts: dict[Level, dict[str, str]] = field(default_factory=dict, init=False)

    def artifacts(self) -> dict[str, Artifact]:
        """The artifacts that both bundles share, by the file in which each stands."""
        present = (self.seed, self.contract, self.scenario, self.blueprint)
        return {name: artifact for name, artifact in zip(YAML_FILES, present, strict=True) if artifact is not None}

    def texts(self, level: Level) -> dict[str, str]:
        """The files of one variant's bundle as askfirst writes them, its provenance aside."""
        if not self._texts:
            shared = yaml_texts(self.artifacts())
            self._texts = {level: {**shared, **task_texts(task)} for level, task in self.tasks.items()}
        return self._texts[level]

    def blank(self, level: Level) -> Blank:
        """The world of one variant before its first step, built once. Raises InputError where it may not be."""
        if self.held_back:
            raise InputError(self.held_back)
        if level not in self._blanks:
            self._blanks[level] = Blank.of(self.tasks[level])
        return self._blanks[level]

    def world(self, level: Level) -> World:
        """One world of a variant for all checks; use it inside `with world.trial():`, which undoes everything.

        Sharing it spares every check the copy, and SQLite the preparation of statements that it has met before.
        """
        if level not in self._worlds:
            self._worlds[level] = World(self.blank(level))
        return self._worlds[level]

    def plausible(self, level: Level) -> Plausible:
        """Calls that an agent might make in one variant."""
        if level not in self._plausible:
            self._plausible[level] = Plausible(self.tasks[level], self.blank(level))
        return self._plausible[level]

    def smoked(self, level: Level) -> list[PathResult]:
        """The path matrix of one variant, run once."""
        if level not in self._smoked:
            self._smoked[level] = run_paths(self.tasks[level], self.blank(level))
        return self._smoked[level]


@dataclass(frozen=True)
class Check:
    """One deterministic check. `run` yields findings; an exception in it means that the check could not be run."""

    name: str
    gate: str
    stage: Stage
    says: str
    """What passes, as one sentence."""
    run: Callable[[Subject], Iterable[Finding]]
    deep: bool = False
    """Takes longer; runs only when asked for."""


def run_check(check: Check, subject: Subject) -> CheckResult:
    """Run one check. An exception becomes `unjudged` with its reason: it is never a pass, and never a fault found."""
    try:
        findings = tuple(check.run(subject))
    except Exception as fault:  # noqa: BLE001 - the boundary at which "could not be judged" is told from "failed"
        return CheckResult(
            check=check.name, gate=check.gate, status=CheckStatus.UNJUDGED, reason=f"{type(fault).__name__}: {fault}"
        )
    failed = any(finding.severity is Severity.ERROR for finding in findings)
    status = CheckStatus.FAILED if failed else CheckStatus.PASSED
    return CheckResult(check=check.name, gate=check.gate, status=status, findings=findings)


def skipped(check: Check) -> CheckResult:
    """The outcome of a deep check that nobody asked for."""
    return CheckResult(check=check.name, gate=check.gate, status=CheckStatus.SKIPPED, reason="only with --deep")


def run_checks(checks: Iterable[Check], subject: Subject, *, deep: bool = False) -> list[CheckResult]:
    """Run all checks given, each whatever the others found; deep ones only if asked for, else they are skipped."""
    return list(_run(checks, subject, deep))


def _run(checks: Iterable[Check], subject: Subject, deep: bool) -> Iterator[CheckResult]:
    for check in checks:
        if check.deep and not deep:
            yield skipped(check)
        else:
            yield run_check(check, subject)
