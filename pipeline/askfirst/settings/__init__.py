"""The settings of a workspace: which models write and judge, at what price and within what limits."""
