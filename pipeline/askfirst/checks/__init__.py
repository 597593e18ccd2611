"""The deterministic checks of every gate, one file each, and the registry that lists them."""
