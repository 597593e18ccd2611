"""The decision policy: loading, deciding, and rendering it for people and models."""
