"""The world: one SQLite database per run, built from declared tables and rows."""
