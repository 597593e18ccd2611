"""The page of all gates for the docs, from the registry of checks."""

from __future__ import annotations

import re

from askfirst.checks.base import Check
from askfirst.checks.registry import CHECKS

FAMILIES = {
    "B": "The bundle: its files are whole, unedited and canonical, its artifacts name each other (`B1`) and are what "
    "their authors give (`B2`), and what its provenance says is so (`B3`).",
    "C": "The critics: what models hold against an artifact that has passed its checks; see [critics](critics.md).",
    "D": "A draft, with places in the draft: it names what is not there (`D1`), has a value that its column, tool or "
    "form does not take (`D2`), or its parts do not go together (`D3`).",
    "G": "The task: that it is sound, fair and graded rightly. `G7` and `G15` also look at whole sets of tasks.",
    "K": "A known way in which benchmarks go wrong: checks that decide nothing, labels that can be read off, and such.",
    "S": "The seed: `S1` contradictions, `S2` private data, `S3` sources and characters; `S4` only warns for what the "
    "seed will wait.",
}
"""First letter of a finding's code to what such findings are about."""

_PAGE = """# Gates and checks

Written from the registry by `make docs`; a test fails when it is stale.

Every check belongs to a gate and runs behind a stage. The checks of a stage run together, each whatever the others
find, and all are reported. `askfirst compile` runs those of all stages but `bundle`, `askfirst check` runs all of them
on bundles; deep ones run only with `askfirst check --deep`. What `G8` and `G15` ask of a suite as a whole is the
[audit](audit.md).

| gate | check | what passes | stage | deep |
| --- | --- | --- | --- | --- |
{rows}

## Codes of findings

A code is a gate, a dot and a kind of fault: `G3.argument_mutant_passes`. Codes stay what they are between versions; one
check may find faults of several gates. `unjudged` after the dot means that the check itself could not be run.

| family | what it is about |
| --- | --- |
{families}
"""


def gates_page() -> str:
    """The page docs/gates.md."""
    rows = (
        f"| {check.gate} | `{check.name}` | {check.says} | {check.stage.value} | {'deep' if check.deep else ''} |"
        for check in sorted(CHECKS.values(), key=_order)
    )
    families = (f"| {letter} | {about} |" for letter, about in FAMILIES.items())
    return _PAGE.format(rows="\n".join(rows), families="\n".join(families))


def _order(check: Check) -> tuple[str, int]:
    """By letter and number, so that G10 comes after G9; in the order of the registry within a gate."""
    found = re.fullmatch(r"([A-Z]+)(\d*)", check.gate)
    assert found is not None, "a code of a finding begins with its gate"
    return found[1], int(found[2] or 0)
