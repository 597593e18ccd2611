"""Grading: from effects to checks, and from a trajectory to a verdict, with no model."""
