"""Guessers: each sees one side of a task and tries to tell its label from that."""
