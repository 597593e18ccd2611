"""Stage 1: from a seed to the contract that a task must test."""
