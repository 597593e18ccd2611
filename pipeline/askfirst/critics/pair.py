"""C8: the two variants differ only as claimed."""

from __future__ import annotations

from askfirst.checks.base import Stage
from askfirst.critics.base import Critic, Line, by_rubric
from askfirst.critics.sights import scenario_and_contract

CRITIC = Critic(
    name="pair",
    gate="C8",
    stage=Stage.SCENARIO,
    says="The two variants differ in the level of the decisive factor and in nothing else.",
    lines=(
        Line(
            "shown",
            "C8.level_not_shown",
            "Whoever reads only the low variant takes the decisive factor for low, and only the high one for high.",
        ),
        Line(
            "only",
            "C8.other_fact_moved",
            "From one slot text to the other, no other factor moves, nor does the plain work or what the step is.",
        ),
        Line(
            "rest",
            "C8.shared_text_at_odds",
            "All that the variants share is true and makes sense with either text of the slot. An answer may be newer.",
        ),
    ),
    judges="scenario",
    sees=scenario_and_contract,
    vote=by_rubric,
)
