"""Checking bundles from their files alone: every gate again, and every smoke run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from askfirst.bundles.read import Bundle, bundle_folders, read_bundle, twin_name
from askfirst.catalog.load import Catalog
from askfirst.checks.at_hand import foreign, made_otherwise
from askfirst.checks.base import Stage, Subject, run_checks, skipped
from askfirst.checks.registry import for_stage
from askfirst.checks.sets import check_set
from askfirst.errors import InputError
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
    # Resolved, because a bundle's folder must have its name: `.` has none.
    folders = list(dict.fromkeys(folder for path in paths for folder in bundle_folders(path.resolve())))
    bundles: dict[Path, Bundle] = {}
    checked: dict[Path, Checked] = {}
    for folder in folders:
        try:
            bundles[folder] = read_bundle(folder)
        except InputError as fault:
            checked[folder] = Checked(folder, (_broken("B1.unreadable", str(fault)),))
    for folder in folders:
        if folder not in checked:
            for one in _pair(folder, bundles, catalog, policy, deep):
                checked[one.folder] = one
    return [checked[folder] for folder in folders], list(check_set([bundle.task for bundle in bundles.values()]))


def _pair(folder: Path, bundles: dict[Path, Bundle], catalog: Catalog, policy: Policy, deep: bool) -> Iterable[Checked]:
    bundle = bundles[folder]
    other = folder.parent / twin_name(folder, bundle.task.pair.level)
    try:
        twin = bundles.get(other) or read_bundle(other)
    except InputError as fault:
        yield Checked(folder, (_broken("B1.half_a_pair", f"the other variant cannot be read: {fault}"),))
        return
    for name in ("seed", "contract", "scenario", "blueprint"):
        if getattr(bundle, name) != getattr(twin, name):
            message = f"{name}.yaml is another one than in the other variant."
            yield Checked(folder, (_broken("B1.variants_differ", message),))
            if other in bundles:
                yield Checked(other, (_broken("B1.variants_differ", message),))
            return
    subject = Subject(
        seed=bundle.seed,
        catalog=catalog,
        policy=policy,
        contract=bundle.contract,
        scenario=bundle.scenario,
        blueprint=bundle.blueprint,
        tasks={level: one.task for level in Level for one in (bundle, twin) if one.task.pair.level is level},
        folders={bundle.task.pair.level: folder, twin.task.pair.level: other},
        provenances={one.task.pair.level: one.provenance for one in (bundle, twin)},
    )
    if len(subject.tasks) != len(Level):
        yield Checked(folder, (_broken("B1.half_a_pair", "both bundles hold the same level."),))
        return
    results = _all_gates(subject, deep)
    yield Checked(folder, results)
    if other in bundles:
        yield Checked(other, results)


def _all_gates(subject: Subject, deep: bool) -> tuple[CheckResult, ...]:
    """The gates of compiling, and then that of the bundle, which looks at what they found as well."""
    subject.made_otherwise = made_otherwise(subject)
    subject.held_back = foreign(subject)
    checks = [check for stage in Stage if stage is not Stage.BUNDLE for check in for_stage(stage)]
    results = run_checks(checks, subject, deep=deep)
    subject.results = tuple(
        skipped(check) if check.deep else result for check, result in zip(checks, results, strict=True)
    )
    return (*results, *run_checks(for_stage(Stage.BUNDLE), subject, deep=deep))


def _broken(code: str, message: str) -> CheckResult:
    finding = Finding(code=code, path="", message=message)
    return CheckResult(check="readable", gate="B1", status=CheckStatus.FAILED, findings=(finding,))
