"""The compile graph: wiring, routing, running, and checking bundles."""
