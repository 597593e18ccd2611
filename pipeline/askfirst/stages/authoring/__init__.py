"""The embedded author: carriers filled from a seed's facts, with no model and no key."""
