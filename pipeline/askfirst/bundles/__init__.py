"""Bundles: the folder of a published task, written and read."""
