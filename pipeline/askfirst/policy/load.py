"""Loading a policy: the one that ships, or the user's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from askfirst.documents import read_yaml, validate
from askfirst.errors import DeclarationError
from askfirst.models.facts import Decision
from askfirst.models.policy import Policy
from askfirst.policy.decide import all_facts, deciding_rule


def load_policy(path: Path | None = None) -> Policy:
    """Read a policy file, by default the one that ships.

    Raises InputError for a file that is not a policy, and DeclarationError for one whose rules can never apply or
    that never lets the agent act.
    """
    if path is None:
        with resources.as_file(resources.files("askfirst.policy") / "default.yaml") as shipped:
            return validate(Policy, read_yaml(shipped))
    policy = validate(Policy, read_yaml(path))
    _sane(policy, path)
    return policy


def _sane(policy: Policy, path: Path) -> None:
    used = {deciding_rule(policy, facts).id for facts in all_facts()}
    for place, rule in enumerate(policy.rules):
        if rule.id not in used:
            raise DeclarationError(
                f"rule '{rule.id}' never decides anything: earlier rules take all its cases.",
                where=f"{path}: rules/{place}",
                hint="Move it up, or take it out.",
            )
    if Decision.ACT not in {rule.decide for rule in policy.rules if rule.id in used}:
        raise DeclarationError("no rule decides ACT, so no task could reward acting.", where=str(path))
