"""Trying a carrier with every lever, without a seed."""
