"""The log of a table: its records, its files, and the checks on them."""
