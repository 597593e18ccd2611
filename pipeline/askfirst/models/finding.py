"""What a gate holds against an artifact, and the outcome of running a gate."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from askfirst.models.base import Model


class Severity(StrEnum):
    """`error` stops the artifact, `warning` is shown, `note` explains."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(Model):
    """One thing that a check or a critic holds against an artifact."""

    code: str = Field(pattern=r"^[A-Z][A-Z0-9]*\.[a-z0-9_]+$")
    """Gate and kind of fault, for example `G3.argument_mutant_passes`; stable across versions."""

    severity: Severity = Severity.ERROR
    path: str = ""
    """Place in the artifact as a JSON pointer, for example `/checks/required/0`."""

    message: str
    """One sentence for the person who has to mend it."""

    evidence: str = ""
    """What was seen: a value, a row, a call, cut to a readable length."""


class CheckStatus(StrEnum):
    """How a check ended. `unjudged` means that it could not be run; it never counts as passed."""

    PASSED = "passed"
    FAILED = "failed"
    UNJUDGED = "unjudged"
    SKIPPED = "skipped"


class CheckResult(Model):
    """The outcome of one check on one artifact."""

    check: str
    """Name of the check in the registry, for example `gold_run`."""

    gate: str
    """The gate it belongs to, for example `G1`."""

    status: CheckStatus
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """Why it was not judged or was skipped."""
