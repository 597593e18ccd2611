"""Drafting a seed from a text: what a model is asked, and what its answers are held to."""
