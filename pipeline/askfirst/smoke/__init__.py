"""Smoke: every path of a task on a fresh world, with the verdict that it must get."""
