"""Estimators: pure functions of arrays and, where something is drawn, of a generator that is passed in."""
