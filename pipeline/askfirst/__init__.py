"""askfirst: compile real incidents of agent delegation into validated, executable test tasks."""

__version__ = "0.1.0"
