"""The log: the form of its records."""
