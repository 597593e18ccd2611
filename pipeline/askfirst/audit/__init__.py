"""Auditing a suite: what no single task can be at fault for, duplicates and labels that can be guessed."""
