"""The catalogue: the declared services and carriers, checked when they are loaded."""
