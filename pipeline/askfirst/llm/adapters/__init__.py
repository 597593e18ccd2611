"""One file for each way to reach a model, and the list of them in `registry.py`."""
