"""Checking bundles from their files alone: every gate again, and every smoke run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from askfirst.bundles.pairs import read_all, twin_of
from askfirst.bundles.read import Bundle
from askfirst.catalog.load import Catalog
from askfirst.checks.at_hand import foreign, made_otherwise
from askfirst.checks.base import Stage, Subject, run_checks, skipped
from askfirst.checks.registry import for_stage
from askfirst.checks.sets import check_set
from askfirst.models.facts import Level
from askfirst.models.finding import CheckResult, CheckStatus, Finding
from askfirst.models.policy import Policy


@dataclass(frozen=True)
class Checked:
    """One bundle and what its gates found."""

    folder: Path
    results: tuple[CheckResult, ...]

    @property
    def sound(self) -> bool:
        """Whether every check that ran passed, and none could not be run."""
        return all(result.status in {CheckStatus.PASSED, CheckStatus.SKIPPED} for result in self.results)

    @property
    def at_fault(self) -> bool:
        """Whether a check found something; a bundle that is neither sound nor at fault could not be judged."""
        return any(result.status is CheckStatus.FAILED for result in self.results)


def check_paths(
    paths: Iterable[Path], catalog: Catalog, policy: Policy, *, deep: bool = False
) -> tuple[list[Checked], list[Finding]]:
    """Check all bundles at these paths, pair by pair, and then the set that they form.

    Raises InputError for a path that holds no bundle. What is wrong inside one is a finding of that bundle.
    """
    read = read_all(paths)
    checked = {folder: Checked(folder, (_broken(fault),)) for folder, fault in read.faults.items()}
    for folder in read.folders:
        if folder not in checked:
            for one in _pair(read.bundles[folder], read.bundles, catalog, policy, deep):
                checked[one.folder] = one
    of_the_set = check_set([bundle.task for bundle in read.bundles.values()])
    return [checked[folder] for folder in read.folders], list(of_the_set)


def _pair(
    bundle: Bundle, bundles: Mapping[Path, Bundle], catalog: Catalog, policy: Policy, deep: bool
) -> Iterable[Checked]:
    twin = twin_of(bundle, bundles)
    if isinstance(twin, Finding):
        yield Checked(bundle.folder, (_broken(twin),))
        return
    subject = subject_of(bundle, twin, catalog, policy)
    results = _all_gates(subject, deep)
    yield Checked(bundle.folder, results)
    if twin.folder in bundles:
        yield Checked(twin.folder, results)


def subject_of(bundle: Bundle, twin: Bundle, catalog: Catalog, policy: Policy) -> Subject:
    """What the gates look at, of a pair as it lies in its files. Only the catalogue's tools may be run."""
    both = {one.task.pair.level: one for one in (bundle, twin)}
    subject = Subject(
        seed=bundle.seed,
        catalog=catalog,
        policy=policy,
        contract=bundle.contract,
        scenario=bundle.scenario,
        blueprint=bundle.blueprint,
        tasks={level: both[level].task for level in Level},
        folders={level: one.folder for level, one in both.items()},
        provenances={level: one.provenance for level, one in both.items()},
    )
    subject.made_otherwise = made_otherwise(subject)
    subject.held_back = foreign(subject)
    return subject


def _all_gates(subject: Subject, deep: bool) -> tuple[CheckResult, ...]:
    """The gates of compiling, and then that of the bundle, which looks at what they found as well."""
    checks = [check for stage in Stage if stage is not Stage.BUNDLE for check in for_stage(stage)]
    results = run_checks(checks, subject, deep=deep)
    subject.results = tuple(
        skipped(check) if check.deep else result for check, result in zip(checks, results, strict=True)
    )
    return (*results, *run_checks(for_stage(Stage.BUNDLE), subject, deep=deep))


def _broken(finding: Finding) -> CheckResult:
    return CheckResult(check="readable", gate="B1", status=CheckStatus.FAILED, findings=(finding,))
