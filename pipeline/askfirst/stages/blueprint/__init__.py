"""Stage 3: from a scenario to a blueprint, bound to services."""
