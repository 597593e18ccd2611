"""The review queue: what waits for a person, as readable files."""
