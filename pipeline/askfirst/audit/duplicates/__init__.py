"""Measures of how often a suite holds the same thing twice."""
