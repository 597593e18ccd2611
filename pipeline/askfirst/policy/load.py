"""Loading a policy: the one that ships, or the user's own."""

from __future__ import annotations

from pathlib import Path

from askfirst import resources
from askfirst.documents import read_yaml, validate, validate_data
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.errors import DeclarationError
from askfirst.models.facts import Decision
from askfirst.models.policy import Policy
from askfirst.policy.decide import all_facts, deciding_rule

_DEFAULT = "policy/default.yaml"


def load_policy(path: Path | None = None) -> Policy:
    """Read a policy file, by default the one that ships.

    Raises InputError for a file that is not a policy, and DeclarationError for one whose rules can never apply or
    that never lets the agent act.
    """
    if path is None:
        return validate_data(Policy, parse_yaml(resources.text(_DEFAULT), _DEFAULT), lambda _: _DEFAULT)
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
