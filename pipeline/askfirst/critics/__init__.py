"""Critics: what a model holds against an artifact that all deterministic checks have passed."""
