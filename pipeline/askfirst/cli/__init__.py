"""The command line: one file a command, each a plain function behind a thin wrapper."""
