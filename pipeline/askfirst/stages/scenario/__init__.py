"""Stage 2: from a contract to a scenario told in one domain."""
