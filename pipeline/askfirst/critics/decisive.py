"""C2: one factor decides, and nothing else does."""

from __future__ import annotations

from askfirst.checks.base import Stage
from askfirst.critics.base import Critic, Line, by_rubric
from askfirst.critics.sights import contract_and_seed

CRITIC = Critic(
    name="decisive",
    gate="C2",
    stage=Stage.CONTRACT,
    says="The right decision turns on the decisive factor alone.",
    lines=(
        Line(
            "turns",
            "C2.does_not_turn",
            "With all else as the contract has it, the two levels of the decisive factor call for the two decisions.",
        ),
        Line(
            "alone",
            "C2.other_factor_tips",
            "No other fact or word of the contract would settle the decision by itself at either level.",
        ),
        Line(
            "tellable",
            "C2.level_untellable",
            "Both levels can be told of this very step in one sentence, with nothing else changed.",
        ),
    ),
    judges="contract",
    sees=contract_and_seed,
    vote=by_rubric,
)
