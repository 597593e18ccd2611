"""The page of all critics for the docs, from their registry."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Stage
from askfirst.critics.base import Critic, Kind
from askfirst.critics.registry import CRITICS, requests_of
from askfirst.critics.run import calls_of
from askfirst.settings.form import ModelSettings, Panel

AUTHORS = 3
"""Calls of the authors for a pair that needs no repair: contract, scenario, blueprint."""

_PAGE = """# Critics

Written from the registry by `make docs`; a test fails when it is stale. To read what a critic is asked of a task:
`askfirst dev critics TASK`. To write one: [add a critic](add-a-critic.md).

A critic is a rubric for a model. It runs behind the deterministic checks of its stage, and only on what has passed
them. What it finds has a code, a place and a reason as the findings of [checks](gates.md) have, so that repair, review
and provenance treat both alike.

| gate | critic | what passes | stage | request |
| --- | --- | --- | --- | --- |
{critics}

## Lines

A critic passes when every line of its rubric holds. The reason is asked for before the verdict.

| code | line | what must hold |
| --- | --- | --- |
{lines}

## One model's vote

- It must answer every line exactly once, in one reply. Otherwise the critic is `unjudged`: a line is missing, there
  twice or not asked for; the model refused, was cut off or could not be reached.
- A fault must be told of a place: words copied from what was shown, or a JSON pointer that leads somewhere. One told of
  words that stand nowhere is no finding, and the critic is `unjudged`.
- `label` is asked otherwise. A reader gets what an agent knows at the step, without name, level, label or the other
  variant, and decides. Its most frequent decision in each variant is compared with the one that is expected there.
- `unjudged` is never a pass and spends no repair.

## The panel

`critics.rule` in `askfirst.yaml` says how the votes of several models count. Votes that are `unjudged` do not; where
nobody judged, the critic is `unjudged`.

| rule | passes | fails | is split |
| --- | --- | --- | --- |
| `all` | all pass it | all fail it | else |
| `majority` | more than half pass it | more than half fail it | at a tie |
| `veto` | none fails it | one fails it | never |

A split goes to a person and not to repair: its result is `unjudged`, and its reason begins with `split:`. What too few
models found stays with the result as a note. Without a model all critics are `skipped`, and the reason says so.

## Calls

Critics of one stage that see the same share a request, so that a pair that needs no repair takes, for each model, one
request at the contract's gate, one at the scenario's and one at the tasks', and two blind decisions, one for each
variant. (One request for both would be cheaper, but a reader who sees both sees what differs.)

Each of several models decides blind once. Where they agree, that settles it; where they differ, each of them decides
that variant again until it has `critics.votes` votes. A single model always votes that often.

| models | critics | with the authors' {authors} |
| --- | --- | --- |
{calls}

with `critics.votes` at its default of {votes}.
"""


def critics_page() -> str:
    """The page docs/critics.md."""
    critics = sorted(CRITICS.values(), key=lambda critic: int(critic.gate[1:]))
    return _PAGE.format(
        critics="\n".join(map(_row, critics)),
        lines="\n".join(line for critic in critics for line in _lines(critic)),
        calls="\n".join(_calls(models) for models in (1, 2, 3)),
        authors=AUTHORS,
        votes=Panel().votes,
    )


def _row(critic: Critic) -> str:
    shared = next(group for group in requests_of(critic.stage) if critic in group)
    request = "each variant by itself" if critic.kind is Kind.BLIND else " + ".join(one.name for one in shared)
    return f"| {critic.gate} | `{critic.name}` | {critic.says} | {critic.stage.value} | {request} |"


def _lines(critic: Critic) -> Iterator[str]:
    for name, line in critic.named():
        yield f"| `{line.code}` | `{name}` | {line.claim} |"


def _calls(models: int) -> str:
    panel = Panel(models=(ModelSettings(model="scripted/critic"),) * models)
    calls = sum(calls_of(stage, panel) for stage in Stage)
    return f"| {models} | {calls} | {calls + AUTHORS} |"
